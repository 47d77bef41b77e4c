/** Corpora of two embedding models in one deployment: each with its own model and index, none mixed, and moved from the one to the other. */
import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { corpusOf } from '../../src/adapters/corpus'
import { type VectorizeLike, vectorize } from '../../src/adapters/vectorize'
import type { Settings } from '../../src/core/settings'
import { quantize } from '../../src/core/vectors'
import type { CorpusObject } from '../../src/ports/object'
import { bindings, config, doc, find, indexed, newCorpus, put } from './corpora'
import { bodyOf } from './living'
import { ended, eventually } from './waiting'

const world = env as unknown as {
  readonly VECTORIZE: VectorizeLike
  readonly VECTORIZE_PREVIOUS: VectorizeLike
  readonly CORPUS: DurableObjectNamespace
  readonly CONTROL: { settle(): Promise<void> }
}
const now = vectorize(world.VECTORIZE)
const before = vectorize(world.VECTORIZE_PREVIOUS)
const BEFORE: Partial<Settings> = { models: 'hash-before none', dimensions: 32 }

const AT = { kind: 'passage', k: 10 }

/** How many passages of a corpus an index shows. */
async function heldIn(index: typeof now, uid: string): Promise<number> {
  await world.CONTROL.settle()
  const found = await index.query(uid, new Array(index === now ? 64 : 32).fill(1), AT)
  return found.length
}

async function taken(corpus: CorpusObject, change: Pick<Parameters<CorpusObject['accept']>[0], 'upserts' | 'deletes'>): Promise<string> {
  const accepted = await corpus.accept({ kind: 'batch', ...change })
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
  return accepted.job
}

/** Asked with the model before, and where that is its no more with the other, as the Worker asks. */
async function answered(corpus: CorpusObject, text: string): Promise<string[]> {
  const ask = async (embedded: string) => {
    const { data } = await bindings.AI.run(embedded, { text: [text] })
    return find(corpus, text, 'hybrid', { vector: quantize(data[0] ?? []), embedded })
  }
  const first = await ask('hash-before').catch(() => undefined)
  const result = first?.kind === 'moved' ? await ask('hash') : (first ?? (await ask('hash-before')))
  return result.kind === 'evidence' ? result.evidence.flatMap((one) => one.document ?? []) : [result.kind]
}

/** What waits for an index looks again at once: else ever more rarely, up to minutes. */
async function lookAgain(): Promise<void> {
  for (const id of await listDurableObjectIds(world.CORPUS)) await runDurableObjectAlarm(world.CORPUS.get(id))
}

/** A runner that was killed with its object keeps the corpus for the rest of its lease, five minutes; here they pass at once. */
async function kill(uid: string): Promise<void> {
  await runInDurableObject(world.CORPUS.getByName(uid), (_object, state) => state.abort('killed by the test')).catch(() => undefined)
  await runInDurableObject(world.CORPUS.getByName(uid), (_object, { storage }) => {
    storage.sql.exec(`UPDATE meta SET value = json_set(value, '$.until', 0) WHERE key = 'lease'`)
  })
  await runDurableObjectAlarm(world.CORPUS.getByName(uid))
}

