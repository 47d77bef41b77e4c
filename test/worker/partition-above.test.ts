/** The tree above those of the partitions of a corpus, in the corpus's own object. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { corpusOf, reportsOf } from '../../src/adapters/corpus'
import type { Asker } from '../../src/core/access/labels'
import { membersIn } from '../../src/core/graph/members'
import { partOf } from '../../src/core/joint/part-of'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { newUid, partitionUids } from '../../src/corpus-uid'
import { retrieveJointly } from '../../src/flows/partitions/retrieve'
import type { RetrieveRequest } from '../../src/ports/retrieval'
import { bindings, config, doc, find, put, remove, settled } from './corpora'
import { call, corpus as named, succeeded } from './living'
import { eventually } from './waiting'

const PARTS = 6 // with fewer, the top summaries are no more than one segment holds
const BIRDS = ['heron', 'kestrel', 'wren', 'plover', 'siskin', 'dipper', 'avocet', 'linnet']
const erarag = { ...defaultSettings.erarag, min: 3, max: 6 }
const base = erarag.layers
const { DB } = env as unknown as { DB: D1Database }

const textOf = (n: number): string =>
  `The ${BIRDS[n % BIRDS.length]} of weir ${n} was counted on day ${n}. It eats what the mill pond holds. Keeper ${n % 7} wrote it down.`
const note = (n: number, access: readonly string[] = []) => doc(`note-${n}`, textOf(n), { access })

async function grown(count = 150) {
  const uid = newUid({ partitions: PARTS })
  const corpus = corpusOf(bindings.CORPUS, uid)
  await corpus.configure(config(uid, ['erarag'], { erarag }))
  expect((await put(corpus, ...Array.from({ length: count }, (_, n) => note(n)))).status).toBe('succeeded')
  await raised(corpus)
  return { uid, corpus, parts: partitionUids(uid).map((one) => corpusOf(bindings.CORPUS, one)) }
}

const raised = (corpus: ReturnType<typeof corpusOf>) =>
  eventually('a tree above those of the partitions', async () => (await corpus.above()).length > 0 || undefined)

/** Everything that the corpus's own object stores. */
const rowsOf = (uid: string): Promise<string> =>
  runInDurableObject(bindings.CORPUS.getByName(uid) as DurableObjectStub, (_object, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '_cf%'")
      .toArray()
    return tables.map(({ name }) => JSON.stringify(storage.sql.exec(`SELECT * FROM "${name}"`).toArray())).join('\n')
  })

/** A question near to what only a summary of several partitions says. */
async function nearAbove(corpus: ReturnType<typeof corpusOf>): Promise<RetrieveRequest> {
  const vector = (await corpus.above())[0]?.node.vector as Int8Array
  const near = { summary: [], passage: [] }
  return { ...wish, strategy: 'erarag', text: 'mill pond', vector, near, budget: 4000, trace: false, asker: 'all' }
}

const wish = { topK: 12, options: { mode: 'summarised', p: 0.8, rank: 'cosine' } } as const
async function summariesFor(corpus: ReturnType<typeof corpusOf>, more: Partial<RetrieveRequest> = {}, asker: Asker = 'all') {
  const all = await corpus.above()
  const vector = all[0]?.node.vector as Int8Array // of something that only a summary of several partitions says
  const found = await find(corpus, 'What was counted at the mill pond?', 'erarag', { ...wish, vector, asker, ...more })
  if (found.kind !== 'evidence') throw new Error(found.kind)
  const above = new Set(all.map(({ node }) => node.id))
  return { evidence: found.evidence, above: found.evidence.filter(({ id }) => above.has(id)) }
}

