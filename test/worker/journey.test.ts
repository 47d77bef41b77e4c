/** The journey of a document through the object, the Workflow and the sinks. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { MARKER } from '../../durable-objects/corpus/outbox/index-sink'
import { vectorize } from '../../src/adapters/vectorize'
import type { CorpusObject } from '../../src/ports/object'
import { bindings, doc, embed, find, foundDocuments, indexed, newCorpus, put, remove, settled } from './corpora'
import { eventually } from './waiting'

const lorem = (n: number, word: string): string =>
  Array.from({ length: n }, (_, i) => `Sentence ${i} speaks of ${word} and number ${i * 7}.`).join(' ')

describe('a document in', () => {
  it('[J1] is found as soon as its job has succeeded, by vectors and by words, before the vector index shows it and after', async () => {
    const others = [
      'Steel is an alloy.',
      'Bread needs yeast.',
      'Sails hold wind.',
      'Glass is sand.',
      'Clocks tick slowly.',
      'Salt lies in mines.',
    ]
    const question = 'heron at the pond'
    const embedded = await embed(question)
    const { VECTORIZE: index, CONTROL: control } = env as unknown as {
      VECTORIZE: Parameters<typeof vectorize>[0]
      CONTROL: { hold(namespace: string | null): Promise<void> }
    }
    /** What the index shows, and the first document by each way from that. */
    const found = async ({ corpus, uid }: Awaited<ReturnType<typeof newCorpus>>) => {
      const near = await vectorize(index).query(uid, embedded, { kind: 'passage', k: 10 })
      const more = { near: { passage: near, summary: [], entity: [], community: [] } }
      const ways = ['vector', 'keyword', 'hybrid'].map(
        async (strategy) => (await foundDocuments(corpus, question, strategy, more))[0] ?? '',
      )
      return { shown: near.length, best: await Promise.all(ways) }
    }
    const made = await newCorpus()
    await put(made.corpus, ...others.map((text, i) => doc(`o${i}`, text)))
    await made.corpus.drain()
    await indexed()
    const sought = ['z', 'z', 'z']
    expect((await found(made)).shown).toBe(others.length)
    // The index's clock is one for all files of tests, and any of them may move it.
    await control.hold(made.uid)
    try {
      expect((await put(made.corpus, doc('z', 'The heron waits at the pond.'))).status).toBe('succeeded')
      expect(await found(made)).toEqual({ shown: others.length, best: sought })
    } finally {
      await control.hold(null)
    }
    await made.corpus.drain()
    await indexed()
    expect(await found(made)).toEqual({ shown: others.length + 1, best: sought })
  })

  it('[J2] put again word for word is unchanged and makes no job', async () => {
    const { corpus } = await newCorpus()
    await put(corpus, doc('a', 'One text.', { metadata: { x: 1, y: 2 } }))
    const again = await corpus.accept({ kind: 'ingest', upserts: [doc('a', 'One text.', { metadata: { y: 2, x: 1 } })], deletes: [] })
    expect(again).toEqual({ kind: 'unchanged', documents: [{ document: 'a', status: 'unchanged' }] })
  })

  it('[J3] in a batch becomes visible together with the rest, as one version', async () => {
    const { corpus } = await newCorpus()
    const job = await put(corpus, ...Array.from({ length: 20 }, (_, i) => doc(`d${i}`, lorem(3, `topic${i}`))))
    expect([job.receipt?.touched.documents, job.receipt?.version, (await corpus.view())?.version]).toEqual([20, 1, 1])
  })

  it('[J3] is served in its old text until the new one is ready, then in that alone', async () => {
    const { corpus, uid } = await newCorpus()
    const [old, young] = ['The old text mentions a walrus.', 'The new text mentions a heron.']
    await put(corpus, doc('a', old), doc('b', 'Steel is an alloy of iron.'))
    const served = async () => {
      const view = await corpus.document('a')
      const words = ['walrus', 'heron'].map((word) => foundDocuments(corpus, word, 'keyword'))
      const near = await find(corpus, 'what does the text mention', 'vector')
      const texts = near.kind === 'evidence' ? near.evidence.flatMap((one) => (one.document === 'a' ? one.text : [])) : [near.kind]
      return [view?.text, ...(await Promise.all(words)), texts]
    }
    expect(await served()).toEqual([old, ['a'], [], [old]])
    // Handed in, and nobody has begun with it.
    const stub = (env as unknown as { CORPUS: DurableObjectNamespace }).CORPUS.getByName(uid)
    const accepted = await runInDurableObject(stub, async (object, { storage }) => {
      const taken = await (object as unknown as CorpusObject).accept({ kind: 'ingest', upserts: [doc('a', young)], deletes: [] })
      await storage.deleteAlarm()
      return taken
    })
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
    expect((await corpus.job(accepted.job, 1))?.status).toBe('queued')
    expect(await served()).toEqual([old, ['a'], [], [old]])
    await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now()))
    expect((await settled(corpus, accepted.job)).status).toBe('succeeded')
    expect(await served()).toEqual([young, [], ['a'], [young]])
    const view = await corpus.document('a')
    expect([view?.content_version, view?.status]).toEqual([2, 'ready'])
  })

  it('[S215] evidence is the slice of the stored text it says it is', async () => {
    const { corpus } = await newCorpus()
    const text = `  ${lorem(80, 'märchen')}\n\n  Ein Satz über 山 und 水。另一个句子。  `
    await put(corpus, doc('a', text, { title: 'Tales' }))
    const result = await find(corpus, 'märchen number', 'hybrid')
    if (result.kind !== 'evidence') throw new Error(result.kind)
    expect(result.evidence.length).toBeGreaterThan(1)
    for (const one of result.evidence) expect(text.slice(one.start ?? 0, one.end ?? 0)).toBe(one.text)
    const quotes = result.evidence.map((one) => ({ document: 'a', start: one.start ?? 0, end: one.end ?? 0, quote: one.text }))
    expect(new Set((await corpus.verify(quotes)).map((one) => one !== null))).toEqual(new Set([true]))
    expect(await corpus.verify([{ document: 'a', start: 0, end: 4, quote: 'nope' }])).toEqual([null])
  })

  it('[J3] two hundred mixed writes at once: nothing lost, nothing doubled, versions strictly increase', async () => {
    const { corpus } = await newCorpus()
    await put(corpus, ...Array.from({ length: 20 }, (_, i) => doc(`old${i}`, `Old document ${i} will be deleted.`)))
    const writes = Array.from({ length: 200 }, (_, i) => {
      if (i % 10 === 0) return corpus.accept({ kind: 'delete', upserts: [], deletes: [`old${i / 10}`] })
      const id = i % 3 === 0 ? `shared${i % 12}` : `new${i}`
      return corpus.accept({ kind: 'ingest', upserts: [doc(id, `Write ${i} says its own number: n${i}.`)], deletes: [] })
    })
    const jobs = (await Promise.all(writes)).map((one) => (one.kind === 'accepted' ? one.job : `${one.kind}`))
    const views = await Promise.all(jobs.map((job) => settled(corpus, job)))
    expect(new Set(views.map((view) => view.status))).toEqual(new Set(['succeeded']))
    const { data } = await corpus.documents(null, 1000)
    const expected = new Set(
      Array.from({ length: 200 }, (_, i) => (i % 10 === 0 ? '' : i % 3 === 0 ? `shared${i % 12}` : `new${i}`)).filter(Boolean),
    )
    expect(data.map((one) => one.document)).toEqual([...expected].sort())
    expect((await corpus.view())?.counts).toMatchObject({ documents: expected.size, chunks: expected.size, passages: expected.size })
  })
})

