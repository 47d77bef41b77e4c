/** Jobs and their progress. */
import { z } from 'zod'
import { count, version } from './fields'
import type { Immutable } from './immutable'
import { spent } from './usage'

const counts = z.object({ done: count, total: count })

export const progress = z.object({
  documents: counts.describe('Documents added that can be found, and documents deleted that are gone.'),
  chunks: counts.describe('Chunks in the graph. Readers see those of a batch once all of them are there.'),
  texts: counts.describe('Passages and sentences embedded, of those that had no vectors yet.'),
  rate: z
    .object({ texts: z.number(), chunks: z.number(), tasks: z.number() })
    .partial()
    .optional()
    .describe('The recent rate per second in this corpus.'),
  seconds_left: count
    .optional()
    .describe(
      'The time left at that rate, after everything accepted earlier. Absent: unknown (as before the first of many chunks have entered the graph), or nothing is left.',
    ),
})

export const accepted = z.object({
  job: z.string().describe('The job: `/v1/corpora/{corpus}/jobs/{job}`.'),
  status: z.string().optional().describe('With `wait`, the status of the job.'),
})

export const receipt = z
  .object({
    version,
    touched: z.object({
      documents: count,
      chunks: count,
      passages: count,
      units: count,
      entities: count,
      keywords: count,
      segments: count,
      summaries: count,
      communities: count,
      edges: count,
    }),
    rows_written: count,
    model_calls: z.record(z.string(), count),
    tokens: spent,
    texts_embedded: count
      .optional()
      .describe('Passages and sentences that were embedded, whether or not that cost anything. Absent in receipts of earlier releases.'),
    ms: z.number(),
    shared_with: z.array(z.string()).optional(),
    examples_removed: count
      .optional()
      .describe('Worked examples that left the settings with the document they were taken from. Absent: none.'),
    earlier_kept: count
      .optional()
      .describe(
        'Sentences of replaced versions that are kept for `settings.earlier.days` days because the new versions say something else; removed ones that are kept for a judge are not counted. Absent: none.',
      ),
  })
  .describe('What the job touched (distinct nodes created, changed or removed) and what it cost.')

export const job = z.object({
  job: z.string(),
  kind: z.enum([
    'ingest',
    'delete',
    'batch',
    'reindex',
    'consolidate',
    'rebuild',
    'migrate',
    'repartition',
    'restore',
    'languages',
    'drop',
  ]),
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'paused_budget']),
  progress: counts.extend(progress.shape).describe('`done` and `total` count tasks of every kind.'),
  usage: spent,
  receipt: receipt.optional(),
  error: z.string().optional().describe('A code.'),
})

export type Count = Immutable<z.output<typeof counts>>
export type Progress = Immutable<z.output<typeof progress>>
export type Accepted = Immutable<z.output<typeof accepted>>
export type Receipt = Immutable<z.output<typeof receipt>>
export type Job = Immutable<z.output<typeof job>>
export type JobKind = Job['kind']
export type JobStatus = Job['status']
