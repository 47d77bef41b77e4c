/** `?wait=` seconds: the answer is held back until the job has ended, or that long. */
import { type Ctx, objectOf } from './context'
import { numberOf } from './cursor'

const LONGEST_WAIT = 60 // seconds

export function waitOf(c: Ctx): number {
  return numberOf(c, 'wait', { least: 0, most: LONGEST_WAIT, usual: 0 })
}

/**
 * What was accepted, 202; to whoever waits, with the job's status, and 200 when it has succeeded. A wait that is cut short changes nothing: the
 * job is under way.
 */
export async function acceptedAnswer<T extends object>(c: Ctx, job: string, body: T): Promise<Response> {
  const wait = waitOf(c)
  if (wait === 0) return c.json({ ...body, job }, 202)
  const { status = 'queued' } = (await objectOf(c).job(job, wait * 1000)) ?? {}
  return c.json({ ...body, job, status }, status === 'succeeded' ? 200 : 202)
}