describe('the tree above those of the partitions', () => {
  it('[P2431] its leaves are the top summaries of all partitions, as these have them now', async () => {
    const { uid, corpus } = await grown()
    const leavesOf = async () => {
      const above = await corpus.above()
      const lowest = above.filter(({ node }) => node.layer === base + 1)
      return lowest.flatMap(({ node }) => membersIn(node)).sort()
    }
    const topsOf = async () => {
      const all = await Promise.all(
        partitionUids(uid).map((one) =>
          runInDurableObject(bindings.CORPUS.getByName(one) as DurableObjectStub, (_object, { storage }) =>
            storage.sql.exec<{ id: string; layer: number }>("SELECT id, layer FROM node WHERE id GLOB 's_*'").toArray(),
          ),
        ),
      )
      return all.flatMap((own) => own.filter((one) => one.layer === Math.max(...own.map(({ layer }) => layer))).map(({ id }) => id)).sort()
    }
    expect(await leavesOf()).toEqual(await topsOf())
    await put(corpus, ...Array.from({ length: 40 }, (_, n) => note(200 + n)))
    await remove(corpus, 'note-3', 'note-4')
    const follows = async () => {
      const tops = await topsOf()
      await eventually('the reports', async () => JSON.stringify(await leavesOf()) === JSON.stringify(tops) || undefined)
      return tops
    }
    const tops = await follows()
    // Derived again with other bounds.
    await corpus.configure(config(uid, ['erarag'], { erarag: { ...erarag, min: 4, max: 8 } }))
    const begun = await corpus.maintain('rebuild', {})
    if (begun.kind !== 'accepted') throw new Error(begun.kind)
    expect((await settled(corpus, begun.job)).status).toBe('succeeded')
    expect(await follows()).not.toEqual(tops)
  })

  it('[P2433] a question is shown summaries of several partitions, with passages of these; under a filter, with labels in between, or while a partition is silent, none', async () => {
    const { corpus, parts } = await grown()
    const { evidence, above } = await summariesFor(corpus)
    expect(above.length).toBeGreaterThan(0)
    for (const { id, text } of above) {
      expect(text).toContain('mill pond')
      const bearing = evidence.filter(({ kind, via }) => kind === 'passage' && via.endsWith(id))
      expect(bearing.length).toBeGreaterThan(0)
    }
    expect((await summariesFor(corpus, {}, [])).above.length).toBeGreaterThan(0)
    expect((await summariesFor(corpus, { filters: { document: Array.from({ length: 150 }, (_, n) => `note-${n}`) } })).above).toEqual([])
    const silent = parts.map((one, i) => (i === 0 ? { ...one, readPartition: () => Promise.reject(new Error('away')) } : one))
    const request = await nearAbove(corpus)
    const answered = await retrieveJointly({ parts: silent, whole: corpus }, request)
    const ids = new Set((await corpus.above()).map(({ node }) => node.id))
    expect(answered.kind === 'evidence' && [answered.skipped, answered.evidence.filter(({ id }) => ids.has(id))]).toEqual([[0], []])
    await corpus.setAccess('note-9', { access: ['group:few'] }, 'all')
    expect((await summariesFor(corpus, {}, [])).above).toEqual([])
    expect((await summariesFor(corpus)).above.length).toBeGreaterThan(0)
  })

  it('[P2432] when a deletion is done, nothing that the corpus’s own object has or shows says a word of it', async () => {
    const { uid, corpus } = await grown()
    const gone = Array.from({ length: 150 }, (_, n) => n).filter((n) => BIRDS[n % BIRDS.length] === 'heron')
    expect(await rowsOf(uid)).toMatch(/heron/)
    expect((await remove(corpus, ...gone.map((n) => `note-${n}`))).status).toBe('succeeded')
    expect(await rowsOf(uid)).not.toMatch(/heron/)
    const above = await corpus.above()
    expect(above.length).toBeGreaterThan(0)
    expect(above.map(({ node }) => node.text).filter((text) => text.includes('heron'))).toEqual([])
  })

  it('[P2432] from a deletion’s commit until the corpus’s own object knows of it, no question is shown a summary above', async () => {
    const { corpus, parts } = await grown()
    const asking = () => summariesFor(corpus)
    expect((await asking()).above.length).toBeGreaterThan(0)
    const untold = parts.map((one, i) => ({
      ...one,
      readPartition: async (request: Parameters<typeof one.readPartition>[0]) => {
        const answer = await one.readPartition(request)
        return answer.kind === 'read' && i === 1 && request.counts ? { ...answer, isForgetting: true as const } : answer
      },
    }))
    const request = await nearAbove(corpus)
    const ids = new Set((await corpus.above()).map(({ node }) => node.id))
    const shown = async (of: typeof parts) => {
      const found = await retrieveJointly({ parts: of, whole: corpus }, request)
      return found.kind === 'evidence' ? found.evidence.filter(({ id }) => ids.has(id)).length : -1
    }
    expect([await shown(parts), await shown(untold)]).toEqual([expect.any(Number), 0])
    expect(await shown(parts)).toBeGreaterThan(0)
  })

  it('[P2432] takes each report once, and a partition tells only what has changed', async () => {
    const { uid, corpus } = await grown()
    const [part = ''] = partitionUids(uid)
    const reports = reportsOf(bindings.CORPUS, uid)
    const before = JSON.stringify(await corpus.above())
    await reports.takeReports(part, [{ n: 1, kind: 'tops', ids: [], changed: [] }])
    expect(JSON.stringify(await corpus.above())).toBe(before)
    const sent: string[] = []
    const id = Array.from({ length: 100 }, (_, n) => `more-${n}`).find((one) => partOf(one, PARTS) === 0) ?? ''
    await runInDurableObject(bindings.CORPUS.getByName(part) as DurableObjectStub, (_object, { storage }) => {
      storage.sql.exec('CREATE TABLE seen_reports (body TEXT)')
      storage.sql.exec('CREATE TRIGGER seen AFTER INSERT ON report BEGIN INSERT INTO seen_reports VALUES (new.body); END')
    })
    await put(corpus, doc(id, textOf(999)))
    await runInDurableObject(bindings.CORPUS.getByName(part) as DurableObjectStub, (_object, { storage }) => {
      sent.push(
        ...storage.sql
          .exec<{ body: string }>('SELECT body FROM seen_reports')
          .toArray()
          .map(({ body }) => body),
      )
      storage.sql.exec('DROP TRIGGER seen')
      storage.sql.exec('DROP TABLE seen_reports')
    })
    const tops = sent.map((body) => JSON.parse(body)).filter(({ kind }) => kind === 'tops')
    expect(tops.length).toBe(1)
    expect(tops[0].changed.length).toBeLessThan(tops[0].ids.length)
    expect(tops[0].changed.length).toBeGreaterThan(0)
  })

  it('[P2436] `auto` begins its answer to a question about the whole corpus with summaries, those of several partitions first', async () => {
    const { corpus } = await grown()
    const above = new Set((await corpus.above()).map(({ node }) => node.id))
    const ask = async (text: string, more: Partial<RetrieveRequest> = {}) => {
      const found = await find(corpus, text, 'auto', { topK: 12, asker: 'all', ...more })
      if (found.kind !== 'evidence') throw new Error(found.kind)
      return found.evidence
    }
    const broad = 'What overall is counted at the mill pond?'
    const begins = (evidence: readonly { kind: string; id: string }[]) => evidence[0]?.kind === 'summary' && above.has(evidence[0].id)
    // The index shows nothing here, and other files' objects may have taken the memory for what a partition remembers of its vectors.
    const evidence = await eventually('summaries first', async () => {
      const found = await ask(broad)
      return begins(found) ? found : undefined
    })
    const summaries = evidence.filter(({ kind }) => kind === 'summary')
    expect(summaries.length).toBeLessThanOrEqual(3)
    for (const { id } of summaries) expect(evidence.some(({ kind, via }) => kind === 'passage' && via.endsWith(id))).toBe(true)
    const kinds = async (text: string, more: Partial<RetrieveRequest> = {}) => (await ask(text, more)).map(({ kind }) => kind)
    expect(await kinds('Who counted the heron of weir 16?')).not.toContain('summary')
    expect(await kinds(broad, { options: { overview: false } })).not.toContain('summary')
    expect(await kinds(broad, { filters: { document: ['note-1', 'note-2', 'note-3'] } })).not.toContain('summary')
    await corpus.setAccess('note-9', { access: ['group:few'] }, 'all')
    const few = await ask(broad, { asker: [] })
    expect(few.map(({ text }) => text).filter((text) => text.includes('weir 9 '))).toEqual([])
    expect(few.filter(({ id }) => above.has(id))).toEqual([])
    expect(few.some(({ kind }) => kind === 'summary')).toBe(true)
  })

  it('[P2434] its segments are listed with all others, partition -1, and shown with those around them, to those who may read everything', async () => {
    const at = await named({ partitions: PARTS, strategies: ['erarag'], settings: { erarag: { min: 3, max: 6 } } })
    const upserts = Array.from({ length: 150 }, (_, n) => ({ id: `note-${n}`, text: textOf(n) }))
    await succeeded(at, (await call('POST', `${at}/documents:batch`, { upserts })).body.job)
    const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(at.split('/').at(-1)).first<string>('uid')) ?? ''
    const corpus = corpusOf(bindings.CORPUS, uid)
    await raised(corpus)
    const own = (await corpus.above()).map(({ node }) => node)
    const layers = (await call('GET', `${at}/segments`)).body.layers as { layer: number; count: number }[]
    const upper = Map.groupBy(own, ({ layer }) => layer)
    expect(layers.filter(({ layer }) => layer > base)).toEqual([...upper].map(([layer, { length: count }]) => ({ layer, count })))
    expect(layers.map(({ layer }) => layer)).toEqual(layers.map(({ layer }) => layer).sort((a, b) => a - b))
    const listed = (await call('GET', `${at}/segments?layer=${base + 1}`)).body.data
    expect(listed).toEqual(
      (upper.get(base + 1) ?? []).map(({ id, kind, layer, text, tokens, data }) => ({
        id,
        kind,
        layer,
        text,
        tokens,
        partition: -1,
        data,
      })),
    )
    const [first] = listed
    const around = (await call('GET', `${at}/graph?node=${first.id}&depth=1`)).body
    expect(around.nodes.map(({ id }: { id: string }) => id).sort()).toEqual(
      expect.arrayContaining([first.id, ...first.data.members].sort()),
    )
    const [member] = first.data.members
    const below = (await call('GET', `${at}/graph?node=${member}&depth=1`)).body
    const ends = below.edges.map(({ source, target }: { source: string; target: string }) => `${source} ${target}`)
    expect(ends).toContain(`${member} ${first.id}`)
    expect(ends.filter((one: string) => one.endsWith(` ${member}`)).length).toBeGreaterThan(1)
    expect((await call('PATCH', `${at}/documents/note-5`, { access: ['group:few'] })).status).toBeLessThan(300)
    const others = { 'loam-as': 'group:others' }
    expect((await call('GET', `${at}/segments?layer=${base + 1}`, undefined, others)).body.data).toEqual([])
    const seen = (await call('GET', `${at}/segments`, undefined, others)).body.layers as typeof layers
    expect(seen.filter(({ layer }) => layer > base)).toEqual([])
    expect((await call('GET', `${at}/graph?node=${first.id}`, undefined, others)).body.code).toBe('node_not_found')
  }, 60_000)
})
