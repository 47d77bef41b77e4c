/** What corpora, documents, jobs and keys look like when they are answered. Described here, checked by tests against real answers. */
import { z } from 'zod'

const count = z.int().min(0)
const time = z.iso.datetime()
export const json = z.json()
const metadata = z.record(z.string(), json).describe('Whatever was sent with the document; questions can be filtered by it.')
const version = count.describe('The commit counter of the corpus. Send it as `min_version` to see at least this state.')

export const spent = z.object({
  in: count.describe('Tokens read by the text model.'),
  out: count.describe('Tokens written by it.'),
  embedded: count.describe('Tokens embedded.'),
})

export const health = z.object({ status: z.literal('ok'), version: z.string() })

const counts = z.object({ done: count, total: count })
const progress = z.object({
  documents: counts.describe('Those that can be found, of those that come; those that are gone, of those that leave.'),
  chunks: counts.describe("In the graph; readers see a batch's when all of them are."),
  texts: counts.describe('Passages and sentences embedded, of those that had no vectors yet.'),
  rate: z
    .object({ texts: z.number(), chunks: z.number(), tasks: z.number() })
    .partial()
    .optional()
    .describe('A second, lately, in this corpus.'),
  seconds_left: count.optional().describe('At that rate, and after all that was accepted before. Absent: not known, or nothing is left.'),
})

export const corpus = z.object({
  corpus: z.string(),
  status: z
    .enum(['settled', 'indexing', 'paused_budget', 'unavailable', 'deleted', 'deleting'])
    .describe(
      '`unavailable`, in lists alone: it could not be asked just now, so its version, counts and usage are not known and stand at zero. ' +
        '`deleted`: it answers nothing, and can be undeleted until `gone_at`; `deleting`: it is being cleared away. Both are shown to admin keys alone, with version, counts and usage at zero.',
    ),
  tuning: z
    .boolean()
    .describe('`auto` has not measured its channels on this corpus yet, or does so now; until then it answers as `hybrid` does.'),
  progress: progress.optional().describe('Of all jobs under way together, since the corpus was last settled. Absent: it is settled.'),
  version,
  counts: z
    .record(z.string(), count)
    .describe('documents, chunks, passages, units, entities, keywords, labels, summaries, communities, edges'),
  strategies: z.array(z.string()).describe('The systems that are switched on; `auto`, `vector`, `keyword` and `hybrid` always are.'),
  settings: z.record(z.string(), json).describe('All settings, also those never set. They can be sent back as they are.'),
  dimensions: count.describe('Length of the vectors; fixed when the corpus is made.'),
  budget: z.object({ tokens: count.optional(), usd: z.number().optional() }),
  public: z.boolean(),
  default_access: z
    .array(z.string())
    .nullable()
    .describe('Labels that stand for those of a document without any; null: it is for every reader.'),
  audit: z.object({ days: z.int(), reads: z.boolean() }).describe('How long the audit log keeps an entry, and whether reads are entered.'),
  jurisdiction: z.string().nullable().describe('Where it is kept and worked on; null: anywhere.'),
  location_hint: z.string().nullable(),
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

export const document = z.object({
  document: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  metadata,
  access: z
    .array(z.string())
    .describe('Labels: only who speaks for one of them may read it. Empty: as the corpus’s `default_access` says.'),
  status: z.enum(['queued', 'indexing', 'ready', 'partial', 'failed']),
  content_version: count.describe('Counts the contents put under this id; it is the ETag.'),
  indexed_version: count.describe(
    'The corpus’s version that made the content questions see visible; its receipt says what that touched. 0: none yet.',
  ),
  chunks: count,
  error: z.string().optional(),
  text: z.string().optional().describe('Only where one document is asked for.'),
})

export const put = z.object({
  document: z.string(),
  job: z.string().optional().describe('Absent where nothing has changed.'),
  status: z.string().optional().describe('`unchanged`; or, with `wait`, the job’s.'),
  version: version.optional().describe('Where nothing but labels has changed: the version with which they hold.'),
})

export const patched = z.object({ document: z.string(), access: z.array(z.string()), version })

export const batch = z.object({
  job: z.string().optional(),
  status: z.string().optional().describe('`unchanged`; or, with `wait`, the job’s.'),
  documents: z.array(z.object({ document: z.string(), status: z.string() })),
  version: version.optional().describe('Where nothing but labels has changed: the version with which they hold.'),
})

export const accepted = z.object({
  job: z.string().describe('Ask for it under `/v1/corpora/{corpus}/jobs/{job}`.'),
  status: z.string().optional().describe('With `wait`: the job’s.'),
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
      .describe('Passages and sentences that were embedded, whether or not that costs anything. Absent in receipts of earlier releases.'),
    ms: z.number(),
    shared_with: z.array(z.string()).optional(),
  })
  .describe('What the job touched: distinct nodes made, changed or removed, and what it cost.')

export const job = z.object({
  job: z.string(),
  kind: z.enum(['ingest', 'delete', 'batch', 'reindex', 'consolidate', 'rebuild', 'drop']),
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'paused_budget']),
  progress: counts.extend(progress.shape).describe('`done` and `total`: tasks of every kind.'),
  usage: spent,
  receipt: receipt.optional(),
  error: z.string().optional().describe('A code.'),
})

export const dailyLimits = z.object({
  tokens_a_day: count.optional(),
  usd_a_day: z.number().min(0).optional(),
  requests_a_day: count.optional(),
})

export const key = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(['read', 'write', 'admin'])),
  corpora: z.array(z.string()).describe('Those it opens that are there; `*`: all.'),
  principals: z.array(z.string()).describe('Whom its bearer speaks for.'),
  access_choose: z.boolean().describe('A request with it may say for whom it asks.'),
  limits: dailyLimits.nullable().describe('What it may use in a day of UTC; null: as much as it likes.'),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable().describe('Known to a quarter of an hour.'),
})

export const mintedKey = key.extend({ key: z.string().describe('Shown this once; only its hash is kept.') })

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('What to branch on.'),
    detail: z.string(),
    request_id: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .catchall(json)
  .describe('RFC 9457. Quotes no document, no key and no message of a model.')

/** A page of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), next_cursor: z.string().nullable().describe('Send it as `cursor`; null: that was all.') })
}
