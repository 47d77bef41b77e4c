/**
 * A backup: everything a corpus is, row by row, so that it comes back in the same state without a model being asked. JSON lines, in parts. Every
 * part begins with a line that says which one it is and what its predecessor's digest was, and ends with a line that holds its own. Within
 * it a line names a table and its columns, and the lines after it are rows, lists in the order of the columns; bytes are `{"b": base64}`.
 */
import { z } from 'zod'
import { exact } from './exact'
import { count, time, version } from './fields'
import type { Immutable } from './immutable'

/** Raised when a reader of this one could no longer read what is written. */
export const BACKUP_FORMAT = 1
/** Bytes of a part, at most: some 4 MiB are aimed at, and one row may have 2 MB. */
export const MAX_BACKUP_PART = 16 * 1024 * 1024
export const NO_DIGEST = ''

const digest = z.string().regex(/^(?:[0-9a-f]{64})?$/)

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
  embedding: z.object({ model: z.string().nullable(), dimensions: z.int().min(1) }),
  /** As `PUT /v1/corpora/{corpus}` takes it. */
  config: z.record(z.string(), z.unknown()),
})
/** The first line of every other part. */
export const backupPart = exact({ type: z.literal('part'), backup: z.string().min(1).max(64), part: z.int().min(2), before: digest })
export const backupTable = exact({
  type: z.literal('table'),
  table: z.string().max(64),
  columns: z.array(z.string().max(64)).min(1).max(64),
})
/** The last line of a part that is not the last. */
export const backupNext = exact({ type: z.literal('next'), digest, cursor: z.string() })
/** The last line of all: rows by table. */
export const backupEnd = exact({ type: z.literal('end'), digest, rows: z.record(z.string(), z.int().min(0)) })

/** A line of a part, rows and the first line of all apart. */
export const backupLine = z.discriminatedUnion('type', [backupPart, backupTable, backupNext, backupEnd])

export const restoredSchema = z.object({
  corpus: z.string(),
  status: z
    .enum(['restoring', 'replaying', 'restored'])
    .describe(
      '`restoring`: parts are missing; `replaying`: what was deleted since is being deleted. Until it is `restored` the corpus answers nothing.',
    ),
  backup: z.string().describe('Which backup.'),
  part: count.describe('The last part that is in.'),
  digest: z.string().describe('Of that part.'),
  rows: count.describe('So far.'),
  version: version.nullable().describe('Of the corpus; null until all is in.'),
  state: z
    .string()
    .nullable()
    .describe('Of the graph, added up from the rows that came; the same as the backup says. Null until all is in.'),
  replaying: count.describe('Deletions and changes of access that are still to be replayed (`replay`).'),
  job: z.string().nullable().describe('Fills the database and the vector index from what came; null until all is in.'),
  enter_anew: z
    .array(
      z.object({
        kind: z.enum(['endpoint', 'hook', 'source']),
        id: z.string(),
        what: z.string().describe('Its address, or the preset of a webhook.'),
      }),
    )
    .describe('Secrets are in no backup: each of these is silent until it is given a new one with its `:rotate`.'),
})

export type BackupHead = Immutable<z.output<typeof backupHead>>
export type Restored = Immutable<z.output<typeof restoredSchema>>
