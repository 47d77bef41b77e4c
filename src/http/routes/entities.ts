/** Which entities are one thing under two names: merged, separated again, and the record of both. Where the corpus has ArchRAG switched on. */

import { type Decided, decided, mergeSchema, nameOperation, unmergeSchema } from '../../contract/names'
import { listOf } from '../../contract/pages'
import type { CorpusObject } from '../../ports/object'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { placeOf, withOpaqueCursor } from '../cursor'
import { requireOffer } from '../offers'
import { cursor, limit } from '../parameters'
import { nameOf } from '../path'
import { notFound, Problem } from '../problem'
import type { Answered } from '../reply'
import { route } from '../route'

const base = '/v1/corpora/{corpus}/entities'

export const entityRoutes = [
  route({
    method: 'get',
    path: `${base}/merges`,
    id: 'listMerges',
    tag: 'graph',
    summary: 'List which entities were merged and separated again, oldest first',
    access: ['read'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of the audit.', schema: listOf(nameOperation) } },
    problems: ['strategy_not_enabled', 'invalid'],
  }).answer(async (c) => {
    const { after, limit } = placeOf(c)
    return { status: 200, body: withOpaqueCursor(await namesOf(c).nameOperations(after === '' ? null : after, limit, await askerOf(c))) }
  }),
  route({
    method: 'post',
    path: `${base}/{entity}:merge`,
    id: 'mergeEntity',
    tag: 'graph',
    summary: 'Merge two entities that are one thing',
    description:
      'In force when this returns; reports of the communities it touches are written afterwards. Nothing of either entity is lost.',
    access: ['write'],
    body: { schema: mergeSchema, example: { with: 'e_2b7c1f' } },
    answers: { 200: { description: 'Merged, or merged already.', schema: decided } },
    problems: ['strategy_not_enabled', 'node_not_found'],
    repeatable: true,
  }).answer(async (c, { with: other }) => {
    const entity = nameOf(c, 'entity')
    if (other === entity)
      throw new Problem('invalid', 'An entity is itself already.', { errors: [{ path: 'with', message: 'the same entity' }] })
    return decision(await namesOf(c).mergeEntities(entity, other))
  }),
  route({
    method: 'post',
    path: `${base}/{entity}:unmerge`,
    id: 'unmergeEntity',
    tag: 'graph',
    summary: 'Undo a merge, also one made by likeness',
    description: 'What was separated here is not merged by likeness again.',
    access: ['write'],
    body: { schema: unmergeSchema, example: {} },
    answers: { 200: { description: 'Separated, or apart already.', schema: decided } },
    problems: ['strategy_not_enabled', 'node_not_found'],
    repeatable: true,
  }).answer(async (c, { from = null }) => decision(await namesOf(c).partEntities(nameOf(c, 'entity'), from))),
]

function namesOf(c: Ctx): CorpusObject {
  requireOffer(c, 'names')
  return objectOf(c)
}

function decision(kind: 'done' | 'unchanged' | 'missing'): Answered<200, Decided> {
  if (kind === 'missing') throw notFound('node', 'entity')
  return { status: 200, body: { status: kind } }
}
