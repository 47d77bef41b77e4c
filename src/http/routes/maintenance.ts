/** Work on the whole corpus: reindex, consolidate, rebuild. */

import { maintenanceSchema, type RepartitionEstimate, repartition, repartitionSchema } from '../../contract/corpora'
import { accepted } from '../../contract/jobs'
import { defaultStrategies, isEnabled } from '../../core/strategies/registry'
import { partitionsOf } from '../../corpus-uid'
import { modelsFor } from '../../flows/embedding-model'
import { PRICED_ON, usdOf } from '../../flows/prices'
import { withRoleModels } from '../../flows/role-models'
import { partitionLimits } from '../../platform-limits'
import { type Ctx, objectOf } from '../context'
import { notFound, Problem } from '../problem'
import { type Route, route } from '../route'
import { requireAccepted } from './taken'

const wanted = {
  name: 'partitions',
  in: 'query',
  required: true,
  description: 'How many the corpus would have.',
  schema: { type: 'integer', minimum: 2, maximum: partitionLimits.max },
} as const

const estimateExample = {
  from: 8,
  to: 16,
  job: null,
  estimate: {
    documents: 3884,
    chunks: 45_900,
    rows: { min: 1_200_000, max: 2_500_000 },
    bytes: 310_000_000,
    vectors: 340_000,
    summaries: { calls: 0, tokens: { in: 0, out: 0, embedded: 0 }, usd: 0 },
  },
  priced_on: PRICED_ON,
}

export const maintenanceRoutes = [
  maintenance('reindex', 'Rebuild the graph of some strategies'),
  maintenance('consolidate', 'Consolidate the graph: do the work that needs all of it at once'),
  maintenance('rebuild', 'Rebuild everything from documents and cached replies, and refill D1 and Vectorize'),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}:languages',
    id: 'detectLanguages',
    tag: 'corpora',
    summary: 'Detect the languages of documents indexed before Loam recorded them',
    description:
      'A job that works in small steps. A document in a language with a stemmer is indexed again; for others the language is recorded. If such a job is running, it is returned. After one that was cancelled or failed, the next continues with what is left.',
    access: ['write'],
    answers: { 202: { description: 'The job is running.', schema: accepted, example: { job: 'j_1' } } },
    repeatable: true,
  }).answer(async (c) => ({ status: 202, body: { job: requireAccepted(await objectOf(c).maintain('languages', {})).job } })),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/repartition',
    id: 'getRepartition',
    tag: 'corpora',
    summary: 'Estimate a change of the number of partitions, and get its job',
    access: ['write'],
    parameters: [wanted],
    answers: { 200: { description: 'The estimate, and the job that is changing it.', schema: repartition, example: estimateExample } },
    problems: ['conflict', 'invalid'],
  }).answer(async (c) => ({ status: 200, body: await repartitionEstimate(c, numberOf(c.req.query('partitions'))) })),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}:repartition',
    id: 'repartitionCorpus',
    tag: 'corpora',
    summary: 'Change the number of partitions of a corpus, or divide one that has none, in place',
    description:
      'Questions are answered as before until new partitions have everything; then these are the corpus. One that was made without partitions keeps its name, keys, endpoints, sources, log and conversations; what it has that partitions do not offer is refused by name (409 with `errors`). Documents may be added, changed and deleted meanwhile; for the switch, writes are answered with 503 and `Retry-After` for up to twenty seconds. Vectors are moved, not made again. Cancelling the job before the switch leaves the corpus as it was. `GET …/repartition` estimates the cost first.',
    access: ['admin'],
    body: { schema: repartitionSchema, example: { partitions: 16 } },
    answers: { 202: { description: 'The job is running.', schema: accepted, example: { job: 'j_1' } } },
    problems: ['conflict', 'invalid'],
    repeatable: true,
  }).answer(async (c, { partitions: count, strategies }) => {
    const outcome = await objectOf(c).repartition({ count, ...(strategies ? { strategies } : {}) })
    if (outcome.kind === 'gone') throw notFound('corpus')
    if (outcome.kind === 'hindered') throw new Problem('conflict', HINDERED, { errors: outcome.by })
    if (outcome.kind !== 'accepted') throw new Problem('conflict', REFUSED[outcome.kind])
    return { status: 202, body: { job: outcome.job } }
  }),
]

function numberOf(text: string | undefined): number {
  const { data, error } = repartitionSchema.safeParse({ partitions: Number(text ?? Number.NaN) })
  if (data) return data.partitions
  const message = error.issues[0]?.message ?? 'a number of partitions'
  throw new Problem('invalid', 'Say how many partitions the corpus would have.', { errors: [{ path: 'partitions', message }] })
}

/** A name that several partitions have is a row in each: with more of them there are more such rows, with fewer there are fewer. */
async function repartitionEstimate(c: Ctx, to: number): Promise<RepartitionEstimate> {
  const { uid, settings } = c.get('corpus')
  const from = partitionsOf(uid)
  const [size, jobs] = await Promise.all([objectOf(c).size(), objectOf(c).jobs(null, 1)])
  if (!size) throw notFound('corpus')
  const { documents, chunks, names, rows, published, bytes, vectors, summaries } = size
  const { calls, ...tokens } = summaries
  const others = rows - names
  const least = from === 1 ? documents + chunks : Math.round(others + names * Math.min(1, to / from)) // some strategies may end
  const most = Math.round(2 * (others + names * Math.max(1, to / from)))
  const own = modelsFor(withRoleModels(c.get('world').models, settings.roleModels), settings)
  return {
    from,
    to,
    job: jobs.data.find(({ kind, status }) => kind === 'repartition' && status === 'running')?.job ?? null,
    estimate: {
      documents,
      chunks,
      rows: { min: least, max: Math.max(most, published) },
      bytes,
      vectors,
      summaries: { calls, tokens, usd: usdOf(own, tokens) },
    },
    priced_on: PRICED_ON,
  }
}

const HINDERED =
  'This corpus has something that a corpus in partitions cannot have; see `errors` (docs/partitions.md, "Dividing a corpus").'

const REFUSED = {
  undivided: 'This corpus cannot be divided. Import an export of it into one that has partitions (docs/partitions.md).',
  same: 'The corpus has this number of partitions already.',
  busy: 'The number of partitions is being changed already, what is left of the last change is being removed, or the corpus is being moved to another embedding model.',
} as const

function maintenance(action: 'reindex' | 'consolidate' | 'rebuild', summary: string): Route {
  return route({
    method: 'post',
    path: `/v1/corpora/{corpus}:${action}`,
    id: `${action}Corpus`,
    tag: 'corpora',
    summary,
    access: ['write'],
    body: { schema: maintenanceSchema, optional: true, example: { strategies: defaultStrategies.slice(0, 1) } },
    answers: { 202: { description: 'The job is running.', schema: accepted, example: { job: 'j_1' } } },
    problems: ['strategy_not_enabled', 'over_budget', ...(action === 'consolidate' ? [] : (['storage_full'] as const))],
    repeatable: true,
  }).answer(async (c, { strategies }) => {
    const lacking = strategies?.find((name) => !isEnabled(name, c.get('corpus').strategies))
    if (lacking !== undefined) throw new Problem('strategy_not_enabled', `This corpus has not enabled ${lacking}.`)
    const outcome = await objectOf(c).maintain(action, strategies ? { strategies } : {})
    return { status: 202, body: { job: requireAccepted(outcome).job } }
  })
}
