/**
 * What is known of an entity, read from the graph now: its vector (the mean of the sentences that name it, so no model is asked and a deletion
 * takes away exactly what an insertion brought), its description, and the passages that speak of it.
 */
import { descriptionIn, KNOWLEDGE } from '../../builders/knowledge-row'
import { ABOUT } from '../../builders/mention-list'
import { unitAt, unitVector, writtenUnits } from '../../builders/units'
import type { GraphReader } from '../../graph/reader'
import type { Chunk, Edge, Vector } from '../../graph/types'
import { passageId } from '../../ids'
import { accumulate, quantize } from '../../vectors'
import { DESCRIPTIONS, mergedDescription } from './entity-descriptions'

const limits = {
  chunks: 32, // read for an entity's vector: those that name it most often
  units: 8, // in each
  told: 3, // chunks whose words describe an entity
  description: 300, // characters
} as const

/** Reads together what the vectors of these entities will be made of. */
export function fetchEntityVectors(graph: GraphReader, entities: readonly string[]): void {
  graph.preload?.({ incident: [{ kind: 'mentions', end: 'target', ids: entities }] })
  const chunks = entities.flatMap((entity) => graph.edgesTo('mentions', entity, limits.chunks).map((edge) => edge.source))
  graph.preload?.({ chunks, vectors: { units: chunks } })
}

/** All zeros if no sentence has a vector. */
export function entityVector(graph: GraphReader, entity: string): Vector {
  const sum = new Int32Array(graph.dimensions)
  for (const edge of graph.edgesTo('mentions', entity, limits.chunks)) {
    const chunk = graph.chunk(edge.source)
    if (!chunk) continue
    for (const unit of unitsOf(edge).slice(0, limits.units)) {
      const vector =
        unit === ABOUT ? graph.vector(chunk.id) : (unitVector(graph, chunk, unit) ?? graph.vector(passageOf(graph, chunk, unit)))
      if (vector) accumulate(sum, vector)
    }
  }
  return quantize(sum)
}

/** Reads together what the descriptions of these entities will need. */
export function fetchDescriptions(graph: GraphReader, entities: readonly string[]): void {
  graph.preload?.({ incident: [{ kind: 'mentions', end: 'target', ids: entities }] })
  const chunks = entities.flatMap((entity) => graph.edgesTo('mentions', entity, limits.told).map((edge) => edge.source))
  const values = [
    { space: DESCRIPTIONS, keys: entities },
    { space: KNOWLEDGE, keys: chunks },
  ]
  graph.preload?.({ nodes: entities, values })
}

export interface EntityDescription {
  readonly text: string
  /** The chunks the words were taken from. */
  readonly from: readonly string[]
}

/** In a model's words if one has described the entity (merged if there are many descriptions), else the first sentences that name it. */
export function describeEntity(graph: GraphReader, entity: string): EntityDescription {
  const merged = mergedDescription(graph, entity)
  if (merged) return { text: beginning(merged.text), from: merged.from }
  const texts: string[] = []
  const from: string[] = []
  for (const edge of graph.edgesTo('mentions', entity, limits.told)) {
    const chunk = graph.chunk(edge.source)
    const told = chunk && (modelDescription(graph, chunk, entity) || firstSentence(graph, chunk, edge))
    if (!told || texts.includes(told)) continue
    texts.push(told)
    from.push(edge.source)
  }
  return { text: beginning(texts.join(' ')), from }
}

/** At most so many characters, none of them cut in two. */
function beginning(text: string): string {
  return text.length <= limits.description ? text : [...text.slice(0, 2 * limits.description)].slice(0, limits.description).join('')
}

/** Passages that name an entity, first those of the chunks that name it most. */
export function passagesOf(graph: GraphReader, entity: string, chunks: number): readonly string[] {
  const out = graph.edgesTo('mentions', entity, chunks).flatMap((edge) => {
    const chunk = graph.chunk(edge.source)
    const units = unitsOf(edge).filter((unit) => unit !== ABOUT)
    if (!chunk) return []
    return units.length > 0 ? units.map((unit) => passageOf(graph, chunk, unit)) : [passageId(chunk.id, 0)]
  })
  return [...new Set(out)]
}

/** The passage a unit of a chunk lies in. */
export function passageOf(graph: GraphReader, chunk: Chunk, unit: number): string {
  return passageId(chunk.id, unitAt(chunk, unit, () => writtenUnits(graph, chunk.id))?.passage ?? 0)
}

function modelDescription(graph: GraphReader, chunk: Chunk, entity: string): string | undefined {
  return descriptionIn(graph, chunk.id, entity)
}

function firstSentence(graph: GraphReader, chunk: Chunk, edge: Edge): string | undefined {
  const unit = unitsOf(edge).find((one) => one !== ABOUT) ?? 0
  return unitAt(chunk, unit, () => writtenUnits(graph, chunk.id))?.text.trim()
}

/** Assumed to be what the builder of mentions wrote. */
function unitsOf(edge: Edge): readonly number[] {
  return Array.isArray(edge.data) ? (edge.data as readonly number[]) : []
}
