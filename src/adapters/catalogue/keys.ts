/** Keys in D1, and which corpora they open. JSON columns contain what this file wrote, and are trusted. Each statement may be executed twice (../d1-retry.ts). */
import type { D1Database } from '@cloudflare/workers-types'
import { and, asc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { NewDeploymentEntry } from '../../ports/deployment-audit'
import type { Grant, KeyRecord, Keys, ReplacedHash } from '../../ports/keys'
import { rowOf } from './audit'
import { accessKey, audit, corpus, keyGrant } from './schema'

const ALL = '*'

/** `[name, uid, 1 while the corpus exists]` for each. A corpus that is being deleted can still be opened: its last job can be read. */
const grants = sql<string>`(
  SELECT json_group_array(json_array(c.name, c.uid, c.deleted IS NULL))
  FROM ${keyGrant} g JOIN ${corpus} c ON c.uid = g.uid WHERE g.key = access_key.id)`

export function keys(binding: D1Database): Keys {
  const db = drizzle(binding)
  const entered = (entry: NewDeploymentEntry) => db.insert(audit).values(rowOf(entry)).onConflictDoNothing()
  const rows = (where: SQL | undefined) =>
    db
      .select({ row: accessKey, grants })
      .from(accessKey)
      .where(and(isNull(accessKey.revoked), where))
  return {
    async key(id) {
      const [found] = await rows(eq(accessKey.id, id))
      return found ? recordOf(found) : null
    },
    async keys(within, after, limit) {
      const found = await rows(and(gt(accessKey.id, after), within === null ? undefined : confinedTo(within)))
        .orderBy(asc(accessKey.id))
        .limit(limit)
      return found.map(recordOf)
    },
    async mint({ corpora, scopes, previous, principals, limits, ...rest }, by) {
      const named = corpora === null ? [ALL] : corpora.map(({ name }) => name)
      const texts = {
        scopes: JSON.stringify(scopes),
        corpora: JSON.stringify(named),
        previous: JSON.stringify(previous),
        principals: JSON.stringify(principals),
        limits: limits ? JSON.stringify(limits) : null,
      }
      const row = { ...rest, ...texts, revoked: null }
      const uids = JSON.stringify((corpora ?? []).map(({ uid }) => uid))
      await db.batch([
        db.insert(accessKey).values(row).onConflictDoNothing(),
        // `WHERE true` keeps SQLite from reading ON CONFLICT as a join's condition.
        db.insert(keyGrant).select(sql`SELECT ${rest.id}, value FROM json_each(${uids}) WHERE true`).onConflictDoNothing(),
        entered({ ...by, at: rest.created, action: 'key.create', subject: rest.id, outcome: 'done' }),
      ])
    },
    async rotate(id, { at, from, to, previous }, by) {
      const [done] = await db.batch([
        db
          .update(accessKey)
          .set({ hash: to, previous: JSON.stringify(previous) })
          .where(and(eq(accessKey.id, id), isNull(accessKey.revoked), inArray(accessKey.hash, [from, to])))
          .returning({ id: accessKey.id }),
        entered({ ...by, at, action: 'key.rotate', subject: id, outcome: 'done' }),
      ])
      return done.length > 0
    },
    async limit(id, limits, at, by) {
      const [changed] = await db.batch([
        db
          .update(accessKey)
          .set({ limits: limits && JSON.stringify(limits) })
          .where(and(eq(accessKey.id, id), isNull(accessKey.revoked)))
          .returning({ id: accessKey.id }),
        entered({ ...by, at, action: 'key.limit', subject: id, outcome: 'done' }),
      ])
      return changed.length > 0
    },
    async noteUse(id, at, unlessSince) {
      await db
        .update(accessKey)
        .set({ used: at })
        .where(and(eq(accessKey.id, id), or(isNull(accessKey.used), lt(accessKey.used, unlessSince))))
    },
    async revoke(id, at, by) {
      const [revoked] = await db.batch([
        db
          .update(accessKey)
          .set({ revoked: at })
          .where(and(eq(accessKey.id, id), or(isNull(accessKey.revoked), eq(accessKey.revoked, at))))
          .returning({ id: accessKey.id }),
        entered({ ...by, at, action: 'key.revoke', subject: id, outcome: 'done' }),
      ])
      return revoked.length > 0
    },
  }
}

/** Keys that open only these corpora, and at least one of them. */
function confinedTo(uids: readonly string[]): SQL {
  const these = sql`(SELECT value FROM json_each(${JSON.stringify(uids)}))`
  const opened = sql`SELECT 1 FROM ${keyGrant} g WHERE g.key = access_key.id AND g.uid`
  const whole = sql`EXISTS (SELECT 1 FROM json_each(access_key.corpora) WHERE value = ${ALL})`
  return sql`NOT ${whole} AND EXISTS (${opened} IN ${these}) AND NOT EXISTS (${opened} NOT IN ${these})`
}

function recordOf({ row, grants: opened }: { readonly row: typeof accessKey.$inferSelect; readonly grants: string }): KeyRecord {
  const all = (JSON.parse(row.corpora) as string[]).includes(ALL)
  const granted = JSON.parse(opened) as [string, string, 0 | 1][]
  return {
    id: row.id,
    name: row.name,
    hash: row.hash,
    previous: JSON.parse(row.previous) as ReplacedHash[],
    scopes: JSON.parse(row.scopes),
    corpora: all ? null : granted.map(([name, uid, there]): Grant => ({ name, uid, isThere: there === 1 })),
    created: row.created,
    expires: row.expires,
    used: row.used,
    principals: row.principals === null ? [] : JSON.parse(row.principals),
    accessChoose: row.accessChoose,
    ...(row.limits === null ? {} : { limits: JSON.parse(row.limits) }),
  }
}
