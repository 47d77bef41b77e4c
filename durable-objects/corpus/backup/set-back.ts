/**
 * The platform is asked to set the storage back, and what becomes of a corpus where it will not. A request that failed may have been taken on all
 * the same, and what was deleted since would come back with the next life of the object. So it is given up in two steps: that is written down,
 * the object restarts, and only a life that begins as it was left, knowing that it was given up, opens the corpus.
 */
import type { PointInTime, Recovery } from '../../../src/ports/recovery'
import { addAuditEntries } from '../audit/log'
import { keepReceipt, NOTHING_TOUCHED } from '../outbox/receipts'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { Recovering } from '../tables/meta-values'

/** ms for which a Worker may remember the corpus as open, and what it had begun by then ends. */
export const CLOSING = 20_000
const PATIENCE = 60_000 // ms that a platform which refuses is asked again, and
const TRIES = 3 // times at least

/** Of the object, between two restarts. */
export interface Life {
  /** In it the platform was asked to set the storage back: whether it will is known in the next. */
  hasAsked: boolean
}

interface Parts {
  readonly context: CorpusContext
  readonly pointInTime: PointInTime
  readonly life: Life
  readonly look: () => void
}

/** open: it is given up, and the corpus is open as it was. The call ends here where the platform ends the object's life at once. */
export async function setBack(parts: Parts, asked: Recovery): Promise<'closed' | 'open'> {
  const { context, pointInTime, life } = parts
  const mine = readMeta(context.sql, metaKeys.recovery)
  if (!mine) throw new Error('corpus: not closed')
  if (mine.givenUp && !life.hasAsked) {
    open(parts, asked, mine)
    return 'open'
  }
  if (!mine.givenUp && !(await isTakenOn(parts, asked, mine))) return 'closed'
  pointInTime.restart()
  return 'closed'
}

/** Asks the platform. What it says of a refusal is for the log; whoever looks is told that it is not done yet. */
async function isTakenOn({ context, pointInTime, life }: Parts, { uid, time }: Recovery, mine: Recovering): Promise<boolean> {
  const tries = (mine.tries ?? 0) + 1
  const note = (more: Partial<Recovering>) =>
    context.atomically(() => writeMeta(context.sql, metaKeys.recovery, { ...mine, tries, ...more }))
  note({})
  life.hasAsked = true
  let isHopeless = false
  try {
    const bookmark = await pointInTime.bookmarkAt(time)
    if (bookmark !== null) {
      await pointInTime.restoreAtNextSession(bookmark)
      return true
    }
    isHopeless = true
  } catch (error) {
    console.warn(
      JSON.stringify({ event: 'set_back_refused', corpus: uid, tries, error: error instanceof Error ? error.message : 'unknown' }),
    )
  }
  if (isHopeless || (tries >= TRIES && context.now() >= mine.since + CLOSING + PATIENCE)) note({ givenUp: true })
  return false
}

/** As it was, under a version that nobody has seen. Where a large change is under way, its end is that. */
function open({ context, look }: Parts, { time, by }: Recovery, { id, since }: Recovering): void {
  const { sql, graph } = context
  const before = graph.version
  context.atomically(() => {
    if (!readMeta(sql, metaKeys.integration)) {
      graph.apply([], before + 1)
      keepReceipt(context, NOTHING_TOUCHED)
    }
    addAuditEntries(context, by ?? undefined, [{ action: 'corpus.restore', subject: new Date(time).toISOString(), outcome: 'refused' }])
    writeMeta(sql, metaKeys.recovery, { id, since, refused: { before, version: graph.version } })
  })
  look()
}
