/**
 * What a corpus's chunks have cost since its strategies were last changed, and what similar ones will cost: the figures reflect the model, the prompts and
 * the texts. Pure.
 */
import type { Tokens } from '../cost'
import { type Bulk, unread } from './bulk'
import type { Work } from './need'
import { type Case, prompts } from './rates'

/** Number of chunks from which the mean is better than the rates. */
export const MIN_MEASURED = 20

/** How far documents of one corpus may differ from those before. */
const SPREAD: { readonly [bound in Case]: number } = { min: 0.5, likely: 1, max: 2 }

export interface Measured {
  readonly chunks: number
  /** Of these, with entities that came with their documents; absent: none. */
  readonly brought?: number
  /** Tokens embedded of the chunks themselves: their passages and, where a strategy wants them, sentences. */
  readonly base: number
  /** Are sentences embedded too? */
  readonly sentences: boolean
  /** Different names a chunk says, on average of some; absent where nothing is paid by them. */
  readonly names?: number
  /** embed, extract, summarize, report: all that was paid for since. */
  readonly stages: { readonly [stage: string]: Tokens & { readonly calls: number } }
}

const PROMPTS: { readonly [stage: string]: number } = {
  extract: prompts.graph.likely,
  summarize: prompts.summarize.likely,
  report: prompts.report.likely,
}
const BY_NAME: ReadonlySet<string> = new Set(['report']) // stages that cost by the names that come, not by the length of texts

export function scaled({ chunks, brought = 0, base, sentences, stages, names }: Measured, bulk: Bulk, bound: Case): Work {
  const own = bulk.passageTokens + (sentences ? bulk.sentenceTokens : 0)
  const byChunk = bulk.chunks / chunks
  const byToken = own / base
  // Where a model also restates chunks (sentences are embedded then), it reads those with a graph of their own as well.
  const left = sentences ? bulk : unread(bulk)
  const wasRead = sentences ? 1 : (chunks - brought) / chunks
  const reading = {
    byChunk: (byChunk * left.chunks) / Math.max(1, bulk.chunks) / wasRead,
    byToken: (byToken * left.tokens) / Math.max(1, bulk.tokens) / wasRead,
  }
  const out = { in: 0, out: 0, embedded: 0, calls: {} as { [kind: string]: number } }
  for (const [stage, spent] of Object.entries(stages)) {
    const byName = BY_NAME.has(stage) && names ? bulk.names / (names * chunks) : undefined
    const [calls, read] = stage === 'extract' ? [reading.byChunk, reading.byToken] : [byChunk, byToken]
    // Tokens of a prompt besides its material come with each call, the rest with the text.
    const asked = Math.min(spent.in, spent.calls * (PROMPTS[stage] ?? 0))
    out.in += (asked * (byName ?? calls) + (spent.in - asked) * (byName ?? read)) * SPREAD[bound]
    out.out += spent.out * (byName ?? read) * SPREAD[bound]
    // The chunks themselves are counted; only what is embedded besides them is a guess.
    out.embedded +=
      stage === 'embed' ? own + Math.max(0, spent.embedded - base) * byToken * SPREAD[bound] : spent.embedded * (byName ?? byToken)
    out.calls[stage] = Math.ceil(spent.calls * (byName ?? calls) * SPREAD[bound])
  }
  return { ...out, in: Math.ceil(out.in), out: Math.ceil(out.out), embedded: Math.ceil(out.embedded) }
}
