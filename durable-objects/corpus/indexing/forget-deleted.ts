/** What names documents or quotes them, beside the graph, and is to do so no longer when they are deleted: in their transaction. */
import { moveSpendingToNobody } from '../billing/rows'
import { forgetDocumentsInConversations } from '../conversations/kept'
import { forgetDocumentsInLog } from '../query-log/log'
import type { CorpusContext } from '../store'

export function forgetDeleted(sql: CorpusContext['sql'], documents: readonly string[]): void {
  moveSpendingToNobody(sql, documents)
  forgetDocumentsInLog(sql, documents)
  forgetDocumentsInConversations(sql, documents)
}
