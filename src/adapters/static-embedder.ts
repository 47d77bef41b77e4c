/**
 * The encoder that comes with Loam, in this isolate: no call, no neurons. Its file is among the static assets, since a script may have only
 * 3 MB on the free plan; it is read once per isolate, for the first text embedded there. Many texts are embedded in slices, which give way
 * to questions.
 */
import { readArtefact } from '../core/encoder/artefact'
import { type Encoder, staticEncoder } from '../core/encoder/encoder'
import type { Models } from '../ports/models'
import { questionsFirst } from '../question-precedence'
import { modelError } from './workers-ai-faults'

export const STATIC = 'loam/static'

export interface Assets {
  fetch(url: string): Promise<{ readonly ok: boolean; arrayBuffer(): Promise<ArrayBuffer> }>
}

const FILE = 'https://assets.local/encoder/static.bin' // the binding only uses the path
const TURN = 32 // texts in one slice: some 5 ms

let shared: Promise<Encoder> | undefined

/** `dimensions`: from the configuration; vectors of another length would not fit the index. */
export function staticEmbedder(assets: Assets | undefined, dimensions: number): Models['embed'] {
  return async (texts) => {
    if (!assets) throw modelError('missing')
    const encoder = await loaded(assets)
    if (encoder.dimensions !== dimensions) throw modelError('missing')
    const vectors: Float32Array[] = []
    for (const text of texts) {
      if (vectors.length > 0 && vectors.length % TURN === 0) await questionsFirst.giveWay()
      vectors.push(encoder.encode(text))
    }
    return { vectors, spent: { in: 0, out: 0, embedded: 0 }, calls: 0 }
  }
}

/** The same, for the reader: without its file a reader compares letters. */
export function readingEncoder(assets: Assets | undefined): () => Promise<Encoder | undefined> {
  return async () => assets && loaded(assets).catch(() => undefined)
}

async function loaded(assets: Assets): Promise<Encoder> {
  shared ??= load(assets)
  try {
    return await shared
  } catch (error) {
    shared = undefined // the next text will try again
    throw error
  }
}

async function load(assets: Assets): Promise<Encoder> {
  const reply = await assets.fetch(FILE)
  if (!reply.ok) throw modelError('missing')
  return staticEncoder(readArtefact(await reply.arrayBuffer()))
}
