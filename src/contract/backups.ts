/**
 * A backup: everything a corpus is, row by row, so that it comes back in the same state without a model being asked. JSON lines, in
 * parts. Every part begins with a line that gives its number and its predecessor's digest, and ends with a line that contains its
 * own. Within it, a line names a table and its columns, and the lines after it are rows: lists in the order of the columns; bytes are
 * `{"b": base64}`.
 */
import { z } from 'zod'
import { partitionLimits } from '../platform-limits'
import { exact } from './exact'
import { count, time, version } from './fields'
import type { Immutable } from './immutable'

/** Increased when readers of the current format can no longer read what is written: 2 is of a corpus in partitions. */
export const BACKUP_FORMAT = 2
/** The most bytes of a part: about 4 MiB are intended, and one row may have 2 MB. */
export const MAX_BACKUP_PART = 16 * 1024 * 1024
export const NO_DIGEST = ''

const digest = z.string().regex(/^(?:[0-9a-f]{64})?$/)

const object = z.object({ version, state: z.string().regex(/^[0-9a-f]{64}$/), head: z.string().regex(/^[0-9a-f]{64}$/) })

/** The first line of all. */
export const backupHead = z.object({
  type: z.literal('backup'),
  format: z.int().min(1),
  /** Random: parts of two backups are not mixed. */
  backup: z.string().min(1).max(64),
  corpus: z.string(),
  release: z.string(),
  taken_at: time,
  version,
  /** Of the graph, as receipts have it (docs/verify.md). */
  state: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of a corpus in partitions: its objects, each with its version, state and last receipt's hash. The version above is their sum, and so is the state. */
  partitions: z.array(object).min(2).max(partitionLimits.max).optional(),
  own: object.optional(),
  embedding: z.object({ model: z.string().nullable(), dimensions: z.int().min(1) }),
  /** As `PUT /v1/corpora/{corpus}` takes it. */
  config: z.record(z.string(), z.unknown()),
})
/** Whose rows a part has: of a partition, or of the corpus's own object (-1); and the part with which that object begins. */
const ofObject = exact({ partition: z.int().min(-1).max(partitionLimits.max), first: z.int().min(1) })
/** The first line of every other part. */
export const backupPart = exact({
  type: z.literal('part'),
  backup: z.string().min(1).max(64),
  part: z.int().min(2),
  before: digest,
  of: ofObject.optional(),
})
export const backupTable = exact({
  type: z.literal('table'),
  table: z.string().max(64),
  columns: z.array(z.string().max(64)).min(1).max(64),
})
const rows = z.record(z.string(), z.int().min(0))
/** The last line of a part that is not the last. `rows`: it is the last of its object; by table. */
export const backupNext = exact({ type: z.literal('next'), digest, cursor: z.string(), rows: rows.optional() })
/** The last line of all: rows by table. */
export const backupEnd = exact({ type: z.literal('end'), digest, rows })

/** A line of a part, except rows and the very first line. */
export const backupLine = z.discriminatedUnion('type', [backupPart, backupTable, backupNext, backupEnd])

export const restoredSchema = z.object({
  corpus: z.string(),
  status: z
    .enum(['restoring', 'replaying', 'restored'])
    .describe(
      '`restoring`: parts are missing. `replaying`: later deletions are being applied. Until it is `restored`, the corpus answers nothing.',
    ),
  backup: z.string().describe('The id of the backup.'),
  part: count.describe('The last part received.'),
  digest: z.string().describe('The digest of that part.'),
  rows: count.describe('Rows received so far.'),
  version: version.nullable().describe('The version of the corpus; null until every part is in.'),
  state: z
    .string()
    .nullable()
    .describe('The state of the graph, computed from the rows received; equal to the one the backup states. Null until every part is in.'),
  replaying: count.describe('Deletions and access changes still to be replayed (`replay`).'),
  job: z
    .string()
    .nullable()
    .describe('The job that fills the database and the vector index from the restored rows; null until every part is in.'),
  enter_anew: z
    .array(
      z.object({
        kind: z.enum(['endpoint', 'hook', 'source']),
        id: z.string(),
        what: z.string().describe('Its address, or the preset of a webhook.'),
      }),
    )
    .describe('Backups contain no secrets. Each of these stays silent until `:rotate` gives it a new one.'),
})

export type BackupHead = Immutable<z.output<typeof backupHead>>
export type Restored = Immutable<z.output<typeof restoredSchema>>
