/** Graphs of GraphRAG, LightRAG and NetworkX, as they write them, brought with the documents they came from. */
import { strToU8, zipSync } from 'fflate'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { graphLimits } from '../../../src/contract/brought'
import { newDocumentSchema } from '../../../src/contract/documents'
import { isolateBounds } from '../../../src/reading/bounds'
import { readExport } from '../../../src/reading/exports/open-export'
import { readGraphml } from '../../../src/reading/graphml'

type Column = Parameters<typeof parquetWriteBuffer>[0]['columnData'][number]
const parquet = (columns: { readonly [name: string]: Column['data'] }): Uint8Array =>
  new Uint8Array(parquetWriteBuffer({ columnData: Object.entries(columns).map(([name, data]) => ({ name, data })) }))
const read = (files: { readonly [name: string]: Uint8Array | string }) =>
  readExport(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, one]) => [name, typeof one === 'string' ? strToU8(one) : one]))),
    isolateBounds,
  )

const [FIRST, SECOND, OTHER] = ['Ada Holm built the mill at Tidewater.', 'Ada Holm sold kelp.', 'Ada Holm left Tidewater in spring.']
const LONG = `${FIRST}\n\n${SECOND}`
const GRAPHRAG = {
  'output/documents.parquet': parquet({ id: ['d1', 'd2'], title: ['mill.txt', 'end.txt'], text: [LONG, OTHER] }),
  'output/text_units.parquet': parquet({ id: ['u1', 'u2', 'u3'], text: [FIRST, SECOND, OTHER], document_id: ['d1', 'd1', 'd2'] }),
  'output/entities.parquet': parquet({
    id: ['e1', 'e2', 'e3', 'e4'],
    title: ['ADA HOLM', 'KELP', 'TIDEWATER', 'NELL FARROW'],
    type: ['PERSON', 'PRODUCT', 'PLACE', 'PERSON'],
    description: ['Ada Holm built the mill. She was admired.', 'A sea plant.', 'Governed elsewhere.', 'A painter.'],
    text_unit_ids: [['u1', 'u2', 'u3'], ['u2'], ['u1', 'u3'], ['u1']],
  }),
  'output/relationships.parquet': parquet({
    id: ['r1', 'r2'],
    source: ['ADA HOLM', 'NELL FARROW'],
    target: ['KELP', 'TIDEWATER'],
    description: ['sold it', 'painted it'],
    weight: [7, 2],
    text_unit_ids: [['u2'], ['u1']],
  }),
}
const at = (text: string, part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length })

