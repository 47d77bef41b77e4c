/**
 * What the schedule does for a corpus: consolidates where enough has changed, promotes tasks that were left to the schedule, asks again for
 * what a model could not do, and forgets jobs that ended long ago. Cheap when there is nothing to do.
 */
import type { Integration } from '../../../src/core/graph/integrate'
import { type Ledger, readMeta, writeMeta } from '../store'
import { announce } from '../told/announce'
import { findOwed } from '../told/courier'
import { unfinished } from '../work/jobs'
import { retryQuarantined } from '../work/quarantine'
import { askUnwritten } from '../work/unwritten'
import { isQualityWanted, tellDrift } from './drift'
import { expire, vacuum } from './expire'
import { maintain } from './maintain'
import { examine } from './survey'

const SHARE = 0.2 // of the passages must have come or gone since the last consolidation
const LEAST = 64 // passages below which measuring the channels teaches nothing (specs of `auto`)

/** Counts passages that came or went: what consolidation is due by. */
export function noteChurn(ledger: Ledger, delta: Integration['delta']): void {
  const moved = [...delta.added, ...delta.removed.map((one) => one.chunk)].reduce((sum, chunk) => sum + chunk.passages.length, 0)
  if (moved > 0) writeMeta(ledger.sql, 'churn', String(churn(ledger) + moved))
}

const churn = (ledger: Ledger): number => Number(readMeta(ledger.sql, 'churn') ?? 0)

export function isConsolidationDue(ledger: Ledger): boolean {
  const passages = ledger.graph.count('passage')
  return passages >= LEAST && churn(ledger) >= SHARE * passages
}

/** Does somebody want to know how good the structures of the graph are, and has enough moved to measure it? */
export function isMeasuringDue(ledger: Ledger): boolean {
  const passages = ledger.graph.count('passage')
  return passages >= LEAST && isQualityWanted(ledger, churn(ledger), passages)
}

/** True if it has made work. */
export function tend(ledger: Ledger): boolean {
  return ledger.atomically(() => {
    expire(ledger)
    vacuum(ledger)
    examine(ledger)
    const owed = findOwed(ledger)
    const busy = unfinished(ledger.sql).length > 0
    if (busy) return owed
    const asked = askUnwritten(ledger)
    const again = retryQuarantined(ledger)
    const lazy = ledger.sql.one<{ n: number }>('SELECT count(*) AS n FROM task WHERE urgent = 0')?.n ?? 0
    if (lazy > 0) ledger.sql.run('UPDATE task SET urgent = 1 WHERE urgent = 0')
    const passages = ledger.graph.count('passage')
    if (passages >= LEAST) tellDrift(ledger, churn(ledger), passages)
    const due = isConsolidationDue(ledger)
    if (due) {
      const share = Math.round((100 * churn(ledger)) / passages) / 100
      announce(ledger.sql, ledger.now(), [{ type: 'corpus.drift', data: { measure: 'churn', share, version: ledger.graph.version } }])
      writeMeta(ledger.sql, 'churn', '0')
      maintain(ledger, 'consolidate')
    }
    return due || lazy > 0 || asked || again || owed
  })
}
