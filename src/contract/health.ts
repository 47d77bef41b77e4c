/** Whether a corpus is in order. */
import { z } from 'zod'
import { count, millis, share } from './fields'
import type { Immutable } from './immutable'

const spread = z.object({
  mean: z.number(),
  max: z.number(),
  most: z.number().meta({ deprecated: true, description: 'The same as `max`, until the next release.' }),
})
const form = z.object({ asked: count, used: count, cut: count.optional() })
const recalls = z.record(z.string(), z.object({ before: share, after: share }))

const sink = z.object({
  fault: z
    .object({ code: count.describe('The vendor’s; 0 where it gave none.'), at: millis, tries: count })
    .nullable()
    .describe('What it has failed with since it was told last.'),
  missing: count.describe('Rows or vectors it lacked, or held otherwise: written again.'),
  foreign: count.describe('Rows or vectors it should not have had: removed.'),
})

const unfit = z.object({ dropped: count, outside: count.describe('Kept, and marked as outside.') })
export const corpusHealth = z.object({
  version: count,
  head: z.object({ hash: z.string(), state: z.string() }).nullable().describe('Of the last receipt: note the hash to verify exports by.'),
  last_tend: millis.nullable().describe('When the schedule was last here.'),
  nodes: z
    .object({
      at: millis,
      seen: count,
      orphans: count.describe('Entities nothing mentions, summaries and communities without members.'),
      stale: count.describe('Texts that do not describe their present members.'),
      size: spread.describe('Members of a summary or community.'),
      degree: spread.describe('Mentions of an entity.'),
    })
    .nullable()
    .describe('Of the last whole look at all derived nodes; the schedule looks at a page a time.'),
  drift: z
    .object({ size: share, degree: share, churn: share })
    .nullable()
    .describe('How far the means have moved, and what share of the passages has come or gone, since the graph was last put in order.'),
  quality: z
    .object({
      at: millis,
      measures: z.array(z.object({ strategy: z.string(), measure: z.string(), lost: share, bound: share })),
    })
    .nullable()
    .describe(
      'How far structures that grow locally (ArchRAG: modularity, likeness) have fallen behind a rebuild, as last measured. Beyond `bound` a consolidation rebuilds them. Null where nothing was measured: the schedule does for a day after this report was read, and where an endpoint hears of `corpus.drift`.',
    ),
  owed: z
    .object({
      texts: count.describe(
        'Summaries, reports and merged descriptions extracted because the text model was out. They are asked for again.',
      ),
      retry_at: millis.nullable().describe('When the model is tried next; null unless it is out.'),
    })
    .describe('What an outage of the text model has left.'),
  quarantined: count.describe('Documents a model could not read in part, or for a text of which it gave no vector that is of use.'),
  quarantine_reasons: z
    .record(z.string(), count)
    .describe(
      'How many of these documents for which reason: `form`, `empty`, `echo`, `loop`, `refusal`, `language`, `unfinished`, `unsupported`, `too_large` or `invalid`.',
    ),
  retries: z
    .object({
      waiting: count.describe('Chunks of these that the model is asked about again.'),
      given_up: count.describe('Those about which it was asked six times.'),
      next_at: millis.nullable().describe('When the next is asked about; null where none waits.'),
    })
    .describe('What becomes of them.'),
  outdated: count.describe(
    'Chunks that a model has read with the prompts of another release, another ontology or other guidance, counted up to 1,000. The schedule has them read again, `extraction.renewals` at a time, while at least half of the budget is left.',
  ),
  ontology: z
    .object({
      mode: z.enum(['open', 'strict']),
      read: count.describe('Chunks a model has read with it.'),
      types: unfit.describe('Entities of other types.'),
      relations: unfit.describe('Relations of other kinds, or whose ends are of types they may not have.'),
    })
    .nullable()
    .describe('What of models’ replies did not fit the corpus’s ontology, since it is in force; null: there is none.'),
  replies: z
    .record(
      z.string(),
      z.object({
        form: z
          .enum(['full', 'short'])
          .nullable()
          .describe('Of the prompts, where replies have decided; null: the model’s name and window do.'),
        full: form.optional(),
        short: form.optional(),
      }),
    )
    .describe(
      'By role: replies of text models that were asked for with the full and the short form of its prompt, how many were of use, and how many were cut where their room ended (`cut`; absent: none).',
    ),
  outbox: z.object({ entries: count, versions_behind: count }).describe('What D1 and Vectorize have not been told yet.'),
  sinks: z
    .object({
      index: sink.extend({
        refused: count.describe('How often it would not take a vector.'),
        delay_ms: count.nullable().describe('Until what was sent last was known to be visible.'),
      }),
      model: sink,
      next_sweep_at: millis
        .nullable()
        .describe(
          'When both are compared with the corpus next, and sent again what one lacks; null: nothing has changed, or it was sent often enough.',
        ),
      swept_at: millis.nullable().describe('When both were last compared with the corpus; null: not yet.'),
    })
    .describe('Vectorize and D1: what they fail with, and what sweeps have found and put right since the corpus was made.'),
  storage: z
    .object({ bytes: count, limit: count, share: z.number().min(0) })
    .describe('Bytes of the corpus’s own storage; at `limit` it takes no further documents.'),
  probes: z.object({ count, k: count, tolerance: share, recall: z.record(z.string(), share), at: millis.nullable() }),
  gate: z
    .object({ at: millis, job: z.string(), kind: z.string(), promoted: z.boolean(), k: count, tolerance: share, recall: recalls })
    .nullable()
    .describe('What the last gate said.'),
  pending: z.boolean().describe('Other settings were asked for than the graph that is served was made with.'),
})

export type Sink = Immutable<z.output<typeof sink>>
export type CorpusHealth = Immutable<z.output<typeof corpusHealth>>
/** What the gate last said. */
export type GateResult = NonNullable<CorpusHealth['gate']>
