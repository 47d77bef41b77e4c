/** What becomes of a model's units: they replace the chunk's sentences and what these mention, but nothing another builder knows of the chunk. */
import { knowledgeOf } from '../../builders/knowledge-row'
import { type Mentioned, mentioned, mentionsOf } from '../../builders/mention-list'
import { remention } from '../../builders/mentions'
import { asSaid, nameId } from '../../builders/sense-list'
import { packedUnits, packedVectors, WRITTEN, WRITTEN_VECTORS, writtenUnits } from '../../builders/units'
import type { GraphReader } from '../../graph/reader'
import type { Change, Chunk } from '../../graph/types'
import type { Reply } from '../../strategy'
import { grounded } from './grounded'

export function received(graph: GraphReader, reply: Reply): Change[] {
  const chunk = graph.chunk(reply.node)
  if (!chunk || reply.kind !== 'extract') return [] // an unusable reply leaves the sentences; the chunk stays chosen, so it is not asked again
  const units = grounded(chunk, reply.extraction.units)
  if (units.length === 0) return []
  const texts = units.map((unit) => unit.text)
  const vectors = units.map((unit) => unit.vector)
  const after = keeping(graph, chunk, mentioned(chunk, texts))
  return [
    { op: 'put-value', space: WRITTEN, key: chunk.id, value: packedUnits(units) },
    { op: 'put-value', space: WRITTEN_VECTORS, key: chunk.id, value: packedVectors(vectors, graph.dimensions) },
    ...remention(graph, [{ chunk: chunk.id, before: mentionsOf(graph, chunk.id), after }]),
  ]
}

/** Names that only another reading of the chunk found, and those its relations lead to, stay with the sentences that say them. */
function keeping(graph: GraphReader, chunk: Chunk, after: readonly Mentioned[]): readonly Mentioned[] {
  const texts = writtenUnits(graph, chunk.id).map((unit) => unit.text)
  const own = new Set(mentioned(chunk, texts).map((one) => one.entity))
  const known = knowledgeOf(graph, chunk.id)
  const names = new Map(mentionsOf(graph, chunk.id).map((one) => [one.entity, nameId(one.key)]))
  const tells = [
    ...(known?.entities.map((one) => one.entity) ?? []),
    ...(known?.relations.flatMap((one) => [one.source, one.target]) ?? []),
  ]
  const told = new Set(tells.map((id) => names.get(id) ?? id))
  const said = new Set(after.map((one) => one.entity))
  const others = asSaid(graph, chunk.id).filter(({ entity }) => !said.has(entity) && (!own.has(entity) || told.has(entity)))
  return [...after, ...others].sort((a, b) => (a.entity < b.entity ? -1 : 1))
}
