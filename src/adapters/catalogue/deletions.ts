/** Deletions of corpora in D1. Each change is one statement or one batch, so there is no state in between; each may be executed twice. */
import type { D1Database } from '@cloudflare/workers-types'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { CorpusRef } from '../../ports/corpus'
import type { DeletedCorpus, DeletionState, Deletions, Listed } from '../../ports/deletion'
import { corpusOf, MAX_UIDS, rememberPartitions } from './catalogue'
import * as schema from './schema'
import { accessKey, corpus, keyGrant } from './schema'

type Row = typeof corpus.$inferSelect

/** Tables whose rows name their corpus: a new one is included without being listed here. */
const OWNED = Object.values(schema).filter(
  (table) => table instanceof SQLiteTable && table !== corpus && getTableConfig(table).columns.some(({ name }) => name === 'uid'),
) as (typeof schema.hook)[]
/** Access to the corpus includes its last job, and is removed with its row. */
const UNTIL_FORGOTTEN: ReadonlySet<unknown> = new Set([keyGrant])

const recoverable = isNotNull(corpus.recoverableUntil)
const clearing = and(isNotNull(corpus.deleted), isNull(corpus.recoverableUntil), isNotNull(corpus.pending))
const clear = and(isNotNull(corpus.deleted), isNull(corpus.recoverableUntil), isNull(corpus.pending))

export function deletions(binding: D1Database): Deletions {
  const db = drizzle(binding)
  const rowOf = (uid: string) => db.select().from(corpus).where(eq(corpus.uid, uid))
  const clearFrom = { recoverableUntil: null, pending: sql`coalesce(${corpus.recoverableUntil}, ${corpus.pending})` }
  return {
    async begin(uid, { at, job, by, until }) {
      const [, [row]] = await db.batch([
        db
          .update(corpus)
          .set({ deleted: at, dropJob: job, deletedBy: by, recoverableUntil: until, pending: at })
          .where(and(eq(corpus.uid, uid), isNull(corpus.deleted))),
        rowOf(uid),
      ])
      return row ? deletionOf(row) : null
    },
    async find(name, uid) {
      const among = and(eq(corpus.name, name), isNotNull(corpus.deleted), uid === undefined ? undefined : eq(corpus.uid, uid))
      const of = (which: SQL | undefined) => db.select().from(corpus).where(and(among, which)).orderBy(desc(corpus.deleted)).limit(1)
      const [[first], [second]] = await db.batch([of(recoverable), of(clearing)])
      const row = first ?? second
      return row ? deletedOf(row) : null
    },
    async list(uids, [name, uid], limit) {
      const among = uids ? inArray(corpus.uid, uids.slice(0, MAX_UIDS)) : undefined
      const behind = or(gt(corpus.name, name), and(eq(corpus.name, name), gt(corpus.uid, uid)))
      const of = (which: SQL | undefined) =>
        db
          .select()
          .from(corpus)
          .where(and(which, behind, among))
          .orderBy(asc(corpus.name), asc(corpus.uid))
          .limit(limit)
      const found = await db.batch([of(or(isNull(corpus.deleted), recoverable)), of(clearing)])
      return found.flat().sort(byName).slice(0, limit).map(listedOf)
    },
    async restore(uid, now) {
      const living = { deleted: null, dropJob: null, deletedBy: null, recoverableUntil: null, pending: now }
      const [, [row]] = await db.batch([
        db
          .update(corpus)
          .set(living)
          .where(and(eq(corpus.uid, uid), gt(corpus.recoverableUntil, now))),
        rowOf(uid),
      ])
      return row !== undefined && row.deleted === null
    },
    async giveUp(uid, now) {
      await db
        .update(corpus)
        .set({ recoverableUntil: null, pending: now })
        .where(and(eq(corpus.uid, uid), recoverable))
    },
    async state(uid, now) {
      const [, [row]] = await db.batch([
        db
          .update(corpus)
          .set(clearFrom)
          .where(and(eq(corpus.uid, uid), lte(corpus.recoverableUntil, now))),
        rowOf(uid),
      ])
      return stateOf(row)
    },
    async confirm(uid, state) {
      if (state.kind !== 'living' && state.kind !== 'recoverable') return
      const until = state.kind === 'recoverable' ? state.until : null
      const unchanged = until === null ? isNull(corpus.deleted) : eq(corpus.recoverableUntil, until)
      await db
        .update(corpus)
        .set({ pending: until })
        .where(and(eq(corpus.uid, uid), unchanged))
    },
    async finish(uid) {
      const nothing = { strategies: '[]', settings: '{}', budget: '{}', audit: null, public: false, pending: null }
      await db.batch([
        db
          .update(corpus)
          .set(nothing)
          .where(and(eq(corpus.uid, uid), clearing)),
        ...OWNED.filter((table) => !UNTIL_FORGOTTEN.has(table)).map((table) =>
          db.delete(table).where(and(eq(table.uid, uid), isLost(uid))),
        ),
      ])
    },
    async due(now, again, limit) {
      const first = db.select({ uid: corpus.uid }).from(corpus).where(lte(corpus.pending, now)).orderBy(asc(corpus.pending)).limit(limit)
      const rows = await db.update(corpus).set({ pending: again }).where(inArray(corpus.uid, first)).returning()
      return rows.map(refOf)
    },
    async cleared(before, limit) {
      const rows = await db
        .select()
        .from(corpus)
        .where(and(clear, lt(corpus.deleted, before)))
        .limit(limit)
      return rows.map(refOf)
    },
    async forget(uid, now) {
      const own = sql`SELECT ${keyGrant.key} FROM ${keyGrant} WHERE ${keyGrant.uid} = ${uid}`
      const others = sql`SELECT ${keyGrant.key} FROM ${keyGrant} WHERE ${keyGrant.uid} <> ${uid}`
      await db.batch([
        // A key that no longer opens anything is one less to be stolen.
        db
          .update(accessKey)
          .set({ revoked: now })
          .where(and(isNull(accessKey.revoked), sql`${accessKey.id} IN (${own})`, sql`${accessKey.id} NOT IN (${others})`, isLost(uid))),
        ...OWNED.map((table) => db.delete(table).where(and(eq(table.uid, uid), isLost(uid)))),
        db.delete(corpus).where(and(eq(corpus.uid, uid), clear)),
      ])
    },
  }
}

