/** What deleting documents asks of models: counted task by task, by kind and layer. */
import { countedModels, letter, type Spending, scribe, spending } from './spending'

export interface Deleted {
  /** Tasks by kind, of one deletion. */
  readonly kinds: { readonly [kind: string]: number }
  /** Summaries and reports made again, by layer. */
  readonly layers: { readonly [layer: number]: number }
}

const BATCH = 50 // documents that come together

/** A corpus of so many small documents, then so many of them deleted, one after another. */
export async function deletions(strategies: readonly string[], documents: number, deleted: number): Promise<readonly Deleted[]> {
  // Short texts are cut as long ones would be: several chunks to a summary, several layers.
  const corpus = spending(strategies)
  const { models } = countedModels(scribe)
  for (let at = 0; at < documents; at += BATCH) {
    corpus.accept(Array.from({ length: Math.min(BATCH, documents - at) }, (_, i) => letter(at + i, 6)))
    await corpus.work(models)
  }
  const out: Deleted[] = []
  for (let i = 0; i < deleted; i++) {
    const n = Math.floor(((i + 0.5) * documents) / deleted)
    out.push(await one(corpus, `letter-${n}`, () => corpus.work(models)))
  }
  corpus.close()
  return out
}

async function one(corpus: Spending, id: string, work: () => Promise<void>): Promise<Deleted> {
  corpus.leased.length = 0
  corpus.accept([], [id])
  await work()
  const kinds: { [kind: string]: number } = {}
  const layers: { [layer: number]: number } = {}
  for (const { kind, layer } of corpus.leased) {
    kinds[kind] = (kinds[kind] ?? 0) + 1
    if (kind === 'summarize' || kind === 'report') layers[layer] = (layers[layer] ?? 0) + 1
  }
  return { kinds, layers }
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
