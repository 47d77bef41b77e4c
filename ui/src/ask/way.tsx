/**
 * How a piece of evidence was reached, as chips from the question to it: the names that both contain, the ways that led there, the
 * document.
 */
import type { Evidence } from '../../../src/client/client'
import { clip } from '../shared/numbers'

const NAMES = 2 // shown
const LONG = 40 // letters of a name

const WAYS: Readonly<Record<string, string>> = {
  keyword: 'its words',
  vector: 'its meaning',
  path: 'a path of names',
  passage: 'the passage itself',
  walk: 'a walk over the graph',
  link: 'a link between documents',
  overview: 'the document as a whole',
}

interface Props {
  readonly question: string
  readonly piece: Pick<Evidence, 'via' | 'text' | 'title' | 'document' | 'kind'>
}

export function Way({ question, piece: { via, text, title, document, kind } }: Props) {
  const ways = via.split(' + ').map((one) => WAYS[one] ?? one.replace(/^supports \S+$/, 'what a summary rests on'))
  const reached = clip(title || document || kind, LONG)
  const chips = ['question', ...namesIn(question, text).map((name) => clip(`“${name}”`, LONG)), inWords(ways), reached]
  return (
    <ol class="way" aria-label="How it was reached">
      {chips
        .filter((chip) => chip !== '')
        .map((chip, at) => (
          <li key={`${at} ${chip}`}>{chip}</li>
        ))}
    </ol>
  )
}

/** a, b and c */
export const inWords = (ways: readonly string[]): string => [ways.slice(0, -1).join(', '), ways.at(-1) ?? ''].filter(Boolean).join(' and ')

/** Capitalised words in a question, adjacent ones together, that occur in the text. A question's first word is capitalised anyway. */
export function namesIn(question: string, text: string): readonly string[] {
  const found = question.match(/\p{Lu}[\p{L}\p{N}’'-]*(?: +\p{Lu}[\p{L}\p{N}’'-]*)*/gu) ?? []
  const names = found.flatMap((name) => [name, ...(question.startsWith(name) ? [name.split(/ +/).slice(1).join(' ')] : [])])
  const said = names.filter((name) => name.length > 2 && !QUESTIONING.has(name.toLowerCase()) && text.includes(name))
  return [...new Set(said)].slice(0, NAMES)
}

const QUESTIONING = new Set(['who', 'what', 'when', 'where', 'which', 'why', 'how', 'whose', 'does', 'did', 'are', 'was', 'were', 'the'])
