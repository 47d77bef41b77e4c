/** From a signed webhook to its 202, and on to the moment a search finds the document: the whole Loam in local workerd, hash embedder, no text model. */
import { createHmac } from 'node:crypto'
import type { CorpusClient, MadeHook } from '../../src/client/client'
import { settled, start } from '../system/loam'

const SIZE = 10_000 // characters of a document
const SEARCHED = 40 // of the events, each followed until it is found
const WORDS = ['heron', 'glacier', 'loom', 'violin', 'harbour', 'beehive', 'lantern', 'quarry', 'organ', 'sail', 'mill', 'bread']

function text(n: number): string {
  let out = `Event marker${n} begins here. `
  for (let i = 0; out.length < SIZE; i++) {
    const [a, b] = [WORDS[(n * 5 + i) % WORDS.length], WORDS[(n + i * 7) % WORDS.length]]
    out += `In year ${1000 + ((n * 31 + i * 17) % 900)} the ${a} near the ${b} was counted ${(n + 3) * (i + 1)} times by the keeper. `
  }
  return out.slice(0, SIZE)
}

type Hook = Pick<MadeHook, 'url' | 'secret'>

export async function webhookReport(events: number): Promise<string> {
  const loam = await start('hash')
  const corpus = loam.client.corpus('hooked')
  try {
    await corpus.create({ strategies: [] })
    const hook = await corpus.hooks.create({ preset: 'standard' })
    for (let i = 0; i < 10; i++) await send(hook, `warm-${i}`, { id: `warm-${i}`, text: text(i) })
    const found = await followed(hook, corpus)
    const single: number[] = []
    const busy: number[] = []
    for (let i = 0; i < events; i++) {
      await settled(corpus, 10)
      single.push(await send(hook, `single-${i}`, { id: `single-${i}`, text: text(10_000 + i) }))
    }
    for (let i = 0; i < events; i++) {
      busy.push(await send(hook, `busy-${i}`, { id: `busy-${i}`, text: text(20_000 + i) }))
      await pause(50)
    }
    return [
      `webhook of ${SIZE} characters, local workerd, hash embedder, no text model`,
      `→ 202, ${events} events, each when the one before has settled: ${percentiles(single)}`,
      `→ 202, ${events} events, 50 ms after each other, while those before are indexed: ${percentiles(busy)}`,
      `→ found by a search, ${found.length} events: ${percentiles(found)}`,
    ].join('\n')
  } finally {
    await loam.stop()
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds from sending an event until a search returns its document. */
async function followed(hook: Hook, corpus: CorpusClient): Promise<number[]> {
  const out: number[] = []
  for (let i = 0; i < SEARCHED; i++) {
    const id = `found-${i}`
    const began = performance.now()
    await send(hook, id, { id, text: text(1000 + i) })
    for (;;) {
      const { evidence } = await corpus.search({ query: `marker${1000 + i}`, strategy: 'hybrid', top_k: 1 })
      if (evidence[0]?.document === id) break
      await pause(10)
    }
    out.push(performance.now() - began)
  }
  return out
}

/** Signed as the specification of Standard Webhooks says; resolves with the milliseconds until the answer's head. */
async function send({ url, secret }: Hook, id: string, event: unknown): Promise<number> {
  const body = JSON.stringify(event)
  const stamp = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${stamp}.${body}`).digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': stamp, 'webhook-signature': `v1,${signature}` }
  const began = performance.now()
  const response = await fetch(url, { method: 'POST', headers, body })
  const took = performance.now() - began
  await response.arrayBuffer()
  if (response.status !== 202) throw new Error(`webhook: ${response.status}`)
  return took
}

function percentiles(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`
}
