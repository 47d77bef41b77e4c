/** Data outside the graph that names or quotes documents, and must no longer do so when they are deleted: runs in their transaction. */
import { noteDeletion } from '../access/deleted-since'
import { moveSpendingToNobody } from '../billing/rows'
import { forgetDocumentsInConversations } from '../conversations/kept'
import { forgetDocumentsInLog } from '../query-log/log'
import type { CorpusContext } from '../store'
import { deleteEarlierOf } from '../tables/earlier'

/** After the change of the graph. */
export function forgetDeleted({ sql, graph }: Pick<CorpusContext, 'sql' | 'graph'>, documents: readonly string[]): void {
  noteDeletion(sql, graph.version, documents)
  moveSpendingToNobody(sql, documents)
  deleteEarlierOf(sql, documents)
  forgetDocumentsInLog(sql, documents)
  forgetDocumentsInConversations(sql, documents)
}
