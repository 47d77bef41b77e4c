/** The catalogue in D1: corpora and keys. JSON columns are what this file wrote; they are believed. Each statement may be carried out twice (../d1-retry.ts). */
import type { D1Database } from '@cloudflare/workers-types'
import { and, asc, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Catalogue, CorpusRecord, KeyRecord } from '../../catalogue-ports'
import { accessKey, corpus, hook } from './schema'

export function catalogue(binding: D1Database): Catalogue {
  const db = drizzle(binding)
  const living = isNull(corpus.deleted)
  return {
    async corpus(name) {
      const [row] = await db
        .select()
        .from(corpus)
        .where(and(eq(corpus.name, name), living))
      return row ? corpusOf(row) : null
    },
    async corpora(names, after, limit) {
      const among = names ? inArray(corpus.name, names.slice(0, MOST_NAMES)) : undefined
      const rows = await db
        .select()
        .from(corpus)
        .where(and(living, gt(corpus.name, after), among))
        .orderBy(asc(corpus.name))
        .limit(limit)
      return rows.map(corpusOf)
    },
    async hasCorpora(count) {
      const rows = await db
        .select({ uid: corpus.uid })
        .from(corpus)
        .where(living)
        .limit(1)
        .offset(count - 1)
      return rows.length > 0
    },
    async create(record) {
      const [, [named]] = await db.batch([
        db.insert(corpus).values(rowOf(record)).onConflictDoNothing(),
        db
          .select({ uid: corpus.uid })
          .from(corpus)
          .where(and(eq(corpus.name, record.name), living)),
      ])
      return named?.uid === record.uid
    },
    async change(record) {
      const { uid, name: _, created: __, database: ___, locationHint: ____, ...rest } = rowOf(record)
      await db
        .update(corpus)
        .set(rest)
        .where(and(eq(corpus.uid, uid), living))
    },
    async remove(uid, job, at) {
      await db
        .update(corpus)
        .set({ deleted: at, dropJob: job })
        .where(and(eq(corpus.uid, uid), living))
      await db.delete(hook).where(eq(hook.uid, uid))
    },
    async dropped(name, job) {
      const [row] = await db
        .select({ uid: corpus.uid })
        .from(corpus)
        .where(and(eq(corpus.dropJob, job), eq(corpus.name, name)))
      return row?.uid ?? null
    },
    async forget(before) {
      await db.delete(corpus).where(lt(corpus.deleted, before))
    },
    async key(id) {
      const [row] = await db
        .select()
        .from(accessKey)
        .where(and(eq(accessKey.id, id), isNull(accessKey.revoked)))
      return row ? keyOf(row) : null
    },
    async keys(after, limit) {
      const rows = await db
        .select()
        .from(accessKey)
        .where(and(isNull(accessKey.revoked), gt(accessKey.id, after)))
        .orderBy(asc(accessKey.id))
        .limit(limit)
      return rows.map(keyOf)
    },
    async mint(record) {
      await db
        .insert(accessKey)
        .values({ ...record, ...listsOf(record), revoked: null })
        .onConflictDoNothing()
    },
    async revoke(id, at) {
      const rows = await db
        .update(accessKey)
        .set({ revoked: at })
        .where(and(eq(accessKey.id, id), or(isNull(accessKey.revoked), eq(accessKey.revoked, at))))
        .returning({ id: accessKey.id })
      return rows.length > 0
    },
  }
}

const MOST_NAMES = 90 // D1 binds at most 100 parameters; a key names at most as many corpora

function corpusOf(row: typeof corpus.$inferSelect): CorpusRecord {
  return {
    uid: row.uid,
    name: row.name,
    strategies: JSON.parse(row.strategies),
    settings: JSON.parse(row.settings),
    budget: JSON.parse(row.budget),
    public: row.public,
    created: row.created,
    ...(row.database === null ? {} : { database: row.database }),
    ...(row.locationHint === null ? {} : { locationHint: row.locationHint }),
    ...(row.defaultAccess === null ? {} : { defaultAccess: JSON.parse(row.defaultAccess) }),
  }
}

function rowOf(record: CorpusRecord): typeof corpus.$inferInsert {
  return {
    uid: record.uid,
    name: record.name,
    strategies: JSON.stringify(record.strategies),
    settings: JSON.stringify(record.settings),
    budget: JSON.stringify(record.budget),
    public: record.public,
    created: record.created,
    database: record.database ?? null,
    locationHint: record.locationHint ?? null,
    defaultAccess: record.defaultAccess ? JSON.stringify(record.defaultAccess) : null,
    deleted: null,
    dropJob: null,
  }
}

function keyOf(row: typeof accessKey.$inferSelect): KeyRecord {
  return {
    id: row.id,
    name: row.name,
    hash: row.hash,
    scopes: JSON.parse(row.scopes),
    corpora: JSON.parse(row.corpora),
    created: row.created,
    principals: row.principals === null ? [] : JSON.parse(row.principals),
    accessChoose: row.accessChoose,
  }
}

function listsOf({ scopes, corpora, principals }: KeyRecord) {
  return { scopes: JSON.stringify(scopes), corpora: JSON.stringify(corpora), principals: JSON.stringify(principals) }
}
