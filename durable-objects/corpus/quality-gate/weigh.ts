/**
 * Tests a consolidation before anything is written: the probes are asked of the graph and of a draft with the changes, a few at a time. What a draft does
 * not contain is read from the graph.
 */
import { type Draft, draftOf } from '../../../src/core/graph/draft'
import type { Patch, Vector } from '../../../src/core/graph/types'
import { kindOf } from '../../../src/core/ids'
import type { Strategy } from '../../../src/core/strategy'
import { cosine } from '../../../src/core/vectors'
import type { SqliteGraph } from '../../graph/sqlite-graph'
import type { CorpusContext } from '../store'
import { AT_ONCE, type Measuring, resumeMeasuring, scan } from './gate'
import { finding, measurableStrategies, type Nearest, type Subject } from './measure'
import { type Probe, pinnedProbes, probesAfter } from './probes'

/**
 * Would these changes lose results of this builder's strategies? Asks the next few probes; undefined when all have been asked. If the graph
 * changes between two slices the changes are made again, and each probe has been asked of the same graph before and after.
 */
export function weighNext(context: CorpusContext, patch: Patch, builder: string, begun: Measuring | undefined): Measuring | undefined {
  const { after, asked, of } = resumeMeasuring(context, begun)
  const probes = probesAfter(context, after, AT_ONCE)
  const last = probes.at(-1)
  if (!last) return undefined
  const { k } = pinnedProbes(context)
  const draft = applyToDraft(context.graph, patch)
  const strategies = measurableStrategies(context.config.strategies, builder)
  const fresh = probes.map((probe) => {
    const served = scan(context.graph, probe.vector)
    const before = { ...context, nearest: served }
    const then = { graph: draft, config: context.config, nearest: nearestInDraft(draft, served, patch, probe.vector) }
    return [probe.n, Object.fromEntries(strategies.flatMap((one) => compareStrategy(probe, { before, after: then }, one, k)))] as const
  })
  return { after: last.n, asked: { ...asked, ...Object.fromEntries(fresh) }, of }
}

/** Nothing if none of the expected documents is there. */
function compareStrategy(probe: Probe, subjects: { readonly before: Subject; readonly after: Subject }, strategy: Strategy, k: number) {
  const [before, after] = [finding(subjects.before, probe, strategy, k), finding(subjects.after, probe, strategy, k)]
  return before === undefined || after === undefined ? [] : [[strategy.name, { before, after }] as const]
}

/** The results of the graph's scan, without what the patch drops, plus what it puts. */
function nearestInDraft(draft: Draft, served: Nearest, patch: Patch, vector: Vector | undefined): Nearest {
  const put = patch.flatMap((change) => (change.op === 'put-node' ? [change.node.id] : []))
  const dropped = patch.filter((change) => change.op === 'drop-node').length
  return (kind, k) => {
    if (kind === 'passage' || kind === 'unit') return served(kind, k)
    const ids = new Set([...served(kind, k + put.length + dropped).map((hit) => hit.id), ...put.filter((id) => kindOf(id) === kind)])
    const hits = [...ids].flatMap((id) => {
      const own = draft.vector(id)
      return own && vector ? [{ id, score: cosine(vector, own) }] : []
    })
    return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k)
  }
}

function applyToDraft(graph: SqliteGraph, patch: Patch): Draft {
  const draft = draftOf(graph)
  for (const change of patch) {
    switch (change.op) {
      case 'put-node':
        draft.putNode(change.node)
        break
      case 'drop-node':
        draft.dropNode(change.id)
        break
      case 'put-edge':
        draft.putEdge(change.edge)
        break
      case 'drop-edge':
        draft.dropEdge(change.kind, change.source, change.target)
        break
      case 'put-place':
        draft.putPlace(change.space, change.key, change.id)
        break
      case 'drop-place':
        draft.dropPlace(change.space, change.key)
        break
      case 'put-value':
        draft.putValue(change.space, change.key, change.value)
        break
      case 'drop-value':
        draft.dropValue(change.space, change.key)
        break
      default:
        throw new Error(`gate: no builder writes ${change.op}`)
    }
  }
  return draft
}
