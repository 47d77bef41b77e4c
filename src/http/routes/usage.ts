/** What a corpus has cost so far: in all, by stage, by document; and what keys have used of their day. */
import { Hono } from 'hono'
import { NEURON_USD, PRICED_ON } from '../../flows/prices'
import type { KeyRecord } from '../../ports/keys'
import { noKey, signedIn, within } from '../access'
import { askerOf } from '../asker'
import { type Ctx, type Http, objectOf } from '../context'
import { encode, page, placeOf } from '../cursor'
import { may, uidsSeen } from '../principal'
import { takes } from '../query'

export const usageRoutes = new Hono<Http>()
  .get('/v1/usage', takes('cursor', 'limit'), signedIn, async (c) => {
    const principal = c.get('principal')
    if (!principal) throw noKey()
    const key = await ownUsage(c)
    if (!may(principal, 'admin')) return c.json({ key, data: [], next_cursor: null })
    const { after, limit: given } = placeOf(c, KEYS)
    const limit = Math.min(given, KEYS)
    const { keys } = c.get('world')
    const { data, next_cursor } = page(await keys.keys(uidsSeen(principal), after, limit + 1), limit, (one) => one.id)
    const limited = data.filter((one) => one.limits)
    return c.json({ key, data: await Promise.all(limited.map((one) => usageOf(c, one))), next_cursor })
  })
  .get('/v1/corpora/:corpus/usage', takes('cursor', 'limit'), within('read', 'write'), async (c) => {
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
    return c.json({ ...sums, prices: priced, key: await ownUsage(c), ...listed })
  })

const KEYS = 25 // asked at once, an object each

/** Of the key that asks; null where it has no limits. */
async function ownUsage(c: Ctx) {
  const principal = c.get('principal')
  return principal?.limits ? usageOf(c, principal) : null
}

async function usageOf(c: Ctx, { id, limits = {} }: Pick<KeyRecord, 'id' | 'limits'>) {
  const { day, requests, tokens, usd, held, ends } = await c.get('world').keyUsage(id).today()
  return { id, day, limits, requests, tokens, usd, held, resets_at: new Date(ends).toISOString() }
}