/** Nothing is removed from a corpus that is living, or can be undeleted. */
function isLost(uid: string) {
  return sql`NOT EXISTS (SELECT 1 FROM ${corpus} WHERE ${corpus.uid} = ${uid} AND (${isNull(corpus.deleted)} OR ${recoverable}))`
}

function stateOf(row: Row | undefined): DeletionState {
  if (!row) return { kind: 'unknown' }
  rememberPartitions(row)
  if (row.deleted === null) return { kind: 'living' }
  return row.recoverableUntil === null ? { kind: 'clearing', job: row.dropJob ?? '' } : { kind: 'recoverable', until: row.recoverableUntil }
}

/** Null: living, or fully cleared. */
function deletionOf(row: Row) {
  const { deleted, dropJob, deletedBy, recoverableUntil, pending } = row
  if (deleted === null || (recoverableUntil === null && pending === null)) return null
  return { at: deleted, job: dropJob ?? '', by: deletedBy ?? '', until: recoverableUntil }
}

function listedOf(row: Row): Listed {
  const deletion = deletionOf(row)
  return deletion ? { ...corpusOf(row), deletion } : corpusOf(row)
}

function deletedOf(row: Row): DeletedCorpus | null {
  const deletion = deletionOf(row)
  return deletion && { ...corpusOf(row), deletion }
}

const byName = (a: Row, b: Row): number => compared(a.name, b.name) || compared(a.uid, b.uid)
const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function refOf(row: Row): CorpusRef {
  const { uid, database } = row
  rememberPartitions(row)
  return database === null ? { uid } : { uid, database }
}
