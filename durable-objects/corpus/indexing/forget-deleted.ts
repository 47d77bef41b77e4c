/** Data outside the graph that names or quotes documents, and must no longer do so when they are deleted: runs in their transaction. */
import { corpusUidOf } from '../../../src/corpus-uid'
import { noteDeletion } from '../access/deleted-since'
import { moveSpendingToNobody } from '../billing/rows'
import { forgetDocumentsInConversations } from '../conversations/kept'
import { forgetDocumentsInLog } from '../query-log/log'
import type { CorpusContext } from '../store'
import { deleteEarlierOf } from '../tables/earlier'
import { insertReport } from '../tables/report'

/** After the change of the graph. A partition also tells the corpus's own object, which keeps what was asked of all partitions. */
export function forgetDeleted({ sql, graph, config }: Pick<CorpusContext, 'sql' | 'graph' | 'config'>, documents: readonly string[]): void {
  noteDeletion(sql, graph.version, documents)
  moveSpendingToNobody(sql, documents)
  deleteEarlierOf(sql, documents)
  forgetDocumentsInLog(sql, documents)
  forgetDocumentsInConversations(sql, documents)
  if (documents.length > 0 && corpusUidOf(config.uid) !== config.uid) insertReport(sql, { kind: 'forgotten', documents })
}
