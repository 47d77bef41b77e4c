/** Receipts of commits: the chain by which an export can be verified. */
import { Hono } from 'hono'
import { within } from '../access'
import { wholeSight } from '../asker'
import { type Http, objectOf } from '../context'
import { encode, numberOf, placeOf } from '../cursor'
import { takes } from '../query'

export const receiptRoutes = new Hono<Http>().get(
  '/v1/corpora/:corpus/receipts',
  takes('after', 'cursor', 'limit'),
  within('read'),
  async (c) => {
    await wholeSight(c)
    const { after: cursor, limit } = placeOf(c)
    const after = numberOf(c, 'after', { least: 0, most: Number.MAX_SAFE_INTEGER, usual: 0 })
    const { data, next_cursor } = await objectOf(c).receipts(cursor === '' ? String(after) : cursor, limit)
    return c.json({ data, next_cursor: next_cursor === null ? null : encode(next_cursor) })
  },
)
