/** The list of a document's chunks over HTTP: where they stand, who has read them, whom they mention; for those who may read the document. */
import { expect, it } from 'vitest'
import { deployment } from './deployment'

const world = deployment()
const AT = '/v1/corpora/chunked'

const text = [
  '# Harbours',
  ...Array.from({ length: 30 }, (_, i) => `Anna Berg saw the heron ${i} near Port Ellis.`),
  '## Mills',
  ...Array.from({ length: 30 }, (_, i) => `Karl Stone painted the mill ${i} in Oslo.`),
].join('\n\n')

interface Listed {
  readonly data: readonly {
    readonly [key: string]: unknown
    readonly ordinal: number
    readonly start: number
    readonly end: number
    readonly text: string
    readonly section: readonly string[]
    readonly entities: readonly { readonly id: string; readonly name: string }[]
  }[]
  readonly next_cursor: string | null
  readonly content_version: number
}

it('[V913] a document’s chunks are listed in the order of its text, page by page, with places, headings, passages, reading and names', async () => {
  expect((await call('PUT', '', { strategies: ['ketrag'], settings: { chunk_tokens: 200, chunk_overlap: 20 } })).status).toBe(201)
  await call('PUT', '/documents/a%2Fb', { text, title: 'Harbours' })
  expect(await listed('a%2Fb')).toEqual({ data: [], next_cursor: null, content_version: 0 })
  await world.ring()
  const pages: Listed[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Listed = await listed('a%2Fb', `?limit=2${cursor && `&cursor=${cursor}`}`)
    pages.push(page)
    cursor = page.next_cursor
  }
  expect(pages.length).toBeGreaterThan(2)
  const chunks = pages.flatMap(({ data }) => data)
  expect(chunks.length).toBe((await call('GET', '/documents/a%2Fb')).body.chunks)
  expect(chunks.map(({ ordinal }) => ordinal)).toEqual(chunks.map((_, i) => i))
  for (const { start, end, text: own } of chunks) expect(text.slice(start, end)).toBe(own)
  expect([chunks[0]?.start, chunks.at(-1)?.end]).toEqual([0, text.length])
  expect([chunks[0]?.section, chunks.at(-1)?.section]).toEqual([['Harbours'], ['Harbours', 'Mills']])
  expect(pages[0]?.content_version).toBe(1)
  expect(chunks[0]).toMatchObject({ passages: 1, read: { by: 'rules' } })
  const names = chunks.map(({ entities }) => entities.map(({ name }) => name))
  expect(names[0]).toContain('Anna Berg')
  expect(names.at(-1)).toContain('Karl Stone')
  const { id } = chunks[0]?.entities.find(({ name }) => name === 'Anna Berg') ?? {}
  expect((await call('GET', `/graph?node=${id}`)).status).toBe(200)
})

it('[V913] a name that people hide or change is listed as they decided', async () => {
  const { id = '' } = (await listed('a%2Fb')).data[0]?.entities.find(({ name }) => name === 'Anna Berg') ?? {}
  await call('POST', `/entities/${id}:hide`, {})
  expect((await listed('a%2Fb')).data[0]?.entities.map(({ name }) => name)).not.toContain('Anna Berg')
})

it('[V914] a cursor that is none of ours, and a limit that is no number, are refused by name', async () => {
  for (const [query, path] of [
    ['cursor=%2A', 'cursor'],
    [`cursor=${btoa('first')}`, 'cursor'],
    [`cursor=${btoa('-1')}`, 'cursor'],
    ['limit=some', 'limit'],
  ]) {
    const { status, body } = await call('GET', `/documents/a%2Fb/chunks?${query}`)
    expect([query, status, body.errors[0].path]).toEqual([query, 422, path])
  }
  const beyond = await listed('a%2Fb', `?cursor=${btoa('99999').replaceAll('=', '')}`)
  expect([beyond.data, beyond.next_cursor]).toEqual([[], null])
})

it('[V914] who may not read the document finds none, nor does anybody once it is deleted', async () => {
  const minted = (principals: readonly string[]) =>
    world.send('POST', '/v1/keys', { name: 'k', scopes: ['read'], corpora: ['chunked'], principals })
  const [stranger, millers] = (await Promise.all([minted([]), minted(['group:millers'])])).map(({ body }) => (body as { key: string }).key)
  const status = async (key?: string) => (await world.send('GET', `${AT}/documents/a%2Fb/chunks`, undefined, key)).status
  expect(await status(stranger)).toBe(200)
  await call('PATCH', '/documents/a%2Fb', { access: ['group:millers'], active: false })
  expect([await status(stranger), await status(millers), await status()]).toEqual([404, 200, 200])
  expect((await call('GET', '/documents/none/chunks')).body.code).toBe('document_not_found')
  await call('DELETE', '/documents/a%2Fb')
  await world.ring()
  expect(await status()).toBe(404)
})

async function listed(document: string, query = ''): Promise<Listed> {
  const { status, body } = await call('GET', `/documents/${document}/chunks${query}`)
  expect([status, body]).toEqual([200, body])
  return body
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  return world.send(method, `${AT}${path}`, body)
}
