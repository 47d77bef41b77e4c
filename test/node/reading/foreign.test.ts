/** Zipped folders of GraphRAG and LightRAG, and graphs: as they write them, broken, and made to do harm. */
import { strToU8, zipSync } from 'fflate'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/http/app'
import { parseImport } from '../../../src/http/doors/import-lines'
import { isolateBounds } from '../../../src/reading/bounds'
import { readExport } from '../../../src/reading/exports/open-export'
import { readGraphml } from '../../../src/reading/graphml'
import { ADMIN, fakeWorld } from '../http/world'

const MIB = 1024 * 1024
const zip = (files: { readonly [name: string]: unknown }): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        content instanceof Uint8Array ? content : strToU8(typeof content === 'string' ? content : JSON.stringify(content)),
      ]),
    ),
  )
type Column = Parameters<typeof parquetWriteBuffer>[0]['columnData'][number]
const parquet = (columns: { readonly [name: string]: Column['data'] }): Uint8Array =>
  new Uint8Array(parquetWriteBuffer({ columnData: Object.entries(columns).map(([name, data]) => ({ name, data })) }))
const read = (files: object) => readExport(zip(files as { [name: string]: unknown }), isolateBounds)
const why = (files: object) =>
  read(files).then(
    () => 'read',
    (error) => [error.why, error.message.replace(/ `loam import`.*/, '')],
  )

const DOCUMENTS = parquet({
  id: ['a1', 'b2'],
  title: ['heron.txt', 'none.txt'],
  text: ['A heron.', ''],
  metadata: ['{"author":"Ana"}', ''],
})
const GRAPHRAG = {
  'ragtest/.env': 'GRAPHRAG_API_KEY=secret',
  'ragtest/input/heron.txt': 'A heron.',
  'ragtest/output/documents.parquet': DOCUMENTS,
  'ragtest/output/communities.parquet': 'no Parquet, and not looked at',
  'ragtest/output/stats.json': '{}',
  'ragtest/update_output/20260101/delta/documents.parquet': 'older, and deeper',
  '__MACOSX/._documents.parquet': 'x',
}
const LIGHTRAG = {
  'rag_storage/kv_store_full_docs.json': { 'doc-1': { content: 'An owl.', file_path: 'owl.txt' }, 'doc-2': { content: ' ' } },
  'rag_storage/kv_store_llm_response_cache.json': 'x'.repeat(30 * MIB),
  'rag_storage/graph_chunk_entity_relation.graphml': '<graphml/>',
}
const XML = `<graphml><key id="d0" for="node" attr.name="description"/><graph><node id="HERON"><data key="d0">A bird.&lt;SEP&gt;It waits.</data></node><node id="POND"/><edge source="HERON" target="POND"/></graph></graphml>`

