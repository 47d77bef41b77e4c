/**
 * The terms of each sentence of a text, as numbers that can be stored: the tree of summaries reads a chunk again whenever its segment changes, so a
 * graph keeps them beside the chunk, and nobody has to divide the text again.
 */
import { sentences } from './sentences'
import { termOf, terms } from './terms'
import { takeHashes } from './word-hashes'

const FORMAT = 1 // another when sentences, terms or hashes are made in another way: what was stored before is made again
const KEPT = 6 * 1024 * 1024 // bytes of texts remembered, with their terms
const ENTRY = 150 // bytes it takes to remember one
const SENTENCES = 4096 // remembered besides, with some 20 terms each: 1 MB

/** Where, in the numbers of a sentence, what it is stands; its terms follow. */
export const SENTENCE = { start: 0, end: 1, tokens: 2, hash: 3, rest: 4, count: 5, terms: 6 } as const

/**
 * First the format. Then, for each sentence in turn: where it starts and ends; how many tokens it has (0: not counted yet, and whoever counts them
 * writes it here); 64 bits of hash of the sentence; how many different terms, and a hash of each, never 0.
 */
export type SentenceTerms = Int32Array

/** Divides a text. `known`: sentences that come again in other texts, filled on the way. */
export function sentenceTerms(text: string, known?: KnownSentences): SentenceTerms {
  const out: number[] = [FORMAT]
  let from = 0
  const take = (hash: number): void => {
    for (let i = from; i < out.length; i++) if (out[i] === hash) return
    out.push(hash)
  }
  for (const { start, end } of sentences(text)) {
    const hash = hashed(text, start, end)
    const rest = hashed(text, start, end, 0x2c1b3c6d, 0x27d4eb2f)
    const before = known?.get(identity(hash, rest))
    out.push(start, end, 0, hash, rest, 0)
    from = out.length
    if (before) for (let i = 0; i < before.length; i++) out.push(before[i] as number)
    else if (!takeHashes(text, { start, end }, hashOfWord, take)) {
      out.length = from
      for (const term of terms(text.slice(start, end))) take(hashOf(term))
    }
    out[from - 1] = out.length - from
    if (known && !before) known.set(identity(hash, rest), Int32Array.from(out.slice(from)))
  }
  return Int32Array.from(out)
}

/** By a sentence's identity, hashes of its terms. */
type KnownSentences = Map<number, Int32Array>

/** 53 of the 64 bits of a sentence's hash. */
export function identity(hash: number, rest: number): number {
  return (hash >>> 0) * 0x200000 + (rest >>> 11)
}

/** Whether these numbers, read from somewhere, are what `sentenceTerms` makes today. */
export function isCurrent(terms: SentenceTerms): boolean {
  return terms[0] === FORMAT
}

/** Where its first sentence begins. */
export const FIRST = 1

const remembered = new Map<string, SentenceTerms>()
let bytes = 0
// What is told of entities says the same sentences in ever other texts.
const sentencesKnown: KnownSentences = new Map()

/** The same, for texts that are read again and again: as long as there is room they are divided only once. */
export function rememberedTerms(text: string): SentenceTerms {
  const known = remembered.get(text)
  if (known) remembered.delete(text)
  if (sentencesKnown.size > SENTENCES) sentencesKnown.clear()
  const made = known ?? sentenceTerms(text, sentencesKnown)
  remembered.set(text, made)
  if (!known) bytes += sizeOf(text, made)
  for (const [oldest, one] of remembered) {
    if (bytes <= KEPT) break
    remembered.delete(oldest)
    bytes -= sizeOf(oldest, one)
  }
  return made
}

function sizeOf(text: string, terms: SentenceTerms): number {
  return terms.byteLength + 2 * text.length + ENTRY
}

/** 0 for a word that means nothing. */
function hashOfWord(word: string): number {
  const term = termOf(word)
  return term === '' ? 0 : hashOf(term)
}

function hashOf(term: string): number {
  return hashed(term, 0, term.length) || 1
}

/** FNV-1a (by default) of UTF-16 units, then mixed (the last steps of MurmurHash3), so that all bits depend on all letters. */
function hashed(text: string, start: number, end: number, seed = 0x811c9dc5, prime = 0x01000193): number {
  let hash = seed
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), prime)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
