/** In a partition: tells the corpus's own object the top summaries of its tree when a commit has changed them, above which that object has a tree of the whole. */
import { fingerprint } from '../../../src/core/ids'
import { embeddingOf } from '../../../src/core/settings'
import { topsOf } from '../../../src/core/strategies/erarag/above'
import { corpusUidOf } from '../../../src/corpus-uid'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { insertReport } from '../tables/report'

/** At the end of the commit, inside its transaction. Reads S_max summaries; tells only those that are not as they were last told. */
export function reportTops({ sql, graph, config }: Pick<CorpusContext, 'sql' | 'graph' | 'config'>): void {
  if (corpusUidOf(config.uid) === config.uid) return
  const told = readMeta(sql, metaKeys.topsTold) ?? {}
  const tops = topsOf(graph, config.settings).map((top) => ({ ...top, sum: [...top.sum] }))
  const marks = Object.fromEntries(tops.map((top) => [top.id, fingerprint(JSON.stringify(top))]))
  const changed = tops.filter(({ id }) => told[id] !== marks[id])
  if (changed.length === 0 && Object.keys(told).length === tops.length) return
  const { settings } = readMeta(sql, metaKeys.config) ?? config // in the moment of a move to another model, the one it has from now on
  insertReport(sql, { kind: 'tops', ids: Object.keys(marks), changed, of: embeddingOf(settings) })
  writeMeta(sql, metaKeys.topsTold, marks)
}
