/** Jobs: listed, waited for, cancelled, tried again. */
import { Hono } from 'hono'
import type { JobView } from '../../ports/jobs'
import { noCorpus, noKey, recordOf, within } from '../access'
import { type Ctx, type Http, objectOf } from '../context'
import { encode, placeOf } from '../cursor'
import { repeatable } from '../idempotency'
import { may, names, sees } from '../principal'
import { Problem } from '../problem'
import { checkQuery, takes } from '../query'
import { waitOf } from '../waiting'

const base = '/v1/corpora/:corpus'

export const jobRoutes = new Hono<Http>()
  .get(`${base}/jobs`, takes('cursor', 'limit'), within('read', 'write'), async (c) => {
    const { after, limit } = placeOf(c)
    const { data, next_cursor } = await objectOf(c).jobs(after === '' ? null : after, limit)
    return c.json({ data, next_cursor: next_cursor === null ? null : encode(next_cursor) })
  })
  .get(`${base}/jobs/:job{[^/:]+}`, takes('wait'), async (c, next) => {
    const principal = c.get('principal')
    // Only whose key names it is told of a corpus that had the name; all others go the way of every route.
    if (!principal || !names(principal, c.req.param('corpus'))) return next()
    if (await recordOf(c, true)) return next()
    checkQuery(c)
    return answer(c, await ofDeleted(c))
  })
  .get(`${base}/jobs/:job{[^/:]+}`, within('read', 'write'), async (c) =>
    answer(c, (await objectOf(c).job(jobOf(c), waitOf(c) * 1000)) ?? (await ofDeleted(c))),
  )
  .post(`${base}/jobs/:job{[^/:]+:cancel}`, within('write'), repeatable(), async (c) => answer(c, await objectOf(c).cancel(jobOf(c))))
  .post(`${base}/jobs/:job{[^/:]+:retry}`, within('write'), repeatable(), async (c) => answer(c, await objectOf(c).retry(jobOf(c))))

const NOTHING = { done: 0, total: 0 }
const NOTHING_COUNTED = { documents: NOTHING, chunks: NOTHING, texts: NOTHING }

const jobOf = (c: Ctx): string => (c.req.param('job') ?? '').split(':')[0] ?? ''

function answer(c: Ctx, job: JobView | null): Response {
  if (!job) throw new Problem('job_not_found', 'There is no such job.')
  return c.json(job)
}

/** The job that clears a deleted corpus away outlives the corpus's name. Who may not see the name learns nothing new. */
async function ofDeleted(c: Ctx): Promise<JobView | null> {
  const principal = c.get('principal')
  const name = c.req.param('corpus') ?? ''
  if (!principal) throw noKey()
  if (!names(principal, name) || !may(principal, 'read', 'write')) throw noCorpus()
  const { catalogue, corpus } = c.get('world')
  const job = jobOf(c)
  const dropped = await catalogue.dropped(name, job)
  if (!dropped || !sees(principal, { name, uid: dropped.uid })) return null
  const { state, ...ref } = dropped
  if (state === 'recoverable') return dropJob(job, 'queued') // it begins when the corpus can no longer be undeleted
  if (state === 'cleared') return dropJob(job, 'succeeded')
  const view = await corpus(ref.uid).job(job, waitOf(c) * 1000)
  if (view) return view
  // The object has not heard of it, or has nothing left: it looks, and sees to what is missing.
  return (await corpus(ref.uid).reconcile(ref)) === 'empty' ? dropJob(job, 'succeeded') : corpus(ref.uid).job(job, 0)
}

function dropJob(job: string, status: 'queued' | 'succeeded'): JobView {
  const done = status === 'succeeded' ? 1 : 0
  return { job, kind: 'drop', status, progress: { done, total: 1, ...NOTHING_COUNTED }, usage: { in: 0, out: 0, embedded: 0 } }
}
