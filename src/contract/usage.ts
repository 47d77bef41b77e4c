/** What was spent. */
import { z } from 'zod'
import { count } from './fields'
import type { Immutable } from './immutable'
import { dailyLimits } from './keys'

export const spent = z.object({
  in: count.describe('Tokens read by the text model.'),
  out: count.describe('Tokens written by it.'),
  embedded: count.describe('Tokens embedded.'),
})

const money = z.number().min(0)
export const amounts = z
  .object({
    calls: count.describe('Model calls.'),
    in: count.describe('Tokens read by the text model or the reranker.'),
    out: count.describe('Tokens written.'),
    embedded: count.describe('Tokens embedded.'),
    usd: money.describe('US dollars, at the prices of the day they were spent.'),
    neurons: money.describe('The same in the unit that Workers AI bills.'),
  })
  .describe('Amounts that were paid for.')

const stages = z
  .record(z.string(), amounts)
  .describe(
    'By stage. Indexing: ocr (reading pictures and scans), convert (describing pictures), transcribe (recordings, 50 tokens a second), embed, extract, summarize, report. Questions: question (embedding it), rewrite, expand, rerank, select, answer, filter, judge, classify, describe, propose (an ontology or guidance). `unconfirmed`: calls that may have been made, at their maximum.',
  )

const staged = amounts.extend({ stages })
export const keyUsage = z
  .object({
    id: z.string(),
    day: z.string().describe('Of UTC.'),
    limits: dailyLimits,
    requests: count,
    tokens: count,
    usd: money,
    held: z.object({ tokens: count, usd: money }).describe('Reserved for calls in progress.'),
    resets_at: z.string(),
  })
  .describe('What a key has used today.')

const ownUsage = keyUsage.nullable().describe('For the key that asks; null if it has no limits.')

const costRow = amounts.extend({
  corpus: z.string().optional(),
  key: z
    .string()
    .optional()
    .describe(
      'The id of the key whose request it was for; for indexing, of the key, webhook or source that brought the document; `none`: no request.',
    ),
  day: z.string().optional().describe('Of UTC.'),
  stage: z.string().optional(),
})

export const keysUsage = z.object({
  costs: z
    .array(costRow)
    .optional()
    .describe('With `by`: spending by group, for a page of corpora. A key that is not an admin’s sees only its own.'),
  key: ownUsage,
  data: z.array(keyUsage).describe('For an admin key: a page of the keys that it could create and that have limits.'),
  next_cursor: z.string().nullable(),
})

export const corpusUsage = z
  .object({
    total: amounts,
    stages,
    rows_published: count.describe('Rows written to D1 since the corpus was created, including those of its indexes.'),
    shared: staged.describe('Costs that belong to several documents or to none: summaries, reports, questions, deleted documents.'),
    budget: z.object({ tokens: count.optional(), usd: money.optional() }),
    held: z
      .object({ tokens: count, usd: money })
      .describe('Reserved from the budget for calls in progress, at their maximum. It counts as spent until their cost is known.'),
    prices: z
      .object({
        date: z.string().describe('The date of the price table.'),
        usd_per_million: z.object({ in: money, out: money, embedded: money, reranked: money }).describe('Tokens of each sort.'),
        stages: z
          .record(z.string(), z.object({ in: money, out: money }))
          .optional()
          .describe(
            'Prices for stages whose role has a model with another price; `indexing`: the most expensive model that reads documents.',
          ),
        usd_per_neuron: money,
      })
      .describe('What a token costs from now on.'),
    answers: z
      .object({
        hits: count.describe('Questions answered from kept answers.'),
        misses: count.describe('Questions for which no kept answer was found. Questions that skip kept answers do not count.'),
        saved: amounts.describe('What the hits would have cost.'),
      })
      .describe('The effect of keeping answers (`settings.answers`).'),
    key: ownUsage,
    data: z.array(staged.extend({ document: z.string() })).describe('A page of documents by id.'),
    next_cursor: z.string().nullable(),
  })
  .describe('What a corpus has cost so far.')

export type Spent = Immutable<z.output<typeof spent>>
export type Amounts = Immutable<z.output<typeof amounts>>
export type KeyUsage = Immutable<z.output<typeof keyUsage>>
export type KeysUsage = Immutable<z.output<typeof keysUsage>>
export type CostRow = Immutable<z.output<typeof costRow>>
export type CorpusUsage = Immutable<z.output<typeof corpusUsage>>
