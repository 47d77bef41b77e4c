/** The deployment as a whole. */
import { z } from 'zod'
import { count } from './fields'
import type { Immutable } from './immutable'

export const health = z.object({ status: z.literal('ok'), version: z.string() })
export const readiness = z.object({
  status: z.literal('ready'),
  control: z.literal('ok').describe('The database of keys and corpora answers.'),
  data: z
    .enum(['ok', 'full'])
    .describe('The databases that corpora are read from answer. `full`: they accept no more data, and questions are answered as before.'),
})
export const masterKey = z
  .object({
    key: z.string().describe('The id of the master key that seals new secrets. It reveals nothing about the key.'),
    older_keys: count.describe('Further keys, which only open: `MASTER_KEY_PREVIOUS` and, if `MASTER_KEY_NEXT` is set, `MASTER_KEY`.'),
    status: z
      .enum(['settling', 'resealing', 'done'])
      .describe(
        '`settling`: for a minute after the key is first seen, until every instance has it. `done`: nothing that can be opened is sealed under an older key.',
      ),
    resealed: count.describe('Secrets resealed since the key was first seen.'),
    unreadable: count.describe(
      'Secrets that no key opens. Either an older key is missing, or their webhooks and endpoints must be rotated.',
    ),
    repeat: count.describe(
      'In this pass: objects that did not answer and secrets that were being changed. Another pass checks them again.',
    ),
    left: z.object({ webhooks: count, corpora: count }).describe('Not checked yet: webhooks, and corpora whose endpoints have secrets.'),
  })
  .describe('The progress of resealing secrets under another master key.')

const runsOn = z
  .enum(['worker', 'workers_ai', 'machine', 'server'])
  .describe('In the Worker itself, on Workers AI, in a process on the machine that runs Loam, or on an OpenAI-compatible server.')

export const runningModel = z
  .object({
    role: z
      .enum(['embedding', 'embedding_previous', 'text', 'extract', 'summarise', 'describe', 'answer', 'classify', 'judge', 'rerank'])
      .describe(
        'What it is used for. `embedding_previous`: corpora that were created with it. `text`: all writing that has no model of its own.',
      ),
    model: z.string(),
    window: count.nullable().describe('How many tokens it reads; null if unknown.'),
    dimensions: count.optional().describe('For an embedding model.'),
    runs_on: runsOn,
  })
  .describe('A configured model.')

export const modelChoice = z
  .object({
    model: z.string(),
    window: count.describe('How many tokens it reads.'),
    runs_on: runsOn,
    usd_per_million: z
      .object({ in: z.number(), out: z.number() })
      .describe('US dollars per million tokens read and written; 0: not billed here.'),
  })
  .describe('A text model that a corpus may choose.')

export type ModelChoice = Immutable<z.output<typeof modelChoice>>
export type RunningModel = Immutable<z.output<typeof runningModel>>
export type Readiness = Immutable<z.output<typeof readiness>>
export type Health = Immutable<z.output<typeof health>>
export type MasterKey = Immutable<z.output<typeof masterKey>>
