/**
 * A caller can part what a rule has taken for one thing. It becomes a row of the audit, with the time; communities follow in the same patch, and no
 * rule joins the two again (builders/resolution.ts). Merging by callers is handled elsewhere (builders/decide.ts).
 */

import { type Operation, sameAs, undo } from '../../builders/resolution'
import { draftOf } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import type { Patch } from '../../graph/types'

export type MergeDecision = { readonly kind: 'done'; readonly patch: Patch } | { readonly kind: 'unchanged' } | { readonly kind: 'missing' }

/** Parts two entities, or one from all that it was taken for. `at`: milliseconds since the epoch. */
export function unmergeEntities(graph: GraphReader, a: string, b: string | null, at: number): MergeDecision {
  if (graph.node(a)?.kind !== 'entity') return { kind: 'missing' }
  const draft = draftOf(graph)
  const others = b === null ? sameAs(graph, a) : [b]
  const changed = others.filter((other) => undo(draft, a, other, 'caller', at)).length > 0
  return changed ? { kind: 'done', patch: draft.patch() } : { kind: 'unchanged' }
}

export interface NameOperation extends Operation {
  /** As they are shown now; empty if the entity is gone. */
  readonly names: readonly [string, string]
}

export function withNames(graph: GraphReader, operation: Operation): NameOperation {
  const name = (id: string): string => graph.node(id)?.text ?? ''
  return { ...operation, names: [name(operation.a), name(operation.b)] }
}
