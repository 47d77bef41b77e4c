/**
 * What indexing documents would cost, per strategy, before anything is spent: tokens are counted, the rest follows from the settings and
 * from rates with bounds. Each figure is for that strategy alone, embeddings included; strategies enabled together share those.
 * The rates are per chunk; their sources stand beside them. Pure.
 */
import type { Settings } from '../core/settings'
import { countTokens } from '../core/text/tokens'
import type { Models, Spent } from '../ports'
import { PRICED_ON, usdOf } from './prices'

type Case = 'least' | 'likely' | 'most'
type Bounds = { readonly [bound in Case]: number }

const rates = {
  count: { least: 0.9, likely: 1, most: 1.2 }, // tokens of the model per token we count
  prompt: { least: 200, likely: 350, most: 700 }, // tokens of a prompt besides its material
  units: { least: 0.6, likely: 1, most: 1.4 }, // tokens of knowledge units per token of the chunk: it is restated
  graph: { least: 200, likely: 400, most: 1200 }, // tokens of entities and relations per chunk
  clue: { least: 0, likely: 0.5, most: 1 }, // α of Clue-RAG: share of chunks the model restates
  ket: { least: 0, likely: 0.8, most: 1 }, // β of KET-RAG: share of chunks in the skeleton
  merges: { least: 0, likely: 0.5, most: 2 }, // entity descriptions merged per chunk
  merge: { least: 150, likely: 300, most: 800 }, // tokens a merge reads
  communities: { least: 0.1, likely: 0.25, most: 0.6 }, // reports per chunk, all layers together
  community: { least: 800, likely: 2500, most: 4000 }, // tokens a report reads; at most ArchRAG's 4,000
  report: { least: 150, likely: 300, most: 800 }, // tokens of a report
  tries: { least: 1, likely: 1.02, most: 3 }, // calls per usable reply
} as const satisfies { readonly [name: string]: Bounds }

const TEXTS_PER_CALL = 100 // of the embedding model

export interface Cost {
  readonly tokens: Spent
  readonly calls: { readonly [kind: string]: number }
  readonly usd: number
}
export interface Estimate {
  readonly documents: number
  readonly chunks: number
  readonly tokens: number
  readonly priced_on: string
  readonly strategies: { readonly [name: string]: Cost & { readonly bounds: { readonly least: Cost; readonly most: Cost } } }
}

/** What the documents come to. */
interface Bulk {
  readonly tokens: number
  readonly chunks: number
  readonly passages: number
  readonly sentences: number
}

type Work = Spent & { readonly calls: { readonly [kind: string]: number } }

const NAMES = ['vector', 'keyword', 'hybrid', 'erarag', 'cluerag', 'ketrag', 'archrag', 'gorag'] as const

export function estimate(
  documents: readonly { readonly text: string }[],
  settings: Settings,
  models: Pick<Models, 'embedding' | 'text'>,
): Estimate {
  const bulk = measured(documents, settings)
  const writes = settings.writer && models.text !== null
  const cost = (name: (typeof NAMES)[number], bound: Case): Cost => {
    const { calls, ...tokens } = sum([base(bulk, bound), ...work(name, bulk, settings, bound, writes)])
    return { tokens, calls, usd: usdOf(models, tokens) }
  }
  const strategies = NAMES.map((name) => [
    name,
    { ...cost(name, 'likely'), bounds: { least: cost(name, 'least'), most: cost(name, 'most') } },
  ])
  return {
    documents: documents.length,
    chunks: bulk.chunks,
    tokens: bulk.tokens,
    priced_on: PRICED_ON,
    strategies: Object.fromEntries(strategies),
  }
}

function measured(documents: readonly { readonly text: string }[], { chunking }: Settings): Bulk {
  let [tokens, chunks, passages] = [0, 0, 0]
  for (const { text } of documents) {
    const own = countTokens(text)
    tokens += own
    chunks += Math.max(1, Math.ceil((own - chunking.overlap) / (chunking.chunk - chunking.overlap)))
    passages += Math.max(1, Math.ceil(own / chunking.passage))
  }
  return { tokens, chunks, passages, sentences: Math.ceil(tokens / 20) }
}

