/** recall@2/5/10 of strategies on multi-hop sets, through the real Worker, with the real local embeddings or the quick hash. One passage, one document. */
import type { CorpusClient, Search } from '../../src/client/client'
import { type Corpus, corpus } from '../quality/corpora'
import { asStrategies, consolidate, ingest, start } from './loam'

const ENOUGH = { top_k: 30, token_budget: 16000 } // as many passages as ten documents may need

type Strategy = NonNullable<Search['strategy']>

export interface Recall {
  readonly set: string
  readonly titles: boolean
  readonly strategy: string
  readonly at: { readonly [k: number]: number }
}

export async function recall(
  folder: string,
  sets: readonly string[],
  strategies: readonly string[],
  titles: readonly boolean[],
  embeddings: 'hash' | 'real',
): Promise<Recall[]> {
  const loam = await start(embeddings)
  try {
    const out: Recall[] = []
    for (const name of sets) {
      for (const titled of titles) {
        const set = corpus(folder, name, titled)
        const client = loam.client.corpus(`${name.replaceAll('_', '-')}-${titled ? 'titles' : 'bare'}`)
        await load(client, set, strategies)
        for (const strategy of strategies)
          out.push({ set: name, titles: titled, strategy, at: await measure(client, set, strategy as Strategy) })
      }
    }
    return out
  } finally {
    await loam.stop()
  }
}

async function load(client: CorpusClient, set: Corpus, strategies: readonly string[]): Promise<void> {
  const optional = strategies.filter((one) => ['erarag', 'cluerag', 'ketrag', 'archrag'].includes(one))
  await client.create({ strategies: asStrategies(optional) })
  for (let at = 0; at < set.passages.length; at += 500) {
    const upserts = set.passages.slice(at, at + 500).map(({ id: passage, title, text }) => ({ id: passage, title, text }))
    await ingest(client, upserts)
  }
  await consolidate(client)
  if (strategies.includes('auto')) await waitUntilCalibrated(client)
}

/** The channels' measurement is left to the schedule, which comes once a minute. */
async function waitUntilCalibrated(client: CorpusClient): Promise<void> {
  for (let tries = 0; tries < 90; tries++) {
    const found = await client.search({ query: 'calibration', strategy: 'auto', trace: true })
    const trace = found.trace as { readonly calibration?: unknown; readonly weights?: unknown } | undefined
    if (typeof trace?.calibration === 'object') return console.error(`${client.name}: weights ${JSON.stringify(trace.weights)}`)
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
  console.error(`${client.name}: the channels were not measured in three minutes; the guess serves`)
}

async function measure(client: CorpusClient, set: Corpus, strategy: Strategy): Promise<{ [k: number]: number }> {
  const sums: { [k: number]: number } = { 2: 0, 5: 0, 10: 0 }
  for (const question of set.questions) {
    const { evidence } = await client.search({ query: question.text, strategy, ...ENOUGH })
    const found = [...new Set(evidence.flatMap((one) => (one.document === null ? [] : [one.document])))]
    for (const k of [2, 5, 10]) {
      const top = new Set(found.slice(0, k))
      sums[k] = (sums[k] ?? 0) + question.gold.filter((gold) => top.has(gold)).length / question.gold.length
    }
  }
  return Object.fromEntries([2, 5, 10].map((k) => [k, (100 * (sums[k] ?? 0)) / set.questions.length]))
}
