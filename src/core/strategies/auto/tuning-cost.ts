/**
 * What it costs to weigh the channels and the re-ranker on a corpus's probes: the vectors of the probes and of what is left of their passages, and
 * what the re-ranker reads. This comes on top of indexing, in the background, once the corpus has enough passages and has changed by a fifth: how
 * often documents make it due is a bounded guess. Pure.
 */
import { reading } from '../../channels/reading-text'
import type { Bulk } from '../../estimate/bulk'
import type { Case } from '../../estimate/rates'
import { limits as channelLimits } from './calibration'
import { probing } from './probes'
import { limits as rerankLimits } from './rerank-calibration'
import { POOL } from './rerank-measure'

const QUESTION = 20 // tokens of a probe
const WAY = 30 // tokens of the title and the sentence that led there, on average
const TEXTS_PER_CALL = 6 // three probes a commit, two texts each

export interface TuningCost {
  readonly embedded: number
  /** Tokens a re-ranker reads. */
  readonly reranked: number
  readonly calls: { readonly embed: number; readonly rerank: number }
}

export function tuningCost({ passages, passageTokens, chunks }: Bulk, bound: Case, reranks: boolean): TuningCost {
  const times = measurements(passages, bound)
  const passage = passageTokens / Math.max(1, passages)
  const probes = Math.min(probing.count, chunks) + (reranks ? Math.min(rerankLimits.calls, 2 * chunks) : 0)
  const pools = reranks ? Math.min(rerankLimits.calls, 2 * chunks) : 0
  const pool = Math.min(POOL, passages) * Math.min(QUESTION + WAY + passage, reading.window)
  return {
    embedded: Math.ceil(times * probes * (QUESTION + passage)),
    reranked: Math.ceil(times * pools * pool),
    calls: { embed: Math.ceil((times * probes * 2) / TEXTS_PER_CALL), rerank: times * pools },
  }
}

/** At least none, since the corpus may be large already. At most one each time the corpus has grown fourfold, and one at the end. */
function measurements(passages: number, bound: Case): number {
  const isAlone = passages >= channelLimits.passages
  if (bound === 'min' || passages === 0) return 0
  if (bound === 'likely') return isAlone ? 1 : 0
  return 1 + (isAlone ? Math.ceil(Math.log(passages / channelLimits.passages) / Math.log(1 + channelLimits.growth)) : 0)
}
