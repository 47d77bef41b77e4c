/** A chunk's text corrected over HTTP: the document is another version, what was handed in does not bring the mistake back, and nothing of it is left. */
import { describe, expect, it } from 'vitest'
import { ADMIN } from '../http/world'
import { deployment } from './deployment'

const world = deployment()
const AT = '/v1/corpora/corrected'

const paragraph = (place: string, from = 0): string =>
  Array.from({ length: 12 }, (_, i) => `Anna Berg saw heron ${from + i} near ${place} in the early morning.`).join(' ')
const MISTAKE = 'The ferry quoxfell costs 30 thalers.'
const text = [paragraph('Port Ellis'), MISTAKE, paragraph('Oslo', 20), paragraph('Westerby', 40)].join('\n\n')
const outline = [
  { start: 0, page: 1 },
  { start: text.indexOf('Anna Berg saw heron 40'), page: 2 },
]
const source = { text, title: 'Ferries', outline, metadata: { kind: 'guide' } }

interface Chunk {
  readonly chunk: string
  readonly ordinal: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly page?: number
}

const at = (document: string): string => `/documents/${encodeURIComponent(document)}`

async function chunksOf(document: string): Promise<readonly Chunk[]> {
  return (await call('GET', `${at(document)}/chunks?limit=100`)).body.data
}

async function chunkWith(document: string, word: string): Promise<Chunk> {
  return (await chunksOf(document)).find((one) => one.text.includes(word)) ?? expect.fail(`no chunk says ${word}`)
}

async function put(document: string, body: object) {
  const answered = await call('PUT', at(document), body)
  await world.ring()
  return answered
}

async function correct(document: string, word: string, by: string): Promise<void> {
  const { chunk, text: was } = await chunkWith(document, word)
  expect((await call('PATCH', `${at(document)}/chunks/${chunk}`, { text: was.replace(word, by) })).status).toBe(202)
  await world.ring()
}

const textOf = async (document: string): Promise<string> => (await call('GET', at(document))).body.text

