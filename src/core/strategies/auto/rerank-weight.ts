/**
 * How far a re-ranker is trusted on this corpus: as measured on its probes (`rerank-calibration`); not at all before that, or if the re-ranker is
 * another one.
 */
import type { GraphReader } from '../../graph/reader'
import type { Json } from '../../graph/types'
import type { Settings } from '../../settings'
import { SPACE } from './weights'

export const RERANKING = 'reranking'
const UNMEASURED = 0.5 // if a question asks for a re-ranker that has not been measured, or that probes speak against

export interface RerankCalibration {
  /** The re-ranker's share of a passage's score, 0 to 1. 0: probes speak against it. */
  readonly weight: number
  readonly reranker: string
  readonly models: string
  /** Passages in the corpus when measuring began. */
  readonly passages: number
  /** How many probes it has read. */
  readonly probes: number
  /** Mean worth of the probes' passages at weight 0 and at this one. */
  readonly without: number
  readonly with: number
}

export function rerankCalibrationOf(graph: GraphReader): RerankCalibration | undefined {
  const value = graph.value(SPACE, RERANKING)
  return value && typeof value === 'object' && 'reranker' in value ? (value as unknown as RerankCalibration) : undefined
}

export function rerankCalibrationJson(calibration: RerankCalibration): Json {
  return { ...calibration }
}

interface Chosen {
  readonly strategy: string
  readonly options: { readonly [key: string]: Json }
}

/**
 * The re-ranker's share of a score for this question; 0: it is not asked. For `auto`, what was measured; other strategies keep their order unless
 * the question says `select: "rerank"`.
 */
export function rerankWeightFor(graph: GraphReader, { strategy, options }: Chosen, settings: Pick<Settings, 'reranker'>): number {
  const { rerank, select } = options
  if (rerank === false || (select !== undefined && select !== 'rerank')) return 0
  if (typeof rerank === 'number') return rerank
  const measured = measuredWeight(graph, settings)
  if (select === 'rerank') return measured || UNMEASURED
  return strategy === 'auto' ? measured : 0
}

/** How far the deployment's re-ranker is trusted here; undefined if there is none. If not measured: not at all. */
export function rerankingOf(graph: GraphReader, { reranker, models }: Pick<Settings, 'reranker' | 'models'>): Reranking | undefined {
  if (!reranker) return undefined
  const last = rerankCalibrationOf(graph)
  if (!last || last.reranker !== reranker || last.models !== models) return { reranker, weight: 0, measured: null }
  const { weight, probes, without, with: gained } = last
  return { reranker, weight, measured: { probes, without, with: gained } }
}

export interface Reranking {
  readonly reranker: string
  readonly weight: number
  readonly measured: Pick<RerankCalibration, 'probes' | 'without' | 'with'> | null
}

function measuredWeight(graph: GraphReader, { reranker }: Pick<Settings, 'reranker'>): number {
  const measured = rerankCalibrationOf(graph)
  return measured && measured.reranker === reranker ? measured.weight : 0
}
