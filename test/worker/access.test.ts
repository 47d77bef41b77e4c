/** Who may read what, with everything real behind it but the models. */
import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { SqliteGraph } from '../../durable-objects/graph/sqlite-graph'
import { counted } from '../../durable-objects/sql'
import { seesBeneath } from '../../src/core/access/sight'
import { random } from '../../src/core/random'
import { signatureOf } from '../../src/hooks/signature'
import type { DocumentInput } from '../../src/ports/documents'
import type { CorpusObject } from '../../src/ports/object'
import { labels, labelsFrom, type Text, textFrom } from '../core/access/worlds'
import { config, DIMENSIONS, doc, find, newCorpus, put, remove } from './corpora'
import { bodyOf } from './living'
import { ended, eventually } from './waiting'

const ALL = ['erarag', 'cluerag', 'ketrag', 'archrag']

function inputOf({ id, title, text, labels: access }: Text, more: Partial<DocumentInput> = {}): DocumentInput {
  return doc(id, text, { title, access: [...access].sort(), ...more })
}

function textsFrom(seed: string, count: number): Text[] {
  const numbers = random(seed)
  return Array.from({ length: count }, (_, nth) => textFrom(numbers, nth, labelsFrom(numbers)))
}

/** What the object holds, read beside it. */
function graphOf<T>(id: string, use: (graph: SqliteGraph) => T): Promise<T> {
  const stub = (env as unknown as { readonly CORPUS: DurableObjectNamespace }).CORPUS.getByName(id)
  return runInDurableObject(stub, (_, state) => {
    const graph = new SqliteGraph({ sql: counted(state.storage.sql), dimensions: DIMENSIONS })
    graph.migrate()
    return use(graph)
  })
}

async function settledCorpus(texts: readonly Text[], strategies = ALL) {
  const made = await newCorpus(strategies)
  await put(made.corpus, ...texts.map((one) => inputOf(one)))
  return made
}

const documentsIn = async (corpus: CorpusObject, asker: readonly string[] | 'all'): Promise<string[]> =>
  (await corpus.documents(null, 100, asker)).data.map((one) => one.document)

/** Of each summary and community: does the row that is kept say what looking at everything beneath says? */
function disagreeing(graph: SqliteGraph): { readonly wrong: string[]; readonly hidden: number; readonly seen: number } {
  const wrong: string[] = []
  let [hidden, seen] = [0, 0]
  for (const principals of [[], ...labels.map((one) => [one]), labels]) {
    const sight = graph.access.sight(principals, undefined)
    for (const kind of ['summary', 'community'] as const) {
      for (const id of graph.page(kind, '', 1000)) {
        const node = graph.node(id)
        if (!node || node.stale) continue
        const expected = !sight || seesBeneath(graph, node, (chunk) => sight.chunk(chunk))
        if (expected) seen++
        else hidden++
        if ((!sight || sight.derived(node)) !== expected) wrong.push(`${principals} ${id}`)
      }
    }
  }
  return { wrong, hidden, seen }
}