describe('a correction', () => {
  it('[D1614] is a new version with that range replaced: served when its job has succeeded, the rest of its chunks as they were, parts at their places', async () => {
    expect((await call('PUT', '', { settings: { chunk_tokens: 200, chunk_overlap: 0, earlier: { days: 30 } } })).status).toBe(201)
    await put('a/b', source)
    const before = await chunksOf('a/b')
    expect(before.length).toBeGreaterThan(2)
    const wrong = await chunkWith('a/b', 'quoxfell')
    const by = wrong.text.replace(MISTAKE, 'The ferry to Norhaven costs 40 thalers a head.')
    const { status, body } = await call('PATCH', `/documents/a%2Fb/chunks/${wrong.chunk}`, { text: by })
    expect([status, body]).toEqual([202, { document: 'a/b', job: expect.stringMatching(/^j_/) }])
    expect(await textOf('a/b')).toBe(text)
    await world.ring()
    const corrected = text.slice(0, wrong.start) + by + text.slice(wrong.end)
    const now = (await call('GET', '/documents/a%2Fb')).body
    expect([now.text, now.corrected, now.content_version, now.title, now.metadata, now.status]).toEqual([
      corrected,
      true,
      2,
      'Ferries',
      { kind: 'guide' },
      'ready',
    ])
    const after = await chunksOf('a/b')
    for (const { start, end, text: own } of after) expect(corrected.slice(start, end)).toBe(own)
    const kept = new Set(after.map(({ chunk }) => chunk))
    expect(before.filter(({ chunk }) => !kept.has(chunk)).map(({ chunk }) => chunk)).toEqual([wrong.chunk])
    expect(now.outline.filter((one: { page?: number }) => one.page === 2)[0]?.start).toBe(corrected.indexOf('Anna Berg saw heron 40'))
    expect((await call('GET', `/jobs/${body.job}`)).body).toMatchObject({ status: 'succeeded', kind: 'ingest', receipt: { version: 2 } })
    const { data } = (await call('GET', '/audit?limit=1')).body
    expect(data[0]).toMatchObject({ action: 'document.correct', document: 'a/b', outcome: 'done', key: 'admin' })
  })

  it('[D1614] is found by questions, and what stood there by none: its words are left in no table', async () => {
    const found = async (query: string) =>
      (await call('POST', '/search', { query, strategy: 'keyword' })).body.evidence.map((one: { text: string }) => one.text).join('\n')
    expect(await found('Norhaven a head')).toContain('40 thalers a head')
    expect(await found('quoxfell')).not.toContain('quoxfell')
    const [uid = ''] = world.uids()
    const left = [world.objectRows(uid), ...Object.values(world.databases)].flatMap((db) =>
      namesOf(db).filter((table) =>
        db
          .prepare(`SELECT * FROM "${table}"`)
          .all()
          .some((row) => lineOf(row).includes('quoxfell')),
      ),
    )
    expect(left).toEqual([])
  })

  it('[D1614] that says what stands there is none; an empty one takes the chunk out; labels and switch stay', async () => {
    const { chunk, text: same } = await chunkWith('a/b', 'Norhaven')
    expect(await call('PATCH', `/documents/a%2Fb/chunks/${chunk}`, { text: same })).toMatchObject({
      status: 200,
      body: { document: 'a/b', status: 'unchanged' },
    })
    await put('hidden', { text, access: ['group:crew'], active: false })
    const last = (await chunksOf('hidden')).at(-1) ?? expect.fail('no chunk')
    expect((await call('PATCH', `/documents/hidden/chunks/${last.chunk}`, { text: '' })).status).toBe(202)
    await world.ring()
    const now = (await call('GET', '/documents/hidden')).body
    expect([now.text, now.access, now.active]).toEqual([text.slice(0, last.start), ['group:crew'], false])
  })

  it('[D1614] of a chunk that shares its beginning with the one before replaces all it shows', async () => {
    const OTHER = '/v1/corpora/overlapping'
    await world.send('PUT', OTHER, { settings: { chunk_tokens: 200, chunk_overlap: 50 } })
    await world.send('PUT', `${OTHER}/documents/a`, { text })
    await world.ring()
    const { data } = (await world.send('GET', `${OTHER}/documents/a/chunks`)).body as { data: readonly Chunk[] }
    const [first, second] = data
    if (!first || !second) return expect.fail('one chunk')
    expect(second.start).toBeLessThan(first.end)
    expect((await world.send('PATCH', `${OTHER}/documents/a/chunks/${second.chunk}`, { text: 'Nothing was seen.' })).status).toBe(202)
    await world.ring()
    const { text: now } = (await world.send('GET', `${OTHER}/documents/a`)).body as { text: string }
    expect(now).toBe(`${text.slice(0, second.start)}Nothing was seen.${text.slice(second.end)}`)
  })
})