describe('two embedding models', () => {
  it('[L411] a corpus of the model before is embedded by it, and its vectors are in that model’s index alone', async () => {
    const { uid, corpus } = await newCorpus([], BEFORE)
    await put(corpus, doc('a', 'The mill stands by the river.'))
    await eventually('its vector in the index before', async () => ((await heldIn(before, uid)) > 0 ? true : undefined))
    expect(await heldIn(now, uid)).toBe(0)
  })

  it('[L510] is moved in place, whatever dies: asked all the while, then in the new index alone', async () => {
    const { uid, corpus: made } = await newCorpus(['erarag', 'cluerag'], BEFORE)
    const texts = [
      'The mill stands by the river.',
      'Otto Brandt runs the mill.',
      'Bread is baked on Tuesdays.',
      'The heron fishes below the weir.',
    ]
    await put(made, ...texts.map((text, n) => doc(`d${n}`, text)))
    await eventually('its vectors in the index before', async () => ((await heldIn(before, uid)) > 3 ? true : undefined))
    const accepted = await made.migrate({ id: 'hash', dimensions: 64 })
    if (typeof accepted === 'string' || accepted.kind !== 'accepted') throw new Error(JSON.stringify(accepted))
    const corpus = () => corpusOf(bindings.CORPUS, uid)
    let gone = ''
    const killed = new Set<string>()
    const status = await eventually('the end of the move', async () => {
      gone ||= await taken(corpus(), { upserts: [doc('e0', 'The lighthouse is red.')], deletes: ['d1'] })
      const step = (await corpus().migration())?.step
      if (step && !killed.has(step)) {
        killed.add(step)
        await kill(uid)
      }
      expect(await answered(corpus(), 'When is bread baked?')).toContain('d2')
      await indexed()
      const job = await corpus().job(accepted.job, 0)
      return job?.status === 'queued' || job?.status === 'running' ? undefined : job?.status
    })
    expect([status, killed.has('await')]).toEqual(['succeeded', true])
    expect((await corpus().job(gone, 30_000))?.status).toBe('succeeded')
    expect(await answered(corpus(), 'What colour is the lighthouse?')).toContain('e0')
    await eventually('its vectors in the new index', async () => ((await heldIn(now, uid)) > 0 ? true : undefined))
    expect(await heldIn(before, uid)).toBe(0)
    expect(await corpus().configure(config(uid, ['erarag', 'cluerag'], BEFORE))).toMatchObject({ embedding: 'hash', dimensions: 64 })
  })

  it('[L412] a corpus of a model that is not there takes no document, and says why', async () => {
    const { corpus } = await newCorpus([], { models: 'gone none' })
    const accepted = corpus.accept({ kind: 'ingest', upserts: [doc('a', 'x')], deletes: [] })
    await expect(accepted).rejects.toThrow('created with gone (64 dimensions); the deployment has hash (64 dimensions) and hash-before (32')
    expect((await corpus.accept({ kind: 'delete', upserts: [], deletes: ['a'] })).kind).not.toBe('gone')
  })
})

describe('an export', () => {
  let attempt = 0
  const app = (exports as unknown as { default: Fetcher }).default
  const call = async (method: string, path: string, body?: unknown): Promise<string> => {
    const headers = {
      authorization: 'Bearer local-development-key',
      'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
    }
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await app.fetch(`https://loam.test/v1/corpora/${path}`, { method, headers, ...sent })
    const text = await bodyOf(response)
    expect([path, response.status < 300 || text]).toEqual([path, true])
    return text
  }
  const json = async (method: string, path: string, body?: unknown) =>
    JSON.parse(await call(method, path, body)) as { [key: string]: string }
  const done = (corpus: string, job = '') =>
    ended(job, async () => {
      await indexed() // the index shows what it was sent when it is asked to
      await lookAgain()
      return (await json('GET', `${corpus}/jobs/${job}`)) as { status: string; [key: string]: string }
    })
  /** What an import takes: documents and the texts of their chunks. */
  const documentsOf = (exported: string) => {
    const rows = exported.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { type: string; [key: string]: unknown }]))
    return rows
      .filter(({ type }) => type === 'document' || type === 'chunk')
      .map(({ type, id, title, text }) => JSON.stringify([type, id, title, text]))
      .sort()
  }

  it('[V614] of a corpus of one model is imported under the other, made before, during or after a move, with every document letter for letter', async () => {
    const corpus = `moved-about-${++attempt}` // a second attempt finds nothing of the first
    await call('PUT', corpus, { strategies: ['erarag'] })
    const texts = ['The mill stands by the river.', 'Otto Brandt runs the mill.', 'Bread is baked on Tuesdays.']
    for (const [n, text] of texts.entries())
      await done(corpus, (await json('PUT', `${corpus}/documents/d${n}`, { text, title: `Note ${n}` })).job)
    await indexed()
    const exported = [await call('GET', `${corpus}/export?format=jsonl`)]
    const { job } = await json('POST', `${corpus}:migrate`, { embedding_model: 'hash-before' })
    exported.push(await call('GET', `${corpus}/export?format=jsonl`))
    expect((await done(corpus, job)).status).toBe('succeeded')
    await indexed()
    await eventually('the catalogue to learn of it', async () =>
      (await json('GET', corpus)).embedding_model === 'hash-before' ? true : undefined,
    )
    exported.push(await call('GET', `${corpus}/export?format=jsonl`))
    const documents = documentsOf(exported[0] ?? '')
    expect(documents).toHaveLength(6)
    for (const [n, lines] of exported.entries()) {
      const copy = `${corpus}-copy-${n}`
      await call('PUT', copy, { strategies: ['erarag'] })
      await done(copy, (await json('POST', `${copy}:import`, lines)).job)
      await indexed()
      expect([(await json('GET', copy)).embedding_model, documentsOf(lines)]).toEqual(['hash', documents])
      expect(documentsOf(await call('GET', `${copy}/export?format=jsonl`))).toEqual(documents)
      const found = await call('POST', `${copy}/search`, { query: 'When is bread baked?', top_k: 1 })
      expect(found).toContain('"document":"d2"')
    }
  })
})
