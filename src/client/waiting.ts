/** Waiting for a job: asked again, half a minute at a time, until it has ended. */
import { LoamError } from './error'
import type { Job } from './types'

const LOOK_SECONDS = 30 // seconds one request waits for a job
const DEFAULT_TIMEOUT = 600_000 // ms

export interface Waiting {
  /** Default: ten minutes. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Called at each look. */
  readonly onProgress?: (job: Job) => void
}

export const isUnderWay = ({ status }: { readonly status: string }): boolean => status === 'queued' || status === 'running'

/** The job at each look, until it has ended. `look` waits so many seconds at most. */
export async function* looks(look: (wait: number) => Promise<Job>, secondsOfLook: () => number): AsyncGenerator<Job, void, void> {
  for (;;) {
    const job = await look(secondsOfLook())
    yield job
    if (!isUnderWay(job)) return
  }
}

/** The job if it has succeeded. Rejects if it ends otherwise, and with `timeout`. */
export async function jobEnded(
  look: (wait: number, signal: AbortSignal | undefined) => Promise<Job>,
  { timeoutMs = DEFAULT_TIMEOUT, signal, onProgress }: Waiting,
): Promise<Job> {
  const until = Date.now() + timeoutMs
  let left = 0
  const secondsOfLook = (): number => {
    left = Math.max(0, until - Date.now())
    return Math.min(LOOK_SECONDS, Math.ceil(left / 1000))
  }
  for await (const job of looks((wait) => look(wait, signal), secondsOfLook)) {
    onProgress?.(job)
    if (job.status === 'succeeded') return job
    if (!isUnderWay(job)) throw new LoamError(`job_${job.status}`, `The job has ${job.status}.`)
    if (left === 0) break
  }
  throw new LoamError('timeout', 'The job has not finished in time.')
}
