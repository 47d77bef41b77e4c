/** The graph as D1 holds it: neighbourhoods, entities, the layers of segments and communities. */

import { layers, type Nodes, neighbourhood, nodes } from '../../contract/graph'
import type { NeighbourhoodRequest } from '../../core/access/neighbourhood'
import { atOnce } from '../../core/at-once'
import type { Neighbourhood } from '../../core/graph/listed'
import { kindOf } from '../../core/ids'
import { partitionsOf, partitionUids } from '../../corpus-uid'
import { joinNeighbourhoods } from '../../flows/partitions/graph'
import { workerLimits } from '../../platform-limits'
import type { CorpusObject } from '../../ports/object'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { numberOf, optionalNumberOf, placeOf } from '../cursor'
import { countLayers, listNodes, listPinnedFirst, type Where } from '../listed'
import { listById, listMostMentioned } from '../most-mentioned'
import { oneOf } from '../one-of'
import { cursor, limit, type Parameter, type WholeNumber, type WholeNumberWithDefault } from '../parameters'
import { notFound } from '../problem'
import type { Answered } from '../reply'
import { type Route, route } from '../route'
import { settledVersion } from '../settled'

const MAX_Q = 200 // characters
const node: Parameter = {
  name: 'node',
  in: 'query',
  description: 'The id of a node; without it, the top of the graph.',
  schema: { type: 'string' },
}
const depth: WholeNumberWithDefault = {
  name: 'depth',
  in: 'query',
  description: 'How many steps to go from it.',
  schema: { type: 'integer', minimum: 0, maximum: 4, default: 1 },
}
const max: WholeNumberWithDefault = {
  name: 'limit',
  in: 'query',
  description: 'The most nodes to return.',
  schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
}
const layer: WholeNumber = {
  name: 'layer',
  in: 'query',
  description: 'Without `layer`: how many nodes each layer has.',
  schema: { type: 'integer', minimum: 0, maximum: 100 },
}
const q: Parameter = {
  name: 'q',
  in: 'query',
  description: 'Part of a name; upper and lower case do not matter.',
  schema: { type: 'string' },
}
const ORDERS = ['id', 'mentions'] as const
const sort: Parameter = {
  name: 'sort',
  in: 'query',
  description:
    '`mentions`: those that the most chunks mention first, then by name, of the texts that you may read; those of one chunk follow by id. In a corpus in partitions, which each have an order of their own, all are by id.',
  schema: { type: 'string', enum: ORDERS, default: 'id' },
}

export const graphRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/graph',
    id: 'getGraph',
    tag: 'graph',
    summary: 'Get the neighbourhood of a node',
    access: ['read'],
    parameters: [node, depth, max],
    answers: { 200: { description: 'Nodes, and the edges between them.', schema: neighbourhood } },
    problems: ['node_not_found', 'behind', 'invalid'],
  }).answer(async (c) => {
    const version = await settledVersion(c)
    const from = { node: c.req.query('node') || null, depth: numberOf(c, depth), limit: numberOf(c, max) }
    const found = await aroundOf(c, from)
    if (!found) throw notFound('node')
    return { status: 200, body: { ...found, version } }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/entities',
    id: 'listEntities',
    tag: 'graph',
    summary: 'List entities, all or by part of their name',
    description: 'Entities that people have pinned come first.',
    access: ['read'],
    parameters: [q, sort, cursor, limit],
    answers: { 200: { description: 'A page of entities.', schema: nodes } },
    problems: ['behind', 'invalid'],
  }).answer(async (c) => {
    const part = c.req.query('q')?.slice(0, MAX_Q) ?? ''
    return answerEntities(c, { kind: 'entity', ...(part === '' ? {} : { q: part }) })
  }),
  layerRoute('segments', { id: 'listSegments', kind: 'summary', summary: 'List summaries of EraRAG’s tree, by layer' }),
  layerRoute('communities', { id: 'listCommunities', kind: 'community', summary: 'List communities of ArchRAG, by layer' }),
]

/** In a corpus in partitions, what each has around the node. */
async function aroundOf(c: Ctx, from: NeighbourhoodRequest): Promise<Neighbourhood | null> {
  const corpus = c.get('corpus')
  const { listings, corpus: objectAt } = c.get('world')
  const asker = await askerOf(c)
  const one = async (uid: string, object: Pick<CorpusObject, 'around' | 'links'>): Promise<Neighbourhood | null> => {
    const own = await object.around(from, asker)
    return own === 'all' ? listings.around({ ...corpus, uid }, from, (ids, limit) => object.links(ids, limit, asker)) : own
  }
  const uids = partitionUids(corpus.uid)
  if (uids.length === 0) return one(corpus.uid, objectOf(c))
  const slot = atOnce(workerLimits.safeConnections)
  const found = await Promise.all(uids.map((uid) => slot(() => one(uid, objectAt(uid)))))
  const isSegment = from.node !== null && kindOf(from.node) === 'summary'
  const above = isSegment && (await objectOf(c).seen({}, asker)).all ? await objectOf(c).aroundAbove(from) : null
  return joinNeighbourhoods([...found, above], from.limit)
}

function layerRoute(name: string, { id, kind, summary }: { readonly id: string; readonly kind: string; readonly summary: string }): Route {
  return route({
    method: 'get',
    path: `/v1/corpora/{corpus}/${name}`,
    id,
    tag: 'graph',
    summary,
    access: ['read'],
    parameters: [layer, cursor, limit],
    answers: { 200: { description: 'The layers, or a page of one.', schema: layers.or(nodes) } },
    problems: ['behind', 'invalid'],
  }).answer(async (c) => {
    const wanted = optionalNumberOf(c, layer)
    if (wanted !== undefined) return answerNodes(c, { kind, layer: wanted })
    const version = await settledVersion(c)
    return { status: 200, body: { layers: await countLayers(c, kind), version } }
  })
}

async function answerEntities(c: Ctx, where: Where): Promise<Answered<200, Nodes>> {
  const place = placeOf(c)
  const isRanked = oneOf(c, 'sort', ORDERS) === 'mentions' && partitionsOf(c.get('corpus').uid) === 1
  const list = isRanked ? listMostMentioned : listById
  const version = await settledVersion(c)
  return { status: 200, body: { ...(await listPinnedFirst(c, where, place, list)), version } }
}

async function answerNodes(c: Ctx, where: Where): Promise<Answered<200, Nodes>> {
  const place = placeOf(c)
  const version = await settledVersion(c)
  return { status: 200, body: { ...(await listNodes(c, where, place)), version } }
}
