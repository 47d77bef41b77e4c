/**
 * How a piece of evidence was reached, as chips from the question to it: the names that both contain, the ways that led there, the
 * document.
 */
import type { Evidence } from '../../../src/client/client'
import { clip } from '../shared/numbers'

const NAMES = 2 // shown
const MOST_WORDS = 5 // of a name
const LEAST = 3 // letters of a name
const LONG_WORD = 5 // letters that make a word of a script without capitals rare enough to lead somewhere
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

type Piece = Pick<Evidence, 'via' | 'text' | 'title' | 'document' | 'kind'>

interface Props {
  readonly question: string
  readonly piece: Piece
  /** The evidence ranked above it. */
  readonly above: readonly Piece[]
}

export function Way({ question, piece, above }: Props) {
  const { via, text, title, document, kind } = piece
  const ways = via.split(' + ').map((one) => WAYS[one] ?? one.replace(/^supports \S+$/, 'what a summary rests on'))
  const reached = clip(title || document || kind, LONG)
  const over = leadingTo(piece, question, above)
  const names = namesIn(question, over ? over.text : `${title ?? ''}\n${text}`).map((name) => clip(`“${name}”`, LONG))
  const step = over ? `named in ${clip(over.title || over.document || over.kind, LONG)}` : ''
  const chips = ['question', ...names, step, inWords(ways), reached]
  return (
    <ol class="way" aria-label="How it was reached">
      {chips
        .filter((chip) => chip !== '')
        .map((chip, at) => (
          <li key={`${at} ${chip}`} dir="auto">
            {chip}
          </li>
        ))}
    </ol>
  )
}

/** The best piece of another document that says the title of this one's, where the question does not: whoever read it was led here. */
export function leadingTo({ title = '', document }: Piece, question: string, above: readonly Piece[]): Piece | undefined {
  const name = title.replace(/\s*\([^)]*\)$/u, '').toLowerCase()
  if (name.length < LEAST || question.toLowerCase().includes(name)) return undefined
  return above.find((one) => one.document !== document && placesOf(name, one.text).length > 0)
}

/** a, b and c */
export const inWords = (ways: readonly string[]): string => [ways.slice(0, -1).join(', '), ways.at(-1) ?? ''].filter(Boolean).join(' and ')

/**
 * Names of a question that stand in the text, as the text writes them. With capitals, however the question writes them; but a word that opens a sentence has
 * one anyway, so there the question must write it so, too. In a script without capitals: words beside each other, or a long one.
 */
export function namesIn(question: string, text: string): readonly string[] {
  const words = question.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}’'-]*/gu) ?? []
  const names: string[] = []
  for (let at = 0; at < words.length; ) {
    const found = longestAt(words, at, text)
    if (found) names.push(found.name)
    at += found?.count ?? 1
  }
  return [...new Set(names)].slice(0, NAMES)
}

interface Name {
  readonly name: string
  /** Words. */
  readonly count: number
}

function longestAt(words: readonly string[], from: number, text: string): Name | undefined {
  for (let count = Math.min(MOST_WORDS, words.length - from); count > 0; count--) {
    const own = words.slice(from, from + count)
    if (own.some((word) => QUESTIONING.has(word.toLowerCase())) || own.join(' ').length < LEAST) continue
    const name = placesOf(own.join(' '), text).flatMap((at) => nameAt(own, text, at))[0]
    if (name !== undefined) return { name, count }
  }
  return undefined
}

function nameAt(asked: readonly string[], text: string, at: number): readonly string[] {
  const written = text.slice(at, at + asked.join(' ').length)
  if (/^\p{Lo}/u.test(written)) return asked.length > 1 || written.length >= LONG_WORD ? [written] : []
  const isOpening = /(?:^|[.!?…:]["”’)]*\s+|\n\s*)$/u.test(text.slice(0, at))
  const isName = written.split(' ').every((word) => /^[\p{Lu}\p{N}]/u.test(word)) && /\p{Lu}/u.test(written)
  return isName && (!isOpening || asked.length > 1 || /^\p{Lu}/u.test(asked[0] ?? '')) ? [written] : []
}

/** Where the text says these words, whole. */
function placesOf(words: string, text: string): readonly number[] {
  const folded = text.toLowerCase()
  const places: number[] = []
  for (let at = folded.indexOf(words.toLowerCase()); at >= 0; at = folded.indexOf(words.toLowerCase(), at + words.length))
    if (isWhole(folded, at, words.length)) places.push(at)
  return places
}

const isWhole = (text: string, at: number, length: number): boolean =>
  !/[\p{L}\p{N}]$/u.test(text.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(text.slice(at + length))

const QUESTIONING = new Set(['who', 'what', 'when', 'where', 'which', 'why', 'how', 'whose', 'does', 'did', 'are', 'was', 'were', 'the'])
