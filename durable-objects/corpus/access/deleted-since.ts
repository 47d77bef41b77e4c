/**
 * An answer may be written down after what it rests on was deleted: then its text is written nowhere. Names of documents alone do not say so, since one
 * may have come again under its name, and a summary keeps its id when it loses what a document said.
 */
import type { Sql } from '../../sql'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { readLiveState, readNewestAccess } from '../tables/revision'

export interface GivenAnswer {
  /** At which it was given. */
  readonly version: number
  readonly documents: readonly string[]
  /** It may say what summaries and communities say, too, of any document. */
  readonly isBroad: boolean
}

/** Inside the transaction that deletes, behind its change of the graph. */
export function noteDeletion(sql: Sql, version: number, documents: readonly string[]): void {
  if (documents.length > 0) writeMeta(sql, metaKeys.deletedAt, version)
}

export function isDeletedSince(sql: Sql, { version, documents, isBroad }: GivenAnswer): boolean {
  if (documents.some((one) => readNewestAccess(sql, one) === undefined)) return true
  if ((readMeta(sql, metaKeys.deletedAt) ?? 0) <= version) return false
  return isBroad || documents.some((one) => (readLiveState(sql, one)?.indexed_version ?? Number.MAX_SAFE_INTEGER) > version)
}
