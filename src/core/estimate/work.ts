/** What strategies ask of models for documents: calls and tokens, by rates. Pure. */
import type { Tokens } from '../cost'
import type { Settings } from '../settings'
import type { Bulk } from './bulk'
import { type Case, rates } from './rates'

const TEXTS_PER_CALL = 100 // of the embedding model

export type Work = Tokens & { readonly calls: { readonly [kind: string]: number } }

/** Strategies together: what several need is paid for once. */
export function expected(strategies: readonly string[], bulk: Bulk, settings: Settings, bound: Case, writes: boolean): Work {
  const has = (...names: readonly string[]): boolean => names.some((name) => strategies.includes(name))
  // ArchRAG reads every chunk, KET-RAG a share of them.
  const read = has('archrag') ? 1 : has('ketrag') ? rates.ket[bound] : 0
  return sum([
    embedding(bulk.passageTokens * rates.count[bound], bulk.passages),
    ...(has('cluerag', 'ketrag') ? [embedding(bulk.sentenceTokens * rates.count[bound], bulk.sentences)] : []),
    ...(has('erarag') ? [summaries(bulk, settings, bound, writes)] : []),
    ...(writes && has('cluerag') ? [restated(bulk, bound)] : []),
    ...(writes && read > 0 ? [graph(bulk, read, bound, settings)] : []),
    ...(writes && has('archrag') ? [communities(bulk, bound)] : []),
  ])
}

/** At best every segment is summarised once, in few large ones; at worst documents come one by one, and each makes some anew in every layer. */
function summaries(bulk: Bulk, settings: Settings, bound: Case, writes: boolean): Work {
  const { count, read } = bound === 'most' ? oneByOne(bulk, settings) : atOnce(bulk, settings, bound)
  const { summary } = settings.erarag
  const embedded = embedding(count * summary, count)
  return writes ? sum([embedded, written('summarize', count, read, count * summary, bound)]) : embedded
}

function atOnce(bulk: Bulk, { erarag }: Settings, bound: Case): { count: number; read: number } {
  const size = bound === 'least' ? erarag.most : (erarag.least + erarag.most) / 2
  const layers = segments(bulk.chunks, size, erarag.layers)
  const above = layers.slice(0, -1).reduce((total, n) => total + n, 0)
  return {
    count: layers.reduce((total, n) => total + n, 0),
    read: layers.length > 0 ? bulk.chunks * average(bulk) + above * erarag.summary : 0,
  }
}

function oneByOne(bulk: Bulk, { erarag }: Settings): { count: number; read: number } {
  const size = (erarag.least + erarag.most) / 2
  const layers = segments(bulk.chunks, erarag.least, erarag.layers).length
  const each = rates.remade.most * bulk.chunks
  return { count: each * layers, read: each * size * (average(bulk) + Math.max(0, layers - 1) * erarag.summary) }
}

/** How many segments each layer has; none where there is too little to summarise. */
function segments(chunks: number, size: number, most: number): number[] {
  const out: number[] = []
  for (let members = chunks; members > size && out.length < most; members = out.at(-1) ?? 0) out.push(Math.ceil(members / size))
  return out
}

/** Tokens of a chunk, as these documents are. */
function average({ chunks, tokens }: Bulk): number {
  return tokens / Math.max(1, chunks)
}

function restated(bulk: Bulk, bound: Case): Work {
  const share = rates.clue[bound]
  const out = bulk.tokens * share * rates.units[bound]
  const units = embedding(out, bulk.sentences * share)
  return sum([units, written('extract', bulk.chunks * share, bulk.tokens * share, out, bound)])
}

function graph(bulk: Bulk, share: number, bound: Case, { extraction, chunking }: Settings): Work {
  const chunks = bulk.chunks * share
  const full = Math.min(1, average(bulk) / chunking.chunk) // a short chunk names less
  const read = 1 + (bound === 'least' ? Math.min(1, extraction.gleanings) : extraction.gleanings) // it ends when nothing new comes
  const out = chunks * rates.graph[bound] * (bound === 'most' ? 1 : full)
  const merges = chunks * rates.merges[bound] * (bound === 'most' ? 1 : full)
  return sum([
    written('extract', chunks * read, bulk.tokens * share * read, out * read, bound),
    written('summarize', merges, merges * rates.merge[bound], merges * rates.merge[bound], bound),
    embedding(out, chunks * 8),
  ])
}

function communities(bulk: Bulk, bound: Case): Work {
  const reports = bulk.chunks * rates.communities[bound]
  const out = reports * rates.report[bound]
  return sum([written('report', reports, reports * rates.community[bound], out, bound), embedding(out, reports)])
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

export function sum(all: readonly Work[]): Work {
  const calls: { [kind: string]: number } = {}
  for (const one of all) for (const [kind, n] of Object.entries(one.calls)) calls[kind] = Math.ceil((calls[kind] ?? 0) + n)
  const total = (pick: (one: Work) => number) => Math.ceil(all.reduce((running, one) => running + pick(one), 0))
  return { in: total((one) => one.in), out: total((one) => one.out), embedded: total((one) => one.embedded), calls }
}
