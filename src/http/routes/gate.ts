/** Probes, which every change of the whole graph must pass, and the health of a corpus. */
import { Hono } from 'hono'
import { pinProbes } from '../../flows/probes'
import { noCorpus, within } from '../access'
import { json } from '../body'
import { type Http, objectOf } from '../context'
import { repeatable } from '../idempotency'
import { probesSchema } from '../schemas/gate'

const base = '/v1/corpora/:corpus'

export const gateRoutes = new Hono<Http>()
  .put(`${base}/probes`, within('write'), repeatable(), async (c) => {
    const asked = await json(c, probesSchema)
    const { probes, ...bounds } = await pinProbes({ corpus: objectOf(c), models: c.get('world').models }, asked)
    // A stored answer outlives what it is about: it counts the questions, and does not repeat them.
    return c.json({ count: probes.length, ...bounds })
  })
  .get(`${base}/probes`, within('write'), async (c) => c.json(await objectOf(c).probes()))
  .get(`${base}/health`, within('read'), async (c) => {
    const health = await objectOf(c).health()
    if (!health) throw noCorpus()
    return c.json(health)
  })
