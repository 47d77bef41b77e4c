/** `?wait=` seconds: the answer is delayed until the job has ended, or for that long. */
import { type Ctx, objectOf } from './context'
import { numberOf } from './cursor'
import { wait } from './parameters'
import type { Answered } from './reply'

export function waitOf(c: Ctx): number {
  return numberOf(c, wait)
}

/**
 * 202 for what was accepted; for a caller that waits, with the job's status, and 200 if it has succeeded. An interrupted wait changes
 * nothing: the job continues.
 */
export async function answerAccepted<T extends object>(
  c: Ctx,
  job: string,
  body: T,
): Promise<Answered<200 | 202, T & { readonly job: string; readonly status?: string }>> {
  const seconds = waitOf(c)
  if (seconds === 0) return { status: 202, body: { ...body, job } }
  const { status = 'queued' } = (await objectOf(c).job(job, seconds * 1000)) ?? {}
  return { status: status === 'succeeded' ? 200 : 202, body: { ...body, job, status } }
}
