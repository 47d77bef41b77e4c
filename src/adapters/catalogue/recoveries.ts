/** Corpora that are restored to a moment, in D1. Each change is one batch, and may be executed twice. */
import type { D1Database } from '@cloudflare/workers-types'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Recoveries, Recovery } from '../../ports/recovery'
import { corpus, recovery, recoveryPart } from './schema'

export function recoveries(binding: D1Database): Recoveries {
  const db = drizzle(binding)
  const own = (uid: string, id: string) => and(eq(recovery.uid, uid), eq(recovery.id, id))
  return {
    async ask({ uid, id, time, asked, by }) {
      const row = { id, time, asked, by: by && JSON.stringify(by), step: 'asked', parts: 0 }
      const [, , [known]] = await db.batch([
        db
          .insert(recovery)
          .values({ uid, ...row })
          .onConflictDoUpdate({ target: recovery.uid, set: row, setWhere: eq(recovery.step, 'done') }),
        db
          .update(corpus)
          .set({ recovering: true })
          .where(
            and(
              eq(corpus.uid, uid),
              isNull(corpus.deleted),
              sql`EXISTS (SELECT 1 FROM ${recovery} WHERE ${own(uid, id)} AND step <> 'done')`,
            ),
          ),
        db.select({ id: recovery.id }).from(recovery).where(eq(recovery.uid, uid)),
      ])
      return known?.id === id
    },
    async state(uid) {
      const [row] = await db.select().from(recovery).where(eq(recovery.uid, uid))
      return row ? { ...row, step: row.step as Recovery['step'], by: row.by === null ? null : JSON.parse(row.by) } : null
    },
    async keepPart(uid, n, body) {
      await db
        .insert(recoveryPart)
        .values({ uid, n, body })
        .onConflictDoUpdate({ target: [recoveryPart.uid, recoveryPart.n], set: { body } })
    },
    async part(uid, n) {
      const [row] = await db
        .select({ body: recoveryPart.body })
        .from(recoveryPart)
        .where(and(eq(recoveryPart.uid, uid), eq(recoveryPart.n, n)))
      return row?.body ?? null
    },
    async carried(uid, id, parts) {
      await db
        .update(recovery)
        .set({ step: 'carried', parts })
        .where(and(own(uid, id), eq(recovery.step, 'asked')))
    },
    async finish(uid, id, { strategies, settings }) {
      const isOwn = sql`EXISTS (SELECT 1 FROM ${recovery} WHERE ${own(uid, id)})`
      const open = { recovering: false, strategies: JSON.stringify(strategies), settings: JSON.stringify(settings) }
      await db.batch([
        db
          .update(corpus)
          .set(open)
          .where(and(eq(corpus.uid, uid), isOwn, eq(corpus.recovering, true))),
        db.delete(recoveryPart).where(and(eq(recoveryPart.uid, uid), isOwn)),
        db.update(recovery).set({ step: 'done', parts: 0 }).where(own(uid, id)),
      ])
    },
    async open(limit) {
      const living = and(eq(corpus.uid, recovery.uid), isNull(corpus.deleted))
      const rows = await db
        .select({ uid: recovery.uid })
        .from(recovery)
        .innerJoin(corpus, living)
        .where(ne(recovery.step, 'done'))
        .limit(limit)
      return rows.map(({ uid }) => uid)
    },
  }
}
