/**
 * A static sentence encoder: a text's vector is the normalised sum of its word pieces' vectors, learned from a teacher (encoder/README.md), each
 * weighed by where it occurs; plus, for every rare word, a direction of its own, made from a hash, so that the same name stays the same name
 * however it was cut. Letters that are not Latin are only hashed: words and their trigrams, or pairs of characters in scripts without spaces. Pure
 * and deterministic.
 */
import { fold } from '../text/fold'
import type { Artefact } from './artefact'
import { rowSum } from './sum'
import { basicTokens, lower, piecesOf } from './wordpiece'

const FOREIGN = /(?:(?!\p{Script=Latin}|\p{Script=Inherited})\p{L})(?:(?!\p{Script=Latin})[\p{L}\p{M}])*/gu
const HAS_FOREIGN = /[\u0370-\u1dff\u2c00-\ufaff\ufb1d-\uffff]/
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー々〆]/u
const CHARACTER = /[\s\S]\p{M}*/gu
const SHORT = 0.3 // weight of a foreign word of one or two characters, and of a single character in a run: mostly grammar
const STEP = 0x9e3779b9
const KEPT = 8192 // words remembered, with their directions: 2 MB
const LONGEST = 100 // characters of a word that is remembered, at most

export interface Encoder {
  readonly name: string
  readonly dimensions: number
  /** The vector has length 1, whatever the text. */
  encode(text: string): Float32Array
}

export function staticEncoder(artefact: Artefact): Encoder {
  const { dimensions, weights, name } = artefact.header
  const words = knownWords(artefact)
  return {
    name,
    dimensions,
    encode(text) {
      const sum = latinSum(text, artefact, words)
      if (HAS_FOREIGN.test(text)) addForeign(sum, text, weights.identity.foreign)
      if (!sum.some((value) => value !== 0)) addDirection(sum, hash(text), 1)
      return unit(sum)
    },
  }
}

/** A word as written. */
interface Word {
  readonly pieces: readonly number[]
  readonly capital: 0 | 1
  /** What its own direction weighs compared with its first piece. */
  readonly own: number
  /** Where its direction begins among the signs. */
  readonly start: number
}

/** Words seen recently, and the signs of their directions: most words of a text have been seen before. */
interface Words {
  readonly met: Map<string, Word>
  readonly signs: Int8Array
}

function knownWords({ header: { dimensions } }: Artefact): Words {
  return { met: new Map(), signs: new Int8Array(KEPT * dimensions) }
}

/** May overwrite signs of words seen earlier. */
function wordOf(token: string, { met, signs }: Words, { vocabulary, rarity, header: { dimensions, weights } }: Artefact): Word {
  const { identity } = weights
  const word = lower(token)
  const capital = isCapital(token) ? 1 : 0
  const pieces = piecesOf(word, vocabulary)
  const first = pieces[0] as number
  const isWhole = pieces.length === 1 && first !== vocabulary.unknown
  const rare = (identity.whole * (capital ? 1 : identity.lower) * (rarity[first] as number)) / 255
  if (met.size >= KEPT) met.clear()
  const start = met.size * dimensions // for a word too long to be kept, only until the next one comes
  writeSigns(signs.subarray(start, start + dimensions), hash(word))
  const made: Word = { pieces, capital, own: isWhole ? rare : identity.split, start }
  if (token.length <= LONGEST) met.set(token, made)
  return made
}

function latinSum(text: string, artefact: Artefact, words: Words): Float64Array {
  const { vocabulary, scales, codes, header } = artefact
  const { dimensions } = header
  const { positions, capitals, repeats, kinds } = header.weights
  const length = Math.sqrt(dimensions) // length of a direction's signs
  const sum = rowSum(dimensions)
  const seen = new Map<number, number>()
  let position = 0
  const latin = HAS_FOREIGN.test(text) ? text.replace(FOREIGN, ' ') : text
  for (const token of basicTokens(latin)) {
    let word = words.met.get(token)
    if (!word) {
      sum.settle() // signs are about to be written, perhaps over those of a word that was added
      word = wordOf(token, words, artefact)
    }
    const { pieces, capital, own, start } = word
    let ofWord = 0
    for (let i = 0; i < pieces.length; i++) {
      const row = pieces[i] as number
      const times = seen.get(row) ?? 0
      seen.set(row, times + 1)
      const weight = of(positions, bucket(position)) * of(capitals, capital) * of(repeats, times) * of(kinds, kindOf(i, pieces.length))
      if (i === 0) ofWord = weight
      if (row !== vocabulary.unknown) sum.add(codes, row * dimensions, weight * (scales[row] as number))
      position += 1
    }
    const direction = ofWord * own
    if (direction !== 0) sum.add(words.signs, start, direction / length)
  }
  return sum.total()
}

