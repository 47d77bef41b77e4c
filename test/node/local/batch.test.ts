/** Sequences of one context that step together, with a library that behaves as node-llama-cpp does. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sharedBatch } from '../../../local/models/batch'
import { llamaRuntime } from '../../../local/models/llama'

/** It decodes what is queued when the batch before has ended; a sequence queues its next token a few microtasks after it has been given one, each after the one before. */
const LIBRARY = `
export const sizes = []
export const orders = []
const later = async (n) => { for (let i = 0; i < n; i++) await undefined }
const queue = []
let busy = false
let ask
async function decode() {
  if (busy) return
  busy = true
  await new Promise(setImmediate)
  while (queue.length > 0) {
    const picked = ask({ items: [...queue], size: 512 })
    if (picked.length > 0) sizes.push(picked.length)
    orders.push(picked.map(({ item }) => item.evaluationPriority))
    for (const { item } of picked) {
      queue.splice(queue.indexOf(item), 1)
      await later(3)
      item.done()
    }
    await undefined
  }
  busy = false
}
const model = { trainContextSize: 4096, embeddingVectorSize: 2, tokenizer: {}, tokenize: (text) => text.split(' '),
  createContext: async ({ sequences, batching }) => {
    ask = batching.itemPrioritizationStrategy
    return { getSequence: () => { if (sequences-- < 1) throw new Error('no more sequences'); return { contextTokens: [] } } }
  } }
export const getLlama = async () => ({ loadModel: async () => model, dispose: async () => {} })
export class LlamaChat {
  chatWrapper = { generateContextState: () => ({ contextText: { tokenize: () => [1] } }) }
  async generateResponse(history, { maxTokens, evaluationPriority, onTextChunk }) {
    for (let n = 0; n < maxTokens; n++) {
      await new Promise((done) => { queue.push({ tokens: [n], evaluationPriority, done }); decode() })
      await later(2)
      onTextChunk(' w' + n)
    }
    return { response: 'w', metadata: { stopReason: 'maxTokens' } }
  }
}
`

it('[V1800] replies that a model of this machine writes at once are decoded together, token by token, and one alone waits for nobody', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loam-batch-test-'))
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/index.js'), LIBRARY)
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  const { sizes, orders } = (await import(join(folder, 'dist/index.js'))) as { sizes: number[]; orders: number[][] }
  const runtime = await llamaRuntime(folder, 1, 3)
  const writer = await runtime.writer({ id: 'w', kind: 'text', path: 'w.gguf' })
  const write = (tokens: number) =>
    writer.write({
      messages: [{ role: 'user', content: 'x' }],
      tokens,
      temperature: 0,
      signal: new AbortController().signal,
      heard: () => {},
    })
  await Promise.all([write(20), write(20), write(20), write(5)]) // the fourth waits for a sequence
  expect(sizes.filter((size) => size === 3).length).toBeGreaterThanOrEqual(18)
  expect(orders.filter((places) => places.length === 3).every((places) => places.join() === '0,1,2')).toBe(true)
  sizes.length = 0
  await write(4)
  expect(sizes).toEqual([1, 1, 1, 1])
  await runtime.close()
})

it('[V1800] a sequence that does not come is not waited for, and what is read has the room that the others leave', async () => {
  const batch = sharedBatch()
  let end = (): void => {}
  const writing = [0, 1].map(() => batch.during(() => new Promise<void>((resolve) => (end = resolve))))
  const step = { tokens: [7], evaluationPriority: 1 }
  const text = { tokens: Array.from({ length: 700 }, (_, i) => i), evaluationPriority: 0 }
  const asked = Array.from({ length: 200 }, () => batch.pick({ items: [step], size: 512 })).filter((picked) => picked.length > 0)
  expect([asked.length > 2, asked.length < 100]).toEqual([true, true])
  expect(asked[0]).toEqual([{ item: step, processAmount: 1 }])
  expect(batch.pick({ items: [step, text], size: 512 })).toEqual([
    { item: text, processAmount: 511 },
    { item: step, processAmount: 1 },
  ])
  end()
  await writing[1]
  expect(batch.pick({ items: [step], size: 512 })).toHaveLength(1)
})
