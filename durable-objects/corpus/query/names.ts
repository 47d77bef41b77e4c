/**
 * What callers decide about names: which entities are the same thing. A decision, its audit row and the communities it touches are one
 * transaction; reports that follow from it are tasks like any other. Needs ArchRAG's builder, the only one that reads the decisions.
 */

import type { Page } from '../../../src/contract/pages'
import type { Asker } from '../../../src/core/access/labels'
import { operations } from '../../../src/core/builders/resolution'
import type { Patch } from '../../../src/core/graph/types'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { type MergeDecision, type NameOperation, withNames } from '../../../src/core/strategies/archrag/entity-merge'
import { openUnitOfWork } from '../jobs/jobs'
import { addTasks, cancelTasks } from '../jobs/tasks'
import { restartMaintenance } from '../maintenance/maintain'
import { fillOutbox } from '../outbox/outbox'
import { keepReceipt, touchedBy } from '../outbox/receipts'
import { isCandidateOpen } from '../shadow-graph/tables'
import type { CorpusContext } from '../store'
import { sightOf, visibleGraph } from './visibility'

const NOTHING = { added: [], removed: [], documents: { added: [], removed: [] }, replies: [] } as const

/** The audit, oldest first; the cursor is the number of the next row. */
export function nameOperations(context: CorpusContext, cursor: string | null, limit: number, asker?: Asker): Page<NameOperation> {
  const from = cursor && /^\d+$/.test(cursor) ? Number(cursor) : 0
  const rows = operations(context.graph, from, limit + 1)
  const next = rows[limit]
  const graph = visibleGraph(context, sightOf(context, asker))
  // An entity that is gone has no name left; one named only in others' texts must not be shown to the asker.
  const seen = rows.slice(0, limit).filter(({ a, b }) => [a, b].every((id) => graph.node(id) || !context.graph.node(id)))
  return { data: seen.map((row) => withNames(graph, row)), next_cursor: next ? String(next.n) : null }
}

/** `decide` reads the graph inside the transaction. */
export function decideNames(context: CorpusContext, decide: () => MergeDecision): MergeDecision['kind'] {
  return context.atomically(() => {
    const decided = decide()
    if (decided.kind !== 'done') return decided.kind
    const { graph, sql, config } = context
    const version = graph.version + 1
    const apply = (patch: Patch): void => graph.apply(patch, version)
    apply(decided.patch)
    const builder = context.builders.find((one) => one.name === archBuilder.name)
    const update = builder?.update(graph, { ...NOTHING, changes: decided.patch }, config.settings) ?? { patch: [], tasks: [] }
    apply(update.patch)
    const unitOfWork = openUnitOfWork(sql, context.now())
    cancelTasks(sql, unitOfWork, archBuilder.name, update.cancelled ?? [])
    addTasks(sql, update.tasks, [])
    unitOfWork.save()
    const changes = [...decided.patch, ...update.patch]
    fillOutbox(context, changes, version)
    keepReceipt(context, touchedBy(changes))
    if (isCandidateOpen(sql)) restartMaintenance(context) // a graph in progress does not know about it
    return 'done'
  })
}
