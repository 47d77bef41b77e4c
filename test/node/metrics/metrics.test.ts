/** GET /metrics: exact in form, bounded in labels, silent about texts, added up over isolates and restarts. */
import { describe, expect, it } from 'vitest'
import { migrateTotals, totals } from '../../../durable-objects/metrics/totals'
import { meteredModels } from '../../../src/flows/metered-models'
import { createApp } from '../../../src/http/app'
import { operations } from '../../../src/http/routes'
import { EXPOSITION_TYPE, exposition } from '../../../src/metrics/exposition'
import { families } from '../../../src/metrics/families'
import { createCounts, metersOf } from '../../../src/metrics/meters'
import { observed, seriesOf } from '../../../src/metrics/series'
import type { Meters, MetricsObject } from '../../../src/ports/metrics'
import { memorySql } from '../../node-sqlite'
import { ADMIN, type FakeWorld, fakeWorld } from '../http/world'
import { readMetrics } from './format'

const json = { 'content-type': 'application/json' }

/** The object METRICS over SQLite in memory; `again`: the same rows in a new instance. */
function object(sql = memorySql()): { readonly real: MetricsObject; again(): MetricsObject } {
  const open = (): MetricsObject => {
    migrateTotals(sql, 5000)
    const all = totals(sql)
    return { add: async (samples) => all.add(samples), read: async () => all.read() }
  }
  return { real: open(), again: open }
}

/** An app that counts: each call of `isolate` is another isolate of the same deployment. */
function counting(world: FakeWorld = fakeWorld()) {
  const metrics = object()
  const isolate = () => {
    const meters: Meters = metersOf(
      createCounts(),
      () => metrics.real,
      () => world.clock.now,
    )
    const written: Promise<unknown>[] = []
    const app = createApp(() => ({
      ...world.wired,
      meters,
      metrics: () => metrics.real,
      later: (work) => void written.push(work),
    }))
    return async (method: string, path: string, { key = ADMIN, body }: { readonly key?: string | null; readonly body?: string } = {}) => {
      const headers = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...(body === undefined ? {} : json) }
      const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
      const response = await app.fetch(new Request(`https://loam.test${path}`, { method, headers, ...(body ? { body } : {}) }), {}, context)
      const text = await response.text()
      await Promise.all(written.splice(0))
      return { status: response.status, type: response.headers.get('content-type'), text }
    }
  }
  return { world, metrics, isolate, send: isolate() }
}

describe('the text format', () => {
  it('[S790] is that of Prometheus, line by line, and names each family once with what it counts', async () => {
    const { send } = counting()
    await send('PUT', '/v1/corpora/town', { body: '{}' })
    await send('GET', '/v1/corpora/none')
    await send('GET', '/v1/corpora/town')
    const { status, type, text } = await send('GET', '/metrics')
    expect([status, type]).toEqual([200, EXPOSITION_TYPE])
    const read = readMetrics(text)
    for (const [name, { type, help }] of read) expect([name, families[name]?.type, families[name]?.help]).toEqual([name, type, help])
    const requests = read.get('loam_http_requests_total')?.samples
    expect(requests?.get('{route="PUT /v1/corpora/{corpus}",status="2xx"}')).toBe(1)
    expect(requests?.get('{route="GET /v1/corpora/{corpus}",status="4xx"}')).toBe(1)
    expect(read.get('loam_refusals_total')?.samples.get('{code="corpus_not_found"}')).toBe(1)
    expect(read.get('loam_http_request_duration_seconds')?.samples.get('_count{route="GET /v1/corpora/{corpus}"}')).toBe(2)
    expect(read.get('loam_jobs')?.samples.get('{corpus="town",state="failed"}')).toBe(1)
    expect(read.get('loam_index_lag_seconds')?.samples.get('{corpus="town"}')).toBe(1.5)
    expect([...(read.get('loam_budget_left')?.samples ?? [])]).toEqual([['{corpus="town",unit="tokens"}', 400]])
  })

  it('[S790] the reader of these tests refuses what is none', () => {
    const good = '# HELP a_total A.\n# TYPE a_total counter\na_total 1\n'
    expect(readMetrics(good).size).toBe(1)
    for (const bad of [
      good.slice(0, -1),
      good.replace('# TYPE a_total counter\n', ''),
      good.replace('a_total 1', 'a_total -1'),
      good.replace('a_total 1', 'a_total{x="1} 1'),
      good.replace('a_total 1', 'b_total 1'),
      `${good}a_total 1\n`,
      good.replaceAll('a_total', 'a').replace('counter', 'histogram'),
    ])
      expect(() => readMetrics(bad)).toThrow()
  })

  it('[S791] a value that needs escaping is escaped, and a histogram counts each observation in every bucket it fits', () => {
    expect(seriesOf('loam_documents', { corpus: 'a"b\\c\nd' })).toBe('loam_documents{corpus="a\\"b\\\\c\\nd"}')
    const sum = new Map<string, number>()
    for (const seconds of [0.003, 0.07, 400]) {
      for (const [series, by] of observed('loam_http_request_duration_seconds', { route: 'GET /x' }, seconds)) {
        sum.set(series, (sum.get(series) ?? 0) + by)
      }
    }
    const read = readMetrics(exposition(Object.fromEntries(sum))).get('loam_http_request_duration_seconds')?.samples
    expect(read?.get('_bucket{route="GET /x",le="0.005"}')).toBe(1)
    expect(read?.get('_bucket{route="GET /x",le="0.1"}')).toBe(2)
    expect(read?.get('_bucket{route="GET /x",le="+Inf"}')).toBe(3)
  })
})

