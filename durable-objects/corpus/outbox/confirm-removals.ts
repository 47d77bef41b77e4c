/**
 * Checks removals. The index removes vectors with a delay, and may lose a mutation; surplus vectors could not be listed afterwards, so the
 * outbox's rows, which name what was removed, stay until the index shows none of it: no row is written for that. What it still shows is
 * sent again, and checked again.
 */
import type { VectorIndex } from '../../../src/ports/vector-index'
import type { CorpusContext } from '../store'
import { metaKeys, writeMeta } from '../tables/meta'
import { nextOutboxRow } from '../tables/outbox'
import { indexChangesOf } from './index-changes'
import { countUnsentRows, cursorOf, resend } from './outbox'
import { countFindings } from './reconciliation-state'

export async function confirmRemovals(context: CorpusContext, index: VectorIndex, until: number): Promise<void> {
  let confirmed = cursorOf(context, 'confirmed')
  const seen = cursorOf(context, 'visible')
  if (confirmed >= seen) return
  const keep = (seq: number): void => writeMeta(context.sql, metaKeys.cursors.confirmed, seq)
  while (context.now() < until && countUnsentRows(context) === 0) {
    const row = nextOutboxRow(context.sql, confirmed, seen)
    if (!row) return keep(seen)
    const removed = row.entries.map((entry) => ({ entry, drops: indexChangesOf(context.graph, entry).drops }))
    const ids = [...new Set(removed.flatMap((one) => one.drops))]
    const left = new Set((ids.length > 0 ? await index.fetch(context.config.uid, ids) : []).map((one) => one.id))
    confirmed = row.seq
    if (left.size === 0) continue
    context.atomically(() => {
      keep(row.seq)
      countFindings(context, 'index', { missing: 0, foreign: left.size })
      const again = removed.filter(({ drops }) => drops.some((id) => left.has(id)))
      resend(
        context,
        again.map((one) => one.entry),
      )
    })
  }
  keep(confirmed)
}
