/** Waits for jobs in the order they were accepted, which is the order they end in, several at a time, and reports their progress. */
import type { Corpus, CorpusClient, Job } from '../../src/client/client'
import { Failure } from '../failure'

const AT_ONCE = 4 // jobs: one at a time would fall behind, since each check waits for what the corpus is doing
const LOOK = 2 // seconds one request waits: progress is seen that often
const PROGRESS = 1000 // ms between two checks of the corpus: each takes a turn of the thread that indexes

export interface Waited {
  readonly job: string
  readonly documents: number
}

export interface Look extends Waited {
  readonly view: Job
  /** The progress of the corpus, with everything it was given, by anyone and in any run. */
  readonly progress: Corpus['progress']
}

interface Waiting {
  readonly corpus: CorpusClient
  /** The next one; undefined: no more will come. */
  take(): Promise<Waited | undefined>
  readonly signal?: AbortSignal
  readonly now?: () => number
  onLook(look: Look): void
}

export async function waitForJobs(waiting: Waiting): Promise<void> {
  const progress = progressOf(waiting)
  await Promise.all(Array.from({ length: AT_ONCE }, () => waitForEach(waiting, progress)))
}

/** All waiters share one check of the corpus, once in a while. */
function progressOf({ corpus, signal, now = () => performance.now() }: Waiting): () => Promise<Corpus['progress']> {
  let known: Promise<Corpus['progress']> | undefined
  let askedAt = 0
  return () => {
    const at = now()
    if (known && at - askedAt < PROGRESS) return known
    askedAt = at
    known = corpus.info({ signal }).then(({ progress }) => progress)
    return known
  }
}

async function waitForEach({ corpus, take, signal, onLook }: Waiting, progressNow: () => Promise<Corpus['progress']>): Promise<void> {
  for (let next = await take(); next; next = await take()) {
    signal?.throwIfAborted()
    for await (const view of corpus.watchJob(next.job, { seconds: LOOK, signal })) {
      onLook({ ...next, view, progress: await progressNow() })
      if (view.status === 'paused_budget')
        throw new Failure('the budget of the corpus is used up; what was accepted continues when it is raised', { code: 'paused_budget' })
    }
  }
}

export interface Queue<T> {
  add(one: T): void
  close(): void
  /** The next one; undefined: it is closed and empty. */
  take(): Promise<T | undefined>
}

/** It is filled at one end while it is taken from at the other. */
export function createQueue<T>(): Queue<T> {
  const waiting: T[] = []
  const takers: (() => void)[] = []
  let isClosed = false
  const wake = (): void => {
    for (const taker of takers.splice(0)) taker()
  }
  return {
    add(one) {
      waiting.push(one)
      wake()
    },
    close() {
      isClosed = true
      wake()
    },
    async take() {
      while (waiting.length === 0 && !isClosed)
        await new Promise<void>((resolve) => {
          takers.push(resolve)
        })
      return waiting.shift()
    },
  }
}