describe('a document out', () => {
  it('[V10] leaves no text in any table of the object or of the read model', async () => {
    const { uid, corpus } = await newCorpus()
    const canary = 'zyxwvutcanary'
    await put(
      corpus,
      doc('a', `The ${canary} sings. It was never seen again.`, { title: `About ${canary}`, metadata: { tag: canary } }),
      doc('b', 'Another text stays.'),
    )
    expect(await foundDocuments(corpus, canary, 'keyword')).toEqual(['a'])
    await remove(corpus, 'a')
    expect(await foundDocuments(corpus, canary, 'keyword')).toEqual([])
    const stub = (env as unknown as { CORPUS: DurableObjectNamespace }).CORPUS.getByName(uid)
    const traces = await runInDurableObject(stub, (_object, state) => scan(state.storage.sql, canary))
    expect(traces).toEqual([])
  })

  it('[J8] a deletion removes no version that was accepted after it', async () => {
    const { corpus } = await newCorpus()
    await put(corpus, doc('a', 'First words.'))
    const [gone, back] = await Promise.all([
      corpus.accept({ kind: 'delete', upserts: [], deletes: ['a'] }),
      corpus.accept({ kind: 'ingest', upserts: [doc('a', 'Second words.')], deletes: [] }),
    ])
    for (const one of [gone, back]) if (one.kind === 'accepted') await settled(corpus, one.job)
    expect((await corpus.document('a'))?.text).toBe('Second words.')
  })
})

