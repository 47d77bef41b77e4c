/** A reading as text: the words that answer in front, then the sentences. Says where each piece stands, in the answer and in its passage. */
import { rowInWords } from '../text/table-row'
import type { Passage } from './candidates'
import type { Reading, Slice } from './read'

export interface Statement {
  /** Place in the answer; the first piece includes the words in front if they are from its sentence. */
  readonly start: number
  readonly end: number
  readonly quote: Slice
}

export interface Composed {
  readonly text: string
  readonly statements: readonly Statement[]
}

export function compose({ span, sentences }: Reading, passages: readonly Passage[]): Composed {
  const textOf = ({ passage, start, end }: Slice): string => rowInWords(passages[passage]?.text.slice(start, end) ?? '')
  const isRow = ({ passage, start }: Slice): boolean => passages[passage]?.text[start] === '|'
  const holder = span && sentences.find((one) => one.passage === span.passage && one.start <= span.start && one.end >= span.end)
  // Words that begin the answer anyway need no repeating.
  const isFirst =
    span && holder && holder === sentences[0] && (span.start === holder.start || (isRow(holder) && textOf(holder).startsWith(textOf(span))))
  let text = span && holder && !isFirst ? ended(textOf(span)) : ''
  const front = text.length
  // Words in front of their own sentence form one statement with it; in front of another sentence, a statement of their own.
  const isJoined = front > 0 && holder === sentences[0]
  const statements: Statement[] = front > 0 && holder && !isJoined ? [{ start: 0, end: front, quote: holder }] : []
  for (const sentence of sentences) {
    if (text !== '') text += ' '
    const start = isJoined && sentence === holder ? 0 : text.length
    text += textOf(sentence)
    statements.push({ start, end: text.length, quote: sentence })
  }
  return { text, statements }
}

function ended(words: string): string {
  return /[.!?。！？]$/u.test(words) ? words : `${words}.`
}
