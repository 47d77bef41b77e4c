/** The PDF that a document was read from: kept beside its text, read by those who may read it, and gone with what it belongs to. */
import { describe, expect, it } from 'vitest'
import { bytesOf, pdf, shown, stream } from '../http/pdf-bytes'
import { deployment } from './deployment'

const world = deployment()
const AT = '/v1/corpora/papers'
const PDF = 'application/pdf'
const MIB = 1024 * 1024

const call = async (method: string, at: string, body?: unknown, key?: string) => {
  const { status, body: said } = await world.send(method, `${AT}${at}`, body, key)
  return { status, body: said as { [member: string]: unknown } }
}

async function put(document: string, bytes: Uint8Array<ArrayBuffer>, query = ''): Promise<number> {
  const status = await world.raw('PUT', `${AT}/documents/${document}${query}`, bytes, PDF)
  await world.ring()
  return status
}

const answer = (document: string) => world.request('GET', `${AT}/documents/${document}/file`)

async function fileOf(document: string): Promise<Uint8Array | string> {
  const response = await answer(document)
  if (response.status === 200) return new Uint8Array(await response.arrayBuffer())
  return ((await response.json()) as { code: string }).code
}

const rows = (): number => {
  const [uid = ''] = world.uids()
  return (
    world
      .objectRows(uid)
      .prepare('SELECT count(*) AS n FROM file')
      .all()
      .map((row) => Number((row as { n: number }).n))[0] ?? 0
  )
}

const heron = pdf([shown('A heron waits by the mill at Tidewater.')])
const large = bytesOf(heron.subarray(0, 9), stream(99, '', new Uint8Array(3 * MIB).fill(0x41)), heron.subarray(9))
const owl = pdf([shown('An owl hunts over the marsh at Westerby.')])