describe('graphs of other systems', () => {
  it('[N2073] [N2074] of GraphRAG: each document brings what its text units say; what they do not say, and words of others, are left out and counted', async () => {
    const { documents, graph } = await read(GRAPHRAG)
    const [first, second] = documents.map((one) => one.graph)
    expect(first).toEqual({
      entities: [
        { name: 'Ada Holm', type: 'PERSON', description: 'Ada Holm built the mill.', ...at(LONG, FIRST) },
        { name: 'Ada Holm', type: 'PERSON', description: '', ...at(LONG, SECOND) },
        { name: 'kelp', type: 'PRODUCT', description: 'A sea plant.', ...at(LONG, SECOND) },
        { name: 'Tidewater', type: 'PLACE', description: '', ...at(LONG, FIRST) },
      ],
      relations: [{ source: 'Ada Holm', target: 'kelp', description: 'sold it', strength: 7, ...at(LONG, SECOND) }],
    })
    expect(second?.entities.map(({ name, description }) => [name, description])).toEqual([
      ['Ada Holm', ''],
      ['Tidewater', ''],
    ])
    expect(graph).toEqual({ entities: 3, relations: 1, left_out: { entities: 1, relations: 1, descriptions: 1 } })
  })

  it('[N2073] of LightRAG: by the chunks that its nodes and edges name', async () => {
    const key = (id: string, of: string, name: string) => `<key id="${id}" for="${of}" attr.name="${name}"/>`
    const data = (all: { readonly [id: string]: string }) =>
      Object.entries(all)
        .map(([id, text]) => `<data key="${id}">${text}</data>`)
        .join('')
    const node = (id: string, type: string, told: string, from: string) =>
      `<node id="${id}">${data({ d0: id, d1: type, d2: told, d3: from })}</node>`
    const names = [
      key('d0', 'node', 'entity_id'),
      key('d1', 'node', 'entity_type'),
      key('d2', 'node', 'description'),
      key('d3', 'node', 'source_id'),
    ]
    const edges = [
      key('d4', 'edge', 'weight'),
      key('d5', 'edge', 'description'),
      key('d6', 'edge', 'keywords'),
      key('d7', 'edge', 'source_id'),
    ]
    const edge = `<edge source="Ada Holm" target="Kelp">${data({ d4: '2.0', d5: '', d6: 'trade', d7: 'c2' })}</edge>`
    const nodes = [
      node('Ada Holm', 'person', 'An engineer&lt;SEP&gt;A trader', 'c1&lt;SEP&gt;c2'),
      node('Kelp', 'UNKNOWN', '', 'c2'),
      node('By hand', '', 'x', 'manual_creation'),
    ]
    const xml = `<graphml>${[...names, ...edges].join('')}<graph edgedefault="undirected">${nodes.join('')}${edge}</graph></graphml>`
    const files = {
      'rag_storage/kv_store_full_docs.json': JSON.stringify({ 'doc-1': { content: LONG, file_path: 'mill.txt' } }),
      'rag_storage/kv_store_text_chunks.json': JSON.stringify({
        c1: { content: FIRST, full_doc_id: 'doc-1', tokens: 9, chunk_order_index: 0 },
        c2: { content: SECOND, full_doc_id: 'doc-1', tokens: 5, chunk_order_index: 1 },
      }),
    }
    const { documents, graph } = await read({ ...files, 'rag_storage/graph_chunk_entity_relation.graphml': xml })
    expect(documents[0]?.graph).toEqual({
      entities: [
        { name: 'Ada Holm', type: 'person', description: 'An engineer. A trader.', ...at(LONG, FIRST) },
        { name: 'Ada Holm', type: 'person', description: '', ...at(LONG, SECOND) },
        { name: 'kelp', type: '', description: '', ...at(LONG, SECOND) },
      ],
      relations: [{ source: 'Ada Holm', target: 'kelp', description: 'trade.', strength: 10, ...at(LONG, SECOND) }],
    })
    expect(graph).toEqual({ entities: 2, relations: 1, left_out: { entities: 1, relations: 0, descriptions: 0 } })
    expect((await read(files)).graph).toBeUndefined()
    const broken = read({ ...files, 'rag_storage/kv_store_text_chunks.json': '{', 'rag_storage/graph_chunk_entity_relation.graphml': xml })
    await expect(broken).rejects.toThrow('kv_store_text_chunks.json: is not JSON')
  })

  it('[N2073] of GraphML: a node’s document brings the node and the relations that begin at it', () => {
    const keys =
      '<key id="t" for="node" attr.name="type"/><key id="d" for="node" attr.name="description"/><key id="r" for="edge" attr.name="relation"/>'
    const nodes = '<node id="HERON"><data key="t">bird</data><data key="d">It waits.</data></node><node id="POND"/>'
    const xml = `<graphml>${keys}<graph>${nodes}<edge source="HERON" target="POND"><data key="r">fishes in</data></edge></graph></graphml>`
    expect(readGraphml(xml, 'g', isolateBounds).map(({ graph }) => graph)).toEqual([
      {
        entities: [{ name: 'HERON', type: 'bird', description: 'It waits.' }],
        relations: [{ source: 'HERON', target: 'POND', description: 'fishes in', strength: 5 }],
      },
      { entities: [{ name: 'POND', type: '', description: '' }], relations: [] },
    ])
  })

  it('[N2072] what is wrong with a graph is named by its field, with the limit', () => {
    const faults = (graph: object) =>
      newDocumentSchema.safeParse({ text: TEXT, graph }).error?.issues.map((one) => [one.path.join('.'), one.message])
    const TEXT = LONG
    const named = { name: 'Ada Holm' }
    expect(faults({ entities: [named], relations: [{ source: 'Ada Holm', target: 'kelp' }] })).toBeUndefined()
    expect(faults({ entities: [{ name: '…' }] })).toEqual([['graph.entities.0.name', 'a name has a letter or a digit']])
    expect(faults({ entities: [{ ...named, description: 'x'.repeat(601) }] })?.[0]?.[0]).toBe('graph.entities.0.description')
    expect(faults({ entities: [{ ...named, colour: 'red' }] })?.[0]?.[0]).toBe('graph.entities.0')
    expect(faults({ entities: [{ ...named, start: 3 }] })).toEqual([['graph.entities.0.end', 'give `start` and `end`, or neither']])
    expect(faults({ entities: [{ ...named, start: 3, end: 3 }] })).toEqual([['graph.entities.0.end', 'must lie behind `start`']])
    expect(faults({ relations: [{ source: 'kelp', target: 'kelp' }] })?.[0]?.[0]).toBe('graph.relations.0.target')
    expect(faults({ relations: [{ source: 'kelp', target: 'Ada Holm', strength: 101 }] })?.[0]?.[0]).toBe('graph.relations.0.strength')
    expect(faults({ entities: Array.from({ length: graphLimits.entities + 1 }, () => named) })?.[0]?.[0]).toBe('graph.entities')
    const large = Array.from({ length: 1000 }, () => ({ ...named, description: 'x'.repeat(600) }))
    expect(faults({ entities: large })).toEqual([['graph', `at most ${graphLimits.bytes} bytes of JSON`]])
  })
})
