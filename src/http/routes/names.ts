/** Which entities are one thing under two names: merged, parted again, and the audit of both. Where the corpus has ArchRAG switched on. */
import { Hono } from 'hono'
import { mergeSchema, unmergeSchema } from '../../contract/names'
import type { CorpusObject } from '../../ports/object'
import { within } from '../access'
import { askerOf } from '../asker'
import { json } from '../body'
import { type Ctx, type Http, objectOf } from '../context'
import { encode, placeOf } from '../cursor'
import { repeatable } from '../idempotency'
import { Problem } from '../problem'
import { takes } from '../query'

const base = '/v1/corpora/:corpus/entities'

export const nameRoutes = new Hono<Http>()
  .get(`${base}/merges`, takes('cursor', 'limit'), within('read'), async (c) => {
    const { after, limit } = placeOf(c)
    const { data, next_cursor } = await names(c).nameOperations(after === '' ? null : after, limit, await askerOf(c))
    return c.json({ data, next_cursor: next_cursor === null ? null : encode(next_cursor) })
  })
  .post(`${base}/:entity{[^/:]+:merge}`, within('write'), repeatable(), async (c) => {
    const { with: other } = await json(c, mergeSchema)
    if (other === entityOf(c))
      throw new Problem('invalid', 'An entity is itself already.', { errors: [{ path: 'with', message: 'the same entity' }] })
    return decided(c, await names(c).mergeEntities(entityOf(c), other))
  })
  .post(`${base}/:entity{[^/:]+:unmerge}`, within('write'), repeatable(), async (c) => {
    const { from = null } = await json(c, unmergeSchema)
    return decided(c, await names(c).partEntities(entityOf(c), from))
  })

const entityOf = (c: Ctx): string => (c.req.param('entity') ?? '').split(':')[0] ?? ''

function names(c: Ctx): CorpusObject {
  if (!c.get('corpus').strategies.includes('archrag')) throw new Problem('strategy_not_enabled', 'This corpus has not enabled archrag.')
  return objectOf(c)
}

function decided(c: Ctx, kind: 'done' | 'unchanged' | 'missing'): Response {
  if (kind === 'missing') throw new Problem('node_not_found', 'There is no such entity.')
  return c.json({ status: kind })
}
