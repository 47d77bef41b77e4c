/** Waits for jobs in the order they were accepted, which is the order they end in, and says how far they are. */
import { corpusPath } from '../client.mjs'
import { Failure } from '../failure.mjs'

const LOOK = 2 // seconds one request waits: progress is seen that often
const UNDER_WAY = new Set(['queued', 'running'])

export const underWay = ({ status }) => UNDER_WAY.has(status)

/**
 * `told` hears of each look: the job, and how far the corpus is with all it was given, by whomever and in whichever run.
 * @param {{take(): Promise<{job: string, documents: number} | undefined>}} jobs the next one; undefined: no more will come
 */
export async function settle({ client, corpus, jobs, signal, told }) {
  for (let next = await jobs.take(); next; next = await jobs.take()) {
    let view
    do {
      signal?.throwIfAborted()
      view = await client.call('GET', corpusPath(corpus, `/jobs/${encodeURIComponent(next.job)}`), { query: { wait: LOOK }, signal })
      const { progress } = await client.call('GET', corpusPath(corpus), { signal })
      told({ ...next, view, progress })
    } while (underWay(view))
    if (view.status === 'paused_budget')
      throw new Failure('the budget of the corpus is used up; what was accepted goes on when it is raised', { code: 'paused_budget' })
  }
}

/** A line of jobs that is filled at one end while it is taken from at the other. */
export function line() {
  const waiting = []
  let [wake, closed] = [() => {}, false]
  return {
    add(one) {
      waiting.push(one)
      wake()
    },
    close() {
      closed = true
      wake()
    },
    async take() {
      while (waiting.length === 0 && !closed)
        await new Promise((resolve) => {
          wake = resolve
        })
      return waiting.shift()
    },
  }
}
