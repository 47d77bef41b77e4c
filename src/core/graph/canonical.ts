/**
 * One line for each thing: canonical JSON, with bytes as hex. Equal lines are equal things, so that a graph can be compared with another, and a
 * change with what was there before.
 */
import { canonicalJson } from '../canonical-json'
import type { Chunk, ChunkVectors, DocumentRecord, Edge, GraphNode, Place, Value } from './types'

export function nodeLine(node: GraphNode): string {
  const { id, kind, layer, text, tokens, vector, sum, stale, data } = node
  return `node ${canonicalJson([id, kind, layer, text, tokens, stale ?? false, data, vector ? hex(vector) : null, sum ? hex(sum) : null])}`
}

export function edgeLine({ kind, source, target, weight, data }: Edge): string {
  return `edge ${canonicalJson([kind, source, target, weight, data ?? null])}`
}

export function placeLine(space: string, { key, id }: Place): string {
  return `place ${canonicalJson([space, key, id])}`
}

export function valueLine(space: string, key: string, value: Value): string {
  return `value ${canonicalJson([space, key])} ${valueText(value)}`
}

export function documentLine({ id, title, name, url, metadata, chunks }: DocumentRecord): string {
  return `document ${canonicalJson([id, title, name, url, metadata, chunks.map(({ chunk, start }) => [chunk, start])])}`
}

export function chunkLine(chunk: Chunk, vectors: ChunkVectors): string {
  const { id, title, name, text, tokens, own, passages, units, language } = chunk
  const spans = [passages.map((one) => [one.start, one.end, one.tokens]), units.map((one) => [one.start, one.end, one.passage])]
  return `chunk ${canonicalJson([id, title, name, text, tokens, own, spans, vectors.passages.map(hex), vectors.units.map(hex), ...(language ? [language] : [])])}`
}

/** Do both have the same line? Parts that are cheap to compare come first. */
export function isSameNode(a: GraphNode, b: GraphNode): boolean {
  if (a === b) return true
  if (a.text !== b.text || a.tokens !== b.tokens || a.layer !== b.layer || (a.stale ?? false) !== (b.stale ?? false)) return false
  return isSameNumbers(a.sum, b.sum) && isSameNumbers(a.vector, b.vector) && nodeLine(a) === nodeLine(b)
}

export function isSameValue(a: Value, b: Value): boolean {
  if (a instanceof Uint8Array || b instanceof Uint8Array) return a instanceof Uint8Array && b instanceof Uint8Array && isSameNumbers(a, b)
  return canonicalJson(a) === canonicalJson(b)
}

function isSameNumbers(a: ArrayLike<number> | undefined, b: ArrayLike<number> | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined || a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

/** The text of bytes never equals that of JSON. */
export function valueText(value: Value): string {
  return value instanceof Uint8Array ? `bytes:${hex(value)}` : canonicalJson(value)
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex(numbers: Int8Array | Int32Array | Uint8Array): string {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  let out = ''
  for (let at = 0; at < bytes.length; at++) out += DIGITS[bytes[at] as number]
  return out
}
