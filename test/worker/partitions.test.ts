/** A corpus in partitions, through the same calls as any other. */
import { describe, expect, it } from 'vitest'
import { corpusOf } from '../../src/adapters/corpus'
import { partOf } from '../../src/core/joint/part-of'
import { jurisdictionOf, newUid, partitionsOf, partitionUids } from '../../src/corpus-uid'
import { retrieveJointly } from '../../src/flows/partitions/retrieve'
import type { CorpusObject } from '../../src/ports/object'
import { bindings, config, doc, embed, find, foundDocuments, newCorpus, put, remove, settled } from './corpora'

const PARTS = 3

const texts = [
  ['mill', 'Bread is baked in the old mill on Tuesdays.'],
  ['heron', 'The heron waits at the pond behind the mill.'],
  ['steel', 'Steel is an alloy of iron and carbon.'],
  ['salt', 'Salt lies in mines under the old town.'],
  ['clock', 'The clock in the town ticks slowly on Tuesdays.'],
  ['sail', 'Sails hold the wind; the wind turns the mill.'],
  ['glass', 'Glass is made of sand, and sand of stone.'],
  ['bridge', 'The bridge of stone crosses the pond at the mill.'],
] as const

async function dividedCorpus(strategies: readonly string[] = []): Promise<{ uid: string; corpus: CorpusObject; parts: CorpusObject[] }> {
  const uid = newUid(undefined, PARTS)
  const corpus = corpusOf(bindings.CORPUS, uid)
  await corpus.configure(config(uid, strategies))
  return { uid, corpus, parts: partitionUids(uid).map((one) => corpusOf(bindings.CORPUS, one)) }
}

const shown = async (corpus: CorpusObject, text: string, strategy: string) => {
  const found = await find(corpus, text, strategy)
  if (found.kind !== 'evidence') throw new Error(found.kind)
  return found.evidence.map((one) => [one.document, one.start, one.end, one.score.toFixed(6)])
}

