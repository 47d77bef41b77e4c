/** Which secrets are sealed in D1, and how far they have been sealed again. Each change is one statement that names what it replaces. */
import type { D1Database } from '@cloudflare/workers-types'
import { and, asc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { ResealState, ResealStore } from '../../ports/reseal'
import { corpus, hook, reseal } from './schema'

const ONE = 1 // there is one row

export function resealStore(binding: D1Database): ResealStore {
  const db = drizzle(binding)
  const there = or(isNull(corpus.deleted), isNotNull(corpus.recoverableUntil))
  return {
    async state() {
      const [row] = await db.select().from(reseal)
      return row ? (JSON.parse(row.state) as ResealState) : null
    },
    async advance(before, after) {
      const state = JSON.stringify(after)
      const done = before
        ? await db
            .update(reseal)
            .set({ state })
            .where(eq(reseal.state, JSON.stringify(before)))
            .returning({ one: reseal.one })
        : await db.insert(reseal).values({ one: ONE, state }).onConflictDoNothing().returning({ one: reseal.one })
      return done.length > 0
    },
    async webhooks(after, limit) {
      const rows = await db
        .select({ id: hook.id, secrets: hook.secrets })
        .from(hook)
        .where(gt(hook.id, after))
        .orderBy(asc(hook.id))
        .limit(limit)
      return rows.map(({ id, secrets }) => ({ id, secrets: JSON.parse(secrets) }))
    },
    async replace(id, before, after) {
      const done = await db
        .update(hook)
        .set({ secrets: JSON.stringify(after) })
        .where(and(eq(hook.id, id), eq(hook.secrets, JSON.stringify(before))))
        .returning({ id: hook.id })
      return done.length > 0
    },
    async corpora(after, limit) {
      const rows = await db
        .select({ uid: corpus.uid })
        .from(corpus)
        .where(and(there, gt(corpus.uid, after)))
        .orderBy(asc(corpus.uid))
        .limit(limit)
      return rows.map(({ uid }) => uid)
    },
    async left(webhook, uid) {
      const [[corpora], hooks] = await Promise.all([
        db
          .select({ n: sql<number>`count(*)` })
          .from(corpus)
          .where(and(there, gt(corpus.uid, uid))),
        webhook === null ? [] : db.select({ n: sql<number>`count(*)` }).from(hook).where(gt(hook.id, webhook)),
      ])
      return { webhooks: hooks[0]?.n ?? 0, corpora: corpora?.n ?? 0 }
    },
  }
}
