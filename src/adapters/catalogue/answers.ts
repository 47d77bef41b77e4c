/** Responses to requests with an Idempotency-Key, in D1. The stored value is ciphertext; this file could not read it. */
import type { D1Database } from '@cloudflare/workers-types'
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Answers } from '../../ports/idempotency'
import { idempotency } from './schema'

export function answers(binding: D1Database): Answers {
  const db = drizzle(binding)
  return {
    async begin(id, body, now, expires) {
      // While the request is in flight, this takes the place of the response, so that a repetition of this very statement recognises its own row.
      const mine = crypto.randomUUID()
      const fresh = { id, body, status: null, response: mine, expires }
      const { id: _, ...again } = fresh
      const free = or(lte(idempotency.expires, now), and(isNull(idempotency.status), eq(idempotency.response, mine)))
      const begun = await db
        .insert(idempotency)
        .values(fresh)
        .onConflictDoUpdate({ target: idempotency.id, set: again, setWhere: free })
        .returning({ id: idempotency.id })
      if (begun.length > 0) return 'begun'
      const [row] = await db.select().from(idempotency).where(eq(idempotency.id, id))
      if (!row || row.status === null) return { body: row?.body ?? body, status: null, response: null } // no row: released between the two statements
      return row
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
