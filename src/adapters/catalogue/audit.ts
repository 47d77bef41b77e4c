/** The deployment's audit log in D1: entries are added with the change they record, or before it, and deleted when they expire. */
import type { D1Database } from '@cloudflare/workers-types'
import { and, desc, eq, lt, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { DeploymentAudit, DeploymentEntry, NewDeploymentEntry } from '../../ports/deployment-audit'
import { audit } from './schema'

export function deploymentAudit(binding: D1Database): DeploymentAudit {
  const db = drizzle(binding)
  return {
    async add(entry) {
      await db.insert(audit).values(rowOf(entry)).onConflictDoNothing()
    },
    async entries(before, limit) {
      const earlier = before && or(lt(audit.at, before.at), and(eq(audit.at, before.at), lt(audit.id, before.id)))
      const rows = await db
        .select()
        .from(audit)
        .where(earlier ?? undefined)
        .orderBy(desc(audit.at), desc(audit.id))
        .limit(limit)
      return rows.map((row) => ({ ...row, door: row.door as DeploymentEntry['door'] }))
    },
    async forget(before) {
      await db.delete(audit).where(lt(audit.at, before))
    },
  }
}

/** Created once per call: a statement that is executed twice records it once. */
export function rowOf(entry: NewDeploymentEntry): typeof audit.$inferInsert {
  return { id: crypto.randomUUID(), ...entry }
}
