/**
 * D1: which corpora there are, who may call, and what was answered to a repeated request. Small tables, read by key.
 * Holds no document text and no key: keys are hashes, stored responses are ciphertext.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Corpora with a database to themselves of which anything is left. A deleted one has neither time once it is cleared away. */
export const DEDICATED_ROWS =
  "substr(database, 1, 10) = 'DEDICATED_' AND (deleted IS NULL OR recoverable_until IS NOT NULL OR pending IS NOT NULL)"

export const corpus = sqliteTable(
  'corpus',
  {
    /** Random, new at each creation; object, Workflow, Vectorize and the read model know a corpus by it alone. */
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
    /** When it was deleted. With neither `recoverable_until` nor `pending` nothing is left of it but this row. */
    deleted: integer(),
    /** The job that clears a deleted corpus away, so that it can still be read. */
    dropJob: text('drop_job'),
    /** Id of the key that deleted it. */
    deletedBy: text('deleted_by'),
    /** Until when it can be undeleted, and keeps its name. Null once it is being cleared away. */
    recoverableUntil: integer('recoverable_until'),
    /** When the schedule has the object act on what stands here, unless it has by then. */
    pending: integer(),
    /** How long it can be undeleted. */
    undeleteSeconds: integer('undelete_seconds').notNull().default(0),
    /** Binding of the D1 database that holds its rows. Null: the control database, which held all of them before there was a pool. */
    database: text(),
    /** Where its object was asked to be made. */
    locationHint: text('location_hint'),
    /** JSON of what its audit log keeps. Null: the defaults. */
    audit: text(),
    /** JSON list of labels that stand for those of a document that has none. Null: such a document is for every reader. */
    defaultAccess: text('default_access'),
    /** It is being restored to a moment, and answers nobody. */
    recovering: integer({ mode: 'boolean' }).notNull().default(false),
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
  /** The names it was minted for, or `["*"]`. What it opens is in `key_grant`. */
  corpora: text().notNull(),
  created: integer().notNull(),
  revoked: integer(),
  /** JSON list of its principals, with which documents' labels are compared. Null: none. */
  principals: text(),
  /** May a request with this key say for whom it asks? */
  accessChoose: integer('access_choose', { mode: 'boolean' }).notNull().default(false),
  /** From when on it is refused. Null: it does not expire. */
  expires: integer(),
  /** When it was last used, a quarter of an hour late at most. */
  used: integer(),
  /** JSON list of `{hash, until}`: secrets that were replaced and are still good, newest first. */
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

/** Who did what to keys and to whole corpora: what no corpus could keep. Entries are added, and thrown away when their time is over. */
export const audit = sqliteTable(
  'audit',
  {
    /** Random, of the call: one that is carried out twice is entered once. */
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
    /** Derived from the caller's key, the route and the Idempotency-Key: without the caller's key it names nothing. */
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

/** A corpus that is set back to a moment, or was last (src/ports/recovery.ts). */
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

/** What holds of it all the same: ids, numbers, the ledger, receipts, sealed secrets; no text. Only while it is set back. */
export const recoveryPart = sqliteTable(
  'recovery_part',
  {
    uid: text().notNull(),
    n: integer().notNull(),
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.n] })],
)

/** Which sources are told of changes in a bucket that is bound to the Worker. */
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

/** Webhooks that come in. The secrets are sealed under MASTER_KEY; nothing of an event is kept here. */
export const hook = sqliteTable(
  'hook',
  {
    /** Random; with the origin it is the address that senders are given. */
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
    /** JSON: how a sender of `hmac` signs. Null: of the others. */
    signature: text(),
    /** The source that looks at once when its repository is pushed to. Null: it brings documents itself. */
    source: text(),
  },
  (table) => [index('hook_uid').on(table.uid, table.id)],
)
