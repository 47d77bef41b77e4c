/** Waiting for a job: asked again, half a minute at a time, until it has ended. */
import { LoamError } from './error'
import type { Job } from './types'

const LOOK = 30 // seconds one request waits for a job
const PATIENCE = 600_000 // ms

export interface Waiting {
  /** Default: ten minutes. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Told at each look. */
  readonly onProgress?: (job: Job) => void
}

/** The job when it has succeeded. Rejects where it ends otherwise, and with `timeout`; `look` waits so many seconds at most. */
export async function jobEnded(
  look: (wait: number, signal: AbortSignal | undefined) => Promise<Job>,
  { timeoutMs = PATIENCE, signal, onProgress }: Waiting,
): Promise<Job> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const left = Math.max(0, until - Date.now())
    const job = await look(Math.min(LOOK, Math.ceil(left / 1000)), signal)
    onProgress?.(job)
    if (job.status === 'succeeded') return job
    if (job.status !== 'queued' && job.status !== 'running') throw new LoamError(`job_${job.status}`, `The job has ${job.status}.`)
    if (left === 0) throw new LoamError('timeout', 'The job has not ended in time.')
  }
}
