/**
 * Asks the platform to restore the storage, and handles a refusal. A request that failed may have been carried out anyway, and everything
 * deleted since would come back with the next instance of the object. So it is abandoned in two steps: the decision is written down, the
 * object restarts, and only an instance that starts with the storage as it was left, knowing that the restore was abandoned, opens the
 * corpus.
 */
import type { PointInTime, Recovery } from '../../../src/ports/recovery'
import { addAuditEntries } from '../audit/log'
import { keepReceipt, NOTHING_TOUCHED } from '../outbox/receipts'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { Recovering } from '../tables/meta-values'

/** ms for which a Worker may remember the corpus as open, and in which what it had started ends. */
export const CLOSING = 20_000
const PATIENCE = 60_000 // ms during which a refusing platform is asked again, and
const TRIES = 3 // at least this many times

/** The object's memory between two restarts. */
export interface Life {
  /** In this instance the platform was asked to restore the storage: the next one will know whether it did. */
  hasAsked: boolean
}

interface Parts {
  readonly context: CorpusContext
  readonly pointInTime: PointInTime
  readonly life: Life
  readonly look: () => void
}

/** open: it is abandoned, and the corpus is open and unchanged. The call ends here if the platform ends the instance at once. */
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

/** Asks the platform. Its reason for a refusal goes to the log; callers are told that it is not done yet. */
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

/** Unchanged, under a version that nobody has seen. If a large change is in progress, its end makes that version. */
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
