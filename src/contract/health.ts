/** Whether a corpus is in order. */
import { z } from 'zod'
import { count, millis, share } from './fields'
import type { Immutable } from './immutable'

const spread = z.object({
  mean: z.number(),
  max: z.number(),
  most: z.number().meta({ deprecated: true, description: 'The same as `max`; it will be removed in the next release.' }),
})
const form = z.object({ asked: count, used: count, cut: count.optional() })
const recalls = z.record(z.string(), z.object({ before: share, after: share }))

const sink = z.object({
  fault: z
    .object({ code: count.describe('The vendor’s error code; 0 if it gave none.'), at: millis, tries: count })
    .nullable()
    .describe('The fault since its last success; null: none.'),
  missing: count.describe('Rows or vectors that were missing or wrong, and were written again.'),
  foreign: count.describe('Rows or vectors that should not have been there, and were removed.'),
})

const unfit = z.object({ dropped: count, outside: count.describe('Kept and marked as outside.') })
export const corpusHealth = z.object({
  version: count,
  head: z
    .object({ hash: z.string(), state: z.string() })
    .nullable()
    .describe('The hashes of the last receipt. Note `hash` to verify exports with.'),
  last_tend: millis.nullable().describe('When the schedule last ran.'),
  nodes: z
    .object({
      at: millis,
      seen: count,
      orphans: count.describe('Entities that nothing mentions, and summaries and communities without members.'),
      stale: count.describe('Texts that do not describe their current members.'),
      size: spread.describe('Members per summary or community.'),
      degree: spread.describe('Mentions per entity.'),
    })
    .nullable()
    .describe('From the last complete pass over all derived nodes; the schedule checks one page at a time.'),
  drift: z
    .object({ size: share, degree: share, churn: share })
    .nullable()
    .describe('How far the means have moved, and what share of the passages was added or removed, since the graph was last consolidated.'),
  quality: z
    .object({
      at: millis,
      measures: z.array(z.object({ strategy: z.string(), measure: z.string(), lost: share, bound: share })),
    })
    .nullable()
    .describe(
      'How far structures that grow locally (ArchRAG: modularity, likeness) have fallen behind a rebuild, as last measured. Beyond `bound` a consolidation rebuilds them. Null if nothing was measured: the schedule measures for a day after this report is read, and while an endpoint is notified of `corpus.drift`.',
    ),
  owed: z
    .object({
      texts: count.describe(
        'Summaries, reports and merged descriptions that were extracted because the text model was unavailable. They will be requested again.',
      ),
      retry_at: millis.nullable().describe('When the model is tried next; null unless it is unavailable.'),
    })
    .describe('What an outage of the text model has left behind.'),
  quarantined: count.describe('Documents that a model could not fully read, or for which it returned an unusable vector.'),
  quarantine_reasons: z
    .record(z.string(), count)
    .describe(
      'How many of these documents for each reason: `form`, `empty`, `echo`, `loop`, `refusal`, `language`, `unfinished`, `unsupported`, `too_large` or `invalid`.',
    ),
  retries: z
    .object({
      waiting: count.describe('Chunks of these that the model will be asked about again.'),
      given_up: count.describe('Chunks that have been tried six times.'),
      next_at: millis.nullable().describe('When the next chunk is retried; null if none is waiting.'),
    })
    .describe('The retries for these documents.'),
  outdated: count.describe(
    'Chunks that a model has read with the prompts of another release, another ontology, other guidance or other examples, counted up to 1,000. The schedule has them read again, `extraction.renewals` at a time, while at least half of the budget is left.',
  ),
  names: z
    .enum(['current', 'outdated'])
    .describe(
      '`outdated`: documents were indexed with the rules for names of an earlier release, and the names found then stay until a `:reindex` finds them again.',
    ),
  ontology: z
    .object({
      mode: z.enum(['open', 'strict']),
      read: count.describe('Chunks that a model has read with it.'),
      types: unfit.describe('Entities of other types.'),
      relations: unfit.describe('Relations of other kinds, or whose ends have types that are not allowed.'),
    })
    .nullable()
    .describe('What did not fit the corpus’s ontology in models’ replies since it took effect; null: there is no ontology.'),
  replies: z
    .record(
      z.string(),
      z.object({
        form: z
          .enum(['full', 'short'])
          .nullable()
          .describe('The form of the prompts, if replies have decided it; null: the model’s name and window decide.'),
        is_useless: z
          .boolean()
          .describe(
            '`true`: of at least thirty replies, fewer than one in twenty was usable, so each text is asked about once instead of three times.',
          ),
        full: form.optional(),
        short: form.optional(),
        left_out: z
          .record(z.string(), count)
          .optional()
          .describe(
            'What usable replies said that their text does not bear out, by kind: `entities`, `relations`, `units`, `statements` of summaries and reports, and `repeated`, replies that went round in circles. Absent: nothing.',
          ),
      }),
    )
    .describe(
      'By role: how many replies of text models were requested with the full and the short form of the prompt, how many were usable, and how many were cut off at the length limit (`cut`; absent: none).',
    ),
  outbox: z.object({ entries: count, versions_behind: count }).describe('What has not been sent to D1 and Vectorize yet.'),
  sinks: z
    .object({
      index: sink.extend({
        refused: count.describe('How often it refused a vector.'),
        delay_ms: count.nullable().describe('How long the last vectors took to become visible.'),
      }),
      model: sink,
      next_sweep_at: millis
        .nullable()
        .describe(
          'When both are next compared with the corpus and repaired; null: nothing has changed, or repairs have been tried often enough.',
        ),
      swept_at: millis.nullable().describe('When both were last compared with the corpus; null: never.'),
    })
    .describe('Vectorize and D1: their faults, and what sweeps have found and repaired since the corpus was created.'),
  storage: z
    .object({ bytes: count, limit: count, share: z.number().min(0) })
    .describe('The corpus’s own storage in bytes. At `limit` it accepts no further documents.'),
  probes: z.object({ count, k: count, tolerance: share, recall: z.record(z.string(), share), at: millis.nullable() }),
  gate: z
    .object({ at: millis, job: z.string(), kind: z.string(), promoted: z.boolean(), k: count, tolerance: share, recall: recalls })
    .nullable()
    .describe('The result of the last quality gate.'),
  pending: z.boolean().describe('The settings have changed since the current graph was built.'),
})

export type Sink = Immutable<z.output<typeof sink>>
export type CorpusHealth = Immutable<z.output<typeof corpusHealth>>
/** The result of the last quality gate. */
export type GateResult = NonNullable<CorpusHealth['gate']>
