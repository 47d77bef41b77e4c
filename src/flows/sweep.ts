/**
 * What the cron trigger does: expires what was kept for repeats, and wakes corpora whose alarm was lost. A corpus looks after itself by its
 * own alarm, so ordinarily nobody is overdue and no corpus is woken.
 */
import type { Answers, Catalogue, Watch } from '../catalogue-ports'
import type { CorpusObject } from '../ports'

const PAGE = 60 // corpora taken up at once
const AT_ONCE = 6 // connections a Worker may have open
const RUN = 120_000 // ms after which the rest is left to the next trigger
const AGAIN = 1_800_000 // ms until a corpus that could not be woken is tried again
const REMEMBERED = 30 * 86_400_000 // ms a deleted corpus and the job that cleared it away can be asked about

export interface Swept {
  readonly woken: number
  readonly failed: number
}

export async function sweep(deps: {
  readonly catalogue: Pick<Catalogue, 'forget'>
  readonly answers: Pick<Answers, 'sweep'>
  readonly watch: Watch
  readonly corpus: (uid: string) => Pick<CorpusObject, 'tend'>
  readonly now: () => number
}): Promise<Swept> {
  const began = deps.now()
  await deps.answers.sweep(began)
  await deps.catalogue.forget(began - REMEMBERED)
  const wake = async (uid: string): Promise<void> => {
    if (!(await deps.corpus(uid).tend())) await deps.watch.expect(uid, null)
  }
  let [woken, failed] = [0, 0]
  while (deps.now() < began + RUN) {
    const page = await deps.watch.overdue(began, deps.now() + AGAIN, PAGE)
    for (let at = 0; at < page.length; at += AT_ONCE) {
      const done = await Promise.allSettled(page.slice(at, at + AT_ONCE).map(wake))
      woken += done.length
      failed += done.filter((one) => one.status === 'rejected').length
    }
    if (page.length < PAGE) break
  }
  return { woken, failed }
}
