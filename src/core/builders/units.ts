/**
 * The units of a chunk: the model's decontextualised ones if it was asked, otherwise the chunk's sentences. One numbering: sentences first, then the
 * model's, so that a mention's ordinals stay what they were.
 */
import type { GraphReader } from '../graph/reader'
import type { Chunk, Json, Value, Vector } from '../graph/types'
import { unitId } from '../ids'

export const WRITTEN = 'units' // space of the model's units; key = chunk id

export const WRITTEN_VECTORS = 'unit-vectors' // space of their vectors, one after the other; key = chunk id

export interface WrittenUnit {
  readonly text: string
  /** Ordinal of the passage it says something from. */
  readonly passage: number
}

export function writtenUnits(graph: GraphReader, chunk: string): readonly WrittenUnit[] {
  return unpacked(graph.value(WRITTEN, chunk))
}

export function packedUnits(units: readonly WrittenUnit[]): Json {
  return units.map((unit) => [unit.passage, unit.text])
}

/** Text and passage of a unit; undefined where there is none. `written` are those of the chunk, read only when asked for. */
export function unitAt(chunk: Chunk, ordinal: number, written: () => readonly WrittenUnit[]): WrittenUnit | undefined {
  const sentence = chunk.units[ordinal]
  if (sentence) return { text: chunk.text.slice(sentence.start, sentence.end), passage: sentence.passage }
  return written()[ordinal - chunk.units.length]
}

/** Of which passage a unit says something, without its text being read. */
export function unitPassage(chunk: Chunk, ordinal: number, written: () => readonly WrittenUnit[]): number | undefined {
  return (chunk.units[ordinal] ?? written()[ordinal - chunk.units.length])?.passage
}

/** Of a sentence or of a model's unit. */
export function unitVector(graph: GraphReader, chunk: Chunk, ordinal: number): Vector | undefined {
  if (ordinal < chunk.units.length) return graph.vector(unitId(chunk.id, ordinal))
  const bytes = graph.value(WRITTEN_VECTORS, chunk.id)
  if (!(bytes instanceof Uint8Array)) return undefined
  const from = (ordinal - chunk.units.length) * graph.dimensions
  return from + graph.dimensions <= bytes.length ? new Int8Array(bytes.slice(from, from + graph.dimensions).buffer) : undefined
}

export function packedVectors(vectors: readonly Vector[], dimensions: number): Uint8Array {
  const bytes = new Uint8Array(vectors.length * dimensions)
  vectors.forEach((vector, i) => {
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), i * dimensions)
  })
  return bytes
}

/** Believed to be what `packedUnits` made. */
function unpacked(value: Value | undefined): readonly WrittenUnit[] {
  const rows = (value ?? []) as readonly (readonly [number, string])[]
  return rows.map(([passage, text]) => ({ passage, text }))
}
