/**
 * What callers decide about names: which entities are one thing. A decision, its audit row and the communities it touches are one
 * transaction; reports that follow from it are tasks like any other. Needs ArchRAG's builder, which alone reads the decisions.
 */

import type { Asker } from '../../../src/core/access/labels'
import { operations } from '../../../src/core/builders/resolution'
import type { Patch } from '../../../src/core/graph/types'
import { type Decided, type NameOperation, named } from '../../../src/core/strategies/archrag/same'
import type { Page } from '../../../src/ports'
import { isOpen } from '../candidate/tables'
import { beginAgain } from '../care/maintain'
import type { Ledger } from '../store'
import { fillOutbox } from '../told/outbox'
import { keepReceipt, touchedBy } from '../told/receipts'
import { openBook } from '../work/jobs'
import { addTasks, cancelTasks } from '../work/tasks'
import { seenBy, sightOf } from './seen'

const NOTHING = { added: [], removed: [], documents: { added: [], removed: [] }, replies: [] } as const

/** The audit, oldest first; the cursor is the number of the next row. */
export function nameOperations(ledger: Ledger, cursor: string | null, limit: number, asker?: Asker): Page<NameOperation> {
  const from = cursor && /^\d+$/.test(cursor) ? Number(cursor) : 0
  const rows = operations(ledger.graph, from, limit + 1)
  const next = rows[limit]
  const graph = seenBy(ledger, sightOf(ledger, asker))
  // An entity that is gone has no name left; one that others' texts alone name is none of the asker's.
  const seen = rows.slice(0, limit).filter(({ a, b }) => [a, b].every((id) => graph.node(id) || !ledger.graph.node(id)))
  return { data: seen.map((row) => named(graph, row)), next_cursor: next ? String(next.n) : null }
}

/** `decide` reads the graph inside the transaction. */
export function decideNames(ledger: Ledger, decide: () => Decided): Decided['kind'] {
  return ledger.atomically(() => {
    const decided = decide()
    if (decided.kind !== 'done') return decided.kind
    const { graph, sql, config } = ledger
    const version = graph.version + 1
    const apply = (patch: Patch): void => graph.apply(patch, version)
    apply(decided.patch)
    const builder = ledger.builders.find((one) => one.name === 'archrag')
    const update = builder?.update(graph, { ...NOTHING, changes: decided.patch }, config.settings) ?? { patch: [], tasks: [] }
    apply(update.patch)
    const book = openBook(sql, ledger.now())
    cancelTasks(sql, book, 'archrag', update.cancelled ?? [])
    addTasks(sql, update.tasks, [])
    book.save()
    const changes = [...decided.patch, ...update.patch]
    fillOutbox(ledger, changes, version)
    keepReceipt(ledger, touchedBy(changes))
    if (isOpen(sql)) beginAgain(ledger) // a graph under way does not know of it
    return 'done'
  })
}
