/** Answers to requests with an Idempotency-Key, in D1. What is kept is ciphertext; this file could not read it. */
import type { D1Database } from '@cloudflare/workers-types'
import { eq, lte, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Answers } from '../../catalogue-ports'
import { idempotency } from './schema'

export function answers(binding: D1Database): Answers {
  const db = drizzle(binding)
  return {
    async begin(id, body, now, expires) {
      const fresh = { id, body, status: null, response: null, expires }
      const { id: _, ...again } = fresh
      const begun = await db
        .insert(idempotency)
        .values(fresh)
        .onConflictDoUpdate({ target: idempotency.id, set: again, setWhere: sql`${idempotency.expires} <= ${now}` })
        .returning({ id: idempotency.id })
      if (begun.length > 0) return 'begun'
      const [row] = await db.select().from(idempotency).where(eq(idempotency.id, id))
      return row ?? { body, status: null, response: null } // released between the two: the caller may try again
    },
    async finish(id, status, response, expires) {
      await db.update(idempotency).set({ status, response, expires }).where(eq(idempotency.id, id))
    },
    async release(id) {
      await db.delete(idempotency).where(eq(idempotency.id, id))
    },
    async sweep(now) {
      await db.delete(idempotency).where(lte(idempotency.expires, now))
    },
  }
}