describe('filters', () => {
  it('[S216] admit only documents that match the filter, however well others match the question', async () => {
    const { corpus } = await newCorpus()
    await put(
      corpus,
      ...Array.from({ length: 30 }, (_, i) =>
        doc(`d${i}`, `The heron number ${i} stands in the reeds.`, { metadata: { year: 2000 + (i % 3), tags: ['bird', `t${i}`] } }),
      ),
    )
    expect(await foundDocuments(corpus, 'heron reeds', 'keyword', { filters: { document: ['d7'] } })).toEqual(['d7'])
    expect(await foundDocuments(corpus, 'heron reeds', 'vector', { filters: { metadata: { tags: 't9' } } })).toEqual(['d9'])
    const years = await foundDocuments(corpus, 'heron reeds', 'hybrid', { topK: 30, filters: { metadata: { year: [2001, 2002] } } })
    expect([years.length, years.some((id) => Number(id.slice(1)) % 3 === 0)]).toEqual([20, false])
  })
})

/** Every table's every value, shadow tables included, as text and as bytes. */
function scan(sql: SqlStorage, needle: string): string[] {
  const found: string[] = []
  const tables = sql
    .exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`)
    .toArray()
  for (const { name } of tables) {
    if (name.startsWith('_cf_')) continue
    for (const row of sql.exec(`SELECT * FROM "${name}"`).toArray()) {
      for (const value of Object.values(row)) {
        const text = value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : String(value)
        if (text.includes(needle)) found.push(`${name}: ${text.slice(0, 80)}`)
      }
    }
  }
  return found
}

void bindings

describe('a corpus out', () => {
  it('[J161] a deleted corpus leaves nothing: no row in the object, none in the read model, no vector', async () => {
    const { uid, corpus } = await newCorpus()
    await put(corpus, doc('a', 'A heron stands here.', { title: 'Heron' }), doc('b', 'Another text.'))
    await corpus.drain()
    const { DB, CORPUS } = env as unknown as { DB: D1Database; CORPUS: DurableObjectNamespace }
    const rows = async () => (await DB.prepare('SELECT count(*) AS n FROM chunk WHERE uid = ?').bind(uid).first<{ n: number }>())?.n
    expect(await rows()).toBe(2)
    await forgotten(uid, corpus)
    expect([await corpus.view(), await rows()]).toEqual([null, 0])
    const left = await runInDurableObject(CORPUS.getByName(uid), (_object, state) => scan(state.storage.sql, 'heron'))
    expect(left).toEqual([])
  })
})

/** Until nothing of it is left anywhere: the index has to show that first. */
async function forgotten(uid: string, corpus: CorpusObject): Promise<void> {
  const { CORPUS } = env as unknown as { CORPUS: DurableObjectNamespace }
  // The catalogue does not have it, which is as if it had been deleted there.
  await eventually('the corpus to be gone', async () => {
    await runDurableObjectAlarm(CORPUS.getByName(uid))
    await indexed()
    return (await corpus.reconcile({ uid })) === 'empty' || undefined
  })
}

describe('two corpora with the same documents', () => {
  const { DATA_0, DB, VECTORIZE } = env as unknown as {
    DB: D1Database
    DATA_0: D1Database
    VECTORIZE: Parameters<typeof vectorize>[0]
  }
  const texts = Array.from({ length: 12 }, (_, i) => `The keeper of lighthouse ${i} writes of storm ${i * 31} and of ship ${i * 17}.`)

  /** Tables of all corpora: which corpus a row is of stands in each, but for those that no corpus has. */
  const tables = async (db: D1Database) => {
    const { results } = await db
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_cf_%' AND name NOT LIKE 'sqlite_%'`)
      .all<{ name: string }>()
    return Promise.all(
      results.map(async ({ name }) => {
        const columns = await db.prepare(`SELECT name, "notnull" AS required, pk FROM pragma_table_info(?)`).bind(name).all()
        return { name, uid: columns.results.find((one) => one.name === 'uid') }
      }),
    )
  }

  const rowsOf = async (uid: string): Promise<string[]> => {
    const found = await Promise.all(
      [DB, DATA_0].map(async (db) => {
        const own = (await tables(db)).filter((one) => one.uid)
        return Promise.all(
          own.map(async ({ name }) =>
            (await db.prepare(`SELECT * FROM "${name}" WHERE uid = ?`).bind(uid).all()).results.map(
              (row) => `${name} ${JSON.stringify(row)}`,
            ),
          ),
        )
      }),
    )
    return found.flat(2).sort()
  }

  /** What the index shows, and how many of the documents are found through it alone. */
  const known = async (uid: string, corpus: CorpusObject) => {
    const index = vectorize(VECTORIZE)
    let recall = 0
    const vectors = new Set<string>()
    for (const [i, text] of texts.entries()) {
      const vector = await embed(text)
      const passage = await index.query(uid, vector, { kind: 'passage', k: 50 })
      for (const hit of passage) vectors.add(`${hit.id} ${hit.score.toFixed(6)} for ${i}`)
      const [first] = await foundDocuments(corpus, text, 'vector', { near: { passage }, topK: 1 })
      if (first === `d${i}` && passage.length > 0) recall++
    }
    return { recall, vectors: [...vectors].sort(), rows: await rowsOf(uid) }
  }

  it('[F38] one is deleted: the other keeps its vectors and rows, and finds all it found', async () => {
    const [gone, kept] = [await newCorpus(), await newCorpus()]
    const documents = texts.map((text, i) => doc(`d${i}`, text))
    for (const { corpus } of [gone, kept]) {
      await put(corpus, ...documents)
      await corpus.drain()
    }
    await indexed()
    for (const { corpus } of [gone, kept]) await corpus.drain()
    const before = await known(kept.uid, kept.corpus)
    expect([before.recall, before.vectors.length > 12, before.rows.length > 24]).toEqual([12, true, true])
    expect((await known(gone.uid, gone.corpus)).recall).toBe(12)
    await forgotten(gone.uid, gone.corpus)
    expect(await known(kept.uid, kept.corpus)).toEqual(before)
    const { vectors } = await known(gone.uid, gone.corpus)
    expect([vectors, await rowsOf(gone.uid)]).toEqual([[], [expect.stringMatching(/^published /)]])
    expect(await vectorize(VECTORIZE).fetch(gone.uid, [MARKER])).toEqual([])
  })

  it('[F38] in every table of D1 a row of a corpus carries its uid', async () => {
    // Keys, the deployment's audit log, stored answers and the progress of sealing anew are of no corpus: an answer is filed under a hash that the uid is part of.
    const without = ['access_key', 'audit', 'd1_migrations', 'idempotency', 'reseal']
    for (const db of [DB, DATA_0]) {
      const all = await tables(db)
      expect(all.length).toBeGreaterThan(8)
      for (const { name, uid } of all) if (!without.includes(name)) expect([name, uid?.required]).toEqual([name, 1])
    }
  })
})

describe('the schedule', () => {
  it('[V32] consolidates once a fifth of the passages has come or gone, and not again before', async () => {
    const { corpus } = await newCorpus()
    const jobs = async () => (await corpus.jobs(null, 10)).data.map((one) => one.kind)
    await put(
      corpus,
      ...Array.from({ length: 70 }, (_, i) => doc(`d${i}`, `The ${['heron', 'crane', 'stork'][i % 3]} number ${i} stands in reeds.`)),
    )
    await corpus.tend()
    expect(await jobs()).toEqual(['consolidate', 'batch'])
    await settled(corpus, (await corpus.jobs(null, 1)).data[0]?.job ?? '')
    await put(corpus, doc('one more', 'A bittern hides.'))
    await corpus.tend()
    expect(await jobs()).toEqual(['ingest', 'consolidate', 'batch'])
  })
})
