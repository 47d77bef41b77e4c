/**
 * A keyword's statistics: passages it occurs in, sentences that say it, and the sum of their vectors, all integers. Kept in a row only
 * for keywords in 8 to 64 passages. A rarer one is summed from its few passages when asked for: a row would cost as
 * much as it saves, and most words are rare. A commoner one fills a question's reading by itself and is no seed. So a row is a function
 * of the text alone: it stands exactly while its keyword is in the band, whoever came first, and whoever leaves.
 */
import type { GraphReader } from '../graph/reader'
import type { Value, Vector } from '../graph/types'
import { chunkOf, ordinalOf, unitId } from '../ids'
import { accumulate } from '../vectors'
import { unitsSaying } from './keyword-terms'

export const KEYWORDS = 'keywords' // space of the rows; key = `rowKey(term)`
export const COMMON = '!' // key of the list of keywords above the band; no term's key begins so
export const band = {
  least: 8, // passages; summing fewer takes less than a millisecond
  most: 64, // passages of about 150 tokens: 9,600 tokens, more than twice any usual budget
} as const
const SHORT = 258 // sentences whose int8 vectors sum to an int16 in any case
const HEADER = 8 // bytes: passages and sentences, 32 bits each

export interface KeywordRow {
  /** Passages it occurs in. */
  readonly frequency: number
  /** Sentences that say it. */
  readonly count: number
  /** Of those sentences' vectors. */
  readonly sum: Int32Array
}

export function rowKey(term: string): string {
  return encodeURIComponent(term)
}

export function termOf(key: string): string {
  return decodeURIComponent(key)
}

export function readRow(graph: GraphReader, term: string): KeywordRow | undefined {
  return unpackedRow(graph.value(KEYWORDS, rowKey(term)))
}

export function packedRow({ frequency, count, sum }: KeywordRow): Uint8Array {
  const narrow = count <= SHORT
  const bytes = new Uint8Array(HEADER + sum.length * (narrow ? 2 : 4))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, frequency, true)
  view.setUint32(4, count, true)
  sum.forEach((value, i) => {
    if (narrow) view.setInt16(HEADER + 2 * i, value, true)
    else view.setInt32(HEADER + 4 * i, value, true)
  })
  return bytes
}

export function unpackedRow(value: Value | undefined): KeywordRow | undefined {
  if (!(value instanceof Uint8Array) || value.length < HEADER) return undefined
  const view = new DataView(value.buffer, value.byteOffset, value.length)
  const count = view.getUint32(4, true)
  const width = count <= SHORT ? 2 : 4
  const sum = new Int32Array((value.length - HEADER) / width)
  for (let i = 0; i < sum.length; i++) {
    sum[i] = width === 2 ? view.getInt16(HEADER + 2 * i, true) : view.getInt32(HEADER + 4 * i, true)
  }
  return { frequency: view.getUint32(0, true), count, sum }
}

/** Sums the sentences that say a keyword over all of its passages. `frequency` is the index's: how many there are. */
export function summed(graph: GraphReader, term: string, frequency: number): KeywordRow {
  const sum = new Int32Array(graph.dimensions)
  let count = 0
  for (const hit of graph.match([term], frequency)) {
    for (const vector of saying(graph, hit.id, term)) {
      accumulate(sum, vector)
      count++
    }
  }
  return { frequency, count, sum }
}

function saying(graph: GraphReader, passage: string, term: string): readonly Vector[] {
  const chunk = graph.chunk(chunkOf(passage))
  if (!chunk) return []
  return unitsSaying(chunk, ordinalOf(passage), term).flatMap((ordinal) => graph.vector(unitId(chunk.id, ordinal)) ?? [])
}

/** Keywords above the band, sorted. */
export function commonTerms(graph: GraphReader): readonly string[] {
  const value = graph.value(KEYWORDS, COMMON)
  return Array.isArray(value) ? (value as readonly string[]) : []
}

/** A keyword's statistics whatever its frequency, but not above the band. */
export function keyword(graph: GraphReader, term: string, frequency: number): KeywordRow | undefined {
  if (frequency === 0 || frequency > band.most) return undefined
  return (frequency >= band.least ? readRow(graph, term) : undefined) ?? summed(graph, term, frequency)
}
