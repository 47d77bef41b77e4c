/** In the object of a corpus in partitions: the tree above those of its partitions, as it follows from the top summaries that they reported. */
import { type NeighbourhoodRequest, neighbourhood } from '../../../src/core/access/neighbourhood'
import type { Neighbourhood } from '../../../src/core/graph/listed'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Vector } from '../../../src/core/graph/types'
import type { SummaryAbove } from '../../../src/core/joint/joint-trees'
import { summariesAbove, treeAbove } from '../../../src/core/strategies/erarag/above'
import { partitionUids } from '../../../src/corpus-uid'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta } from '../tables/meta'
import { listTops } from '../tables/top'

type Own = Pick<CorpusContext, 'sql' | 'graph' | 'config'>

interface Raised {
  /** What it was grown from: another makes another tree. */
  readonly from: string
  readonly tree: GraphReader
  /** By top summary: its partition. */
  readonly parts: ReadonlyMap<string, number>
}

/** Only in memory: nothing that partitions have forgotten can be left of it. */
const raised = new WeakMap<Own['graph'], Raised>()

export function summariesAboveAll(own: Own, question?: Vector): readonly SummaryAbove[] {
  const { tree, parts } = raisedIn(own)
  return summariesAbove(tree, own.config.settings, (top) => parts.get(top) ?? 0, question)
}

export function aroundAbove(own: Own, from: NeighbourhoodRequest): Neighbourhood | null {
  return neighbourhood(raisedIn(own).tree, from)
}

function raisedIn({ sql, graph, config }: Own): Raised {
  const { settings, uid } = config
  const uids = partitionUids(uid)
  const from = JSON.stringify([readMeta(sql, metaKeys.topReports) ?? 0, uids, settings.dimensions, settings.erarag])
  const known = raised.get(graph)
  if (known?.from === from) return known
  const told = listTops(sql).filter(({ partition }) => uids.includes(partition))
  const tops = new Map(
    told.map(({ partition, top }) => [top.id, { part: uids.indexOf(partition), top: { ...top, sum: Int32Array.from(top.sum) } }]),
  )
  const tree = treeAbove(
    [...tops.values()].map(({ top }) => top),
    settings,
  )
  const made = { from, tree, parts: new Map([...tops].map(([id, { part }]) => [id, part])) }
  raised.set(graph, made)
  return made
}
