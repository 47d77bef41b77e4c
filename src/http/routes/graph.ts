/** The graph as D1 holds it: neighbourhoods, entities, the layers of segments and communities. */
import { Hono } from 'hono'
import { within } from '../access'
import { askerOf } from '../asker'
import { type Ctx, type Http, objectOf } from '../context'
import { numberOf, placeOf } from '../cursor'
import { countedLayers, listedNodes, type Where } from '../listed'
import { Problem } from '../problem'
import { takes } from '../query'
import { settledVersion } from '../settled'

const NODES = { least: 1, most: 1000, usual: 100 }
const DEPTH = { least: 0, most: 4, usual: 1 }
const LAYER = { least: 0, most: 100, usual: -1 } // −1: not asked for
const LONGEST_Q = 200 // characters
const base = '/v1/corpora/:corpus'

export const graphRoutes = new Hono<Http>()
  .get(`${base}/graph`, takes('node', 'depth', 'limit'), within('read'), async (c) => {
    const version = await settledVersion(c)
    const from = { node: c.req.query('node') || null, depth: numberOf(c, 'depth', DEPTH), limit: numberOf(c, 'limit', NODES) }
    const asker = await askerOf(c)
    const object = objectOf(c)
    const own = await object.around(from, asker)
    const found =
      own === 'all' ? await c.get('world').listings.around(c.get('corpus'), from, (ids, limit) => object.links(ids, limit, asker)) : own
    if (!found) throw new Problem('node_not_found', 'There is no such node.')
    return c.json({ ...found, version })
  })
  .get(`${base}/entities`, takes('q', 'cursor', 'limit'), within('read'), async (c) => {
    const q = c.req.query('q')?.slice(0, LONGEST_Q) ?? ''
    return listed(c, { kind: 'entity', ...(q === '' ? {} : { q }) })
  })
  .get(`${base}/segments`, takes('layer', 'cursor', 'limit'), within('read'), (c) => layers(c, 'summary'))
  .get(`${base}/communities`, takes('layer', 'cursor', 'limit'), within('read'), (c) => layers(c, 'community'))

async function layers(c: Ctx, kind: string): Promise<Response> {
  const layer = numberOf(c, 'layer', LAYER)
  if (layer >= 0) return listed(c, { kind, layer })
  const version = await settledVersion(c)
  return c.json({ layers: await countedLayers(c, kind), version })
}

async function listed(c: Ctx, where: Where): Promise<Response> {
  const place = placeOf(c)
  const version = await settledVersion(c)
  return c.json({ ...(await listedNodes(c, where, place)), version })
}
