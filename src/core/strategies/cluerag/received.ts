/** What becomes of a model's units: they replace the chunk's sentences and what these mention, but nothing another builder knows of the chunk. */
import { combineMentions } from '../../builders/combined-mentions'
import { entitiesOf } from '../../builders/knowledge-row'
import { findMentions, type Mentioned, mentionsOf } from '../../builders/mention-list'
import { remention } from '../../builders/mentions'
import { saidKnowledge, saidMentions } from '../../builders/said'
import { asSaid, nameId } from '../../builders/sense-list'
import { packedUnits, packedVectors, WRITTEN, WRITTEN_VECTORS, writtenUnits } from '../../builders/units'
import type { GraphReader } from '../../graph/reader'
import type { Change, Chunk } from '../../graph/types'
import type { Reply } from '../../strategy'
import { grounded } from './grounded'

export function replyChanges(graph: GraphReader, reply: Reply): Change[] {
  const chunk = graph.chunk(reply.node)
  if (!chunk || reply.kind !== 'extract') return [] // after an unusable reply the sentences stay, and so does the choice, so the chunk is not asked for again
  const units = grounded(chunk, reply.extraction.units)
  if (units.length === 0) return []
  const texts = units.map((unit) => unit.text)
  const vectors = units.map((unit) => unit.vector)
  const after = beside(graph, chunk, texts)
  return [
    { op: 'put-value', space: WRITTEN, key: chunk.id, value: packedUnits(units) },
    { op: 'put-value', space: WRITTEN_VECTORS, key: chunk.id, value: packedVectors(vectors, graph.dimensions) },
    ...remention(graph, [{ chunk: chunk.id, before: mentionsOf(graph, chunk.id), after }]),
  ]
}

/** Names that only another reading of the chunk found, and those its relations lead to, stay with the sentences that say them. */
function beside(graph: GraphReader, chunk: Chunk, written: readonly string[]): readonly Mentioned[] {
  const known = saidKnowledge(graph, chunk.id)
  const names = new Map(saidMentions(graph, chunk.id).map((one) => [one.entity, nameId(one.key)]))
  const told = (known ? entitiesOf(known) : []).map((id) => names.get(id) ?? id)
  const before = writtenUnits(graph, chunk.id).map((unit) => unit.text)
  const own = new Set([...findMentions(chunk), ...findMentions(chunk, before)].map((one) => one.entity))
  return combineMentions(chunk, { written, told, strangers: asSaid(graph, chunk.id).filter(({ entity }) => !own.has(entity)) })
}
