/** EraRAG in a corpus in partitions: each grows the tree of its own documents, and a question sees all of them. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { corpusOf } from '../../src/adapters/corpus'
import { databasesOf } from '../../src/adapters/databases'
import { listings } from '../../src/adapters/read-model/listings'
import type { Asker } from '../../src/core/access/labels'
import { partOf } from '../../src/core/joint/part-of'
import { newUid, partitionUids } from '../../src/corpus-uid'
import type { CorpusRef } from '../../src/ports/corpus'
import { bindings, config, doc, find, put, remove } from './corpora'
import { call, corpus as named, succeeded } from './living'

const PARTS = 2
const { DB } = env as unknown as { DB: D1Database }
const BIRDS = ['heron', 'kestrel', 'wren', 'plover', 'siskin', 'dipper', 'avocet', 'linnet']
const note = (n: number) =>
  doc(
    `note-${n}`,
    `The ${BIRDS[n % BIRDS.length]} of weir ${n} was counted on day ${n}. It eats what the mill pond holds. Keeper ${n % 7} wrote it down.`,
    {
      access: n % 20 === 0 ? ['group:few'] : [],
    },
  )

async function grown() {
  const uid = newUid({ partitions: PARTS })
  const corpus = corpusOf(bindings.CORPUS, uid)
  await corpus.configure(config(uid, ['erarag']))
  expect((await put(corpus, ...Array.from({ length: 80 }, (_, n) => note(n)))).status).toBe('succeeded')
  return { corpus, parts: partitionUids(uid).map((one) => corpusOf(bindings.CORPUS, one)) }
}

const wish = { topK: 30, options: { mode: 'summarised', p: 0.5 } } as const

describe('EraRAG in partitions', () => {
  it('[P2392] a question is answered from the summaries of all partitions, with passages below each; who may not read one of these sees no summary of it', async () => {
    const { corpus, parts } = await grown()
    const counts = await Promise.all(parts.map(async (part) => (await part.view('all'))?.counts.summaries ?? 0))
    expect(Math.min(...counts)).toBeGreaterThan(2)
    const ask = async (asker: Asker) => {
      const found = await find(corpus, 'What was counted at the mill pond?', 'erarag', { ...wish, asker })
      if (found.kind !== 'evidence') throw new Error(found.kind)
      return found.evidence
    }
    const all = await ask('all')
    const summaries = all.filter((one) => one.kind === 'summary')
    expect(summaries.length).toBeGreaterThan(2)
    const passages = all.filter((one) => one.kind === 'passage')
    expect(new Set(passages.map((one) => partOf(one.document ?? '', PARTS)))).toEqual(new Set([0, 1]))
    const bearing = passages.filter(({ via }) => via.startsWith('supports '))
    expect(bearing.length).toBeGreaterThan(2)
    for (const { via, document } of bearing)
      expect([summaries.some(({ id }) => via.endsWith(id)), document !== null], via).toEqual([true, true])
    const few = await ask([])
    expect(few.flatMap(({ document }) => document ?? []).filter((id) => Number(id.split('-')[1]) % 20 === 0)).toEqual([])
    const hidden = /weir (0|20|40|60) /
    expect(few.map((one) => one.text).filter((text) => hidden.test(text))).toEqual([])
    const seen = few.flatMap(({ kind, id }) => (kind === 'summary' ? [id] : []))
    expect(summaries.map(({ id }) => id).filter((id) => !seen.includes(id))).not.toEqual([])
  })

  it('[P2392] what is deleted is in no summary any more', async () => {
    const { corpus } = await grown()
    const gone = Array.from({ length: 80 }, (_, n) => n).filter((n) => BIRDS[n % BIRDS.length] === 'heron')
    await remove(corpus, ...gone.map((n) => `note-${n}`))
    const found = await find(corpus, 'heron', 'erarag', wish)
    if (found.kind !== 'evidence') throw new Error(found.kind)
    expect(found.evidence.some((one) => one.kind === 'summary')).toBe(true)
    expect(found.evidence.map((one) => one.text).filter((text) => text.includes('heron'))).toEqual([])
  })

  it('[P1229] it is switched on by name when the corpus is made or later; by default a corpus in partitions has none', async () => {
    const base = await named({ partitions: PARTS })
    expect((await call('GET', base)).body.strategies).toEqual([])
    expect((await call('PUT', base, { strategies: ['erarag'] })).status).toBe(200)
    await succeeded(
      base,
      (await call('POST', `${base}/documents:batch`, { upserts: [{ id: 'mill', text: 'Bread is baked in the mill.' }] })).body.job,
    )
    const { status, body } = await call('POST', `${base}/search`, { query: 'What is baked in the mill?', strategy: 'erarag' })
    expect([status, body.evidence[0]?.document]).toEqual([200, 'mill'])
    expect((await call('PUT', base, { strategies: ['archrag'] })).body.code).toBe('invalid')
  })

  it('[P2430] its segments are listed by layer, in order of id, each with its partition; an asker sees those of which they may read everything', async () => {
    const { base, refs } = await filled()
    const rows = listings(databasesOf(bindings))
    const all = await Promise.all(refs.map((ref) => rows.nodes(ref, { kind: 'summary' }, { after: '', limit: 1000 })))
    const own = new Map(all.flatMap((segments, partition) => segments.map(({ id, layer }) => [id, { layer, partition }] as const)))
    const { layers } = (await call('GET', `${base}/segments`)).body as { layers: { layer: number; count: number }[] }
    const counts = Map.groupBy(own.values(), ({ layer }) => layer)
    expect(layers).toEqual([...counts].map(([layer, { length: count }]) => ({ layer, count })).sort((a, b) => a.layer - b.layer))
    expect(new Set([...own.values()].map(({ partition }) => partition))).toEqual(new Set([0, 1]))
    const list = async (layer: number, headers: Record<string, string> = {}): Promise<Segment[]> => {
      const found: Segment[] = []
      for (let next: string | null = ''; next !== null; ) {
        const { body } = await call('GET', `${base}/segments?layer=${layer}&limit=4&cursor=${next}`, undefined, headers)
        expect(body.data.length).toBeLessThanOrEqual(4)
        found.push(...body.data)
        next = body.next_cursor
      }
      return found
    }
    for (const { layer } of layers) {
      const listed = await list(layer)
      expect(listed.map(({ id }) => id)).toEqual([...own].flatMap(([id, one]) => (one.layer === layer ? [id] : [])).sort())
      for (const { id, partition, text, data } of listed) {
        expect([id, partition]).toEqual([id, own.get(id)?.partition])
        expect([text.length > 0, data.members.length > 1]).toEqual([true, true])
      }
    }
    const [first] = await list(1)
    const around = (await call('GET', `${base}/graph?node=${first?.id}&depth=1&limit=100`)).body
    const members = around.edges.filter((edge: { kind: string; target: string }) => edge.kind === 'member' && edge.target === first?.id)
    expect(members.map((edge: { source: string }) => edge.source).sort()).toEqual([...(first?.data.members ?? [])].sort())
    const others = { 'loam-as': 'group:others' }
    const few = await list(1, others)
    expect(few.length).toBeGreaterThan(0)
    const hidden = (await list(1)).filter(({ id }) => !few.some((one) => one.id === id))
    expect(hidden.length).toBeGreaterThan(0)
    for (const { text } of few) expect(text).not.toMatch(/weir (0|20|40|60) /)
    const seen = (await call('GET', `${base}/segments`, undefined, others)).body.layers
    expect(seen[0]).toEqual({ layer: 1, count: few.length })
    expect((await call('GET', `${base}/communities`)).body.code).toBe('partitioned')
  })
})

interface Segment {
  readonly id: string
  readonly layer: number
  readonly text: string
  readonly partition?: number
  readonly data: { readonly members: readonly string[] }
}

async function filled() {
  const base = await named({ partitions: PARTS, strategies: ['erarag'] })
  const upserts = Array.from({ length: 80 }, (_, n) => note(n)).map(({ id, text, access }) => ({
    id,
    text,
    ...(access?.length ? { access } : {}),
  }))
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)
  const record = await DB.prepare('SELECT uid, database FROM corpus WHERE name = ?').bind(base.split('/').at(-1)).first<CorpusRef>()
  await call('GET', `${base}/segments`) // waits until D1 has all of it
  return { base, refs: partitionUids(record?.uid ?? '').map((uid) => ({ ...record, uid })) }
}