function addForeign(sum: Float64Array, text: string, scale: number): void {
  const seen = new Map<string, number>()
  const add = (gram: string, weight: number) => {
    const times = seen.get(gram) ?? 0
    seen.set(gram, times + 1)
    addDirection(sum, hash(gram), (scale * weight) / (1 + times))
  }
  for (const run of text.match(FOREIGN) ?? []) {
    const word = fold(run)
    const letters = word.match(CHARACTER) ?? []
    if (UNSPACED.test(word)) {
      for (const letter of letters) add(letter, SHORT)
      for (let i = 1; i < letters.length; i++) add(`${letters[i - 1]}${letters[i]}`, 1)
      continue
    }
    add(word, letters.length > 2 ? 1 : SHORT)
    if (letters.length < 4) continue
    const share = 1 / Math.sqrt(letters.length)
    const marked = ['^', ...letters, '$']
    for (let i = 2; i < marked.length; i++) add(`${marked[i - 2]}${marked[i - 1]}${marked[i]}`, share)
  }
}

/** ± the same in every dimension: directions of different words are almost orthogonal. */
function addDirection(sum: Float64Array, seed: number, weight: number): void {
  if (weight === 0) return
  const step = weight / Math.sqrt(sum.length)
  for (let i = 0, bits = 0; i < sum.length; i++, bits >>>= 1) {
    if ((i & 31) === 0) bits = signBits(seed, i)
    sum[i] = (sum[i] as number) + step * ((bits & 1) * 2 - 1) // without a branch, which would be mispredicted half of the time
  }
}

function writeSigns(signs: Int8Array, seed: number): void {
  for (let i = 0, bits = 0; i < signs.length; i++, bits >>>= 1) {
    if ((i & 31) === 0) bits = signBits(seed, i)
    signs[i] = (bits & 1) * 2 - 1
  }
}

/** Signs of 32 dimensions. */
function signBits(seed: number, from: number): number {
  return mixed((seed + Math.imul((from >>> 5) + 1, STEP)) | 0)
}

/** FNV-1a over UTF-16 code units. */
function hash(word: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < word.length; i++) h = Math.imul(h ^ word.charCodeAt(i), 0x01000193)
  return h
}

/** The last steps of MurmurHash3. */
function mixed(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** 0 to 7 one by one, then in ever wider ranges; the same as encoder/tokens.py. */
function bucket(position: number): number {
  if (position < 8) return position
  if (position < 16) return position < 12 ? 8 : 9
  if (position < 32) return position < 24 ? 10 : 11
  return position < 64 ? 12 : 13
}

/** A whole word, the first piece of one, or a later piece. */
function kindOf(place: number, pieces: number): number {
  if (pieces === 1) return 0
  return place === 0 ? 1 : 2
}

function of(list: readonly number[], index: number): number {
  return list[Math.min(index, list.length - 1)] as number
}

function isCapital(token: string): boolean {
  const code = token.charCodeAt(0)
  if (code < 128) return code >= 65 && code <= 90
  const letter = String.fromCodePoint(token.codePointAt(0) as number)
  return letter.toLowerCase() !== letter
}

function unit(sum: Float64Array): Float32Array {
  let square = 0
  for (const value of sum) square += value * value
  const out = new Float32Array(sum.length)
  const length = Math.sqrt(square)
  for (let i = 0; i < sum.length; i++) out[i] = (sum[i] as number) / length
  return out
}
