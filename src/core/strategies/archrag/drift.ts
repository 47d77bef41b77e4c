/**
 * How far the lowest communities have drifted from what a full clustering would give: modularity and likeness now, against those of the last full
 * clustering, which is also due once the corpus has doubled. In between, local changes keep both within a few hundredths (docs/archrag.md). Reads
 * every link.
 */
import { modularity } from '../../algorithms/modularity'
import { draftOf } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import { clusteringOf, parentOf, stateOf } from './clustering-state'
import { type ClusteringSteps, paperSteps } from './clustering-steps'
import { graphOf, likeness } from './regroup'
import type { ArchSettings } from './settings'

const OUTGROWN = 2 // times the entities of the last full clustering: measures taken then say nothing about twice as many

export interface Drift {
  readonly modularity: number
  readonly likeness: number
  /** At the last full clustering. */
  readonly before: { readonly modularity: number; readonly likeness: number } | undefined
  /** By what share each has fallen. */
  readonly losses: { readonly modularity: number; readonly likeness: number }
  /** The larger of the two losses. */
  readonly lost: number
  readonly due: boolean
  /** False for a corpus too large to be read whole: it is assumed to be unchanged. */
  readonly measured: boolean
}

export function drift(graph: GraphReader, settings: ArchSettings, steps: ClusteringSteps = paperSteps): Drift {
  if (graph.count('entity') > settings.anew) return unmeasured(graph)
  const clustering = clusteringOf(draftOf(graph), settings, false, steps)
  const ids = clustering.rows.ids(0)
  const numbers = new Map<string, number>()
  const communities = Int32Array.from(ids, (id) => {
    const key = parentOf(graph, id) ?? id
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  })
  const now = {
    modularity: modularity(graphOf(clustering, 0, ids).graph, communities),
    likeness: likeness(clustering, 0, ids, communities),
  }
  const before = stateOf(graph, 0)
  const loss = (was = 0, is: number): number => (was > 0 ? Math.max(0, (was - is) / was) : 0)
  const losses = { modularity: loss(before?.modularity, now.modularity), likeness: loss(before?.likeness, now.likeness) }
  const lost = Math.max(losses.modularity, losses.likeness)
  return {
    ...now,
    before: before && { modularity: before.modularity, likeness: before.likeness },
    losses,
    lost,
    due: ids.length > 0 && (!before || lost > settings.drift || ids.length >= OUTGROWN * before.clustered),
    measured: true,
  }
}

function unmeasured(graph: GraphReader): Drift {
  const before = stateOf(graph, 0)
  const { modularity = 0, likeness = 0 } = before ?? {}
  return {
    modularity,
    likeness,
    before: before && { modularity, likeness },
    losses: { modularity: 0, likeness: 0 },
    lost: 0,
    due: false,
    measured: false,
  }
}