function base(bulk: Bulk, bound: Case): Work {
  return embedding(bulk.tokens * rates.count[bound], bulk.passages)
}

function work(name: (typeof NAMES)[number], bulk: Bulk, settings: Settings, bound: Case, writes: boolean): Work[] {
  switch (name) {
    case 'vector':
    case 'keyword':
    case 'hybrid':
    case 'gorag': // learns from labels and what is classified, not from documents
      return []
    case 'erarag':
      return [summaries(bulk, settings, bound, writes)]
    case 'cluerag':
      return [sentences(bulk, bound), ...(writes ? [restated(bulk, bound)] : [])]
    case 'ketrag':
      return [sentences(bulk, bound), ...(writes ? [graph(bulk, rates.ket[bound], bound, settings)] : [])]
    case 'archrag':
      return writes ? [graph(bulk, 1, bound, settings), communities(bulk, bound)] : []
  }
}

/** Segments of every layer: few large ones cost least, many small ones most. */
function summaries(bulk: Bulk, { erarag, chunking }: Settings, bound: Case, writes: boolean): Work {
  const size = { least: erarag.most, likely: (erarag.least + erarag.most) / 2, most: erarag.least }[bound]
  let [members, read, count] = [bulk.chunks, 0, 0]
  for (let layer = 1; layer <= erarag.layers && members > size; layer++) {
    const segments = Math.ceil(members / size)
    read += members * (layer === 1 ? chunking.chunk : erarag.summary)
    count += segments
    members = segments
  }
  const embedded = embedding(count * erarag.summary, count)
  return writes ? sum([embedded, written('summarize', count, read, count * erarag.summary, bound)]) : embedded
}

function restated(bulk: Bulk, bound: Case): Work {
  const share = rates.clue[bound]
  const out = bulk.tokens * share * rates.units[bound]
  const units = embedding(out, bulk.sentences * share)
  return sum([units, written('extract', bulk.chunks * share, bulk.tokens * share, out, bound)])
}

function graph(bulk: Bulk, share: number, bound: Case, { extraction }: Settings): Work {
  const chunks = bulk.chunks * share
  const read = 1 + (bound === 'least' ? Math.min(1, extraction.gleanings) : extraction.gleanings) // it ends when nothing new comes
  const merges = chunks * rates.merges[bound]
  return sum([
    written('extract', chunks * read, bulk.tokens * share * read, chunks * rates.graph[bound], bound),
    written('summarize', merges, merges * rates.merge[bound], merges * rates.merge[bound], bound),
    embedding(chunks * rates.graph[bound], chunks * 8),
  ])
}

function communities(bulk: Bulk, bound: Case): Work {
  const reports = bulk.chunks * rates.communities[bound]
  const out = reports * rates.report[bound]
  return sum([written('report', reports, reports * rates.community[bound], out, bound), embedding(out, reports)])
}

function sentences(bulk: Bulk, bound: Case): Work {
  return embedding(bulk.tokens * rates.count[bound], bulk.sentences)
}

function embedding(tokens: number, texts: number): Work {
  return { in: 0, out: 0, embedded: tokens, calls: { embed: texts / TEXTS_PER_CALL } }
}

function written(kind: string, calls: number, read: number, out: number, bound: Case): Work {
  const tries = rates.tries[bound]
  return {
    in: (read * rates.count[bound] + calls * rates.prompt[bound]) * tries,
    out: out * tries,
    embedded: 0,
    calls: { [kind]: calls * tries },
  }
}

function sum(all: readonly Work[]): Work {
  const calls: { [kind: string]: number } = {}
  for (const one of all) for (const [kind, n] of Object.entries(one.calls)) calls[kind] = Math.ceil((calls[kind] ?? 0) + n)
  const total = (pick: (one: Work) => number) => Math.ceil(all.reduce((running, one) => running + pick(one), 0))
  return { in: total((one) => one.in), out: total((one) => one.out), embedded: total((one) => one.embedded), calls }
}
