/** Work on the whole corpus: reindex, consolidate, rebuild. */

import { maintenanceSchema, repartitionSchema } from '../../contract/corpora'
import { accepted } from '../../contract/jobs'
import { defaultStrategies, isEnabled } from '../../core/strategies/registry'
import { objectOf } from '../context'
import { notFound, Problem } from '../problem'
import { type Route, route } from '../route'
import { requireAccepted } from './taken'

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
    method: 'post',
    path: '/v1/corpora/{corpus}:repartition',
    id: 'repartitionCorpus',
    tag: 'corpora',
    summary: 'Change the number of partitions of a corpus, in place',
    description:
      'Questions are answered from its partitions until new ones have everything; then these are the corpus. Documents may be added, changed and deleted meanwhile; for the switch, writes are answered with 503 and `Retry-After` for up to twenty seconds. Vectors are moved, not made again. Cancelling the job before the switch leaves the corpus as it was.',
    access: ['admin'],
    body: { schema: repartitionSchema, example: { partitions: 16 } },
    answers: { 202: { description: 'The job is running.', schema: accepted, example: { job: 'j_1' } } },
    problems: ['conflict', 'invalid'],
    repeatable: true,
  }).answer(async (c, { partitions }) => {
    const outcome = await objectOf(c).repartition(partitions)
    if (outcome.kind === 'gone') throw notFound('corpus')
    if (outcome.kind !== 'accepted') throw new Problem('conflict', REFUSED[outcome.kind])
    return { status: 202, body: { job: outcome.job } }
  }),
]

const REFUSED = {
  undivided: 'This corpus has no partitions. Import an export of it into one that has (docs/partitions.md).',
  same: 'The corpus has this number of partitions already.',
  busy: 'The number of partitions is being changed already, or what is left of the last change is being removed.',
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
