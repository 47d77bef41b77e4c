/**
 * What was deleted after a restored state stays deleted, and access stays as it was last set: until these changes have been applied to the older state, the
 * corpus answers nobody. It deletes in the usual way, so what was derived from the documents is deleted with them.
 */
import type { Actor } from '../../../src/ports/audit'
import type { Replay, Withdrawals } from '../../../src/ports/backup'
import { labelsIn } from '../access/readable'
import { addAuditEntries } from '../audit/log'
import { acceptWithAudit } from '../ingest/accept-with-audit'
import { changedAccess, setAccess } from '../ingest/set-access'
import { integratingJob, isIntegrating } from '../jobs/integration-state'
import { WITHDRAWN } from '../maintenance/retention'
import type { CorpusContext } from '../store'
import { readJobById } from '../tables/job'
import { deleteMeta, hasMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { Replaying } from '../tables/meta-values'
import { readNewestAccess } from '../tables/revision'
import { listWithdrawnSince, writeWithdrawn } from '../tables/withdrawn'

const AT_ONCE = 1000 // documents per job, as in a batch

export function withdrawalsSince({ sql, now }: CorpusContext, since: number): Withdrawals {
  const rows = listWithdrawnSince(sql, since)
  const from = readMeta(sql, metaKeys.withdrawnFrom) ?? null
  const created = readMeta(sql, metaKeys.createdAt) ?? 0
  const oldest = now() - WITHDRAWN
  return {
    from: from ?? (created < oldest ? oldest : null),
    deleted: rows.flatMap(({ document, what, at }) => (what === 'deleted' ? [{ document, at }] : [])),
    access: rows.flatMap(({ document, what, at }) => {
      const known = what === 'access' ? readNewestAccess(sql, document) : undefined
      return known ? [{ document, at, access: labelsIn(known.access), active: known.active === 1 }] : []
    }),
  }
}

export function isReplaying({ sql }: Pick<CorpusContext, 'sql'>): boolean {
  return hasMeta(sql, metaKeys.replay)
}

export function leftToReplay({ sql }: Pick<CorpusContext, 'sql'>): number {
  const { what } = readMeta(sql, metaKeys.replay) ?? {}
  return what ? what.deleted.length + what.access.length : 0
}

/** Runs in the transaction that makes the older state current. Small changes are made at once. */
export function beginReplay(context: CorpusContext, what: Replay, by: Actor | undefined): void {
  if (what.deleted.length + what.access.length === 0) return
  writeMeta(context.sql, metaKeys.replay, { what, ...(by ? { by } : {}) })
  advanceReplay(context)
}

/** Does what can be done now; true: everything is in the graph. */
export function advanceReplay(context: CorpusContext): boolean {
  return context.atomically(() => {
    const replaying = readMeta(context.sql, metaKeys.replay)
    if (!replaying) return true
    if (isIntegrating(context)) return false // the state is from the middle of a large change: that is applied first
    const jobs = replaying.jobs ?? start(context, replaying)
    const isIn = (id: string): boolean => {
      const job = readJobById(context.sql, id)
      return !job || (job.phase !== 'staging' && job.n !== integratingJob(context))
    }
    if (!jobs.every(isIn)) {
      writeMeta(context.sql, metaKeys.replay, { ...replaying, jobs })
      return false
    }
    deleteMeta(context.sql, metaKeys.replay)
    return true
  })
}

/** Labels before deletions: so a relabelling never waits for a change that is applied in parts. */
function start(context: CorpusContext, { what, by }: Replaying): string[] {
  const changes = changedAccess(
    context,
    what.access.map(({ document, access, active }) => ({ id: document, access, active })),
  )
  const outcome = 'done'
  addAuditEntries(
    context,
    by,
    changes.map(({ document }) => ({ action: 'document.access' as const, document, outcome })),
  )
  if (changes.length > 0) setAccess(context, changes)
  const jobs: string[] = []
  for (let at = 0; at < what.deleted.length; at += AT_ONCE) {
    const deletes = what.deleted.slice(at, at + AT_ONCE).map(({ document }) => document)
    const accepted = acceptWithAudit(context, by, { kind: 'delete', upserts: [], deletes })
    if (accepted.kind === 'accepted') jobs.push(accepted.job)
  }
  writeWithdrawn(context.sql, [
    ...what.access.map(({ document, at }) => ({ document, what: 'access' as const, at })),
    ...what.deleted.map(({ document, at }) => ({ document, what: 'deleted' as const, at })),
  ])
  return jobs
}