describe('labels in the object', () => {
  it('[P5] what is written from several documents stands with their labels in one row, whatever comes, goes and changes, also in a shadow graph', async () => {
    const dice = random('labels in the object')
    const texts = textsFrom('labels in the object', 40)
    const { uid: id, corpus } = await settledCorpus(texts.slice(0, 30).map((one, i) => (i < 15 ? { ...one, labels: [] } : one)))
    const check = async (): Promise<void> => {
      const { wrong, hidden, seen } = await graphOf(id, disagreeing)
      expect({ wrong, both: hidden > 3 && seen > 3 }).toEqual({ wrong: [], both: true })
    }
    await check()
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 6; n++) await corpus.setAccess(`doc-${dice.below(30)}`, { access: labelsFrom(dice).sort() }, 'all')
      await put(corpus, inputOf(texts[30 + round] as Text))
      // The same text in another document, for everybody.
      const shared = texts[20 + round] as Text
      await put(corpus, inputOf({ ...shared, id: `copy-${round}`, labels: [] }))
      await remove(corpus, `doc-${dice.below(12)}`, `copy-${round - 1}`)
      await check()
    }
    await corpus.maintain('reindex', {})
    await corpus.setAccess('doc-25', { access: ['group:c'] }, 'all')
    // What stays of a text that was everybody's is a document of a group.
    await remove(corpus, 'copy-2')
    await eventually('the graph is derived anew', async () => (await corpus.view())?.status === 'settled')
    await check()
  }, 120_000)

  it('[P11] other labels hold with the version that the call returned: for documents, evidence and what is derived; the text is not read again', async () => {
    const texts = textsFrom('relabelled', 12).map((one) => ({ ...one, labels: [] }))
    const first = texts[0] as Text
    const { corpus } = await settledCorpus(texts)
    const before = (await corpus.view())?.version ?? 0
    const question = `${first.secrets[1]} ${first.secrets[2]}`
    const found = async (asker: readonly string[]) => {
      const result = await find(corpus, question, 'hybrid', { asker })
      return result.kind === 'evidence' && JSON.stringify(result.evidence).includes(first.secrets[1] ?? '')
    }
    expect(await found([])).toBe(true)
    const changed = await corpus.setAccess(first.id, { access: ['group:a'] }, 'all')
    expect(changed).toEqual({ version: before + 1, access: ['group:a'], active: true })
    expect([await found([]), await found(['group:a']), await corpus.document(first.id, ['group:b'])]).toEqual([false, true, null])
    expect(await corpus.document(first.id, ['group:a'])).toMatchObject({ access: ['group:a'], content_version: 1, status: 'ready' })
    // Put again with its text and other labels: nothing is read again either.
    const again = await corpus.accept({ kind: 'ingest', upserts: [inputOf({ ...first, labels: ['group:b'] })], deletes: [] })
    expect(again).toMatchObject({ kind: 'unchanged', version: before + 2 })
    // Put without labels: they stay.
    const { access: _, ...plain } = inputOf(first, { text: `${first.text} And so on.` })
    await put(corpus, plain)
    expect([await found(['group:a']), await found(['group:b'])]).toEqual([false, true])
    expect(await corpus.setAccess(first.id, { access: [] }, ['group:a'])).toBeNull()
  }, 60_000)

  it('[P12] lists, counts, usage and links are of what the asker may read, page by page; a document on its way is hidden by its labels, too', async () => {
    const texts = textsFrom('lists', 30)
    const { corpus } = await settledCorpus(texts, ['ketrag'])
    const accepted = await corpus.accept({
      kind: 'ingest',
      upserts: [doc('staged', 'A text on its way.', { access: ['group:c'] })],
      deletes: [],
    })
    const mine = texts
      .filter((one) => one.labels.length === 0 || one.labels.includes('group:a'))
      .map((one) => one.id)
      .sort()
    const paged: string[] = []
    for (let cursor: string | null = null, turns = 0; turns < 40; turns++) {
      const { data, next_cursor } = await corpus.documents(cursor, 3, ['group:a'])
      paged.push(...data.map((one) => one.document))
      if (next_cursor === null) break
      cursor = next_cursor
    }
    expect(paged).toEqual(mine)
    expect((await corpus.view(['group:a']))?.counts).toEqual({ documents: mine.length })
    expect((await corpus.view('all'))?.counts.documents).toBeGreaterThan(mine.length)
    expect(await documentsIn(corpus, ['group:c'])).toContain('staged')
    const usage = (await corpus.usage(null, 100, ['group:a'])).data.map((one) => one.document)
    expect(usage.filter((one) => !mine.includes(one))).toEqual([])
    if (accepted.kind === 'accepted') await corpus.job(accepted.job, 10_000)
  }, 60_000)

  it('[P4] those who may read little find what there is for them, though the nearest in the index are all others’', async () => {
    const others = Array.from({ length: 60 }, (_, i) =>
      doc(`other-${i}`, `The lantern of the ferry number ${i} burned all night at the quay.`, { access: ['group:x'] }),
    )
    const { corpus } = await newCorpus([])
    await put(corpus, ...others, doc('mine', 'At dawn a cook found bread beneath the stairs.', { access: ['group:y'] }))
    const near = { passage: others.slice(0, 50).map((_, i) => ({ id: `p_nowhere.${i}`, score: 1 })) }
    const result = await find(corpus, 'the lantern of the ferry', 'vector', { asker: ['group:y'], near })
    expect(result.kind === 'evidence' && result.evidence.map((one) => one.document)).toEqual(['mine'])
  }, 60_000)

  it('[P1] a corpus whose `default_access` is not everybody hides documents without labels', async () => {
    const { uid: id, corpus } = await newCorpus([])
    await put(corpus, doc('plain', 'A plain note about the harbour.'), doc('open', 'An open note about the harbour.', { access: ['*'] }))
    await corpus.configure({ ...config(id), defaultAccess: ['group:staff'] })
    const seen = async (asker: readonly string[]) => documentsIn(corpus, asker)
    expect([await seen([]), await seen(['group:staff']), (await corpus.view([]))?.counts]).toEqual([
      ['open'],
      ['open', 'plain'],
      { documents: 1 },
    ])
    const result = await find(corpus, 'a note about the harbour', 'hybrid', { asker: [] })
    expect(result.kind === 'evidence' && result.evidence.map((one) => one.document)).toEqual(['open'])
  }, 60_000)
})

