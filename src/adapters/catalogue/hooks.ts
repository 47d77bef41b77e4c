/** Webhooks in D1. JSON columns contain what this file wrote, and are trusted. A hook lives and ends with its corpus. */
import type { D1Database } from '@cloudflare/workers-types'
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { HookRecord, Hooks } from '../../ports/hooks'
import { corpus, hook } from './schema'

export function hooks(binding: D1Database): Hooks {
  const db = drizzle(binding)
  return {
    async hook(id) {
      const living = and(eq(corpus.uid, hook.uid), isNull(corpus.deleted))
      const [row] = await db.select({ hook }).from(hook).innerJoin(corpus, living).where(eq(hook.id, id))
      return row ? recordOf(row.hook) : null
    },
    async hooks(uid, after, limit) {
      const rows = await db
        .select()
        .from(hook)
        .where(and(eq(hook.uid, uid), gt(hook.id, after)))
        .orderBy(asc(hook.id))
        .limit(limit)
      return rows.map(recordOf)
    },
    async add(record) {
      const { id, uid, preset, created } = record
      const mapping = record.mapping && JSON.stringify(record.mapping)
      const signature = record.signature ? JSON.stringify(record.signature) : null
      // One statement: a corpus that is being deleted gets no hook, since nothing would remove it.
      await db.run(sql`INSERT INTO ${hook} (id, uid, preset, mapping, secrets, created, access, signature, source)
        SELECT ${id}, ${uid}, ${preset}, ${mapping}, ${JSON.stringify(record.secrets)}, ${created}, ${JSON.stringify(record.access)}, ${signature}, ${record.source ?? null}
        WHERE EXISTS (SELECT 1 FROM ${corpus} WHERE ${corpus.uid} = ${uid} AND ${corpus.deleted} IS NULL) ON CONFLICT DO NOTHING`)
      const added = await db.select({ id: hook.id }).from(hook).where(eq(hook.id, id))
      return added.length > 0
    },
    async rotate(id, secrets) {
      await db
        .update(hook)
        .set({ secrets: JSON.stringify(secrets) })
        .where(eq(hook.id, id))
    },
    async remove(uid, id) {
      const gone = await db
        .delete(hook)
        .where(and(eq(hook.uid, uid), eq(hook.id, id)))
        .returning({ id: hook.id })
      return gone.length > 0
    },
  }
}

function recordOf(row: typeof hook.$inferSelect): HookRecord {
  return {
    id: row.id,
    uid: row.uid,
    preset: row.preset as HookRecord['preset'],
    mapping: row.mapping === null ? null : JSON.parse(row.mapping),
    signature: row.signature === null ? null : JSON.parse(row.signature),
    secrets: JSON.parse(row.secrets),
    created: row.created,
    source: row.source,
    access: row.access === null ? [] : JSON.parse(row.access),
  }
}
