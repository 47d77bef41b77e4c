/** What strategies ask of models for documents: calls and tokens, by rates. Pure. */
import type { Settings } from '../settings'
import type { Bulk } from './bulk'
import type { Asked, Need, Work } from './need'
import { type Case, rates } from './rates'

const TEXTS_PER_CALL = 100 // of the embedding model

/** Strategies together: what several need is paid for once. */
export function expected(needs: readonly Need[], asked: Asked): Work {
  const { bulk, settings, bound, writes } = asked
  const read = Math.max(0, ...needs.map((one) => one.read?.(bound) ?? 0))
  return sum([
    embedding(bulk.passageTokens * rates.count[bound], bulk.passages),
    ...(needs.some((one) => one.sentences) ? [embedding(bulk.sentenceTokens * rates.count[bound], bulk.sentences)] : []),
    ...needs.flatMap((one) => one.own?.(asked) ?? []),
    ...(writes && read > 0 ? [graph(bulk, read, bound, settings)] : []),
  ])
}

/** Tokens of a chunk, as these documents are. */
export function average({ chunks, tokens }: Bulk): number {
  return tokens / Math.max(1, chunks)
}

function graph(bulk: Bulk, share: number, bound: Case, { extraction, chunking }: Settings): Work {
  const chunks = bulk.chunks * share
  const full = Math.min(1, average(bulk) / chunking.chunk) // a short chunk names less
  const read = 1 + (bound === 'min' ? Math.min(1, extraction.gleanings) : extraction.gleanings) // it ends when nothing new comes
  const out = chunks * rates.graph[bound] * (bound === 'max' ? 1 : full)
  const merges = chunks * rates.merges[bound] * (bound === 'max' ? 1 : full)
  return sum([
    written('extract', chunks * read, bulk.tokens * share * read, out * read, bound),
    written('summarize', merges, merges * rates.merge[bound], merges * rates.merge[bound], bound),
    embedding(out, chunks * 8),
  ])
}

export function embedding(tokens: number, texts: number): Work {
  return { in: 0, out: 0, embedded: tokens, calls: { embed: texts / TEXTS_PER_CALL } }
}

export function written(kind: string, calls: number, read: number, out: number, bound: Case): Work {
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
