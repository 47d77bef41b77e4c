/** Receipts of commits: the chain by which an export can be verified. */
import { Hono } from 'hono'
import { within } from '../access'
import { type Http, objectOf } from '../context'
import { encode, placeOf } from '../cursor'

export const receiptRoutes = new Hono<Http>().get('/v1/corpora/:corpus/receipts', within('read'), async (c) => {
  const { after, limit } = placeOf(c)
  const { data, next_cursor } = await objectOf(c).receipts(after === '' ? null : after, limit)
  return c.json({ data, next_cursor: next_cursor === null ? null : encode(next_cursor) })
})
