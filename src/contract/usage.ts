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
    calls: count.describe('Calls of models.'),
    in: count.describe('Tokens read by the text model or the reranker.'),
    out: count.describe('Tokens written.'),
    embedded: count.describe('Tokens embedded.'),
    usd: money.describe('US dollars by the prices of the day they were spent.'),
    neurons: money.describe('The same in the unit Workers AI bills.'),
  })
  .describe('What was paid for.')

const stages = z
  .record(z.string(), amounts)
  .describe(
    'By stage: convert (describing pictures), embed, extract, summarize, report of indexing; question (embedding it), rewrite, expand, rerank, select, answer, filter, judge, classify, describe, propose (an ontology); unconfirmed: calls that may have been made, at their most.',
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
    held: z.object({ tokens: count, usd: money }).describe('Set aside for calls under way.'),
    resets_at: z.string(),
  })
  .describe('What a key has used of its day.')

const ownUsage = keyUsage.nullable().describe('Of the key that asks; null where it has no limits.')

const costRow = amounts.extend({
  corpus: z.string().optional(),
  key: z
    .string()
    .optional()
    .describe(
      'Id of the key whose request asked for it; of indexing, of the key, webhook or source that brought the document; `none`: no request did.',
    ),
  day: z.string().optional().describe('Of UTC.'),
  stage: z.string().optional(),
})

export const keysUsage = z.object({
  costs: z
    .array(costRow)
    .optional()
    .describe('With `by`: what was spent, by groups, of a page of corpora; a key that is no admin’s sees its own.'),
  key: ownUsage,
  data: z.array(keyUsage).describe('For an admin key: those of a page of keys it could make that have limits.'),
  next_cursor: z.string().nullable(),
})

export const corpusUsage = z
  .object({
    total: amounts,
    stages,
    rows_published: count.describe('Rows written to D1 since the corpus was made, those of its indexes included.'),
    shared: staged.describe('What serves several documents or none: summaries, reports, questions, documents that are gone.'),
    budget: z.object({ tokens: count.optional(), usd: money.optional() }),
    held: z
      .object({ tokens: count, usd: money })
      .describe(
        'Set aside of the budget for calls under way, at the most they can come to. It counts as spent until it is known what they cost.',
      ),
    prices: z
      .object({
        date: z.string().describe('The day the price table is of.'),
        usd_per_million: z.object({ in: money, out: money, embedded: money, reranked: money }).describe('Tokens of each sort.'),
        stages: z
          .record(z.string(), z.object({ in: money, out: money }))
          .optional()
          .describe(
            'Tokens of stages whose role has a model with another price; `indexing`: the most expensive of those that read documents.',
          ),
        usd_per_neuron: money,
      })
      .describe('What a token costs from now on.'),
    answers: z
      .object({
        hits: count.describe('Questions answered by what was answered before.'),
        misses: count.describe('Questions for which nothing was kept that answers them; one that never looks is no miss.'),
        saved: amounts.describe('What the hits had cost, and did not cost again.'),
      })
      .describe('What keeping answers (`settings.answers`) has come to.'),
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
