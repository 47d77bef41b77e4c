/**
 * The terms of each sentence of a text, as numbers. A text with a name is analysed once and remembered while there is room: the tree of summaries
 * reads a chunk again whenever its segment changes, a dozen times while a corpus grows. Only a cache: numbers mean nothing beyond one call.
 */
import { asciiNumbers, forgetNumbers } from './ascii-words'
import { sentences } from './sentences'
import { termOf, terms } from './terms'

const KEPT = 6 * 1024 * 1024 // bytes remembered: the texts of about 3,500 chunks
const ENTRY = 150 // bytes it takes to remember one, without its name
const NUMBERED = 100_000 // terms that get a number; an English corpus has fewer

/** A text and what identifies it: two texts with one name are the same. A text that is its own name is made by `itself`. */
export interface Named {
  readonly name: string
  readonly text: string
}

/** For texts that are read again and again and have no name; it cannot be confused with a node's id. */
export function itself(text: string): Named {
  return { name: `\n${text}`, text }
}

/**
 * For each sentence in turn: where it starts and ends, how many tokens it has (0: not counted yet; whoever counts them writes it here), how many
 * different terms, and their numbers.
 */
export type SentenceTerms = Int32Array

const NUMBERING = { term: termOf, number: numberOf }
const numbers = new Map<string, number>()
const remembered = new Map<string, SentenceTerms>()
let bytes = 0
let sentence = 0 // the one being read
let seen = new Float64Array(1024) // by term: the last sentence it was in

/** Numbers agree among the texts of one call. */
export function sentenceTerms(texts: readonly (string | Named)[]): readonly SentenceTerms[] {
  if (numbers.size > NUMBERED) forget()
  return texts.map((text) => (typeof text === 'string' ? analysed(text) : recalled(text)))
}

/** All numbers are below this. */
export function numberedTerms(): number {
  return numbers.size
}

function recalled({ name, text }: Named): SentenceTerms {
  const known = remembered.get(name)
  if (known) remembered.delete(name)
  const made = known ?? analysed(text)
  remembered.set(name, made)
  if (!known) bytes += sizeOf(name, made)
  for (const [oldest, one] of remembered) {
    if (bytes <= KEPT) break
    remembered.delete(oldest)
    bytes -= sizeOf(oldest, one)
  }
  return made
}

function sizeOf(name: string, terms: SentenceTerms): number {
  return terms.byteLength + name.length + ENTRY
}

function analysed(text: string): SentenceTerms {
  const out: number[] = []
  const take = (number: number): void => {
    if (seen[number] === sentence) return
    seen[number] = sentence
    out.push(number)
  }
  for (const { start, end } of sentences(text)) {
    out.push(start, end, 0, 0)
    const from = out.length
    sentence++
    if (!asciiNumbers(text, { start, end }, NUMBERING, take)) {
      out.length = from
      sentence++
      for (const term of terms(text.slice(start, end))) take(numberOf(term))
    }
    out[from - 1] = out.length - from
  }
  return Int32Array.from(out)
}

function numberOf(term: string): number {
  const known = numbers.get(term)
  if (known !== undefined) return known
  const number = numbers.size
  numbers.set(term, number)
  if (number >= seen.length) {
    const wider = new Float64Array(2 * seen.length)
    wider.set(seen)
    seen = wider
  }
  return number
}

function forget(): void {
  numbers.clear()
  forgetNumbers()
  remembered.clear()
  bytes = 0
}
