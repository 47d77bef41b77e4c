/**
 * An answer may be stored after something it rests on was deleted: then its text is not stored. The ids of documents are not enough to
 * tell, since a document may have been put again under the same id, and a summary keeps its id when it loses what a document said.
 */
import type { Sql } from '../../sql'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { readLiveState, readNewestAccess } from '../tables/revision'

export interface GivenAnswer {
  /** The version at which it was given. */
  readonly version: number
  readonly documents: readonly string[]
  /** It may also say what summaries and communities say, about any document. */
  readonly isBroad: boolean
}

/** Inside the transaction that deletes, after its change of the graph. */
export function noteDeletion(sql: Sql, version: number, documents: readonly string[]): void {
  if (documents.length > 0) writeMeta(sql, metaKeys.deletedAt, version)
}

export function isDeletedSince(sql: Sql, { version, documents, isBroad }: GivenAnswer): boolean {
  if (documents.some((one) => readNewestAccess(sql, one) === undefined)) return true
  if ((readMeta(sql, metaKeys.deletedAt) ?? 0) <= version) return false
  return isBroad || documents.some((one) => (readLiveState(sql, one)?.indexed_version ?? Number.MAX_SAFE_INTEGER) > version)
}
