/** Requests no client would send: right bodies with one wrong part, wrong bodies, no bodies at all, under every writing route. Seeded. */
import fc from 'fast-check'

export interface FuzzedRequest {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array
}

const document = { text: 'Ada Quill wrote to Otto Brandt.', title: 'T', url: 'https://example.org', metadata: { a: 1, b: ['x'] } }
const search = {
  query: 'who wrote?',
  strategy: 'hybrid',
  top_k: 5,
  token_budget: 500,
  options: { rerank: true },
  filters: { document: ['a'], metadata: { a: [1, 'x'] } },
  min_version: 0,
  trace: true,
}
const query = { ...search, history: [{ role: 'user', content: 'x' }], stream: false, response_type: 'one word' }

/** Route and a body that fits it. */
const routes: readonly (readonly [string, string, object])[] = [
  ['POST', '/v1/keys', { name: 'k', scopes: ['read'], corpora: ['fuzz'] }],
  [
    'PUT',
    '/v1/corpora/fuzz',
    {
      strategies: ['gorag'],
      settings: { chunk_tokens: 600, erarag: { min: 4 }, gorag: { learning: { max: 9 } } },
      budget: { tokens: 10 ** 12 },
      public: false,
    },
  ],
  ['PUT', '/v1/corpora/fuzz/documents/{id}', document],
  ['POST', '/v1/corpora/fuzz/documents', document],
  ['POST', '/v1/corpora/fuzz/documents:batch', { upserts: [{ id: 'a', ...document }], deletes: ['b'] }],
  ['POST', '/v1/corpora/fuzz/jobs/{id}:cancel', {}],
  ['POST', '/v1/corpora/fuzz/jobs/{id}:retry', {}],
  ['POST', '/v1/corpora/fuzz/search', search],
  ['POST', '/v1/corpora/fuzz/query', query],
  ['POST', '/v1/corpora/fuzz/query', { ...query, stream: true }],
  ['POST', '/v1/corpora/fuzz/compare', { query: 'x', strategies: ['keyword', 'vector'], top_k: 3 }],
  ['PUT', '/v1/corpora/fuzz/labels/{id}', { description: 'd', examples: ['x'] }],
  ['POST', '/v1/corpora/fuzz/classify', { text: 'x', learn: true }],
  ['PUT', '/v1/corpora/fuzz/probes', { probes: [{ query: 'who wrote?', expect: ['a'] }], k: 5, tolerance: 0.1 }],
  ['POST', '/v1/corpora/fuzz:reindex', { strategies: ['erarag'] }],
  ['POST', '/v1/corpora/fuzz:consolidate', {}],
  ['POST', '/v1/corpora/fuzz:rebuild', {}],
  ['POST', '/v1/corpora/fuzz/estimate', { documents: [document] }],
]

const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    -1,
    0,
    1e308,
    -0,
    1.5,
    2 ** 53,
    '',
    ' ',
    '\0',
    '\ud800',
    '💧',
    'x'.repeat(9000),
    '../..',
    '__proto__',
    null,
    [],
    {},
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constant(JSON.parse('{"__proto__": {"x": 1}, "constructor": {"prototype": 1}}')),
)

/** A copy with one part, at any depth, replaced, removed or added. */
function mutated(body: unknown, picks: readonly number[], value: unknown): unknown {
  const [pick = 0, ...rest] = picks
  if (body === null || typeof body !== 'object' || picks.length === 0) return value
  const keys = Object.keys(body)
  const key = keys[pick % (keys.length + 1)]
  if (Array.isArray(body))
    return key === undefined ? [...body, value] : body.map((part, i) => (String(i) === key ? mutated(part, rest, value) : part))
  const record = body as { readonly [key: string]: unknown }
  if (key === undefined) return { ...record, extra: value }
  return { ...record, [key]: mutated(record[key], rest, value) }
}

const types = [
  'application/json',
  'application/json; charset=utf-8',
  '',
  'text/plain',
  'text/html',
  'text/markdown',
  'application/pdf',
  'text/plain; charset=klingon',
  'image/png',
  ';;',
]
const tags = [
  '<p>',
  '</p>',
  '<table>',
  '<tr>',
  '<td rowspan=99999 colspan=99999>',
  '<h1>',
  '<title>',
  '&#xFFFFFFFF;',
  '<!--',
  '<script>',
  'text',
  '<a href="x">',
  '<li>',
  '<ol start=-1>',
]

const body = (fitting: object) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.array(fc.nat(7), { maxLength: 4 }), strange)
        .map(([picks, value]) => JSON.stringify(mutated(fitting, picks, value)) ?? ''),
    },
    { weight: 1, arbitrary: strange.map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...tags), { maxLength: 40 }).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.nat(3000).map((depth) => `${'[{"a":'.repeat(depth)}`) },
    { weight: 2, arbitrary: fc.constant(JSON.stringify(fitting)) },
  )

const idempotency = fc.option(fc.oneof(fc.constantFrom('a', 'b'), fc.string({ minLength: 1, maxLength: 300 })), { nil: undefined, freq: 4 })

export const fuzzedRequest: fc.Arbitrary<FuzzedRequest> = fc
  .tuple(
    fc.nat(routes.length - 1),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.constantFrom(...types),
    idempotency,
    fc.nat(9),
  )
  .chain(([route, id, type, key, dice]) => {
    const [method, path, fitting] = routes[route] as (typeof routes)[number]
    return body(fitting).map((sent): FuzzedRequest => {
      const headers: { [name: string]: string } = {}
      const usual = dice < 7 ? 'application/json' : type
      if (usual !== '') headers['content-type'] = usual
      if (key !== undefined) headers['idempotency-key'] = sendable(key)
      if (dice === 9) headers['if-match'] = sendable(id)
      if (dice === 8) headers['x-request-id'] = sendable(id)
      const query = dice === 7 ? `?title=${encodeURIComponent(id)}&url=${encodeURIComponent(id)}&cursor=%zz` : ''
      return { method, path: path.replace('{id}', dice % 2 ? encodeURIComponent(id) : 'a') + query, headers, body: sent }
    })
  })

/** What a header may hold at all. */
function sendable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').trim() || '?'
}
