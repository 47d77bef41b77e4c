/** Jobs that this page follows: each is polled until it has ended, and every view sees the same state. */
import { effect, signal } from '@preact/signals'
import type { Job } from '../../../src/client/client'
import { LoamError } from '../../../src/client/client'
import { key } from '../session'
import { corpusAt } from '../shared/loam'

export interface Followed {
  readonly corpus: string
  /** Its name for the reader: a file's name, "sample". */
  readonly label: string
  readonly job: Job
}

export const followed = signal<readonly Followed[]>([])

// The next visitor in this tab may have another key.
effect(() => {
  if (key.value === null) followed.value = []
})

const WAIT = 1 // seconds that a call waits for news: progress is updated at least this often
const PAUSE = 300 // ms between calls that answer at once

const NONE = { done: 0, total: 0 }
const NOTHING_DONE = { ...NONE, documents: NONE, chunks: NONE, texts: NONE }

export const hasEnded = ({ status }: Job): boolean => status !== 'queued' && status !== 'running'

/** Resolves when the job has ended, or waits for a larger budget. */
export async function follow(corpus: string, id: string, label: string): Promise<Job> {
  const known = followed.value.find((one) => one.job.job === id)
  if (known && !hasEnded(known.job)) return known.job
  const waited = known?.job.status === 'paused_budget'
  let job: Job = waited
    ? { ...known.job, status: 'running' } // it goes on from there
    : { job: id, kind: 'ingest', status: 'queued', progress: NOTHING_DONE, usage: { in: 0, out: 0, embedded: 0 } }
  for (;;) {
    storeFollowed({ corpus, label, job })
    if (hasEnded(job)) return job
    const since = performance.now()
    try {
      job = (await nextState(corpus, id)) ?? job
    } catch (error) {
      unfollow(id)
      throw error
    }
    if (performance.now() - since < PAUSE) await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

export function forget(corpus: string): void {
  followed.value = followed.value.filter((one) => one.corpus !== corpus)
}

/** Null while the server is busy: the next call will know. */
async function nextState(corpus: string, id: string): Promise<Job | null> {
  try {
    return await corpusAt(corpus).job(id, WAIT)
  } catch (error) {
    if (error instanceof LoamError && (error.status === undefined || error.status === 429 || error.status >= 500)) return null
    throw error
  }
}

function unfollow(id: string): void {
  followed.value = followed.value.filter((one) => one.job.job !== id)
}

function storeFollowed(next: Followed): void {
  const others = followed.value.filter((one) => one.job.job !== next.job.job)
  const place = followed.value.findIndex((one) => one.job.job === next.job.job)
  followed.value = place < 0 ? [next, ...others] : followed.value.with(place, next)
}
