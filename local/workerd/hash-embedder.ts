/**
 * A deterministic embedding without a model: each distinct folded word is a seeded Gaussian direction, and a text is their normalised sum.
 * Texts that share words are near, others nearly orthogonal; it knows no meaning. For tests, never for measurements.
 */
import { random } from '../../src/core/random'

const FAINT = 0.25 // weight of words of up to three Latin letters: mostly "the", "of", "is"
const REMEMBERED = 50_000 // directions kept; forgetting one only costs time

// Scripts without spaces are cut into characters.
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}]+/gu

const directions = new Map<string, Float64Array>()

export function hashEmbedding(text: string, dimensions: number): number[] {
  const sum = new Float64Array(dimensions)
  const words = [...new Set(fold(text).match(WORD) ?? [''])].sort()
  for (const word of words) {
    const weight = /^[a-z]{1,3}$/.test(word) ? FAINT : 1
    const direction = directionOf(word, dimensions)
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] as number) + weight * (direction[i] as number)
  }
  const length = Math.sqrt(sum.reduce((whole, value) => whole + value * value, 0)) || 1
  return Array.from(sum, (value) => value / length)
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

function directionOf(word: string, dimensions: number): Float64Array {
  const key = `${dimensions}:${word}`
  const known = directions.get(key)
  if (known) return known
  const source = random(`hash-embedder:${word}`)
  const fresh = Float64Array.from({ length: dimensions }, () => source.normal())
  if (directions.size >= REMEMBERED) directions.clear()
  directions.set(key, fresh)
  return fresh
}
