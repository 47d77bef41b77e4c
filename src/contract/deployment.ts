/** The deployment as a whole. */
import { z } from 'zod'
import { count } from './fields'
import type { Immutable } from './immutable'

export const health = z.object({ status: z.literal('ok'), version: z.string() })
export const masterKey = z
  .object({
    key: z.string().describe('Id of the master key that seals. It says nothing of the key.'),
    older_keys: count.describe('Further keys, which only open: `MASTER_KEY_PREVIOUS`, and `MASTER_KEY` beside `MASTER_KEY_NEXT`.'),
    status: z
      .enum(['settling', 'resealing', 'done'])
      .describe(
        '`settling`: for a minute after the key was first met, until no instance is without it. `done`: nothing that could be opened is sealed under an older key.',
      ),
    resealed: count.describe('Secrets resealed since the key was first seen.'),
    unreadable: count.describe(
      'Secrets that none of the keys opens. An older key is missing, or their webhooks and endpoints must be rotated.',
    ),
    repeat: count.describe('Of this pass: objects that did not answer, and secrets that were being changed. Another pass looks again.'),
    left: z.object({ webhooks: count, corpora: count }).describe('Not looked at yet: webhooks, and corpora whose endpoints have secrets.'),
  })
  .describe('How far secrets have been resealed under another master key.')

const runsOn = z
  .enum(['worker', 'workers_ai', 'machine', 'server'])
  .describe('In the Worker itself, on Workers AI, in a process of the machine that runs Loam, or on an OpenAI-compatible server.')

export const runningModel = z
  .object({
    role: z
      .enum(['embedding', 'embedding_previous', 'text', 'extract', 'summarise', 'describe', 'answer', 'classify', 'judge', 'rerank'])
      .describe(
        'What it is asked for. `embedding_previous`: for corpora that were made with it. `text`: all that is written and has no model of its own.',
      ),
    model: z.string(),
    window: count.nullable().describe('Tokens it reads; null where nothing says so.'),
    dimensions: count.optional().describe('Of an embedding model.'),
    runs_on: runsOn,
  })
  .describe('A model that is configured.')

export const modelChoice = z
  .object({
    model: z.string(),
    window: count.describe('Tokens it reads.'),
    runs_on: runsOn,
    usd_per_million: z
      .object({ in: z.number(), out: z.number() })
      .describe('US dollars per million tokens read and written; 0: not billed here.'),
  })
  .describe('A text model that a corpus may choose.')

export type ModelChoice = Immutable<z.output<typeof modelChoice>>
export type RunningModel = Immutable<z.output<typeof runningModel>>
export type Health = Immutable<z.output<typeof health>>
export type MasterKey = Immutable<z.output<typeof masterKey>>