describe('what is counted', () => {
  it('[S792] whatever strangers send, the series are of routes we declare, and nothing they sent is in them', async () => {
    const { send } = counting()
    for (let i = 0; i < 40; i++) {
      await send('GET', `/v1/secret-word-${i}`)
      await send('POST', `/v1/corpora/secret-word-${i}/query`, { body: `{"query":"secret-word-${i}?"}` })
    }
    const { text } = await send('GET', '/metrics')
    expect(text).not.toContain('secret-word')
    const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route))
    const declared = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`))
    for (const route of routes) expect([route, route === 'none' || declared.has(route ?? '')]).toEqual([route, true])
  })

  it('[S793] isolates add up, and the sums outlive the object that holds them', async () => {
    const { isolate, metrics, world } = counting()
    const [one, other] = [isolate(), isolate()]
    await one('GET', '/healthz')
    await one('GET', '/healthz')
    await other('GET', '/healthz')
    world.clock.now += 20_000
    await one('GET', '/metrics')
    const line = 'loam_http_requests_total{route="GET /healthz",status="2xx"}'
    await other('GET', '/metrics')
    const { since, samples } = await metrics.again().read()
    expect([since, samples[line]]).toEqual([5000, 3])
  })

  it('[S793] so many series at most: a further one is counted as dropped, and those that are known go on', () => {
    const sql = memorySql()
    migrateTotals(sql, 0)
    const all = totals(sql)
    all.add(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`loam_refusals_total{code="${i}"}`, 1])))
    all.add({ 'loam_refusals_total{code="0"}': 2, 'loam_refusals_total{code="new"}': 1 })
    const { samples } = all.read()
    expect([
      samples['loam_refusals_total{code="0"}'],
      samples['loam_refusals_total{code="new"}'],
      samples.loam_series_dropped_total,
    ]).toEqual([3, undefined, 1])
  })

  it('[S794] calls of models count by role and outcome, with tokens and neurons', async () => {
    const counts = createCounts()
    const meters = metersOf(
      counts,
      () => object().real,
      () => 0,
    )
    const { models } = fakeWorld().wired
    const priced = { ...models, embedding: { ...models.embedding, id: '@cf/baai/bge-m3' } }
    const metered = meteredModels(priced, meters, () => 0)
    await metered.embed(['The mill grinds.'])
    await metered.rerank('q', ['t']).catch(() => undefined)
    const taken = counts.take()
    expect([
      taken['loam_model_calls_total{role="embed",outcome="ok"}'],
      taken['loam_model_calls_total{role="rerank",outcome="down"}'],
    ]).toEqual([1, 1])
    expect(taken['loam_model_tokens_total{role="embed",direction="embedded"}']).toBe(1)
    expect(taken['loam_model_neurons_total{role="embed"}']).toBeCloseTo(0.012 / 1e6 / (0.011 / 1000), 9)
  })

  it('[S795] a deployment that does not count says so, and counts nothing', async () => {
    const app = createApp(() => fakeWorld().wired)
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
    const response = await app.fetch(
      new Request('https://loam.test/metrics', { headers: { authorization: `Bearer ${ADMIN}` } }),
      {},
      context,
    )
    const read = readMetrics(await response.text())
    expect(read.get('loam_counting_since_seconds')?.samples.get('{}')).toBe(0)
    expect(read.has('loam_http_requests_total')).toBe(false)
  })
})

describe('who may see them', () => {
  it('[S796] admin keys alone; one of some corpora sees these, and nothing of the deployment', async () => {
    const { send, world } = counting()
    for (const name of ['town', 'farm']) await send('PUT', `/v1/corpora/${name}`, { body: '{}' })
    const mint = async (body: object): Promise<string> =>
      JSON.parse((await send('POST', '/v1/keys', { body: JSON.stringify({ name: 'k', ...body }) })).text).key
    const reader = await mint({ scopes: ['read'], corpora: ['town'] })
    const keeper = await mint({ scopes: ['admin'], corpora: ['town'] })
    expect((await send('GET', '/metrics', { key: null })).status).toBe(401)
    expect((await send('GET', '/metrics', { key: reader })).status).toBe(403)
    const { text } = await send('GET', '/metrics', { key: keeper })
    expect(text).toContain('loam_documents{corpus="town"}')
    expect(text).not.toContain('farm')
    expect(text).not.toContain('loam_http_requests_total')
    expect((await send('GET', '/metrics?corpus=farm', { key: keeper })).status).toBe(404)
    expect(world.corpora.size).toBe(2)
  })

  it('[S796] `corpora` bounds how many objects are asked; 0 wakes none, and a bad number is refused', async () => {
    const world = fakeWorld()
    let asked = 0
    const { seeing } = world.wired
    Object.assign(world.wired, { seeing: (uid: string) => ({ ...seeing(uid), figures: () => (asked++, seeing(uid).figures()) }) })
    const { send } = counting(world)
    for (const name of ['a', 'b', 'c']) await send('PUT', `/v1/corpora/${name}`, { body: '{}' })
    const shown = async (query: string): Promise<number> => {
      asked = 0
      const read = readMetrics((await send('GET', `/metrics${query}`)).text)
      expect(read.get('loam_corpora')?.samples.get('{}')).toBe(3)
      return asked
    }
    expect([await shown('?corpora=0'), await shown('?corpora=2'), await shown('')]).toEqual([0, 2, 3])
    expect((await send('GET', '/metrics?corpora=many')).status).toBe(422)
    expect((await send('GET', '/metrics?corpora=1&corpora=2')).status).toBe(422)
  })
})
