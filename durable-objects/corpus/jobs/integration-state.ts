/**
 * A change too large for one transaction (indexing/large.ts) is in progress, and how far it has got: one row, so that a crash repeats
 * nothing and forgets nothing.
 */
import type { CorpusContext } from '../store'
import type { Integration } from '../tables/integration'
import { deleteMeta, hasMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'

/** Is a change being applied in parts? Then nothing else may write to the graph. */
export function isIntegrating(context: Pick<CorpusContext, 'sql'>): boolean {
  return hasMeta(context.sql, metaKeys.integration)
}

/** How far it has got; undefined: none is in progress. */
export function readIntegration({ sql }: Pick<CorpusContext, 'sql'>): Integration | undefined {
  return readMeta(sql, metaKeys.integration)
}

/** The number of the job whose change is being applied. */
export function integratingJob(context: Pick<CorpusContext, 'sql'>): number | undefined {
  return readIntegration(context)?.job
}

export function writeIntegration({ sql }: Pick<CorpusContext, 'sql'>, underway: Integration): void {
  writeMeta(sql, metaKeys.integration, underway)
}

export function deleteIntegration({ sql }: Pick<CorpusContext, 'sql'>): void {
  deleteMeta(sql, metaKeys.integration)
}