describe('the file of a document', () => {
  it('[H2130] is the PDF as it was sent, with its size in the document and in the list', async () => {
    expect((await call('PUT', '', { strategies: ['erarag'] })).status).toBe(201)
    expect(await put('heron', heron, '?title=Herons%20%26%20%22owls%22')).toBe(202)
    expect(await fileOf('heron')).toEqual(new Uint8Array(heron))
    const file = { media_type: PDF, bytes: heron.length }
    expect((await call('GET', '/documents/heron')).body.file).toEqual(file)
    expect((await call('GET', '/documents')).body.data).toMatchObject([{ document: 'heron', file }])
    const { headers } = await answer('heron')
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': PDF,
      'content-length': String(heron.length),
      etag: '"1"',
      'content-disposition': "inline; filename*=UTF-8''Herons%20%26%20owls.pdf",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
    })
  })

  it('[H2130] comes in base64, in a batch and in an import too; of other kinds of file, and of a text, none is kept', async () => {
    const content = { content_base64: Buffer.from(owl).toString('base64'), content_type: PDF }
    expect((await call('PUT', '/documents/owl', content)).status).toBe(202)
    expect((await call('POST', '/documents:batch', { upserts: [{ id: 'batched', ...content }] })).status).toBe(202)
    const line = JSON.stringify({ type: 'document', id: 'imported', ...content })
    expect(await world.raw('POST', `${AT}:import`, line, 'application/x-ndjson')).toBe(202)
    expect(await world.raw('PUT', `${AT}/documents/page`, '<p>A wren sings.</p>', 'text/html')).toBe(202)
    await call('PUT', '/documents/text', { text: 'A tern dives.' })
    await world.ring()
    for (const document of ['owl', 'batched', 'imported'])
      expect([document, await fileOf(document)]).toEqual([document, new Uint8Array(owl)])
    for (const document of ['page', 'text']) expect([document, await fileOf(document)]).toEqual([document, 'file_not_found'])
    expect((await call('GET', '/documents/text')).body).not.toHaveProperty('file')
    expect(await fileOf('none')).toBe('document_not_found')
  })

  it('[H2131] of several MiB is stored and returned in parts of one', async () => {
    const before = rows()
    expect(await put('large', large)).toBe(202)
    expect(rows() - before).toBe(4)
    expect(Buffer.compare(Buffer.from((await fileOf('large')) as Uint8Array), large)).toBe(0)
    expect((await call('GET', '/documents/large')).body.file).toEqual({ media_type: PDF, bytes: large.length })
    await call('DELETE', '/documents/large')
    await world.ring()
    expect(rows()).toBe(before)
  })

  it('[H2131] whose version goes while it is sent breaks off: what came never looks whole', async () => {
    await put('leaving', large)
    const reader = ((await answer('leaving')).body ?? expect.fail('no body')).getReader()
    expect((await reader.read()).value?.length).toBe(MIB)
    await call('DELETE', '/documents/leaving')
    await world.ring()
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow('no longer there')
  })

  it('[H2132] stays when labels, switch, language, metadata or a chunk’s text change', async () => {
    expect((await call('PATCH', '/documents/heron', { access: ['group:mill'], active: false })).status).toBe(200)
    expect(await fileOf('heron')).toEqual(new Uint8Array(heron))
    expect((await call('PATCH', '/documents/heron', { access: [], active: true, language: 'de' })).status).toBe(202)
    expect((await call('PATCH', '/documents/heron', { language: 'sv' })).status).toBe(202) // while the one before is not served yet
    await world.ring()
    expect([(await call('GET', '/documents/heron')).body.language, await fileOf('heron')]).toEqual(['sv', new Uint8Array(heron)])
    const { data } = (await call('GET', '/documents/heron/chunks')).body as { data: { chunk: string; text: string }[] }
    const [{ chunk, text } = { chunk: '', text: '' }] = data
    expect((await call('PATCH', `/documents/heron/chunks/${chunk}`, { text: text.replace('heron', 'grey heron') })).status).toBe(202)
    await world.ring()
    expect((await call('GET', '/documents/heron')).body).toMatchObject({ corrected: true, file: { bytes: heron.length } })
    expect(await fileOf('heron')).toEqual(new Uint8Array(heron))
    expect(await put('heron', heron, '?title=Another')).toBe(202)
    expect([(await call('GET', '/documents/heron')).body.title, await fileOf('heron')]).toEqual(['Another', new Uint8Array(heron)])
  })

  it('[H2133] is stored if the same document is sent again as a file, and replaced by a file with the same text; nothing else changes', async () => {
    const before = (await call('GET', '/documents/owl')).body
    const [uid = ''] = world.uids()
    world.objectRows(uid).exec("DELETE FROM file WHERE revision = (SELECT n FROM revision WHERE document = 'owl')")
    expect(await fileOf('owl')).toBe('file_not_found')
    expect(await put('owl', owl)).toBe(200)
    expect([await fileOf('owl'), (await call('GET', '/documents/owl')).body]).toEqual([new Uint8Array(owl), before])
    const saved = bytesOf(owl, '% saved again\n')
    expect(await put('owl', saved)).toBe(200)
    expect(await fileOf('owl')).toEqual(new Uint8Array(saved))
  })

  it('[H2134] is not for those who may not read the document', async () => {
    const made = await world.send('POST', '/v1/keys', { name: 'reader', scopes: ['read'], corpora: ['papers'], principals: ['group:town'] })
    const { key } = made.body as { key: string }
    const asked = async () => (await call('GET', '/documents/owl/file', undefined, key)).status
    expect(await asked()).toBe(200)
    await call('PATCH', '/documents/owl', { access: ['group:mill'] })
    const refused = await call('GET', '/documents/owl/file', undefined, key)
    expect([refused.status, refused.body.code]).toEqual([404, 'document_not_found'])
    expect((await call('GET', '/documents/none/file', undefined, key)).body).toEqual({ ...refused.body, request_id: expect.any(String) })
  })

  it('[H2137] is in a backup, and in the corpus that is restored from it', async () => {
    const lines = await (await world.request('GET', `${AT}/backup`)).text()
    const back = await world.request('POST', '/v1/corpora/again:restore', lines)
    expect([back.status, await back.json()]).toMatchObject([202, { status: 'restored' }])
    await world.ring()
    const restored = await world.request('GET', '/v1/corpora/again/documents/heron/file')
    expect(new Uint8Array(await restored.arrayBuffer())).toEqual(new Uint8Array(heron))
  })

  it('[H2135] is gone with the version or the document it belongs to', async () => {
    await call('PUT', '/documents/heron', { text: 'A heron waits by the mill at Tidewater, they say.' })
    await world.ring()
    expect(await fileOf('heron')).toBe('file_not_found')
    for (const document of ['owl', 'batched', 'imported']) await call('DELETE', `/documents/${document}`)
    await world.ring()
    expect([rows(), await fileOf('owl')]).toEqual([0, 'document_not_found'])
  })
})

describe('a corpus that keeps no files', () => {
  it('[H2136] gets none with new documents, shows none from then on, and deletes those it has', async () => {
    await put('heron', heron)
    expect(rows()).toBe(1)
    const { file: _, ...before } = (await call('GET', '/documents/heron')).body
    expect((await call('PUT', '', { settings: { files: { keep: false } } })).status).toBe(200)
    expect([await fileOf('heron'), (await call('GET', '/documents/heron')).body.file]).toEqual(['file_not_found', undefined])
    await put('owl', owl)
    expect(await fileOf('owl')).toBe('file_not_found')
    world.clock.ahead += 600_000
    await world.cron()
    await world.ring()
    expect(rows()).toBe(0)
    expect((await call('GET', '/documents/heron')).body).toEqual(before)
  })

  it('[H2136] keeps them again once that is switched on: they come when the documents are sent again', async () => {
    expect((await call('PUT', '', { settings: { files: { keep: true } } })).status).toBe(200)
    expect(await fileOf('heron')).toBe('file_not_found')
    expect(await put('heron', heron)).toBe(200)
    expect(await fileOf('heron')).toEqual(new Uint8Array(heron))
    expect((await call('PUT', '', { settings: { files: { keep: 'yes' } } })).body.errors).toMatchObject([{ path: 'settings.files.keep' }])
  })
})