describe('the text that was handed in, put again', () => {
  it('[D1616] leaves the correction and says so, whatever else comes with it', async () => {
    const corrected = await textOf('a/b')
    expect(await put('a/b', source)).toMatchObject({ status: 200, body: { status: 'unchanged', correction: 'kept' } })
    const batch = await call('POST', '/documents:batch', { upserts: [{ id: 'a/b', ...source }] })
    expect(batch.body.documents).toEqual([{ document: 'a/b', status: 'unchanged', correction: 'kept' }])
    expect(await put('a/b', { ...source, metadata: { kind: 'new' } })).toMatchObject({ status: 202, body: { correction: 'kept' } })
    const now = (await call('GET', '/documents/a%2Fb')).body
    expect([now.text, now.metadata, now.corrected]).toEqual([corrected, { kind: 'new' }, true])
    expect(now.outline.filter((one: { page?: number }) => one.page === 2)[0]?.start).toBe(corrected.indexOf('Anna Berg saw heron 40'))
  })

  it('[D1616] leaves it after another language, a rebuild and a second correction', async () => {
    await call('PATCH', '/documents/a%2Fb', { language: 'de' })
    await world.ring()
    await correct('a/b', 'a head', 'a person')
    await call('POST', ':rebuild', {})
    await world.ring(3)
    const corrected = await textOf('a/b')
    expect(corrected).toContain('40 thalers a person')
    expect(await put('a/b', { ...source, metadata: { kind: 'new' }, language: 'de' })).toMatchObject({
      body: { status: 'unchanged', correction: 'kept' },
    })
    expect([await textOf('a/b'), (await call('GET', '/documents/a%2Fb')).body.language]).toEqual([corrected, 'de'])
  })

  it('[D1616] leaves it in a copy that was restored from a backup', async () => {
    const part = await (await world.request('GET', `${AT}/backup`)).text()
    expect((await world.request('POST', '/v1/corpora/copy:restore', part)).status).toBeLessThan(300)
    await world.ring()
    const again = await world.send('PUT', '/v1/corpora/copy/documents/a%2Fb', { ...source, metadata: { kind: 'new' }, language: 'de' })
    expect(again).toMatchObject({ status: 200, body: { status: 'unchanged', correction: 'kept' } })
  })

  it('[D1616] is another text where the source has changed: it takes the place of the correction, and the answer says so', async () => {
    const changed = text.replace('heron 5', 'heron five')
    expect(await put('a/b', { ...source, text: changed })).toMatchObject({ status: 202, body: { correction: 'replaced' } })
    const now = (await call('GET', '/documents/a%2Fb')).body
    expect([now.text, now.corrected]).toEqual([changed, undefined])
    expect((await put('a/b', source)).body).not.toHaveProperty('correction')
    expect(await textOf('a/b')).toBe(text)
  })

  it('[D1616] leaves it, too, where a version with another text was cancelled before it was in', async () => {
    await put('d', { text })
    await correct('d', MISTAKE, 'It costs nothing.')
    const { body } = await call('PUT', '/documents/d', { text: paragraph('Aldmoor') })
    expect(body.correction).toBe('replaced')
    await call('POST', `/jobs/${body.job}:cancel`, {})
    await world.ring()
    const again = await put('d', { text })
    expect([again.body.correction, await textOf('d')]).toEqual(['kept', text.replace(MISTAKE, 'It costs nothing.')])
  })

  it('[D1616] is no correction any more where it was corrected back', async () => {
    await correct('a/b', MISTAKE, 'It costs nothing.')
    await correct('a/b', 'It costs nothing.', MISTAKE)
    const now = (await call('GET', '/documents/a%2Fb')).body
    expect([now.text, now.corrected]).toEqual([text, undefined])
    expect((await put('a/b', source)).body).toEqual({ status: 'unchanged', document: 'a/b' })
  })

  it('[D1616] a correction is told as a change where a corpus keeps those, and goes with the document', async () => {
    await put('c', { text: `The ferry to Oslo costs 30 thalers. ${paragraph('Oslo')}` })
    await correct('c', 'costs 30', 'costs 35')
    const { data } = (await call('GET', '/documents/c/changes')).body
    expect(data.map((one: { earlier: { quote: string } }) => one.earlier.quote)).toEqual(['The ferry to Oslo costs 30 thalers.'])
    await call('DELETE', '/documents/c')
    await world.ring()
    const again = await put('c', { text: `The ferry to Oslo costs 30 thalers. ${paragraph('Oslo')}` })
    expect([again.status, again.body]).toEqual([202, { document: 'c', job: expect.any(String) }])
    expect(await textOf('c')).toContain('costs 30')
  })
})

