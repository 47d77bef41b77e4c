/**
 * D1: which corpora exist, who may call, and the responses to repeated requests. Small tables, read by key. They contain no document text
 * and no key: keys are hashes, stored responses are ciphertext.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Corpora with a dedicated database, as long as anything of them is left. A deleted one has neither time once it is cleared. */
export const DEDICATED_ROWS =
  "substr(database, 1, 10) = 'DEDICATED_' AND (deleted IS NULL OR recoverable_until IS NOT NULL OR pending IS NOT NULL)"

export const corpus = sqliteTable(
  'corpus',
  {
    /** Random, new at each creation; object, Workflow, Vectorize and the read model identify a corpus only by it. */
    uid: text().primaryKey(),
    name: text().notNull(),
    /** JSON list of the enabled strategies. */
    strategies: text().notNull(),
    /** JSON of the core's settings, complete when written. */
    settings: text().notNull(),
    /** JSON `{tokens?, usd?}`. */
    budget: text().notNull(),
    public: integer({ mode: 'boolean' }).notNull(),
    /** Milliseconds since the epoch, as all times here. */
    created: integer().notNull(),
    /** When it was deleted. Without `recoverable_until` and `pending`, only this row is left of it. */
    deleted: integer(),
    /** The job that clears a deleted corpus, so that it can still be read. */
    dropJob: text('drop_job'),
    /** Id of the key that deleted it. */
    deletedBy: text('deleted_by'),
    /** Until when it can be undeleted, and keeps its name. Null once it is being cleared away. */
    recoverableUntil: integer('recoverable_until'),
    /** When the schedule tells the object to act on this row, unless it has done so by then. */
    pending: integer(),
    /** How long it can be undeleted. */
    undeleteSeconds: integer('undelete_seconds').notNull().default(0),
    /** Binding of the D1 database with its rows. Null: the control database, which held all rows before there was a pool. */
    database: text(),
    /** Where its object was asked to be created. */
    locationHint: text('location_hint'),
    /** JSON of what its audit log keeps. Null: the defaults. */
    audit: text(),
    /** JSON list of the labels used for documents that have none. Null: every reader may read such a document. */
    defaultAccess: text('default_access'),
    /** It is being restored to a moment, and answers nobody. */
    recovering: integer({ mode: 'boolean' }).notNull().default(false),
    /** JSON, as `src/partition-layout.ts` says. Null: its partitions are those that its uid says. */
    layout: text(),
  },
  (table) => [
    uniqueIndex('corpus_dedicated').on(table.database).where(sql.raw(DEDICATED_ROWS)),
    index('corpus_database').on(table.database).where(sql`deleted IS NULL`),
    index('corpus_public_name').on(table.name).where(sql`public = 1 AND deleted IS NULL`),
    uniqueIndex('corpus_name').on(table.name).where(sql`deleted IS NULL OR recoverable_until IS NOT NULL`),
    index('corpus_pending').on(table.pending).where(sql`pending IS NOT NULL`),
    index('corpus_drop_job').on(table.dropJob).where(sql`drop_job IS NOT NULL`),
  ],
)

export const accessKey = sqliteTable('access_key', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** SHA-256 of the whole key, hex. The key has 256 random bits, so a slow hash would add nothing. */
  hash: text().notNull(),
  /** JSON lists. */
  scopes: text().notNull(),
  /** The names it was created for, or `["*"]`. What it opens is in `key_grant`. */
  corpora: text().notNull(),
  created: integer().notNull(),
  revoked: integer(),
  /** JSON list of its principals, which are compared with documents' labels. Null: none. */
  principals: text(),
  /** May a request with this key say on whose behalf it asks? */
  accessChoose: integer('access_choose', { mode: 'boolean' }).notNull().default(false),
  /** From when on it is refused. Null: it does not expire. */
  expires: integer(),
  /** When it was last used, at most a quarter of an hour late. */
  used: integer(),
  /** JSON list of `{hash, until}`: replaced secrets that are still valid, newest first. */
  previous: text().notNull().default('[]'),
  /** JSON `{tokens_a_day?, usd_a_day?, requests_a_day?}`. Null: no limits. */
  limits: text(),
})

