/** What the cron trigger does: expires what was kept for repeats, and looks after every corpus, six at a time. */
import type { Answers, Catalogue } from '../catalogue-ports'
import type { CorpusObject } from '../ports'

const PAGE = 60 // corpora read at once
const AT_ONCE = 6 // connections a Worker may have open
const REMEMBERED = 30 * 86_400_000 // ms a deleted corpus and the job that cleared it away can be asked about

export interface Tended {
  readonly corpora: number
  readonly failed: number
}

export async function tendAll(deps: {
  readonly catalogue: Pick<Catalogue, 'corpora' | 'forget'>
  readonly answers: Pick<Answers, 'sweep'>
  readonly corpus: (uid: string) => Pick<CorpusObject, 'tend'>
  readonly now: number
}): Promise<Tended> {
  await deps.answers.sweep(deps.now)
  await deps.catalogue.forget(deps.now - REMEMBERED)
  const tended = { corpora: 0, failed: 0 }
  for (let after = ''; ; ) {
    const page = await deps.catalogue.corpora(null, after, PAGE)
    for (let at = 0; at < page.length; at += AT_ONCE) {
      const slice = page.slice(at, at + AT_ONCE)
      // One corpus that cannot be reached must not keep the others waiting: the next trigger comes soon.
      const done = await Promise.allSettled(slice.map((record) => deps.corpus(record.uid).tend()))
      tended.corpora += done.length
      tended.failed += done.filter((one) => one.status === 'rejected').length
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return tended
    after = last.name
  }
}
