/** The graph as D1 holds it: neighbourhoods, entities, the layers of segments and communities. */
import { Hono } from 'hono'
import { within } from '../access'
import { type Ctx, type Http, objectOf } from '../context'
import { numberOf, page, placeOf } from '../cursor'
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
    const found = await c.get('world').listings.around(c.get('corpus'), from, (ids, limit) => objectOf(c).links(ids, limit))
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
  return c.json({ layers: await c.get('world').listings.layers(c.get('corpus'), kind), version })
}

interface Where {
  readonly kind: string
  readonly layer?: number
  readonly q?: string
}

async function listed(c: Ctx, where: Where): Promise<Response> {
  const place = placeOf(c)
  const version = await settledVersion(c)
  const rows = await c.get('world').listings.nodes(c.get('corpus'), where, { ...place, limit: place.limit + 1 })
  return c.json({ ...page(rows, place.limit, (row) => row.id), version })
}