/** What a key opens: corpora by uid, so that a corpus made again under an old name is not one of them. */
export const keyGrant = sqliteTable(
  'key_grant',
  {
    key: text().notNull(),
    uid: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.uid] }), index('key_grant_uid').on(table.uid)],
)

/** Who did what to keys and to whole corpora: what no corpus could record. Entries are added, and deleted when they expire. */
export const audit = sqliteTable(
  'audit',
  {
    /** Random, for each call: one that is executed twice is recorded once. */
    id: text().primaryKey(),
    at: integer().notNull(),
    key: text().notNull(),
    door: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    outcome: text().notNull(),
  },
  (table) => [index('audit_at').on(table.at, table.id)],
)

export const idempotency = sqliteTable(
  'idempotency',
  {
    /** Derived from the caller's key, the route and the Idempotency-Key: without the caller's key it identifies nothing. */
    id: text().primaryKey(),
    /** Keyed hash of the request's body. */
    body: text().notNull(),
    /** Null while the first request is still in flight. */
    status: integer(),
    /** AES-GCM, under a key derived from the caller's. */
    response: text(),
    expires: integer().notNull(),
  },
  (table) => [index('idempotency_expires').on(table.expires)],
)

/** Corpora with something due, and when (ms) they should have reported. An idle corpus has no row. */
export const watch = sqliteTable('watch', {
  uid: text().primaryKey(),
  due: integer().notNull(),
})

/** One row: how far secrets have been sealed again under another master key. */
export const reseal = sqliteTable('reseal', {
  one: integer().primaryKey(),
  /** JSON, as `src/ports/reseal.ts` says. */
  state: text().notNull(),
})

/** A corpus that is being restored to a moment, or was last (src/ports/recovery.ts). */
export const recovery = sqliteTable(
  'recovery',
  {
    uid: text().primaryKey(),
    id: text().notNull(),
    time: integer().notNull(),
    asked: integer().notNull(),
    /** JSON of who asked, or null. */
    by: text(),
    /** asked | carried | done */
    step: text().notNull(),
    parts: integer().notNull(),
  },
  (table) => [index('recovery_open').on(table.uid).where(sql`step <> 'done'`)],
)

/** Changes that must survive the restore: ids, numbers, the ledger, receipts, sealed secrets; no text. Only during the restore. */
export const recoveryPart = sqliteTable(
  'recovery_part',
  {
    uid: text().notNull(),
    n: integer().notNull(),
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.n] })],
)

/** Which sources are told of changes in a bucket bound to the Worker. */
export const bucketRoute = sqliteTable(
  'bucket_route',
  {
    uid: text().notNull(),
    source: text().notNull(),
    bucket: text().notNull(),
    prefix: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.source] }), index('bucket_route_bucket').on(table.bucket, table.uid)],
)

/** Incoming webhooks. The secrets are sealed under MASTER_KEY; no part of an event is stored here. */
export const hook = sqliteTable(
  'hook',
  {
    /** Random; together with the origin it forms the address that senders are given. */
    id: text().primaryKey(),
    uid: text().notNull(),
    preset: text().notNull(),
    /** JSON, or null. */
    mapping: text(),
    /** JSON list of `{sealed, until}`: newest first; `until` is null for the one in use. */
    secrets: text().notNull(),
    created: integer().notNull(),
    /** JSON list of labels given to the documents it brings. Null: none. */
    access: text(),
    /** JSON: how a sender of `hmac` signs. Null: for other presets. */
    signature: text(),
    /** The source that is checked at once when its repository is pushed to. Null: the webhook itself brings documents. */
    source: text(),
  },
  (table) => [index('hook_uid').on(table.uid, table.id)],
)
