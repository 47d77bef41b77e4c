/**
 * What a caller decides about names: two entities are one thing, or two after all. Each decision is a row of the audit, with the time and
 * how alike the two looked then. Communities follow in the same patch. Rules never undo a caller's parting (builders/resolution.ts).
 */

import { entityData } from '../../builders/mentions'
import { merge, type Operation, sameAs, spellingSimilarity, undo } from '../../builders/resolution'
import { draftOf } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import type { Patch } from '../../graph/types'
import { cosine } from '../../vectors'
import { entityVector } from './entities'

export type MergeDecision = { readonly kind: 'done'; readonly patch: Patch } | { readonly kind: 'unchanged' } | { readonly kind: 'missing' }

/** `at`: milliseconds since the epoch. */
export function mergeEntities(graph: GraphReader, a: string, b: string, at: number): MergeDecision {
  const [one, other] = [graph.node(a), graph.node(b)]
  if (one?.kind !== 'entity' || other?.kind !== 'entity') return { kind: 'missing' }
  const draft = draftOf(graph)
  const spelling = spellingSimilarity(entityData(one).key, entityData(other).key)
  const context = cosine(entityVector(graph, a), entityVector(graph, b))
  const changed = merge(draft, { a, b, by: 'caller', spelling, context, at })
  return changed ? { kind: 'done', patch: draft.patch() } : { kind: 'unchanged' }
}

/** Parts two, or one from all it was taken for. */
export function unmergeEntities(graph: GraphReader, a: string, b: string | null, at: number): MergeDecision {
  if (graph.node(a)?.kind !== 'entity') return { kind: 'missing' }
  const draft = draftOf(graph)
  const others = b === null ? sameAs(graph, a) : [b]
  const changed = others.filter((other) => undo(draft, a, other, 'caller', at)).length > 0
  return changed ? { kind: 'done', patch: draft.patch() } : { kind: 'unchanged' }
}

export interface NameOperation extends Operation {
  /** As they are shown now; empty where the entity has gone. */
  readonly names: readonly [string, string]
}

export function withNames(graph: GraphReader, operation: Operation): NameOperation {
  const name = (id: string): string => graph.node(id)?.text ?? ''
  return { ...operation, names: [name(operation.a), name(operation.b)] }
}
