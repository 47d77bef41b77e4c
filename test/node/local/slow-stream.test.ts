/** A stream as a small model on a busy machine gave it (recorded with the milliseconds between its pieces), read in the time it took, and in longer. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { limits, workersAi } from '../../../src/adapters/workers-ai'

interface Stream {
  readonly name: string
  readonly pieces: readonly (readonly [ms: number, events: string])[]
}
const recorded = JSON.parse(readFileSync(new URL('../../core/flows/recorded/streams-4.json', import.meta.url), 'utf8')) as readonly Stream[]
const CODE = recorded.find(({ name }) => name.includes('code of the alarm'))?.pieces ?? []

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** What was read, and how it ended; `slower`: of the pauses behind the first piece; `cut`: pieces after which nothing comes. */
async function read({ slower = 1, cut = CODE.length }: { slower?: number; cut?: number }) {
  let isCancelled = false
  const run = async (): Promise<ReadableStream<Uint8Array>> => {
    let at = 0
    return new ReadableStream({
      async pull(controller) {
        if (at === CODE.length) return controller.close()
        if (at === cut) return new Promise(() => undefined)
        const [ms, events] = CODE[at++] ?? [0, '']
        await new Promise((resolve) => setTimeout(resolve, at === 1 ? ms : ms * slower))
        controller.enqueue(new TextEncoder().encode(events))
      },
      cancel() {
        isCancelled = true
      },
    })
  }
  const config = { embedding: { id: 'e', dimensions: 2, window: 512 }, text: { id: 'm', window: 8192 }, reranker: null }
  const models = workersAi({ ai: { run }, takesSignal: false }, config)
  let text = ''
  const reading = (async () => {
    const reply = await models.stream([{ role: 'user', content: 'What is the code of the alarm?' }], { tokens: 150 })
    for await (const delta of reply.deltas) text += delta
    return `whole, ${reply.spent().out} tokens`
  })().catch((error: Error) => `${error.name} ${error.message}`)
  const began = Date.now()
  let outcome: string | undefined
  void reading.then((how) => {
    outcome = how
  })
  while (outcome === undefined && Date.now() - began < 3_600_000) await vi.advanceTimersByTimeAsync(50)
  return { text, outcome, isCancelled, seconds: Math.round((Date.now() - began) / 1000) }
}

it('[V1804] a stream is read however slowly it comes, as long as no pause is half a minute', async () => {
  const longest = Math.max(...CODE.slice(1).map(([ms]) => ms))
  expect(CODE[0]?.[0]).toBeGreaterThan(3000)
  const whole = { text: 'The code of the alarm is 4711.', outcome: 'whole, 12 tokens', isCancelled: false }
  expect(await read({})).toMatchObject(whole)
  const slow = await read({ slower: Math.floor(limits.silence / longest) - 1 })
  expect(slow).toMatchObject(whole)
  expect(slow.seconds).toBeGreaterThan(240)
})

it('[V1804] where nothing more comes for half a minute the model is given up, and what it said stands', async () => {
  const { text, outcome, isCancelled, seconds } = await read({ cut: 5 })
  expect({ text, outcome, isCancelled }).toEqual({
    text: expect.stringMatching(/^The code/),
    outcome: 'ModelError timeout',
    isCancelled: true,
  })
  expect(seconds).toBeLessThan(40)
})
