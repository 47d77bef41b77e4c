/** `?wait=` seconds: the answer is held back until the job has ended, or that long. */
import { type Ctx, objectOf } from './context'
import { numberOf } from './cursor'
import { wait } from './parameters'

export function waitOf(c: Ctx): number {
  return numberOf(c, wait)
}

/**
 * What was accepted, 202; to whoever waits, with the job's status, and 200 when it has succeeded. A wait that is cut short changes nothing: the
 * job is under way.
 */
export async function acceptedAnswer<T extends object>(c: Ctx, job: string, body: T): Promise<Response> {
  const seconds = waitOf(c)
  if (seconds === 0) return c.json({ ...body, job }, 202)
  const { status = 'queued' } = (await objectOf(c).job(job, seconds * 1000)) ?? {}
  return c.json({ ...body, job, status }, status === 'succeeded' ? 200 : 202)
}
