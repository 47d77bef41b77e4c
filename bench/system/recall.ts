/** recall@2/5/10 of strategies on multi-hop sets, through the real Worker, with the real local embeddings or the quick hash. One passage, one document. */
import { type Corpus, corpus } from '../quality/corpora'
import { consolidated, ingest, type Loam, start } from './loam'

const ENOUGH = { top_k: 30, token_budget: 16000 } // as many passages as ten documents may need

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
        const id = `${name.replaceAll('_', '-')}-${titled ? 'titles' : 'bare'}`
        await load(loam, id, set, strategies)
        for (const strategy of strategies) out.push({ set: name, titles: titled, strategy, at: await measure(loam, id, set, strategy) })
      }
    }
    return out
  } finally {
    await loam.stop()
  }
}

async function load(loam: Loam, id: string, set: Corpus, strategies: readonly string[]): Promise<void> {
  const optional = strategies.filter((one) => ['erarag', 'cluerag', 'ketrag', 'archrag'].includes(one))
  await loam.call('PUT', `/v1/corpora/${id}`, { strategies: optional })
  for (let at = 0; at < set.passages.length; at += 500) {
    const upserts = set.passages.slice(at, at + 500).map(({ id: passage, title, text }) => ({ id: passage, title, text }))
    await ingest(loam, id, upserts)
  }
  await consolidated(loam, id)
  if (strategies.includes('auto')) await calibrated(loam, id)
}

/** The channels' measurement is left to the schedule, which comes once a minute. */
async function calibrated(loam: Loam, id: string): Promise<void> {
  for (let tries = 0; tries < 90; tries++) {
    const asked = { query: 'calibration', strategy: 'auto', trace: true }
    const { trace } = await loam.call<{ trace?: { calibration?: unknown; weights?: unknown } }>('POST', `/v1/corpora/${id}/search`, asked)
    if (typeof trace?.calibration === 'object') return console.error(`${id}: weights ${JSON.stringify(trace.weights)}`)
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
  console.error(`${id}: the channels were not measured in three minutes; the guess serves`)
}

async function measure(loam: Loam, id: string, set: Corpus, strategy: string): Promise<{ [k: number]: number }> {
  const sums: { [k: number]: number } = { 2: 0, 5: 0, 10: 0 }
  for (const question of set.questions) {
    const { evidence } = await loam.call<{ evidence: { document: string | null; also?: { document: string }[] }[] }>(
      'POST',
      `/v1/corpora/${id}/search`,
      { query: question.text, strategy, ...ENOUGH },
    )
    const found = [...new Set(evidence.flatMap((one) => (one.document === null ? [] : [one.document])))]
    for (const k of [2, 5, 10]) {
      const top = new Set(found.slice(0, k))
      sums[k] = (sums[k] ?? 0) + question.gold.filter((gold) => top.has(gold)).length / question.gold.length
    }
  }
  return Object.fromEntries([2, 5, 10].map((k) => [k, (100 * (sums[k] ?? 0)) / set.questions.length]))
}
