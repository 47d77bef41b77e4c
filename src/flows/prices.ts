/**
 * What Workers AI charges, in US dollars per million tokens. From https://developers.cloudflare.com/workers-ai/platform/pricing/ as of 2026-08-28; the
 * first 10,000 neurons of a day are free and are not counted here. A model that is not listed is priced as the most expensive of its kind, so that an
 * estimate errs on the safe side; other models (not `@cf/`) cost what the deployment says, or else nothing.
 */
import type { Spent } from '../contract/usage'
import { costOf, OCR, TRANSCRIBE } from '../core/cost'
import type { Seer, Transcriber } from '../ports/conversion'
import type { Models, Price, TextModel, WriterRole } from '../ports/models'
import type { Prices } from '../ports/spending'

export const PRICED_ON = '2026-08-28'
export const NEURON_USD = 0.011 / 1000 // the table's dollars are rounded from neurons, so neurons computed from them are exact to about 2 %

/** By the part of the id that names the model. The first match counts. */
const WRITERS: readonly (readonly [string, Price])[] = [
  ['granite-4.0-h-micro', { in: 0.017, out: 0.112 }],
  ['llama-3.2-1b', { in: 0.027, out: 0.201 }],
  ['llama-3.2-3b', { in: 0.051, out: 0.335 }],
  ['qwen3-30b-a3b', { in: 0.051, out: 0.335 }],
  ['llama-3.1-8b', { in: 0.045, out: 0.384 }],
  ['glm-4.7-flash', { in: 0.06, out: 0.4 }],
  ['gemma-4-26b-a4b', { in: 0.1, out: 0.3 }],
  ['glm-5.3-flash', { in: 0.15, out: 0.5 }],
  ['gpt-oss-20b', { in: 0.2, out: 0.3 }],
  ['llama-4-scout', { in: 0.27, out: 0.85 }],
  ['llama-3.3-70b', { in: 0.293, out: 2.253 }],
  ['gpt-oss-120b', { in: 0.35, out: 0.75 }],
  ['deepseek-v4-flash', { in: 0.44, out: 1.32 }],
  ['qwen3.8-27b', { in: 0.45, out: 3.2 }],
  ['kimi-k2', { in: 0.95, out: 4 }],
  ['glm-5', { in: 1.4, out: 4.4 }],
]
const EMBEDDERS: readonly (readonly [string, number])[] = [
  ['bge-m3', 0.012],
  ['qwen3-embedding-0.6b', 0.012],
  ['bge-small', 0.02],
  ['bge-base', 0.067],
  ['bge-large', 0.204],
]
const RERANKERS: readonly (readonly [string, number])[] = [['bge-reranker-base', 0.003]]
const DEAREST = { writer: { in: 1.4, out: 4.4 }, embedder: 0.204, reranker: 0.051 } as const
const FREE: Price = { in: 0, out: 0 }

type Priced = Pick<Models, 'embedding' | 'text'> & Partial<Pick<Models, 'reranker' | 'roles'>>

/** The roles that may write in a stage: it is priced at the most expensive of them. `INDEXING`: everything written while documents are indexed. */
export const INDEXING = 'indexing'
const STAGES: { readonly [stage: string]: readonly WriterRole[] } = {
  extract: ['extract'],
  summarize: ['summarise', 'describe'],
  report: ['summarise'],
  describe: ['describe'],
  propose: ['extract'],
  answer: ['answer'],
  rewrite: ['answer'],
  expand: ['answer'],
  select: ['answer'],
  filter: ['answer'],
  classify: ['classify'],
  [INDEXING]: ['extract', 'summarise', 'describe'],
}

/** Per million tokens of each sort, for a corpus's configuration. `judge`, `transcriber`, `seer`: if it is a separate model. */
export function pricesOf(
  { embedding, text, reranker, roles = {} }: Priced,
  judge?: Pick<Models, 'text'> | null,
  transcriber?: Pick<Transcriber, 'price'> | null,
  seer?: Pick<Seer, 'id' | 'price'> | null,
): Prices {
  const judged = judge?.text && judge.text.id !== text?.id ? writerPrice(judge.text) : undefined
  const writer = text ? writerPrice(text) : FREE
  const written = {
    ...pricesByStage(writer, roles),
    ...(transcriber?.price ? { [TRANSCRIBE]: transcriber.price } : {}),
    ...(seer ? { [OCR]: writerPrice(seer) } : {}),
  }
  return {
    in: writer.in,
    out: writer.out,
    embedded: embedding.price?.in ?? priceOf(embedding.id, EMBEDDERS, DEAREST.embedder, 0),
    reranked: reranker ? (reranker.price?.in ?? priceOf(reranker.id, RERANKERS, DEAREST.reranker, 0)) : 0,
    ...(judged ? { judged: { in: judged.in, out: judged.out } } : {}),
    ...(Object.keys(written).length > 0 ? { written } : {}),
    date: PRICED_ON,
  }
}

/** Only prices that differ from the text model's. */
function pricesByStage(writer: Price, roles: NonNullable<Priced['roles']>): { readonly [stage: string]: Price } {
  const all = Object.entries(STAGES).map(([stage, by]) => {
    const prices = by.map((role) => (roles[role] ? writerPrice(roles[role]) : writer))
    return [stage, { in: Math.max(...prices.map((one) => one.in)), out: Math.max(...prices.map((one) => one.out)) }] as const
  })
  return Object.fromEntries(all.filter(([, price]) => price.in !== writer.in || price.out !== writer.out))
}

/** `stage`: what a re-ranker reads has its own price. */
export function usdOf(models: Priced, spent: Spent, stage = ''): number {
  return costOf(pricesOf(models), stage, spent)
}

function writerPrice({ id, price }: Pick<TextModel, 'id' | 'price'>): Price {
  return price ?? priceOf(id, WRITERS, DEAREST.writer, FREE)
}

function priceOf<T>(id: string, list: readonly (readonly [string, T])[], dearest: T, own: T): T {
  if (!id.startsWith('@cf/')) return own
  return list.find(([name]) => id.includes(name))?.[1] ?? dearest
}
