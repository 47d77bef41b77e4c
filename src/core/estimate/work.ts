/** What strategies request from models for documents: calls and tokens, by rates. Pure. */
import { exampleTokens, graphRoom } from '../cost'
import type { Settings } from '../settings'
import { type Bulk, unread } from './bulk'
import { extractionForm } from './form'
import type { Asked, Need, Work } from './need'
import { type Case, type Form, forms, prompts, rates } from './rates'

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

/** A share of the chunks, read for entities and relations as often as the corpus wants. */
export function extracting(bulk: Bulk, share: number, bound: Case, settings: Settings): Work {
  const { gleanings } = settings.extraction
  const times = 1 + (bound === 'min' ? Math.min(1, gleanings) : gleanings) // it ends when nothing new comes
  const calls = bulk.chunks * share * times
  const form = extractionForm(settings)
  const read = bulk.tokens * share * times * (bound === 'min' ? 1 : forms[form].read) + calls * ownExamples(settings, form)
  const prompt = form === 'full' ? 'graph' : 'graphShort'
  const tries = bound === 'likely' ? forms[form].tries : rates.tries[bound]
  return written('extract', { calls, read, out: calls * graphTokens(bulk, bound, form) }, bound, { prompt, tries })
}

/** Tokens of the corpus's examples beyond ours, whose place they take. */
function ownExamples({ extraction }: Settings, form: Form): number {
  return Math.max(0, exampleTokens(extraction.examples, form) - forms[form].examples)
}

/** Tokens of entities and relations that a chunk of these documents gives. */
function graphTokens(bulk: Bulk, bound: Case, form: Form): number {
  if (bound === 'max') return graphRoom(average(bulk))
  const names = Math.max(bulk.names, rates.wordless * bulk.tokens) / Math.max(1, bulk.chunks)
  return Math.min(rates.graphs[bound], bound === 'min' ? rates.graph * average(bulk) : forms[form].named * names)
}

function graph(bulk: Bulk, share: number, bound: Case, settings: Settings): Work {
  const left = unread(bulk)
  const read = extracting(left, share, bound, settings)
  const full = Math.min(1, average(bulk) / settings.chunking.chunk) // a short chunk names less
  const told = left.chunks * share + bulk.brought.chunks // chunks that describe entities
  const merges = told * rates.merges[bound] * (bound === 'max' ? 1 : full)
  const merging = { calls: merges, read: merges * rates.merge[bound], out: merges * rates.merge[bound] }
  return sum([read, written('summarize', merging, bound), embedding(read.out, told * 8)])
}

export function embedding(tokens: number, texts: number): Work {
  return { in: 0, out: 0, embedded: tokens, calls: { embed: texts / TEXTS_PER_CALL } }
}

/** What a model is asked for, how often, and the tokens of it. `prompt`: which one, where a kind of task has several. */
export function written(
  kind: 'extract' | 'summarize' | 'report',
  { calls, read, out }: { readonly calls: number; readonly read: number; readonly out: number },
  bound: Case,
  {
    prompt = kind === 'extract' ? 'graph' : kind,
    tries = rates.tries[bound],
  }: { readonly prompt?: keyof typeof prompts; readonly tries?: number } = {},
): Work {
  return {
    in: (read * rates.count[bound] + calls * prompts[prompt][bound]) * tries,
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
