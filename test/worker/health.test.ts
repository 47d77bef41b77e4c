/** Receipts, exports, probes and health over HTTP, with the real stores between. */
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { verifyExport } from '../../cli/verifying/verify-export'
import { corpusOf, type Namespace } from '../../src/adapters/corpus'
import { app, call, corpus, succeeded } from './living'
import { ended } from './waiting'

const { DB, CORPUS } = env as unknown as { DB: D1Database; CORPUS: Namespace }
const PLACES = ['herons', 'glaciers', 'looms', 'violins', 'harbours', 'beehives', 'lanterns', 'quarries']
const NAMES = ['Anna Berg', 'Otto Brandt', 'Mira Holt', 'Ida Quist', 'Jon Vale', 'Tove Lund', 'Karl Moss', 'Nils Roy']

function page(n: number) {
  const text = `${NAMES[n % 8]} counted ${n} ${PLACES[n % 8]} at Port Ellis. ${NAMES[(n + 1) % 8]} “doubted” it: naïve, said 北京 and a \u{1F426}. Half a bird: \ud83d.`
  return {
    id: `d/${n} ü`,
    text,
    title: n % 2 ? `Report ${n}` : '',
    url: `https://x.test/${n}`,
    metadata: { share: 0.1 * n, deep: { e: 1e-7 } },
  }
}
const pages = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => page(from + i))

it('[V80] an export of the running product verifies, also after changes, deletions, maintenance and a reindex', async () => {
  const base = await corpus({ strategies: ['erarag', 'cluerag', 'ketrag', 'archrag', 'gorag'] })
  const job = async (method: string, path: string, body?: unknown) => succeeded(base, (await call(method, `${base}${path}`, body)).body.job)
  await job('POST', '/documents:batch', { upserts: pages(0, 24) })
  await job('POST', '/documents:batch', { upserts: [{ ...page(3), text: 'Mira Holt changed her mind.' }], deletes: [page(5).id] })
  await call('PUT', `${base}/labels/birds`, { description: 'On birds', examples: ['A heron by the harbour'] })
  for (const action of ['consolidate', 'reindex']) await succeeded(base, (await call('POST', `${base}:${action}`)).body.job)
  const { text } = await call('GET', `${base}/export?format=jsonl`)
  const lines = text.trim().split('\n')
  const found = await verifyExport(lines)
  expect(found).toMatchObject({ verdict: 'whole', faults: [] })
  const { body: list } = await call('GET', `${base}/receipts?limit=200`)
  expect([list.data.length, list.data.at(-1).hash, list.next_cursor]).toEqual([found.receipts, found.head, null])
  expect((await call('GET', `${base}/health`)).body.head.hash).toBe(found.head)
  const at = lines.findIndex((line) => line.startsWith('{"type":"chunk"'))
  const altered = lines.map((line, i) => (i === at ? line.replace('counted', 'invented') : line))
  expect((await verifyExport(altered)).faults).toHaveLength(2) // the rows' sum, and the lines' digest
})

it('[V85] settings that lose pinned answers are refused, over HTTP, and the health report says so', async () => {
  const base = await corpus({ strategies: ['ketrag'] })
  const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(base.split('/').at(-1)).first<string>('uid')) ?? ''
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts: pages(0, 30) })).body.job)
  const queries = NAMES.slice(0, 4).map((name) => `What did ${name} count at Port Ellis?`)
  const answers = async () => {
    const all = await Promise.all(queries.map((query) => call('POST', `${base}/search`, { query, strategy: 'ketrag', top_k: 4 })))
    return all.map(({ body }) => [...new Set(body.evidence.flatMap((one: { document: string | null }) => one.document ?? []))] as string[])
  }
  const expected = await answers()
  const probes = queries.map((query, i) => ({ query, expect: expected[i] }))
  const put = await call('PUT', `${base}/probes`, { probes, k: 4, tolerance: 0.02 })
  expect([put.status, put.body]).toEqual([200, { count: 4, k: 4, tolerance: 0.02, revision: expect.any(String), missing: [] }])
  expect((await call('GET', `${base}/probes`)).body.probes).toEqual(probes.map((one) => ({ ...one, missing: [], last: null, gate: null })))
  for (let n = 0; n < 4; n++) await corpusOf(CORPUS, uid).tend()
  const well = (await call('GET', `${base}/health`)).body
  expect([well.nodes.orphans, well.probes.count, well.pending, well.last_tend > 0]).toEqual([0, 4, false, true])
  expect(well.probes.recall.ketrag).toBeGreaterThan(0.8)
  expect((await call('PUT', base, { settings: { ketrag: { theta: 1 } } })).status).toBe(200)
  const [refused] = (await call('GET', `${base}/jobs`)).body.data
  const after = await ended<typeof refused>(refused.job, async () => (await call('GET', `${base}/jobs/${refused.job}?wait=20`)).body)
  expect([after.kind, after.status, after.error]).toEqual(['reindex', 'failed', expect.stringMatching(/^refused: recall@4 of ketrag/)])
  expect(await answers()).toEqual(expected)
  expect((await call('GET', `${base}/health`)).body).toMatchObject({ pending: true, gate: { promoted: false, job: refused.job } })
  await call('PUT', `${base}/probes`, { probes: [] })
  await succeeded(base, (await call('POST', `${base}:reindex`)).body.job)
  expect((await call('GET', `${base}/health`)).body).toMatchObject({ pending: false })
})

it('[V102] of two who pin at once neither loses what the other has pinned, over HTTP', async () => {
  const base = await corpus({ strategies: ['ketrag'] })
  const probe = (query: string) => ({ query, expect: ['a'] })
  const read = async () => (await call('GET', `${base}/probes`)).body
  const put = (queries: readonly string[], more: Record<string, string> = {}) =>
    call('PUT', `${base}/probes`, { probes: queries.map(probe) }, more)
  const tag = (revision: string) => ({ 'if-match': `"${revision}"` })
  const { revision: empty } = await read()
  const both = await Promise.all(['one?', 'two?'].map((query) => put([query], tag(empty))))
  const refused = both.find(({ status }) => status === 412)
  expect([both.map(({ status }) => status).sort(), refused?.body]).toEqual([
    [200, 412],
    expect.objectContaining({ status: 412, code: 'precondition_failed', request_id: expect.any(String) }),
  ])
  const now = await read()
  const again = await put([...now.probes.map(({ query }: { query: string }) => query), 'three?'], tag(now.revision))
  expect([now.probes.length, again.status, (await read()).probes.length]).toEqual([1, 200, 2])
  // A tag made weak on the way still matches; what is no tag does not; the same request again is answered, not refused.
  const key = { 'idempotency-key': 'pin' }
  const weak = { 'if-match': `W/"${again.body.revision}"`, ...key }
  expect([(await put(['four?'], weak)).status, (await put(['four?'], weak)).status]).toEqual([200, 200])
  expect([
    (await put([], { 'if-match': 'four' })).status,
    (await put(['five?'])).status,
    (await put([], { 'if-match': '*' })).status,
  ]).toEqual([412, 200, 200])
  const head = await app.fetch(`https://loam.test${base}/probes`, { headers: { authorization: 'Bearer local-development-key' } })
  expect([head.headers.get('etag'), (await head.json<{ revision: string }>()).revision]).toEqual([`"${empty}"`, empty])
}, 60_000)
