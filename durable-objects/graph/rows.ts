/** How things in the graph are written into rows, and read back unchanged. */

import { SYMMETRIC } from '../../src/core/graph/reader'
import {
  type Brought,
  type Chunk,
  type DerivedKind,
  EDGE_ENDS,
  type EdgeKind,
  type Json,
  type Stemmed,
  type Value,
  type Vector,
} from '../../src/core/graph/types'
import { nodeId, passageId, unitId } from '../../src/core/ids'

/** Passages a chunk may have: the low bits of a row's number in the keyword index. */
export const PASSAGES = 256

/** Numbers of kinds in the table; a number is never given to another kind. */
const CODE: { readonly [kind in EdgeKind]: number } = { mentions: 1, relates: 2, links: 3, indicates: 4, near: 5, member: 6, down: 7 }

export const EDGE_KINDS = Object.keys(EDGE_ENDS) as readonly EdgeKind[]

/** Seen from the source. */
export function leavingSide(kind: EdgeKind): number {
  return 2 * CODE[kind]
}

/** Seen from the target: if both ends are equals there is one side. */
export function arrivingSide(kind: EdgeKind): number {
  return SYMMETRIC.has(kind) ? leavingSide(kind) : 2 * CODE[kind] + 1
}

/** The side on which every edge of the kind has exactly one row (`near` < `far` if both ends are equals). */
export function oneSide(kind: EdgeKind): number {
  return EDGE_ENDS[kind] === 'target' ? arrivingSide(kind) : leavingSide(kind)
}

/** Ids of a kind are between these two (the second exclusive): they begin with its letter. */
export function idRange(kind: DerivedKind): readonly [from: string, to: string] {
  const prefix = nodeId(kind, '').slice(0, 2)
  return [prefix, `${prefix.slice(0, 1)}${String.fromCharCode(prefix.charCodeAt(1) + 1)}`]
}

interface Body {
  readonly title: string
  readonly name: string
  readonly text: string
  readonly tokens: number
  readonly own: number
  /** start, end, tokens */
  readonly passages: readonly (readonly [number, number, number])[]
  /** start, end, passage */
  readonly units: readonly (readonly [number, number, number])[]
  readonly language?: Stemmed
  readonly brought?: Brought
}

export function packChunk({ title, name, text, tokens, own, passages, units, language, brought }: Chunk): string {
  const body: Body = {
    title,
    name,
    text,
    tokens,
    own,
    passages: passages.map((one) => [one.start, one.end, one.tokens]),
    units: units.map((one) => [one.start, one.end, one.passage]),
    ...(language ? { language } : {}),
    ...(brought ? { brought } : {}),
  }
  return JSON.stringify(body)
}

export function unpackChunk(id: string, body: string): Chunk {
  const { passages, units, ...rest } = JSON.parse(body) as Body
  return {
    id,
    ...rest,
    passages: passages.map(([start, end, tokens], ordinal) => ({ id: passageId(id, ordinal), start, end, tokens })),
    units: units.map(([start, end, passage], ordinal) => ({ id: unitId(id, ordinal), start, end, passage })),
  }
}

export function bytesOf(numbers: Int8Array | Int32Array | Uint8Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

export function packVectors(vectors: readonly Vector[], dimensions: number): Uint8Array {
  const out = new Uint8Array(vectors.length * dimensions)
  vectors.forEach((vector, i) => {
    if (vector.length !== dimensions) throw new Error(`graph: a vector of ${vector.length} numbers where ${dimensions} are wanted`)
    out.set(bytesOf(vector), i * dimensions)
  })
  return out
}

/** Views of one buffer, not copies. */
export function unpackVectors(blob: ArrayBuffer, dimensions: number): readonly Vector[] {
  return Array.from({ length: blob.byteLength / dimensions }, (_, i) => new Int8Array(blob, i * dimensions, dimensions))
}

/** Bytes stay a BLOB, JSON becomes text. */
export function packValue(value: Value): string | Uint8Array {
  return value instanceof Uint8Array ? value : JSON.stringify(value)
}

export function unpackValue(body: string | ArrayBuffer): Value {
  return typeof body === 'string' ? (JSON.parse(body) as Json) : new Uint8Array(body)
}
