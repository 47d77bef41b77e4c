/** Work on the whole corpus: reindex, consolidate, rebuild. */
import { Hono } from 'hono'
import { maintenanceSchema } from '../../contract/corpora'
import { isEnabled } from '../../core/strategies/registry'
import { within } from '../access'
import { json } from '../body'
import { type Ctx, type Http, objectOf } from '../context'
import { repeatable } from '../idempotency'
import { Problem } from '../problem'
import { taken } from './documents'

export const maintenanceRoutes = new Hono<Http>()
  .post('/v1/corpora/:corpus{[^/:]+:reindex}', within('write'), repeatable(), (c) => start(c, 'reindex'))
  .post('/v1/corpora/:corpus{[^/:]+:consolidate}', within('write'), repeatable(), (c) => start(c, 'consolidate'))
  .post('/v1/corpora/:corpus{[^/:]+:rebuild}', within('write'), repeatable(), (c) => start(c, 'rebuild'))

async function start(c: Ctx, kind: 'reindex' | 'consolidate' | 'rebuild'): Promise<Response> {
  const { strategies } = await json(c, maintenanceSchema)
  const lacking = strategies?.find((name) => !isEnabled(name, c.get('corpus').strategies))
  if (lacking !== undefined) throw new Problem('strategy_not_enabled', `This corpus has not enabled ${lacking}.`)
  const accepted = await objectOf(c).maintain(kind, strategies ? { strategies } : {})
  return c.json({ job: taken(accepted).job }, 202)
}
