/** Corpora: creating, changing and returning them, and their maintenance. */

import { z } from 'zod'
import { defaultStrategies } from '../core/strategies/registry'
import { objectPlaces, partitionLimits } from '../platform-limits'
import { enumerate } from './enumerated'
import { exact } from './exact'
import { accessSchema, count, json, share, time, version } from './fields'
import type { Immutable } from './immutable'
import { progress } from './jobs'
import { systemNames } from './options'
import { settingsSchema } from './settings'
import { spent } from './usage'

const MAX_UNDELETE = 90 * 86_400 // seconds

export const corpusSchema = exact({
  strategies: z
    .array(z.enum(systemNames))
    .max(systemNames.length)
    .optional()
    .describe(`The systems to switch on; by default ${enumerate(defaultStrategies, 'and')}.`),
  settings: settingsSchema.optional().describe('Settings you leave out stay as they are.'),
  budget: exact({ tokens: z.int().min(0).nullish(), usd: z.number().min(0).max(1e9).nullish() }).nullish(),
  audit: exact({
    days: z.int().min(1).max(3650).optional().describe('Days an entry of the audit log is kept; 400 by default.'),
    reads: z
      .boolean()
      .optional()
      .describe('Whether questions, exports and other reads are logged too. Each read then waits for a row to be written.'),
    questions: z
      .enum(['none', 'redacted', 'full'])
      .optional()
      .describe(
        'Whether questions are logged: redacted (without addresses, numbers, secrets and answers), in full, or not at all. `none` by default.',
      ),
    question_days: z.int().min(1).max(3650).optional().describe('Days a logged question is kept; 90 by default.'),
    conversation_days: z
      .int()
      .min(0)
      .max(3650)
      .optional()
      .describe(
        'Days a conversation is kept after its last turn, if a question asked for it to be kept; 90 by default. 0: none is kept, and existing ones are deleted.',
      ),
  })
    .nullish()
    .describe('Null: the defaults.'),
  public: z.boolean().optional().describe('May be read without a key, a limited number of times a minute.'),
  default_access: accessSchema
    .nullish()
    .describe('Labels that apply to documents without any. Null: every reader may read such a document. Empty: only administrators may.'),
  undelete_seconds: z
    .int()
    .min(0)
    .max(MAX_UNDELETE)
    .optional()
    .describe('Seconds after its deletion in which the corpus can be undeleted and keeps its name. 0 by default: it is gone at once.'),
  jurisdiction: z
    .enum(objectPlaces.jurisdictions)
    .optional()
    .describe('Where the texts and the graph are stored and processed, permanently. Only when the corpus is created.'),
  location_hint: z
    .enum(objectPlaces.locationHints)
    .optional()
    .describe('Roughly where the corpus is created; a hint, not a promise. Only when the corpus is created.'),
  partitions: z
    .int()
    .min(1)
    .max(partitionLimits.max)
    .optional()
    .describe(
      'Partitions its documents are divided among, for a corpus too large for one object; 1 by default. Only when the corpus is created; later, `:repartition` divides it.',
    ),
  dedicated: z
    .boolean()
    .optional()
    .describe(
      'Whether it has a database and a vector index that no other corpus uses; `false` by default. The deployment must have some to spare (docs/deploy.md). Only when the corpus is created.',
    ),
})

export const maintenanceSchema = exact({ strategies: z.array(z.enum(systemNames)).min(1).optional() })