const ADMIN = 'local-development-key'
const origin = 'https://loam.test'
const app = (exports as unknown as { default: Fetcher }).default

interface Sent {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

async function call(method: string, path: string, { key = ADMIN, body, headers = {} }: Sent = {}) {
  const raw = typeof body === 'string'
  const response = await app.fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  })
  const text = await bodyOf(response)
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && !/ndjson/.test(response.headers.get('content-type') ?? '')
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
  return { status: response.status, text, body: (isJson ? JSON.parse(text) : undefined) as any }
}

let made = 0

async function corpusOverHttp(texts: readonly Text[], settings: object = { strategies: ALL }): Promise<string> {
  const name = `access-${Date.now().toString(36)}-${made++}`
  expect((await call('PUT', `/v1/corpora/${name}`, { body: settings })).status).toBe(201)
  const upserts = texts.map(({ id, title, text, labels: access, secrets }) => {
    return { id, title, text, access, metadata: { note: secrets[2] }, url: `https://x.test/${secrets[2]}` }
  })
  const { status, body } = await call('POST', `/v1/corpora/${name}/documents:batch?wait=60`, { body: { upserts } })
  expect([status, body.status]).toEqual([200, 'succeeded'])
  return name
}

async function minted(name: string, more: object = {}): Promise<string> {
  const { status, body } = await call('POST', '/v1/keys', {
    body: { name: 'test', scopes: ['read', 'write'], corpora: [name], ...more },
  })
  expect(status).toBe(201)
  return body.key
}

const leaksIn = (text: string, hidden: readonly Text[], said: string): string[] => {
  const found = text.toLowerCase()
  const allowed = said.toLowerCase()
  return hidden.flatMap((one) =>
    one.secrets.map((word) => word.toLowerCase()).filter((word) => new RegExp(`${word}(?!\\d)`).test(found) && !allowed.includes(word)),
  )
}

