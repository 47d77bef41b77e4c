/** Probes, which every change of the whole graph must pass, and the health of a corpus. */
import { Hono } from 'hono'
import { probesSchema } from '../../contract/probes'
import { pinProbes } from '../../flows/probes'
import { noCorpus, within } from '../access'
import { askerOf, wholeSight } from '../asker'
import { json } from '../body'
import { type Ctx, type Http, objectOf } from '../context'
import { repeatable } from '../idempotency'
import { keyKeeper } from '../key-limits'
import { Problem } from '../problem'
import { configOf } from './corpora'

const base = '/v1/corpora/:corpus'

export const gateRoutes = new Hono<Http>()
  .put(`${base}/probes`, within('write'), repeatable(), async (c) => {
    const asked = await json(c, probesSchema)
    const world = c.get('world')
    const { models, later } = world
    const config = configOf(world, c.get('corpus'))
    const deps = { corpus: objectOf(c), config, models, key: keyKeeper(c, config.prices), later }
    const pinned = await pinProbes(deps, asked, expected(c))
    if (pinned === 'over_budget') throw new Problem('over_budget', 'The budget does not cover the vectors of these questions.')
    if (pinned === 'changed') throw new Problem('precondition_failed', 'Other probes have been pinned since.')
    const { probes, k, tolerance, revision } = pinned
    // A stored answer outlives what it is about: it counts the questions, and does not repeat them.
    return c.json({ count: probes.length, k, tolerance, revision }, 200, tagged(revision))
  })
  .get(`${base}/probes`, within('write'), async (c) => {
    const pinned = await objectOf(c).probes(await askerOf(c))
    return c.json(pinned, 200, tagged(pinned.revision))
  })
  .get(`${base}/health`, within('read'), async (c) => {
    await wholeSight(c)
    const health = await objectOf(c).health()
    if (!health) throw noCorpus()
    return c.json(health)
  })

const tagged = (revision: string) => ({ etag: `"${revision}"` })

/** If-Match names the probes the caller has read. Whoever compresses on the way may have made the tag a weak one; what is no tag matches nothing. */
function expected(c: Ctx): string | undefined {
  const header = c.req.header('if-match')?.trim()
  if (header === undefined || header === '*') return undefined
  return /^(?:W\/)?"([^"]*)"$/.exec(header)?.[1] ?? ''
}
