/** Corpora of two embedding models in one deployment: each with its own model and index, none mixed, and moved from the one to the other. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { corpusOf } from '../../src/adapters/corpus'
import { type VectorizeLike, vectorize } from '../../src/adapters/vectorize'
import type { Settings } from '../../src/core/settings'
import { bindings, doc, newCorpus, put } from './corpora'
import { eventually } from './waiting'

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

describe('two embedding models', () => {
  it('[L411] a corpus of the model before is embedded by it, and its vectors are in that model’s index alone', async () => {
    const { uid, corpus: made } = await newCorpus([], BEFORE)
    // The dimensions of a graph are read when its object wakes; an older corpus's were there by then.
    await runInDurableObject(world.CORPUS.getByName(uid), (_object, state) => state.abort('evicted by the test')).catch(() => undefined)
    await made.health().catch(() => undefined)
    const corpus = corpusOf(bindings.CORPUS, uid)
    await put(corpus, doc('a', 'The mill stands by the river.'))
    await eventually('its vector in the index before', async () => ((await heldIn(before, uid)) > 0 ? true : undefined))
    expect(await heldIn(now, uid)).toBe(0)
  })

  it('[L412] a corpus of a model that is not there takes no document, and says why', async () => {
    const { corpus } = await newCorpus([], { models: 'gone none' })
    const accepted = corpus.accept({ kind: 'ingest', upserts: [doc('a', 'x')], deletes: [] })
    await expect(accepted).rejects.toThrow('made with gone (64 dimensions); the deployment has hash (64 dimensions) and hash-before (32')
    expect((await corpus.accept({ kind: 'delete', upserts: [], deletes: ['a'] })).kind).not.toBe('gone')
  })
})
