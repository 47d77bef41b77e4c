/** Once a document is deleted, its cost counts for no document. */
import type { Sql } from '../../sql'
import { addToDocument, deleteSpending, listSpendingOfDeleted } from '../tables/spending'

export const NOBODY = '' // used instead of a document for what serves several or none: summaries, reports, questions, deleted documents

/**
 * The cost of these documents is from now on counted without a document: rows move, sums stay. Documents that still have a version keep
 * theirs.
 */
export function moveSpendingToNobody(sql: Sql, documents: readonly string[]): void {
  for (const document of documents) {
    for (const row of listSpendingOfDeleted(sql, document)) {
      addToDocument(sql, NOBODY, row)
      deleteSpending(sql, document, row.stage)
    }
  }
}
