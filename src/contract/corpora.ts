/** Corpora, made, changed and answered, and their maintenance. */

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
    .describe(`The systems to switch on; ${enumerate(defaultStrategies, 'and')} unless told.`),
  settings: settingsSchema.optional().describe('What is not named stays as it is.'),
  budget: exact({ tokens: z.int().min(0).nullish(), usd: z.number().min(0).max(1e9).nullish() }).nullish(),
  audit: exact({
    days: z.int().min(1).max(3650).optional().describe('How long an entry of the audit log is kept; 400 unless told.'),
    reads: z.boolean().optional().describe('Whether questions, exports and other reads are entered, too: a row each, waited for.'),
    questions: z
      .enum(['none', 'redacted', 'full'])
      .optional()
      .describe(
        'Whether questions are logged: with addresses, numbers and secrets taken out and without answers, or as they are; none unless told.',
      ),
    question_days: z.int().min(1).max(3650).optional().describe('How long a logged question is kept; 90 unless told.'),
    conversation_days: z
      .int()
      .min(0)
      .max(3650)
      .optional()
      .describe(
        'How long a conversation that a question asked to be kept stays after its last turn; 90 unless told. 0: none is kept, and those there are go.',
      ),
  })
    .nullish()
    .describe('Null: as every corpus has it.'),
  public: z.boolean().optional().describe('May be read without a key, so often a minute.'),
  default_access: accessSchema
    .nullish()
    .describe(
      'Labels that stand for those of a document without any. Null: such a document is for every reader; an empty list: for administrators alone.',
    ),
  undelete_seconds: z
    .int()
    .min(0)
    .max(MAX_UNDELETE)
    .optional()
    .describe('For so long after its deletion the corpus can be undeleted, and keeps its name. 0 unless told: it is gone at once.'),
  jurisdiction: z
    .enum(objectPlaces.jurisdictions)
    .optional()
    .describe('Where the texts and the graph are kept and worked on, for good; only when the corpus is made.'),
  location_hint: z
    .enum(objectPlaces.locationHints)
    .optional()
    .describe('Near whom the corpus is made; only when it is made, and not promised.'),
  partitions: z
    .int()
    .min(1)
    .max(partitionLimits.max)
    .optional()
    .describe('Objects among which its documents are divided, for a corpus larger than one holds; only when it is made. 1 unless told.'),
})

export const maintenanceSchema = exact({ strategies: z.array(z.enum(systemNames)).min(1).optional() })

export const corpus = z.object({
  corpus: z.string(),
  status: z
    .enum(['settled', 'indexing', 'paused_budget', 'restoring', 'unavailable', 'deleted', 'deleting'])
    .describe(
      '`unavailable`, in lists alone: it could not be asked just now, so its version, counts and usage are not known and stand at zero. ' +
        '`restoring`: it comes out of a backup that is not all here, and answers nothing yet. ' +
        '`deleted`: it answers nothing, and can be undeleted until `gone_at`; `deleting`: it is being cleared away. Both are shown to admin keys alone, with version, counts and usage at zero.',
    ),
  tuning: z
    .boolean()
    .describe(
      '`auto` is to measure its channels on this corpus, or does so now; until then it answers by what it measured last, or as `hybrid` does where it never has.',
    ),
  reranking: z
    .object({
      reranker: z.string(),
      weight: share.describe('Its share of a passage’s score. 0: `auto` does not ask it.'),
      measured: z
        .object({ probes: count, without: z.number(), with: z.number() })
        .nullable()
        .describe('How well the probes’ passages rank without it and with this weight, 0 to 1; null: not measured yet.'),
    })
    .optional()
    .describe('How far `auto` trusts the deployment’s re-ranker on this corpus. Absent: there is none.'),
  progress: progress.optional().describe('Of all jobs under way together, since the corpus was last settled. Absent: it is settled.'),
  version,
  counts: z
    .record(z.string(), count)
    .describe('documents, chunks, passages, units, entities, keywords, labels, summaries, communities, edges'),
  strategies: z.array(z.string()).describe('The systems that are switched on; `auto`, `vector`, `keyword` and `hybrid` always are.'),
  settings: z.record(z.string(), json).describe('All settings, also those never set. They can be sent back as they are.'),
  embedding_model: z.string().nullable().describe('What makes its vectors; settled when the corpus is made. Null: not known.'),
  dimensions: count.describe('Length of the vectors.'),
  budget: z.object({ tokens: count.optional(), usd: z.number().optional() }),
  public: z.boolean(),
  default_access: z
    .array(z.string())
    .nullable()
    .describe('Labels that stand for those of a document without any; null: it is for every reader.'),
  audit: z
    .object({
      days: z.int(),
      reads: z.boolean(),
      questions: z.enum(['none', 'redacted', 'full']),
      question_days: z.int(),
      conversation_days: z.int(),
    })
    .describe(
      'How long the audit log keeps an entry, whether reads are entered, whether questions are logged and for how long, and how long kept conversations stay.',
    ),
  jurisdiction: z.string().nullable().describe('Where it is kept and worked on; null: anywhere.'),
  location_hint: z.string().nullable(),
  partitions: z.int().min(1).describe('Objects among which its documents are divided.'),
  undelete_seconds: count.describe('For so long after its deletion it can be undeleted; 0: not at all.'),
  usage: spent.extend({ usd: z.number() }),
  created_at: time,
  deleted_at: time.optional(),
  deleted_by: z.string().optional().describe('Id of the key.'),
  gone_at: time.nullable().optional().describe('Until then a deleted corpus can be undeleted; null: it no longer can.'),
  job: z.string().optional().describe('Of a deleted corpus: the job that clears it away.'),
})

export const deleted = z.object({
  job: z.string().describe('Clears the corpus away; ask for it under `/v1/corpora/{corpus}/jobs/{job}`.'),
  gone_at: time.nullable().describe('Until then the corpus can be undeleted; null: it is being cleared away already.'),
})

export const undeleted = z.object({ corpus: z.string(), status: z.literal('undeleted') })

export type NewCorpus = Immutable<z.input<typeof corpusSchema>>
export type Corpus = Immutable<z.output<typeof corpus>>
export type Deleted = Immutable<z.output<typeof deleted>>
export type Undeleted = Immutable<z.output<typeof undeleted>>
