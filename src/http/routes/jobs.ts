/** Jobs: list, wait, cancel, retry. */

import type { Job } from '../../contract/jobs'
import { job } from '../../contract/jobs'
import { listOf } from '../../contract/pages'
import { noKey, recordOf } from '../access'
import { type Ctx, objectOf } from '../context'
import { placeOf, withOpaqueCursor } from '../cursor'
import { cursor, limit, wait } from '../parameters'
import { nameOf } from '../path'
import { hasCorpus, hasCorpusNamed, hasScope } from '../principal'
import { notFound } from '../problem'
import { checkQuery } from '../query'
import type { Answered } from '../reply'
import { type Route, route } from '../route'
import { waitOf } from '../waiting'

const base = '/v1/corpora/{corpus}'
const answers = { 200: { description: 'The job in its current state.', schema: job } }

/** Only a caller whose key names it is told about a corpus that had the name; all others get the answer of every route. */
async function showJobOfDeleted(c: Ctx): Promise<Answered<200, Job> | undefined> {
  const principal = c.get('principal')
  if (!principal || !hasCorpusNamed(principal, c.req.param('corpus') ?? '')) return undefined
  if (await recordOf(c, true)) return undefined
  checkQuery(c)
  return showJob(await jobOfDeleted(c))
}

export const jobRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/jobs',
    id: 'listJobs',
    tag: 'jobs',
    summary: 'List the jobs of a corpus, newest first',
    access: ['read', 'write'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of jobs.', schema: listOf(job) } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit } = placeOf(c)
    return { status: 200, body: withOpaqueCursor(await objectOf(c).jobs(after === '' ? null : after, limit)) }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/jobs/{job}',
    id: 'getJob',
    tag: 'jobs',
    summary: 'Get a job, or wait for it',
    access: ['read', 'write'],
    parameters: [wait],
    answers,
    problems: ['job_not_found', 'invalid'],
  }).answer(async (c) => showJob((await objectOf(c).job(nameOf(c, 'job'), waitOf(c) * 1000)) ?? (await jobOfDeleted(c))), {
    before: showJobOfDeleted,
  }),
  action('cancel', 'Cancel a job'),
  action('retry', 'Retry a job'),
]

function action(name: 'cancel' | 'retry', summary: string): Route {
  return route({
    method: 'post',
    path: `${base}/jobs/{job}:${name}`,
    id: `${name}Job`,
    tag: 'jobs',
    summary,
    access: ['write'],
    answers,
    problems: ['job_not_found'],
    repeatable: true,
  }).answer(async (c) => showJob(await objectOf(c)[name](nameOf(c, 'job'))))
}

const NOTHING = { done: 0, total: 0 }
const NOTHING_COUNTED = { documents: NOTHING, chunks: NOTHING, texts: NOTHING }

function showJob(view: Job | null): Answered<200, Job> {
  if (!view) throw notFound('job')
  return { status: 200, body: view }
}

/** The job that removes a deleted corpus outlives the corpus's name. Anyone who may not see the name learns nothing new. */
async function jobOfDeleted(c: Ctx): Promise<Job | null> {
  const principal = c.get('principal')
  const name = c.req.param('corpus') ?? ''
  if (!principal) throw noKey()
  if (!hasCorpusNamed(principal, name) || !hasScope(principal, 'read', 'write')) throw notFound('corpus')
  const { catalogue, corpus } = c.get('world')
  const job = nameOf(c, 'job')
  const dropped = await catalogue.dropped(name, job)
  if (!dropped || !hasCorpus(principal, { name, uid: dropped.uid })) return null
  const { state, ...ref } = dropped
  if (state === 'recoverable') return dropJob(job, 'queued') // it begins when the corpus can no longer be undeleted
  if (state === 'cleared') return dropJob(job, 'succeeded')
  const view = await corpus(ref.uid).job(job, waitOf(c) * 1000)
  if (view) return view
  // The object has not been told, or has nothing left: it checks, and does what is missing.
  if ((await corpus(ref.uid).reconcile(ref)) === 'empty') return dropJob(job, 'succeeded')
  // Between these two it may have gone, or a partition may have gone before the next has begun: the next check says so.
  return (await corpus(ref.uid).job(job, 0)) ?? dropJob(job, 'running')
}

function dropJob(job: string, status: 'queued' | 'running' | 'succeeded'): Job {
  const done = status === 'succeeded' ? 1 : 0
  return { job, kind: 'drop', status, progress: { done, total: 1, ...NOTHING_COUNTED }, usage: { in: 0, out: 0, embedded: 0 } }
}
