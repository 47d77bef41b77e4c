/** The details of an entity; and which entities were merged by similarity and separated again, if the corpus has ArchRAG switched on. */

import { entityDetails } from '../../contract/entities'
import { nameOperation } from '../../contract/names'
import { listOf } from '../../contract/pages'
import type { CorpusObject } from '../../ports/object'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { placeOf, withOpaqueCursor } from '../cursor'
import { requireOffer } from '../offers'
import { cursor, limit } from '../parameters'
import { nameOf } from '../path'
import { notFound } from '../problem'
import { route } from '../route'

const base = '/v1/corpora/{corpus}/entities'

export const entityRoutes = [
  route({
    method: 'get',
    path: `${base}/merges`,
    id: 'listMerges',
    tag: 'graph',
    summary: 'List which entities were merged by similarity and separated again, oldest first',
    access: ['read'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of merges and separations.', schema: listOf(nameOperation) } },
    problems: ['strategy_not_enabled', 'invalid'],
  }).answer(async (c) => {
    const { after, limit } = placeOf(c)
    return { status: 200, body: withOpaqueCursor(await namesOf(c).nameOperations(after === '' ? null : after, limit, await askerOf(c))) }
  }),
  route({
    method: 'get',
    path: `${base}/{entity}`,
    id: 'getEntity',
    tag: 'graph',
    summary: 'Get an entity with its types, descriptions and documents',
    access: ['read'],
    answers: { 200: { description: 'The entity, as the texts that you may read describe it.', schema: entityDetails } },
    problems: ['node_not_found'],
  }).answer(async (c) => {
    const found = await objectOf(c).entity(nameOf(c, 'entity'), await askerOf(c))
    if (!found) throw notFound('node', 'entity')
    return { status: 200, body: found }
  }),
]

function namesOf(c: Ctx): CorpusObject {
  requireOffer(c, 'names')
  return objectOf(c)
}
