/**
 * Wakes a corpus whose alarm was lost. The object records elsewhere by when it should have reported; the cron trigger wakes those that are
 * overdue. Written when something becomes due, about once an hour while it stays so, and when nothing is due: not for each alarm.
 */
import type { Watch } from '../../../src/ports/catalogue'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { NextAlarm } from './due-times'

const AFTER = { min: 600_000, usual: 3_600_000, max: 86_400_000 } as const // ms after the alarm; its retries take five minutes

/** By when the corpus should have reported; the recorded time, if that is good enough. */
export function expectedBy(known: number | null, next: NextAlarm | null): number | null {
  if (next === null) return null
  const holds = known !== null && known >= next.at + AFTER.min && known <= next.at + AFTER.max
  return holds ? known : next.at + AFTER.usual
}

/** Writes to the watch in the background, one write after another. What failed is written with the next alarm. */
export function createWatcher(watch: Pick<Watch, 'expect'>, context: () => CorpusContext | undefined): (next: NextAlarm | null) => void {
  let last = Promise.resolve()
  const tell = async (next: NextAlarm | null): Promise<void> => {
    const here = context()
    if (!here) return
    const { sql, config } = here
    const known = readMeta(sql, metaKeys.expectedBy) || null
    const by = expectedBy(known, next)
    if (by === known) return
    await watch.expect(config.uid, by)
    if (context()?.config.uid === config.uid) writeMeta(sql, metaKeys.expectedBy, by ?? 0)
  }
  return (next) => {
    last = last.then(() => tell(next)).catch(() => undefined)
  }
}
