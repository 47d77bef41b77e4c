/** What the page works out by itself, without a browser. */
import { describe, expect, it } from 'vitest'
import type { Document, Node } from '../../src/client/client'
import { finderOf } from '../../ui/src/graph/mentions'
import { mergePictures } from '../../ui/src/graph/picture'
import { treeOf } from '../../ui/src/graph/segment-tree'
import { progressWords } from '../../ui/src/jobs/progress'
import { arrange, everything, isArranged, kindsOf, type Wanted } from '../../ui/src/library/arrange'
import { relationLines, relationsFrom, typeLines, typesFrom } from '../../ui/src/operate/ontology-lines'

describe('an ontology in lines', () => {
  it('[V906] what is written comes back as it was', () => {
    const types = 'person: somebody with a name\nengineer < person\nguild: of a trade'
    const relations = 'member of (person, guild > *): pays dues\nknows'
    expect(typesFrom(types)).toEqual([
      { name: 'person', description: 'somebody with a name' },
      { name: 'engineer', parent: 'person' },
      { name: 'guild', description: 'of a trade' },
    ])
    expect(relationsFrom(relations)).toEqual([
      { name: 'member of', description: 'pays dues', subjects: ['person', 'guild'], objects: [] },
      { name: 'knows', subjects: [], objects: [] },
    ])
    const ontology = { mode: 'open', types: typesFrom(`\n${types}\n`), relations: relationsFrom(relations) } as const
    expect([typeLines(ontology), relationLines(ontology)]).toEqual([types, relations])
  })
})

describe('mentions', () => {
  const find = finderOf([
    { id: 'us', forms: ['United States', 'States'] },
    { id: 'un', forms: ['United'] },
    { id: 'riga', forms: ['Rīga', 'Riga'] },
    { id: 'x', forms: ['C+'] },
  ])

  it('[W41] the longest name at a place is found, at word boundaries only', () => {
    expect(find('The United States met.')).toEqual(['us'])
    expect(find('United we stand, Riga.')).toEqual(['un', 'riga'])
    expect(find('Rigas Unitedness')).toEqual([])
    expect(find('in Rīga')).toEqual(['riga'])
  })

  it('[W41] a text without names names nothing', () => {
    expect(find('')).toEqual([])
    expect(finderOf([])('Riga')).toEqual([])
  })
})

const segment = (id: string, layer: number, members: readonly string[]): Node => ({
  id,
  kind: 'summary',
  layer,
  text: id,
  tokens: 1,
  data: { members },
})

describe('progress', () => {
  it('[W130] counts documents, chunks and texts apart, with speed and time left', () => {
    const counted = { documents: { done: 3, total: 72 }, chunks: { done: 128, total: 3264 }, texts: { done: 40_100, total: 79_000 } }
    const said = progressWords({ done: 9, total: 99, ...counted, rate: { texts: 812.4, chunks: 61 }, seconds_left: 48 })
    expect(said).toBe('3 of 72 documents, 128 of 3,264 chunks, 40,100 of 79,000 texts embedded, 812 texts a second, 48.0 s left')
    const none = { done: 0, total: 0 }
    expect(progressWords({ done: 2, total: 5, documents: none, chunks: none, texts: none })).toBe('2 of 5 tasks')
  })
})

describe('layers', () => {
  it('[W41] what no segment contains stands below the root, and every chunk is counted once', () => {
    const root = treeOf([
      segment('a', 1, ['c1', 'c2']),
      segment('b', 1, ['c3']),
      segment('top', 2, ['a', 'b']),
      segment('alone', 1, ['c4']),
    ])
    expect(root?.children.map(({ id, leaves }) => [id, leaves])).toEqual([
      ['top', 3],
      ['alone', 1],
    ])
    expect(root?.leaves).toBe(4)
  })

  it('[W41] without segments there is no tree, and segments that name each other do not hang the page', () => {
    expect(treeOf([])).toBeNull()
    expect(treeOf([segment('a', 1, ['b']), segment('b', 1, ['a'])])?.children).toEqual([])
  })
})

describe('pictures', () => {
  it('[W41] nodes and edges are kept once, and an edge without its ends is left out', () => {
    const node = (id: string) => ({ id, kind: 'entity', layer: 0, text: id })
    const edge = (source: string, target: string) => ({ kind: 'relates', source, target, weight: 1 })
    const one = { nodes: [node('a'), node('b')], edges: [edge('a', 'b'), edge('a', 'a')] }
    const two = { nodes: [node('b')], edges: [edge('a', 'b'), edge('b', 'gone')] }
    expect(mergePictures([one, two])).toEqual({ nodes: [node('a'), node('b')], edges: [edge('a', 'b')] })
  })
})

describe('a list of documents', () => {
  const one = (document: string, more: object = {}) =>
    ({ document, title: '', status: 'ready', active: true, chunks: 1, metadata: {}, ...more }) as unknown as Document
  const all = [
    one('b10.pdf', { chunks: 3, dates: { published_at: { value: '2024-05-01', source: 'given' } } }),
    one('b9.pdf', { active: false }),
    one('notes/a.md', { title: 'Zebra', status: 'failed', dates: { published_at: { value: '2025-01-01', source: 'given' } } }),
  ]
  const ids = (wanted: Partial<Wanted>) => arrange(all, { ...everything, ...wanted }).map(({ document }) => document)

  it('[W1067] is searched by title and id, filtered by state, kind and date, and sorted', () => {
    expect(ids({})).toEqual(['b9.pdf', 'b10.pdf', 'notes/a.md'])
    expect(ids({ text: 'ZEB a.md' })).toEqual(['notes/a.md'])
    expect([ids({ status: 'off' }), ids({ status: 'failed' }), ids({ kind: 'pdf', order: 'chunks', isDown: true })]).toEqual([
      ['b9.pdf'],
      ['notes/a.md'],
      ['b10.pdf', 'b9.pdf'],
    ])
    expect(ids({ since: '2024-06-01' })).toEqual(['notes/a.md'])
    expect(kindsOf(all)).toEqual(['md', 'pdf'])
    expect([isArranged(everything), isArranged({ ...everything, isDown: true })]).toEqual([false, true])
  })
})
