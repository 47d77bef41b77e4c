/**
 * An answer may be stored after something it rests on was deleted: then its text is not stored. The ids of documents are not enough to
 * tell, since a document may have been put again under the same id, and a summary keeps its id when it loses what a document said.
 */
import { partitionsOf } from '../../../src/corpus-uid'
import type { Sql } from '../../sql'
import { metaKeys, readMeta, readUid, writeMeta } from '../tables/meta'
import { FORGOTTEN_FOR, hasForgotten, hasForgottenAny } from '../tables/report'
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

/**
 * In the object of a corpus in partitions, which has no documents: whether one of these was reported as deleted within the last hour, whatever
 * has been put under its id since.
 */
export function isDeletedSince(sql: Sql, { version, documents, isBroad }: GivenAnswer, now: number): boolean {
  if (partitionsOf(readUid(sql) ?? '') > 1) {
    const since = now - FORGOTTEN_FOR
    return isBroad ? hasForgottenAny(sql, since) : hasForgotten(sql, documents, since)
  }
  if (documents.some((one) => readNewestAccess(sql, one) === undefined)) return true
  if ((readMeta(sql, metaKeys.deletedAt) ?? 0) <= version) return false
  return isBroad || documents.some((one) => (readLiveState(sql, one)?.indexed_version ?? Number.MAX_SAFE_INTEGER) > version)
}
