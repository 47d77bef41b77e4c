/** Waits for jobs in the order they were accepted, which is the order they end in, some at a time, and says how far they are. */
import type { Corpus, CorpusClient, Job } from '../../src/client/client'
import { Failure } from '../failure'

const AT_ONCE = 4 // jobs: one at a time would fall behind them, since each look waits for what the corpus is doing
const LOOK = 2 // seconds one request waits: progress is seen that often

export interface Waited {
  readonly job: string
  readonly documents: number
}

export interface Look extends Waited {
  readonly view: Job
  /** Of the corpus, with all it was given, by whomever and in whichever run. */
  readonly progress: Corpus['progress']
}

interface Waiting {
  readonly corpus: CorpusClient
  /** The next one; undefined: no more will come. */
  take(): Promise<Waited | undefined>
  readonly signal?: AbortSignal
  onLook(look: Look): void
}

export async function waitForJobs(waiting: Waiting): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => waitForEach(waiting)))
}

async function waitForEach({ corpus, take, signal, onLook }: Waiting): Promise<void> {
  for (let next = await take(); next; next = await take()) {
    signal?.throwIfAborted()
    for await (const view of corpus.watchJob(next.job, { seconds: LOOK, signal })) {
      const { progress } = await corpus.info({ signal })
      onLook({ ...next, view, progress })
      if (view.status === 'paused_budget')
        throw new Failure('the budget of the corpus is used up; what was accepted goes on when it is raised', { code: 'paused_budget' })
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
