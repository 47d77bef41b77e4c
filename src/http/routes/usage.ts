/** What a corpus has cost so far: in total, by stage, by document; and what keys have used today. */

import { corpusUsage, type KeyUsage, keysUsage } from '../../contract/usage'
import { NEURON_USD, PRICED_ON } from '../../flows/prices'
import type { CorpusRecord } from '../../ports/catalogue'
import type { KeyRecord } from '../../ports/keys'
import { noKey } from '../access'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { costParameters, costRows, costsAsCsv, type Group, groupsOf, limitOfCorpora, rangeOf } from '../costs'
import { page, placeOf } from '../cursor'
import { sealedPlaceOf, withSealedCursor } from '../hidden-place'
import { isoTime } from '../iso-time'
import { cursor, limit, limitOf } from '../parameters'
import { hasCorpus, hasCorpusNamed, hasScope, type Principal, visibleUids } from '../principal'
import { notFound, Problem } from '../problem'
import { route } from '../route'

const limitOfKeys = limitOf(25, 25) // asked at once, one object each
const embed = { calls: 2, in: 0, out: 0, embedded: 10_912, usd: 0.00013, neurons: 11.9 }
const nothing = { calls: 0, in: 0, out: 0, embedded: 0, usd: 0, neurons: 0 }

const used = {
  id: '5d1c0f2a9b3e4c77',
  day: '2026-11-22',
  limits: { tokens_a_day: 200_000, requests_a_day: 1000 },
  requests: 41,
  tokens: 60_912,
  usd: 0.0041,
  held: { tokens: 0, usd: 0 },
  resets_at: '2026-11-23T00:00:00.000Z',
}

export const usageRoutes = [
  route({
    method: 'get',
    path: '/v1/usage',
    id: 'getKeyUsage',
    tag: 'keys',
    summary: 'Get what keys have used today, or what was spent by corpus, key and day',
    description:
      'A key sees its own figures; an admin key also those of the keys it could create. Keys without limits are not counted. With `by`: what corpora have cost by corpus, key, day and stage, instead of the list of keys; as CSV with `format=csv`, where the header `loam-next-cursor` says that there are more corpora.',
    access: 'key',
    parameters: [cursor, limitOfKeys, ...costParameters],
    answers: {
      200: {
        description: 'Today’s figures.',
        schema: keysUsage,
        example: { key: null, data: [used], next_cursor: null },
      },
    },
    problems: ['invalid', 'corpus_not_found'],
  }).answer(async (c) => {
    const principal = c.get('principal')
    if (!principal) throw noKey()
    const key = await ownUsage(c)
    const by = groupsOf(c)
    if (by) return costsOf(c, principal, by, key)
    if (!hasScope(principal, 'admin')) return { status: 200, body: { key, data: [], next_cursor: null } }
    const { after, limit } = placeOf(c, limitOfKeys)
    const { keys } = c.get('world')
    const { data, next_cursor } = page(await keys.keys(visibleUids(principal), after, limit + 1), limit, (one) => one.id)
    const limited = data.filter((one) => one.limits)
    return { status: 200, body: { key, data: await Promise.all(limited.map((one) => usageOf(c, one))), next_cursor } }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/usage',
    id: 'getUsage',
    tag: 'corpora',
    summary: 'Get what a corpus has cost, in total, by stage and by document',
    description:
      'Updated with every commit. The cost of a deleted document stays in the sums, without its name. Only keys that may read see the list of documents: those you may read. A page may hold fewer than `limit`, or none, and still have a `next_cursor`: one call looks past 5,000 documents you may not read. The sums are those of the whole corpus.',
    access: ['read', 'write'],
    parameters: [cursor, limit],
    answers: {
      200: {
        description: 'The sums, and a page of documents.',
        schema: corpusUsage,
        example: {
          total: embed,
          stages: { embed },
          rows_published: 412,
          answers: { hits: 0, misses: 0, saved: nothing },
          shared: { ...nothing, stages: {} },
          budget: { tokens: 5_000_000 },
          held: { tokens: 0, usd: 0 },
          prices: {
            date: '2026-08-28',
            usd_per_million: { in: 0.051, out: 0.335, embedded: 0.012, reranked: 0.003 },
            usd_per_neuron: 0.000011,
          },
          key: null,
          data: [{ document: 'mill', ...embed, stages: { embed } }],
          next_cursor: null,
        },
      },
    },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit } = await sealedPlaceOf(c)
    const {
      prices,
      measured: _,
      data,
      next_cursor,
      ...sums
    } = await objectOf(c).usage(after === '' ? null : after, limit, await askerOf(c))
    const { date = PRICED_ON, in: read = 0, out = 0, embedded = 0, reranked = read, written } = prices ?? {}
    // The documents are listed only for those who may read them.
    const principal = c.get('principal')
    const named = c.get('corpus').public || principal === null || hasScope(principal, 'read')
    const listed = named ? await withSealedCursor(c, { data, next_cursor }, ({ document }) => document) : { data: [], next_cursor: null }
    const priced = {
      date,
      usd_per_million: { in: read, out, embedded, reranked },
      ...(written ? { stages: written } : {}),
      usd_per_neuron: NEURON_USD,
    }
    return { status: 200, body: { ...sums, prices: priced, key: await ownUsage(c), ...listed } }
  }),
]

/** For the key that asks; null if it has no limits. */
async function ownUsage(c: Ctx) {
  const principal = c.get('principal')
  return principal?.limits ? usageOf(c, principal) : null
}

async function usageOf(c: Ctx, { id, limits = {} }: Pick<KeyRecord, 'id' | 'limits'>) {
  const { day, requests, tokens, usd, held, ends } = await c.get('world').keyUsage(id).today()
  return { id, day, limits, requests, tokens, usd, held, resets_at: isoTime(ends) }
}

/** For the corpora that the key sees: spending of all keys for an admin key, its own for any other. */
async function costsOf(c: Ctx, principal: Principal, by: readonly Group[], key: KeyUsage | null) {
  const world = c.get('world')
  const range = rangeOf(c, hasScope(principal, 'admin') ? null : principal.id)
  const { after, limit: wanted } = placeOf(c, limitOfCorpora)
  const named = c.req.query('corpus')
  const visible = visibleUids(principal)
  const found = named === undefined ? await world.catalogue.corpora(visible, after, wanted + 1) : [await corpusNamed(c, principal, named)]
  const { data: records, next_cursor } = page(found, wanted, ({ name }) => name)
  const costs = await costRows(world, records, range, by)
  const format = c.req.query('format') ?? 'json'
  if (format === 'csv') {
    const headers = { 'content-type': 'text/csv; charset=utf-8', ...(next_cursor === null ? {} : { 'loam-next-cursor': next_cursor }) }
    return { response: new Response(costsAsCsv(costs, by), { headers }) }
  }
  if (format !== 'json')
    throw new Problem('invalid', 'The format must be json or csv.', { errors: [{ path: 'format', message: 'json or csv' }] })
  return { status: 200 as const, body: { key, costs, data: [], next_cursor } }
}

async function corpusNamed(c: Ctx, principal: Principal, name: string): Promise<CorpusRecord> {
  const record = hasCorpusNamed(principal, name) ? await c.get('world').catalogue.corpus(name) : null
  if (!record || !hasCorpus(principal, record)) throw notFound('corpus')
  return record
}