describe('labels over HTTP', () => {
  it('[P16] an endpoint is sent events of documents that its maker may read', async () => {
    const name = await corpusOverHttp([textFrom(random('endpoint'), 0, [])], { strategies: [] })
    const key = await minted(name)
    const [own, whole] = await Promise.all(
      [key, ADMIN].map(
        async (one) =>
          (await call('POST', `/v1/corpora/${name}/endpoints`, { key: one, body: { url: 'https://example.com/in' } })).body.endpoint,
      ),
    )
    const upserts = [
      { id: 'hidden', text: 'For the few.', access: ['group:few'] },
      { id: 'open', text: 'For the many.' },
    ]
    await call('POST', `/v1/corpora/${name}/documents:batch?wait=60`, { body: { upserts } })
    const told = async (endpoint: string): Promise<number> => {
      const { body } = await call('GET', `/v1/corpora/${name}/endpoints/${endpoint}/deliveries`)
      return body.data.filter((one: { type: string }) => one.type === 'document.ready').length
    }
    expect([await told(own), await told(whole)]).toEqual([1, 2])
  }, 60_000)

  it('[P12] no route gives a byte of a document to those who may not read it', async () => {
    const texts = textsFrom('every route', 36)
    const hidden = texts.filter((one) => one.labels.length > 0)
    const name = await corpusOverHttp(texts)
    const key = await minted(name)
    const secret = hidden[0] as Text
    const at = `/v1/corpora/${name}`
    await call('POST', `${at}/sources`, { body: { url: 'https://example.com/a', every: '6h', document: secret.id, access: secret.labels } })
    await call('PUT', `${at}/probes`, { body: { probes: [{ query: `What of ${secret.secrets[0]}?`, expect: [secret.id] }] } })
    const { body: entities } = await call('GET', `${at}/entities?q=${secret.secrets[1]}`)
    const { body: jobs } = await call('GET', `${at}/jobs`)
    const parts: { readonly [name: string]: string } = {
      corpus: name,
      document: secret.id,
      entity: entities.data[0].id,
      job: jobs.data[0].job,
      model: name,
      label: 'none',
      learned: 'none',
      hook: 'none',
      endpoint: 'none',
      delivery: 'none',
      source: 'none',
      key: 'none',
    }
    const { body: reference } = await call('GET', '/openapi.json')
    type Described = {
      readonly parameters?: readonly { readonly in: string; readonly name: string }[]
      readonly requestBody?: { readonly content: { readonly [type: string]: { readonly example?: object } } }
    }
    const operations = Object.entries(reference.paths as { [path: string]: { [method: string]: Described } }).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({ path, method, described })),
    )
    expect(operations.length).toBeGreaterThan(50)
    const order = ['get', 'post', 'patch', 'put', 'delete'] // what changes documents comes last
    operations.sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
    const leaks: string[] = []
    let answered = 0
    const ask = async (method: string, path: string, sent: Sent): Promise<void> => {
      const { status, text } = await call(method, path, { key, ...sent })
      if (status < 300) answered++
      for (const leak of leaksIn(text, hidden, `${path} ${JSON.stringify(sent.body ?? '')}`)) leaks.push(`${method} ${path}: ${leak}`)
    }
    const probe = `What of ${secret.secrets[1]} and the ${secret.title.split(' ')[0]}?`
    for (const { path, method, described } of operations) {
      const there = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(parts[part] ?? 'none'))
      const example = described.requestBody?.content['application/json']?.example
      const body = example && {
        ...example,
        ...('query' in example ? { query: probe } : {}),
        ...('strategies' in example && path.endsWith('compare') ? { strategies: ALL } : {}),
      }
      const named = (described.parameters ?? []).flatMap((one) => (one.in === 'query' ? one.name : []))
      const wished = [
        `q=${secret.secrets[1]}`,
        `node=${parts.entity}&depth=3`,
        `node=${secret.id}`,
        'depth=4&limit=1000',
        'layer=1',
        'limit=200',
        'format=graphml',
      ]
      const fitting = wished.filter((query) => query.split('&').every((one) => named.includes(one.split('=')[0] ?? '')))
      const queries = method === 'get' ? ['', ...fitting.map((query) => `?${query}`)] : ['']
      for (const query of queries) await ask(method.toUpperCase(), there + query, body ? { body } : {})
    }
    for (const strategy of ['auto', 'hybrid', ...ALL]) {
      await ask('POST', `${at}/search`, { body: { query: probe, strategy, trace: true, top_k: 50 } })
      await ask('POST', `${at}/query`, { body: { query: probe, strategy, trace: true, stream: true } })
    }
    for (const tool of [
      { name: 'search', arguments: { query: probe, corpus: name } },
      { name: 'ask', arguments: { question: probe, corpus: name } },
      { name: 'explore_entity', arguments: { entity: secret.secrets[1], corpus: name } },
      { name: 'get_document', arguments: { document: secret.id, corpus: name } },
    ]) {
      const headers = { accept: 'application/json, text/event-stream' }
      await ask('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }, headers })
    }
    await ask('POST', '/v1/chat/completions', { body: { model: name, messages: [{ role: 'user', content: probe }] } })
    await ask('POST', '/v1/responses', { body: { model: name, input: probe } })
    expect({ leaks: [...new Set(leaks)], some: answered > 50 }).toEqual({ leaks: [], some: true })
    expect((await call('GET', `${at}/documents/${secret.id}`, { key })).status).toBe(404)
  }, 240_000)

  it('[P15] a key holds its principals; others only a key that may choose can name', async () => {
    const texts = textsFrom('keys', 8).map((one, i) => ({ ...one, labels: i % 2 === 0 ? ['group:a'] : ['group:b'] }))
    const name = await corpusOverHttp(texts, { strategies: [] })
    const at = `/v1/corpora/${name}/documents`
    const listed = async (key: string, headers: Sent['headers'] = {}): Promise<unknown> => {
      const { status, body } = await call('GET', at, { key, headers })
      return status === 200 ? body.data.length : [status, body.code]
    }
    const [plain, own, choosing] = [
      await minted(name),
      await minted(name, { principals: ['group:a'] }),
      await minted(name, { access_choose: true }),
    ]
    expect([await listed(plain), await listed(own), await listed(choosing), await listed(ADMIN)]).toEqual([0, 4, 0, 8])
    const as = { 'loam-as': 'group:b, user:ana' }
    expect([await listed(plain, as), await listed(own, as), await listed(choosing, as), await listed(ADMIN, as)]).toEqual([
      [403, 'forbidden'],
      [403, 'forbidden'],
      4,
      4,
    ])
    expect(await listed(choosing, { 'loam-as': 'a\tb,*' })).toEqual([422, 'invalid'])
    // The same request again, asked for somebody else, is another request.
    const put = (headers: Sent['headers']) => call('PUT', `/v1/corpora/${name}/probes`, { key: choosing, body: { probes: [] }, headers })
    const first = await app.fetch(`${origin}/v1/corpora/${name}/probes`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${choosing}`, 'content-type': 'application/json', 'idempotency-key': 'one', 'loam-as': 'group:a' },
      body: JSON.stringify({ probes: [] }),
    })
    await bodyOf(first)
    expect([first.status, (await put({ 'idempotency-key': 'one', 'loam-as': 'group:b' })).status]).toEqual([200, 200])
  }, 120_000)

  it('[P16] an export carries labels and importing it restores them; for an asker it holds what they may read', async () => {
    const texts = textsFrom('exported', 14)
    const hidden = texts.filter((one) => one.labels.length > 0 && !one.labels.includes('group:a'))
    const name = await corpusOverHttp(texts)
    const whole = (await call('GET', `/v1/corpora/${name}/export`)).text
    const part = (await call('GET', `/v1/corpora/${name}/export`, { key: await minted(name, { principals: ['group:a'] }) })).text
    const lines = part
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(leaksIn(part, hidden, '')).toEqual([])
    expect([lines.filter((one) => one.type === 'document').length, lines.some((one) => one.type === 'receipt'), lines.at(-1).type]).toEqual(
      [texts.length - hidden.length, false, 'end'],
    )
    const copy = await corpusOverHttp([textFrom(random('other'), 99, [])], { strategies: [] })
    const { body } = await call('POST', `/v1/corpora/${copy}:import`, { body: whole })
    await ended(body.job, async () => (await call('GET', `/v1/corpora/${copy}/jobs/${body.job}?wait=10`)).body)
    const labelled = async (corpus: string) =>
      (await call('GET', `/v1/corpora/${corpus}/documents?limit=200`)).body.data.map((one: { document: string; access: string[] }) => [
        one.document,
        one.access,
      ])
    expect((await labelled(copy)).filter(([id]: [string]) => id !== 'doc-99')).toEqual(await labelled(name))
  }, 120_000)

  it('[P561] a document that is switched off is listed and exported, and off after the import; PATCH names at least one thing', async () => {
    const texts = textsFrom('switched', 6).map((one) => ({ ...one, labels: [] }))
    const name = await corpusOverHttp(texts, { strategies: [] })
    const at = `/v1/corpora/${name}`
    const first = texts[0] as Text
    const patch = (body: object) => call('PATCH', `${at}/documents/${first.id}`, { body })
    expect([(await patch({})).status, (await patch({ active: 'no' })).status, (await patch({ active: false, x: 1 })).status]).toEqual([
      422, 422, 422,
    ])
    const { status, body: patched } = await patch({ active: false })
    expect([status, patched]).toEqual([200, { document: first.id, access: [], active: false, version: patched.version }])
    const found = async (corpus: string, asked = first.title) => {
      const { body } = await call('POST', `/v1/corpora/${corpus}/search`, {
        body: { query: `${asked} ${first.text.slice(0, 200)}`, strategy: 'keyword', top_k: 50 },
      })
      return body.evidence.map((one: { document: string }) => one.document)
    }
    expect(await found(name)).not.toContain(first.id)
    expect((await call('GET', `${at}/documents/${first.id}`)).body).toMatchObject({ active: false, text: first.text })
    const { body: graph } = await call('GET', `${at}/graph?depth=3&limit=1000`)
    expect(JSON.stringify(graph)).not.toContain(first.id)
    const reader = await minted(name)
    expect([(await call('GET', `${at}/receipts`, { key: reader })).status, (await call('GET', `${at}/receipts`)).status]).toEqual([
      200, 200,
    ])
    const { text: lines } = await call('GET', `${at}/export`)
    const copy = await corpusOverHttp([textFrom(random('other'), 99, [])], { strategies: [] })
    const { body } = await call('POST', `/v1/corpora/${copy}:import`, { body: lines })
    await ended(body.job, async () => (await call('GET', `/v1/corpora/${copy}/jobs/${body.job}?wait=10`)).body)
    expect((await call('GET', `/v1/corpora/${copy}/documents/${first.id}`)).body.active).toBe(false)
    expect(await found(copy)).not.toContain(first.id)
    await patch({ active: true })
    expect(await found(name)).toContain(first.id)
  }, 120_000)

  it('[P16] what a webhook brings has the webhook’s labels, whatever its sender says', async () => {
    const name = await corpusOverHttp([textFrom(random('hook'), 0, [])], { strategies: [] })
    const mapping = { id: '/id', text: '/text' }
    const { status, body } = await call('POST', `/v1/corpora/${name}/hooks`, { body: { preset: 'generic', mapping, access: ['group:z'] } })
    expect([status, body.access]).toEqual([201, ['group:z']])
    const event = JSON.stringify({ id: 'brought', text: 'What the sender says.', access: [] })
    const seconds = Math.floor(Date.now() / 1000)
    const signature = await signatureOf([body.secret], 'e1', seconds, new TextEncoder().encode(event))
    const signed = {
      'webhook-id': 'e1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': signature,
      'content-type': 'application/json',
    }
    const taken = await app.fetch(new URL(new URL(body.url).pathname, origin), { method: 'POST', body: event, headers: signed })
    const { job } = JSON.parse(await bodyOf(taken))
    await ended(job, async () => (await call('GET', `/v1/corpora/${name}/jobs/${job}?wait=10`)).body)
    expect((await call('GET', `/v1/corpora/${name}/documents/brought`)).body.access).toEqual(['group:z'])
    const source = { url: 'https://example.com/page', every: '6h', access: ['group:y'] }
    expect((await call('POST', `/v1/corpora/${name}/sources`, { body: source })).body.access).toEqual(['group:y'])
  }, 120_000)
})

describe('tokens of an identity provider', () => {
  const claims = { iss: 'https://team.example', aud: ['another', 'loam-tests'] }

  async function token(said: JWTPayload & { readonly groups?: string[] }, { kid = 'one', jwk = env.TEST_IDENTITY } = {}): Promise<string> {
    const seconds = Math.floor(Date.now() / 1000)
    const key = await importJWK(jwk, 'ES256')
    return new SignJWT({ exp: seconds + 300, ...claims, ...said }).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
  }

  async function refusedTokens(): Promise<{ [why: string]: string }> {
    const said = { email: 'ana@example.org', groups: ['finance'] }
    const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
    const stranger = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
    const foreign = (await crypto.subtle.exportKey('jwk', (stranger as CryptoKeyPair).privateKey)) as JsonWebKey
    const good = await token(said)
    return {
      expired: await token({ ...said, exp: Math.floor(Date.now() / 1000) - 120 }),
      'of another audience': await token({ ...said, aud: 'another' }),
      'of another issuer': await token({ ...said, iss: 'https://elsewhere.example' }),
      'by an unknown key': await token(said, { kid: 'two' }),
      'by a stranger under a known name': await token(said, { jwk: foreign }),
      unsigned: `${part({ alg: 'none' })}.${part({ ...claims, ...said, exp: 9_999_999_999 })}.`,
      'with other claims than were signed': good.replace(
        /\.[^.]+\./,
        `.${part({ ...claims, ...said, groups: ['all'], exp: 9_999_999_999 })}.`,
      ),
      nothing: 'nothing',
    }
  }

  /** Everything an asker is shown, by door. */
  async function shown(
    name: string,
    { question, entity }: { question: string; entity: string },
    sent: Sent,
  ): Promise<{ [door: string]: Awaited<ReturnType<typeof call>> }> {
    const at = `/v1/corpora/${name}`
    const tool = (tool: string, args: object) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: { corpus: name, ...args } } }
      return call('POST', '/mcp', { ...sent, body, headers: { accept: 'application/json, text/event-stream', ...sent.headers } })
    }
    const nodes = await call('GET', `${at}/entities?q=${entity}`) // as its owner sees it
    const chat = { model: name, messages: [{ role: 'user', content: question }] }
    return {
      search: await call('POST', `${at}/search`, { ...sent, body: { query: question, strategy: 'hybrid', top_k: 50, trace: true } }),
      query: await call('POST', `${at}/query`, { ...sent, body: { query: question } }),
      documents: await call('GET', `${at}/documents?limit=200`, sent),
      entities: await call('GET', `${at}/entities?q=${entity}`, sent),
      graph: await call('GET', `${at}/graph?depth=3&limit=1000&node=${nodes.body.data?.[0]?.id ?? 'none'}`, sent),
      export: await call('GET', `${at}/export`, sent),
      'mcp search': await tool('search', { query: question, top_k: 50 }),
      'mcp ask': await tool('ask', { question }),
      chat: await call('POST', '/v1/chat/completions', { ...sent, body: chat }),
      responses: await call('POST', '/v1/responses', { ...sent, body: { model: name, input: question } }),
    }
  }

  it('[P210] every door shows the bearer of a token what its principals may read, and nothing to one whose token is not accepted', async () => {
    const numbers = random('identity')
    const access = [[], ['group:finance'], ['user:ana@example.org'], ['group:finance', 'group:b'], ['group:b'], ['group:key']]
    const texts = Array.from({ length: 18 }, (_, nth) => textFrom(numbers, nth, access[nth % access.length] ?? []))
    const name = await corpusOverHttp(texts)
    const key = await minted(name, { scopes: ['read'], principals: ['group:key'] })
    const askers = [
      { header: 'loam-identity', said: { groups: ['finance'] }, may: ['group:finance', 'group:key'] },
      { header: 'cf-access-jwt-assertion', said: { email: 'Ana@example.org' }, may: ['user:ana@example.org', 'group:key'] },
      { header: 'cf-access-jwt-assertion', said: { email: 'eve@example.org', groups: ['b'] }, may: ['group:b', 'group:key'] },
      { header: 'loam-identity', said: { email: 'ana@example.org', email_verified: false }, may: ['group:key'] },
      { header: 'x-nothing', said: { groups: ['finance'] }, may: ['group:key'] },
    ]
    const sees = (one: Text, may: readonly string[]) => one.labels.length === 0 || one.labels.some((label) => may.includes(label))
    for (const { header, said, may } of askers) {
      const [mine, hidden] = [texts.filter((one) => sees(one, may)), texts.filter((one) => !sees(one, may))]
      const own = mine.at(-1) as Text
      const question = `What of ${own.secrets[1]} and ${hidden[0]?.secrets[1]}?`
      const about = { question, entity: own.secrets[1] ?? '' }
      const doors = await shown(name, about, { key, headers: { [header]: await token(said) } })
      for (const [door, { status, text }] of Object.entries(doors)) {
        const isThere = own.secrets.slice(0, 3).some((word) => text.toLowerCase().includes(word.toLowerCase()))
        expect([header, door, status, leaksIn(text, hidden, question), isThere]).toEqual([header, door, 200, [], true])
      }
      const listed = JSON.parse(doors.documents?.text ?? '').data.map((one: { document: string }) => one.document)
      expect(listed.sort()).toEqual(mine.map(({ id }) => id).sort())
    }
  }, 240_000)

  it('[P210] a token that is not accepted shows nothing on any door, whichever header carries it and whatever comes beside it', async () => {
    const texts = [textFrom(random('refused'), 0, []), textFrom(random('refused too'), 1, ['group:finance'])]
    const name = await corpusOverHttp(texts)
    const key = await minted(name, { scopes: ['read'] })
    const about = { question: `What of ${texts[0]?.secrets[1]}?`, entity: texts[0]?.secrets[1] ?? '' }
    const fair = await token({ groups: ['finance'] })
    for (const [n, [why, bad]] of Object.entries(await refusedTokens()).entries()) {
      const ways: { readonly [header: string]: string }[] = [
        { 'loam-identity': bad },
        { 'cf-access-jwt-assertion': bad },
        { 'loam-identity': bad, 'cf-access-jwt-assertion': fair },
      ]
      // The first by every way, each of the others by one, in turn.
      for (const headers of n === 0 ? ways : ways.slice(n % 3, (n % 3) + 1)) {
        for (const [door, { status, text }] of Object.entries(await shown(name, about, { key, headers }))) {
          const isRefused = door.startsWith('mcp') ? /"isError":true/.test(text) : status === 401
          expect([why, door, leaksIn(text, texts, about.question), isRefused]).toEqual([why, door, [], true])
        }
      }
    }
    expect((await shown(name, about, { key, headers: { 'loam-identity': fair } })).documents?.body.data.length).toBe(2)
  }, 240_000)

  it('[P210] a public corpus is read with a token alone', async () => {
    const texts = [textFrom(random('public'), 0, []), textFrom(random('public too'), 1, ['*'])]
    const name = await corpusOverHttp(texts, { strategies: [], public: true, default_access: ['group:staff'] })
    const listed = async (headers: { [name: string]: string }) => {
      const response = await app.fetch(`${origin}/v1/corpora/${name}/documents`, { headers })
      return [response.status, (JSON.parse(await bodyOf(response)).data ?? []).map((one: { document: string }) => one.document).sort()]
    }
    expect(await listed({})).toEqual([200, ['doc-1']])
    expect(await listed({ 'loam-identity': await token({ groups: ['staff'] }) })).toEqual([200, ['doc-0', 'doc-1']])
    expect(await listed({ 'cf-access-jwt-assertion': await token({ groups: ['others'] }) })).toEqual([200, ['doc-1']])
    expect(await listed({ 'loam-identity': await token({ groups: ['staff'], aud: 'another' }) })).toEqual([401, []])
  }, 60_000)
})