describe('a corpus in partitions', () => {
  it('[P1223] has a uid that says how many there are, where it is, and which are its partitions', () => {
    const uid = newUid('eu', 12)
    expect([uid.length, partitionsOf(uid), jurisdictionOf(uid), partitionsOf(newUid('eu')), partitionUids(newUid())]).toEqual([
      32,
      12,
      'eu',
      1,
      [],
    ])
    const parts = partitionUids(uid)
    expect([new Set(parts).size, ...parts.map((one) => [one.length, jurisdictionOf(one), partitionsOf(one)].join())]).toEqual([
      12,
      ...parts.map(() => '32,eu,1'),
    ])
  })

  it('[P1224] answers by words as one object does, id by id and score by score, and by words and vectors too', async () => {
    const [one, { corpus, parts }] = await Promise.all([newCorpus(), dividedCorpus()])
    const documents = texts.map(([id, text]) => doc(id, text))
    const [, job] = await Promise.all([put(one.corpus, ...documents), put(corpus, ...documents)])
    expect([job.status, job.receipt?.touched.documents, job.progress.documents]).toEqual(['succeeded', texts.length, { done: 8, total: 8 }])
    const held = await Promise.all(parts.map(async (part) => (await part.documents(null, 50, 'all')).data.map(({ document }) => document)))
    expect(held).toEqual(
      parts.map((_, part) =>
        texts
          .map(([id]) => id)
          .filter((id) => partOf(id, PARTS) === part)
          .sort(),
      ),
    )
    for (const question of ['the old mill at the pond', 'stone and sand on Tuesdays', 'the wind'])
      for (const strategy of ['keyword', 'hybrid', 'vector']) {
        expect([question, strategy, await shown(corpus, question, strategy)]).toEqual([
          question,
          strategy,
          await shown(one.corpus, question, strategy),
        ])
      }
    expect((await foundDocuments(corpus, 'where does the heron wait', 'auto'))[0]).toBe('heron')
  })

  it('[P1225] lists, shows, counts and forgets its documents as one, and a job is done when all of its parts are', async () => {
    const { corpus } = await dividedCorpus()
    await put(corpus, ...texts.map(([id, text]) => doc(id, text)))
    const ids = texts.map(([id]) => id as string).sort()
    const first = await corpus.documents(null, 3)
    const rest = await corpus.documents(first.next_cursor, 50)
    expect([...first.data, ...rest.data].map((one) => one.document)).toEqual(ids)
    expect([(await corpus.document('heron'))?.text, await corpus.document('nobody')]).toEqual([texts[1][1], null])
    const before = await corpus.view()
    expect([before?.status, before?.counts.documents]).toEqual(['settled', texts.length])
    const accepted = await corpus.accept({ kind: 'batch', upserts: [], deletes: ['heron', 'salt', 'glass', 'clock'] })
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
    const job = await settled(corpus, accepted.job)
    expect([job.job, job.status]).toEqual([accepted.job, 'succeeded'])
    const after = await corpus.view()
    expect([after?.counts.documents, (after?.version ?? 0) > (before?.version ?? 0)]).toEqual([4, true])
    expect(await foundDocuments(corpus, 'heron salt glass clock', 'keyword')).toEqual([])
    expect((await corpus.jobs(null, 50)).data.map((one) => one.job)).toContain(accepted.job)
    const single = await remove(corpus, 'mill')
    expect([single.status, (await corpus.job(single.job, 0))?.status]).toEqual(['succeeded', 'succeeded'])
    expect(await corpus.accept({ kind: 'delete', upserts: [], deletes: ['mill'] })).toEqual({ kind: 'missing' })
  })

  it('[P1226] shows an asker what they may see, and a filter what it admits, in every partition', async () => {
    const { corpus } = await dividedCorpus()
    await put(corpus, ...texts.map(([id, text], i) => doc(id, text, { access: i % 2 ? ['group:few'] : [], metadata: { half: i % 2 } })))
    const even = texts.flatMap(([id, text], i) => (i % 2 === 0 && text.includes('mill') ? [id] : []))
    expect((await foundDocuments(corpus, 'mill', 'keyword', { asker: [] })).sort()).toEqual([...even].sort())
    const all = { asker: 'all' } as const
    const odd = await foundDocuments(corpus, 'mill', 'hybrid', { ...all, filters: { metadata: { half: 1 } } })
    expect(odd.length).toBeGreaterThan(0)
    expect(odd.filter((id) => texts.findIndex(([one]) => one === id) % 2 === 0)).toEqual([])
  })

  it('[P1227] names a partition that does not answer, and answers from the others', async () => {
    const { corpus, parts } = await dividedCorpus()
    await put(corpus, ...texts.map(([id, text]) => doc(id, text)))
    const lost = partOf('heron', PARTS)
    const broken = parts.map((part, i) => (i === lost ? { ...part, readPartition: () => Promise.reject(new Error('away')) } : part))
    const request = { strategy: 'keyword', text: 'the mill at the pond', near: {}, topK: 8, budget: 4000, trace: false, options: {} }
    const found = await retrieveJointly({ parts: broken }, request)
    if (found.kind !== 'evidence') throw new Error(found.kind)
    expect(found.skipped).toEqual([lost])
    expect(found.evidence.length).toBeGreaterThan(0)
    expect(found.evidence.filter((one) => partOf(one.document ?? '', PARTS) === lost)).toEqual([])
    const none = parts.map((part) => ({ ...part, readPartition: () => Promise.reject(new Error('away')) }))
    await expect(retrieveJointly({ parts: none }, request)).rejects.toThrow('partitions')
  })

  it('[P1228] has one version, which an answer reaches or says how far it is, and refuses by name what it does not do', async () => {
    const { corpus } = await dividedCorpus()
    const job = await put(corpus, ...texts.map(([id, text]) => doc(id, text)))
    const version = (await corpus.view())?.version ?? 0
    const at = async (minVersion: number) => find(corpus, 'mill', 'keyword', { minVersion })
    const found = await at(version)
    expect([found.kind, 'version' in found && found.version, version >= (job.receipt?.version ?? 0)]).toEqual(['evidence', version, true])
    expect(await at(version + 1)).toEqual({ kind: 'behind', version })
    expect((await find(corpus, 'mill', 'archrag')).kind).toBe('strategy_not_enabled')
    await expect(corpus.receipts(null, 5)).rejects.toThrow('corpus: partitioned')
    expect(
      (
        await corpus.retrieve({
          strategy: 'vector',
          text: 'mill',
          vector: await embed('mill'),
          near: {},
          topK: 3,
          budget: 900,
          trace: false,
          options: {},
        })
      ).kind,
    ).toBe('evidence')
  })
})