export const corpus = z.object({
  corpus: z.string(),
  status: z
    .enum(['settled', 'indexing', 'paused_budget', 'restoring', 'unavailable', 'deleted', 'deleting'])
    .describe(
      '`unavailable`, only in lists: it could not be reached just now, so its version, counts and usage are unknown and shown as zero. ' +
        '`restoring`: it is being restored from a backup and answers nothing yet. ' +
        '`deleted`: it answers nothing and can be undeleted until `gone_at`. `deleting`: its contents are being removed. Only admin keys see these two, with version, counts and usage at zero.',
    ),
  tuning: z
    .boolean()
    .describe(
      '`auto` is about to measure its channels on this corpus, or is doing so. Until then it uses its last measurement or, if there is none, answers as `hybrid` does.',
    ),
  reranking: z
    .object({
      reranker: z.string(),
      weight: share.describe('Its share of a passage’s score. 0: `auto` does not use it.'),
      measured: z
        .object({ probes: count, without: z.number(), with: z.number() })
        .nullable()
        .describe('How well the probes’ passages rank without it and with this weight, from 0 to 1; null: not measured yet.'),
    })
    .optional()
    .describe('How far `auto` trusts the deployment’s re-ranker on this corpus. Absent: the deployment has none.'),
  progress: progress
    .optional()
    .describe('The progress of all running jobs together, since the corpus was last settled. Absent: it is settled.'),
  version,
  counts: z
    .record(z.string(), count)
    .describe('documents, chunks, passages, units, entities, keywords, labels, summaries, communities, edges'),
  strategies: z.array(z.string()).describe('The systems that are switched on. `auto`, `vector`, `keyword` and `hybrid` always are.'),
  settings: z.record(z.string(), json).describe('All settings, including those never set. They can be sent back as they are.'),
  embedding_model: z.string().nullable().describe('The model of its vectors, fixed when the corpus is created. Null: unknown.'),
  dimensions: count.describe('The length of the vectors.'),
  budget: z.object({ tokens: count.optional(), usd: z.number().optional() }),
  public: z.boolean(),
  default_access: z.array(z.string()).nullable().describe('Labels that apply to documents without any. Null: every reader may read them.'),
  audit: z
    .object({
      days: z.int(),
      reads: z.boolean(),
      questions: z.enum(['none', 'redacted', 'full']),
      question_days: z.int(),
      conversation_days: z.int(),
    })
    .describe(
      'How long the audit log keeps an entry, whether reads are logged, whether and how long questions are logged, and how long kept conversations stay.',
    ),
  jurisdiction: z.string().nullable().describe('Where it is stored and processed; null: anywhere.'),
  location_hint: z.string().nullable(),
  partitions: z.int().min(1).describe('Partitions its documents are divided among.'),
  versions: z.array(count).optional().describe('Only with partitions: the version of each; `version` is their sum.'),
  dedicated: z.boolean().describe('Whether it has a database and a vector index that no other corpus uses.'),
  undelete_seconds: count.describe('Seconds after its deletion in which it can be undeleted; 0: it cannot.'),
  usage: spent.extend({ usd: z.number() }),
  created_at: time,
  deleted_at: time.optional(),
  deleted_by: z.string().optional().describe('The id of the key.'),
  gone_at: time.nullable().optional().describe('Until when a deleted corpus can be undeleted; null: it no longer can.'),
  job: z.string().optional().describe('For a deleted corpus, the job that removes its contents.'),
})

export const deleted = z.object({
  job: z.string().describe('The job that removes the contents: `/v1/corpora/{corpus}/jobs/{job}`.'),
  gone_at: time.nullable().describe('Until when the corpus can be undeleted; null: its contents are already being removed.'),
})

export const undeleted = z.object({ corpus: z.string(), status: z.literal('undeleted') })

export type NewCorpus = Immutable<z.input<typeof corpusSchema>>
export type Corpus = Immutable<z.output<typeof corpus>>
export type Deleted = Immutable<z.output<typeof deleted>>
export type Undeleted = Immutable<z.output<typeof undeleted>>

export const repartitionSchema = exact({
  partitions: z.int().min(2).max(partitionLimits.max).describe('How many partitions the corpus shall have.'),
  strategies: z
    .array(z.string())
    .max(20)
    .optional()
    .describe(
      'Only for a corpus without partitions: which of the strategies that are switched on it keeps. Needed if some are on that are not offered in partitions; these end with the switch.',
    ),
})
export type RepartitionRequest = Immutable<z.input<typeof repartitionSchema>>

export const repartition = z.object({
  from: count.describe('How many partitions it has.'),
  to: count,
  job: z.string().nullable().describe('The job that is changing the number; null: none.'),
  estimate: z.object({
    documents: count,
    chunks: count,
    rows: z
      .object({ min: count, max: count })
      .describe(
        'Rows written to D1, those of indexes included: about as many as there are now; rows that change while documents come are written again.',
      ),
    bytes: count.describe('Of D1, about, in addition to what the corpus has there, until the partitions of now are removed.'),
    vectors: count.describe('The same in the index, about.'),
    summaries: z
      .object({ calls: count, tokens: spent, usd: z.number() })
      .describe('What writing EraRAG’s summaries may cost with a text model, at most about: what those of now have cost.'),
  }),
  priced_on: z.string(),
})
export type RepartitionEstimate = Immutable<z.output<typeof repartition>>
