/** What a corpus has cost so far: in all, by stage, by document. */
import { Hono } from 'hono'
import { NEURON_USD, PRICED_ON } from '../../flows/prices'
import { within } from '../access'
import { askerOf } from '../asker'
import { type Http, objectOf } from '../context'
import { encode, placeOf } from '../cursor'
import { may } from '../principal'
import { takes } from '../query'

export const usageRoutes = new Hono<Http>().get(
  '/v1/corpora/:corpus/usage',
  takes('cursor', 'limit'),
  within('read', 'write'),
  async (c) => {
    const { after, limit } = placeOf(c)
    const {
      prices,
      measured: _,
      data,
      next_cursor,
      ...sums
    } = await objectOf(c).usage(after === '' ? null : after, limit, await askerOf(c))
    const { date = PRICED_ON, in: read = 0, out = 0, embedded = 0, reranked = read } = prices ?? {}
    // Which documents there are is for those who may read them.
    const principal = c.get('principal')
    const named = c.get('corpus').public || principal === null || may(principal, 'read')
    const listed = named ? { data, next_cursor: next_cursor === null ? null : encode(next_cursor) } : { data: [], next_cursor: null }
    const priced = { date, usd_per_million: { in: read, out, embedded, reranked }, usd_per_neuron: NEURON_USD }
    return c.json({ ...sums, prices: priced, ...listed })
  },
)