describe('refused', () => {
  it('[D1615] are a chunk that is not the document’s, one that stands there several times, and what leaves nothing or too much', async () => {
    const { chunk } = await chunkWith('a/b', MISTAKE)
    const patch = (id: string, body: object, path = `/documents/a%2Fb/chunks/${id}`) => call('PATCH', path, body)
    expect((await patch('c_none', { text: 'x' })).body.code).toBe('chunk_not_found')
    expect((await patch(chunk, { text: 'x', ordinal: 9 })).body.code).toBe('chunk_not_found')
    expect((await patch(chunk, { text: 'x' }, `/documents/none/chunks/${chunk}`)).body.code).toBe('document_not_found')
    for (const body of [{}, { text: 7 }, { text: 'x', active: false }, { text: 'x', ordinal: -1 }])
      expect([body, (await patch(chunk, body)).status]).toEqual([body, 422])
    expect((await patch(chunk, { text: 'ß'.repeat(600_000) })).body.code).toBe('too_large')
    expect((await patch(chunk, { text: 'x'.repeat(1_048_500) })).body.code).toBe('too_large')
    await put('short', { text: 'One sentence.' })
    const only = await chunkWith('short', 'One')
    const blank = await patch(only.chunk, { text: ' ' }, `/documents/short/chunks/${only.chunk}`)
    expect([blank.status, blank.body.errors[0].path]).toEqual([422, 'text'])
    const twice = `${paragraph('Oslo')}\n\n`.repeat(3)
    await put('twice', { text: twice })
    const same = Map.groupBy(await chunksOf('twice'), (one) => one.chunk)
    const several = [...same.values()].find((all) => all.length > 1) ?? expect.fail('no chunk repeats')
    const [, second] = several
    const path = `/documents/twice/chunks/${second?.chunk}`
    const ambiguous = await call('PATCH', path, { text: 'x' })
    expect([ambiguous.status, ambiguous.body.errors[0].path]).toEqual([422, 'ordinal'])
    expect((await call('PATCH', path, { text: 'It is this one.', ordinal: second?.ordinal })).status).toBe(202)
    await world.ring()
    expect(await textOf('twice')).toBe(`${twice.slice(0, second?.start)}It is this one.${twice.slice(second?.end)}`)
  })

  it('[D1615] is what is about to change, or to go, and who saw another version', async () => {
    const { chunk, text: was } = await chunkWith('a/b', MISTAKE)
    const path = `/documents/a%2Fb/chunks/${chunk}`
    const stale = await world.raw('PATCH', `${AT}${path}`, JSON.stringify({ text: 'x' }), 'application/json', {
      authorization: `Bearer ${ADMIN}`,
      'if-match': '"1"',
    })
    expect(stale).toBe(412)
    await call('PATCH', path, { text: was.replace('30', '31') })
    expect((await call('PATCH', path, { text: was.replace('30', '32') })).body.code).toBe('conflict')
    await world.ring()
    expect((await call('PATCH', path, { text: 'x' })).body.code).toBe('chunk_not_found')
    await put('going', { text: 'Ships leave at dawn.' })
    const going = await chunkWith('going', 'Ships')
    await call('POST', '/documents:batch', { upserts: [{ id: 'coming', text: paragraph('Aldmoor', 60) }], deletes: ['going'] })
    expect((await call('PATCH', `/documents/going/chunks/${going.chunk}`, { text: 'They stay.' })).body.code).toBe('conflict')
    await world.ring()
    expect((await call('GET', '/documents/going')).status).toBe(404)
  })

  it('[D1615] is who may not read the document, and who may not write', async () => {
    const minted = async (scopes: readonly string[]) => {
      const { body } = await world.send('POST', '/v1/keys', { name: 'k', scopes, corpora: ['corrected'], principals: [] })
      return (body as { key: string }).key
    }
    const { chunk } = await chunkWith('hidden', 'Port Ellis')
    const status = async (document: string, key: string) =>
      (await world.send('PATCH', `${AT}/documents/${document}/chunks/${chunk}`, { text: 'x' }, key)).status
    expect(await status('hidden', await minted(['read', 'write']))).toBe(404)
    expect(await status('hidden', await minted(['read']))).toBe(403)
  })
})

interface Db {
  prepare(sql: string): { all(...bindings: unknown[]): { [column: string]: unknown }[] }
}

const lineOf = (row: object): string =>
  JSON.stringify(row, (_, value) => (value instanceof Uint8Array ? String.fromCharCode(...value.slice(0, 65_536)) : value))

const namesOf = (db: Db): string[] =>
  db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .map(({ name }) => String(name))

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  return world.send(method, `${AT}${path}`, body)
}
