/** Two entities joined in the audit, as a rule joins what is alike, whatever they look like. */
import { entityData } from '../../../src/core/builders/mentions'
import { merge, spellingSimilarity } from '../../../src/core/builders/resolution'
import { draftOf } from '../../../src/core/graph/draft'
import type { GraphReader } from '../../../src/core/graph/reader'
import { entityVector } from '../../../src/core/strategies/archrag/entities'
import type { MergeDecision } from '../../../src/core/strategies/archrag/entity-merge'
import { cosine } from '../../../src/core/vectors'

export function mergeEntities(graph: GraphReader, a: string, b: string, at: number): MergeDecision {
  const [one, other] = [graph.node(a), graph.node(b)]
  if (one?.kind !== 'entity' || other?.kind !== 'entity') return { kind: 'missing' }
  const draft = draftOf(graph)
  const spelling = spellingSimilarity(entityData(one).key, entityData(other).key)
  const context = cosine(entityVector(graph, a), entityVector(graph, b))
  const changed = merge(draft, { a, b, by: 'caller', spelling, context, at })
  return changed ? { kind: 'done', patch: draft.patch() } : { kind: 'unchanged' }
}
