/**
 * Tells when a structure that grows locally has drifted so far that its builder would make it anew. Measuring reads the whole structure, so
 * it is done where somebody wants to hear of it, by the schedule, when a twentieth of the passages has moved since it was last done, and
 * after a consolidation. Told once each time a measure passes its bound.
 */
import { type Ledger, readMeta, writeMeta } from '../store'
import { announce, wanted } from '../told/announce'

const STEP = 0.05 // of the passages must have come or gone since quality was last measured
const MEASURED = 'drift/measured' // where churn stood then
const OVER = 'drift/over' // builders and measures beyond their bound, as last told

/** Inside the schedule's transaction. `churn`: passages that came or went since the last consolidation, of so many. */
export function tellDrift(ledger: Ledger, churn: number, passages: number): void {
  const { sql, graph, builders, config, now } = ledger
  if (!wanted(sql, 'corpus.drift') || !due(ledger, churn, passages)) return
  const over = new Set(JSON.parse(readMeta(sql, OVER) ?? '[]') as string[])
  const still: string[] = []
  for (const builder of builders) {
    for (const { measure, lost, bound } of builder.drift?.(graph, config.settings) ?? []) {
      const name = `${builder.name} ${measure}`
      if (lost <= bound) continue
      still.push(name)
      if (over.has(name)) continue
      const share = Math.round(1000 * lost) / 1000
      announce(sql, now(), [{ type: 'corpus.drift', data: { measure, strategy: builder.name, share, version: graph.version } }])
    }
  }
  writeMeta(sql, OVER, JSON.stringify(still))
  writeMeta(sql, MEASURED, String(churn))
}

/** Everything has just been put in order, or weighed and left: quality is measured anew at the next look. */
export function measureAgain({ sql }: Pick<Ledger, 'sql'>): void {
  sql.run('DELETE FROM meta WHERE key = ?', MEASURED)
}

function due({ sql }: Ledger, churn: number, passages: number): boolean {
  const at = readMeta(sql, MEASURED)
  return at === undefined || churn < Number(at) || churn - Number(at) >= STEP * passages
}
