/**
 * What the cron trigger does: it expires stored answers, makes the objects of corpora that are being deleted or restored to a moment check their state, and
 * wakes corpora whose alarm was lost. A corpus is normally woken by its own alarm, so usually none is overdue and none is woken.
 */
import type { Watch } from '../ports/catalogue'
import type { CorpusRef } from '../ports/corpus'
import type { Deletions } from '../ports/deletion'
import type { DeploymentAudit } from '../ports/deployment-audit'
import type { Answers } from '../ports/idempotency'
import type { CorpusObject } from '../ports/object'
import type { ReadModel } from '../ports/read-model'
import type { Recoveries } from '../ports/recovery'

const PAGE = 60 // corpora taken up at once
const AT_ONCE = 6 // connections a Worker may have open
const RUN = 120_000 // ms after which the rest is left to the next trigger
const AGAIN = 1_800_000 // ms until a corpus that could not be woken is tried again
const DELETION = 300_000 // ms until the object of a corpus being deleted is told to check again
const REMEMBERED = 30 * 86_400_000 // ms for which a deleted corpus and its clearing job can be asked about
const AUDITED = 400 * 86_400_000 // ms for which an entry of the deployment's audit log is kept

export interface Swept {
  readonly woken: number
  readonly failed: number
}

interface Deps {
  readonly answers: Pick<Answers, 'sweep'>
  readonly deletions: Pick<Deletions, 'due' | 'cleared' | 'forget'>
  readonly recoveries: Pick<Recoveries, 'open'>
  readonly readModel: Pick<ReadModel, 'forget'>
  readonly audit: Pick<DeploymentAudit, 'forget'>
  readonly watch: Watch
  readonly corpus: (uid: string) => Pick<CorpusObject, 'tend' | 'reconcile' | 'recover'>
  readonly now: () => number
}

export async function sweep(deps: Deps): Promise<Swept> {
  const began = deps.now()
  await deps.answers.sweep(began)
  await deps.audit.forget(began - AUDITED)
  const counts = { woken: 0, failed: 0 }
  /** A page at a time until none is left, or the time is up. */
  const each = async <T>(page: () => Promise<readonly T[]>, act: (one: T) => Promise<void>): Promise<void> => {
    while (deps.now() < began + RUN) {
      const some = await page()
      for (let at = 0; at < some.length; at += AT_ONCE) {
        const done = await Promise.allSettled(some.slice(at, at + AT_ONCE).map(act))
        counts.woken += done.length
        counts.failed += done.filter((one) => one.status === 'rejected').length
      }
      if (some.length < PAGE) break
    }
  }
  await each(
    () => deps.deletions.due(began, deps.now() + DELETION, PAGE),
    async (corpus) => void (await deps.corpus(corpus.uid).reconcile(corpus)),
  )
  for (const uid of await deps.recoveries.open(PAGE)) {
    await deps
      .corpus(uid)
      .recover()
      .catch(() => deps.corpus(uid).recover())
      .catch(() => undefined) // the call ends when a restore restarts the object; the next trigger checks again
  }
  await each(
    () => deps.watch.overdue(began, deps.now() + AGAIN, PAGE),
    async (uid) => {
      if (!(await deps.corpus(uid).tend())) await deps.watch.expect(uid, null)
    },
  )
  for (const corpus of await deps.deletions.cleared(began - REMEMBERED, PAGE)) await forget(deps, corpus)
  return counts
}

/** A corpus whose database cannot be reached keeps its row until the next time. */
async function forget({ readModel, deletions, now }: Pick<Deps, 'readModel' | 'deletions' | 'now'>, corpus: CorpusRef): Promise<void> {
  try {
    await readModel.forget(corpus)
  } catch {
    return
  }
  await deletions.forget(corpus.uid, now())
}
