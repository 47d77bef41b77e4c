/** Work on the whole corpus: reindex, consolidate, rebuild. */

import { maintenanceSchema } from '../../contract/corpora'
import { accepted } from '../../contract/jobs'
import { defaultStrategies, isEnabled } from '../../core/strategies/registry'
import { objectOf } from '../context'
import { Problem } from '../problem'
import { type Route, route } from '../route'
import { requireAccepted } from './taken'

export const maintenanceRoutes = [
  maintenance('reindex', 'Rebuild the graph of some strategies'),
  maintenance('consolidate', 'Consolidate the graph: the work that needs all of it'),
  maintenance('rebuild', 'Rebuild everything from documents and cached replies, and refill D1 and Vectorize'),
]

function maintenance(action: 'reindex' | 'consolidate' | 'rebuild', summary: string): Route {
  return route({
    method: 'post',
    path: `/v1/corpora/{corpus}:${action}`,
    id: `${action}Corpus`,
    tag: 'corpora',
    summary,
    access: ['write'],
    body: { schema: maintenanceSchema, optional: true, example: { strategies: defaultStrategies.slice(0, 1) } },
    answers: { 202: { description: 'Under way.', schema: accepted, example: { job: 'j_1' } } },
    problems: ['strategy_not_enabled', 'over_budget', ...(action === 'consolidate' ? [] : (['storage_full'] as const))],
    repeatable: true,
  }).answer(async (c, { strategies }) => {
    const lacking = strategies?.find((name) => !isEnabled(name, c.get('corpus').strategies))
    if (lacking !== undefined) throw new Problem('strategy_not_enabled', `This corpus has not enabled ${lacking}.`)
    const outcome = await objectOf(c).maintain(action, strategies ? { strategies } : {})
    return { status: 202, body: { job: requireAccepted(outcome).job } }
  })
}