describe('folders of other systems', () => {
  it('[N985] of a zipped folder of GraphRAG or LightRAG the documents are read, under the ids they have, and nothing beside them', async () => {
    expect(await read(GRAPHRAG)).toEqual({
      kind: 'graphrag',
      under: '',
      documents: [{ path: 'a1', title: 'heron.txt', text: 'A heron.', metadata: { author: 'Ana', source: 'graphrag' } }],
    })
    expect(await read(LIGHTRAG)).toEqual({
      kind: 'lightrag',
      under: '',
      documents: [{ path: 'doc-1', title: 'owl.txt', text: 'An owl.', metadata: { source: 'lightrag' } }],
    })
    const units = parquet({ id: ['u1'], text: ['A unit.'], document_ids: [['a1', 'b2']] })
    const old = { 'create_final_documents.parquet': parquet({ id: ['a1'], title: ['x'] }), 'create_final_text_units.parquet': units }
    expect((await read(old)).documents.map(({ path, text }) => [path, text])).toEqual([['u1', 'A unit.']])
    expect(await why({ 'a/documents.parquet': DOCUMENTS, 'b/documents.parquet': DOCUMENTS })).toEqual([
      'unsupported',
      expect.stringContaining('several such folders'),
    ])
  })

  it('[N986] what is wrong is named by file, row and field', async () => {
    expect(await why({ 'documents.parquet': parquet({ id: ['a'], title: ['x'] }) })).toEqual([
      'broken',
      'documents.parquet: has no column `text` (nor `raw_content`), and there are no text units beside it',
    ])
    for (const broken of ['PAR1 is not all there is to it', '', DOCUMENTS.slice(0, -20), DOCUMENTS.slice(40)])
      expect(await why({ 'documents.parquet': broken })).toEqual(['broken', 'documents.parquet: is not a readable Parquet file'])
    expect(await why({ 'documents.parquet': parquet({ id: ['a', ''], text: ['x', 'y'] }) })).toEqual([
      'broken',
      'documents.parquet, row 2: has neither `id` nor `human_readable_id`',
    ])
    const odd = parquet({ id: ['a', 'b'], text: ['x', 'y'], metadata: ['', JSON.stringify({ long: 'x'.repeat(17_000) })] })
    expect(await why({ 'documents.parquet': odd })).toEqual(['broken', 'documents.parquet, row 2: `metadata`: at most 16384 bytes of JSON'])
    const name = 'kv_store_full_docs.json'
    expect(await why({ [name]: '{"doc-1": {"content": "An o' })).toEqual(['broken', `${name}: is not JSON`])
    expect(await why({ [name]: { 'doc-1': { content: 7 } } })).toEqual(['broken', `${name}: \`content\` of entry doc-1 is not text`])
    expect(await why({ [name]: {} })).toEqual(['no_text', 'This export contains no text.'])
  })

  it('[N986] what a Parquet file would unpack to is bounded before it is decoded: bytes, rows, values, a text, its description', async () => {
    const bomb = parquet({ id: ['a'], text: ['x'.repeat(30 * MIB)] })
    expect(bomb.length).toBeLessThan(2 * MIB)
    expect(await why({ 'documents.parquet': bomb })).toEqual([
      'too_large',
      'documents.parquet, column `text` contains more text than can be read at once.',
    ])
    // One string of a dictionary, named by every row.
    const named = parquet({ id: Array.from({ length: 4000 }, (_, n) => `${n}`), text: Array(4000).fill('x'.repeat(100_000)) })
    expect(await why({ 'documents.parquet': named })).toEqual(['too_large', expect.stringContaining('more text than can be read at once')])
    const rows = parquet({ id: Array.from({ length: 5001 }, (_, n) => `${n}`), text: Array(5001).fill('x') })
    expect(await why({ 'documents.parquet': rows })).toEqual(['too_large', 'documents.parquet contains more than 5000 rows.'])
    const long = parquet({ id: ['a', 'b'], text: ['x', 'é'.repeat(MIB / 2 + 1)] })
    expect(await why({ 'documents.parquet': long })).toEqual([
      'too_large',
      'documents.parquet, row 2 contains a `text` of more than 1048576 bytes.',
    ])
    const footer = DOCUMENTS.slice()
    new DataView(footer.buffer).setUint32(footer.length - 8, 300_000, true)
    expect(await why({ 'documents.parquet': footer })).toEqual(['too_large', expect.stringContaining('262144 bytes')])
    expect(await why({ 'documents.parquet': new Uint8Array(25 * MIB) })).toEqual(['too_large', expect.any(String)])
    const [, said] = (await why({ 'kv_store_full_docs.json': { a: { content: 'x'.repeat(MIB + 1) } } })) as string[]
    expect(said).toBe('kv_store_full_docs.json, entry a contains a `text` of more than 1048576 bytes.')
  })

  it('[N986] a Parquet file with any byte changed is read or refused with a reason, in bounded time', async () => {
    for (let at = 4; at < DOCUMENTS.length - 4; at += 1) {
      for (const value of [0xff, 0x00]) {
        const harmed = DOCUMENTS.slice()
        harmed[at] = value
        const result = await why({ 'documents.parquet': harmed })
        expect(result === 'read' || /^(broken|too_large|unsupported|no_text)$/.test(result[0] ?? ''), `byte ${at}: ${result}`).toBe(true)
      }
    }
  })

  it('[N987] a graph that grows beyond its file is refused by its node: hubs, names said again by each edge', () => {
    const edges = Array.from({ length: 2000 }, (_, n) => `<node id="n${n}"/><edge source="hub" target="n${n}"/>`).join('')
    const hub = `<graphml><key id="k" attr.name="label"/><graph><node id="hub"><data key="k">${'x'.repeat(10_000)}</data></node>${edges}</graph></graphml>`
    expect(() => readGraphml(hub, 'g', isolateBounds)).toThrow(
      'node 1 contains a text, with its relations, of more than 1048576 characters',
    )
    expect(() => readGraphml('<html/>', 'g', isolateBounds)).toThrow('not GraphML')
    const many = `<graphml><graph>${'<node id="a"/>'.repeat(5001)}</graph></graphml>`
    expect(() => readGraphml(many, 'g', isolateBounds)).toThrow('more than 5000 nodes')
    const proto = '<graphml><graph><node id="__proto__"><data key="__proto__">x</data></node></graph></graphml>'
    expect(readGraphml(proto, 'g', isolateBounds).map(({ path }) => path)).toEqual(['g#__proto__'])
  })

  it('[N985] [N987] [N988] by the API: folders, a graph, and lines of one’s own become documents; the answer says whose they were', async () => {
    const app = createApp(() => world.wired)
    const world = fakeWorld()
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
    const send = async (method: string, path: string, body: BodyInit | null, type = 'application/json') => {
      const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': type }
      const response = await app.fetch(new Request(`https://loam.test/v1/corpora/here${path}`, { method, headers, body }), {}, context)
      return { status: response.status, body: await response.json() }
    }
    await send('PUT', '', '{}')
    const made = await send('POST', ':import?access=group:birds', zip(GRAPHRAG) as BodyInit, 'application/zip')
    expect([made.status, made.body.documents, made.body.from]).toEqual([202, 1, 'graphrag'])
    const light = await send('POST', ':import', zip(LIGHTRAG) as BodyInit, 'application/zip')
    expect([light.status, light.body.documents, light.body.from]).toEqual([202, 1, 'lightrag'])
    const graph = await send('POST', ':import?name=birds.graphml', XML, 'application/graphml+xml')
    expect([graph.status, graph.body.documents, graph.body.from]).toEqual([202, 2, 'graphml'])
    const lines = '{"id":7,"text":"A heron.","year":1946}\n{"content":"An owl."}\n'
    const plain = await send('POST', ':import?name=birds.jsonl', lines, 'application/x-ndjson')
    expect([plain.status, plain.body.documents, plain.body.from]).toEqual([202, 2, undefined])
    const wrong = await send('POST', ':import', '{"text":"fine"}\n{"says":"nothing"}\n', 'application/x-ndjson')
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, 'line 2.type'])
    const own = await send('POST', ':import', '{"text":"fine","metadata":{"a":"'.concat('x'.repeat(17_000), '"}}'), 'application/x-ndjson')
    expect([own.status, own.body.errors[0].path]).toEqual([422, 'line 1.metadata'])
    const name = await send('POST', `:import?name=${'x'.repeat(101)}`, XML, 'application/graphml+xml')
    expect([name.status, JSON.stringify(name.body)]).toEqual([422, expect.stringContaining('a name has at most 100 characters')])
    const broken = await send('POST', ':import', zip({ 'documents.parquet': 'x' }) as BodyInit, 'application/zip')
    expect([broken.status, broken.body.code, broken.body.detail]).toEqual([
      422,
      'unreadable_document',
      expect.stringContaining('documents.parquet'),
    ])
  })

  it('[N988] lines of one’s own that bring no labels get those of the request; lines of an export do not', () => {
    const lines = '{"text":"x"}\n{"id":"b","text":"x","access":["group:own"]}\n{"type":"document","id":"c","text":"x"}\n'
    const { documents } = parseImport(strToU8(lines), { name: 'birds.jsonl', access: ['group:owls'] })
    expect(documents.map(({ id, access }) => [id, access])).toEqual([
      ['birds.jsonl#1', ['group:owls']],
      ['b', ['group:own']],
      ['c', undefined],
    ])
  })
})
