/** The watch over lost alarms, in D1. A row for each corpus with something due: few, so the cron reads them all. */
import type { D1Database } from '@cloudflare/workers-types'
import { asc, eq, inArray, lt } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Watch } from '../../ports/catalogue'
import { watch as table } from './schema'

export function watch(binding: D1Database): Watch {
  const db = drizzle(binding)
  return {
    async expect(uid, by) {
      if (by === null) await db.delete(table).where(eq(table.uid, uid))
      else
        await db
          .insert(table)
          .values({ uid, due: by })
          .onConflictDoUpdate({ target: table.uid, set: { due: by } })
    },
    async overdue(now, until, limit) {
      const late = db.select({ uid: table.uid }).from(table).where(lt(table.due, now)).orderBy(asc(table.due)).limit(limit)
      const rows = await db.update(table).set({ due: until }).where(inArray(table.uid, late)).returning({ uid: table.uid })
      return rows.map((row) => row.uid)
    },
  }
}
