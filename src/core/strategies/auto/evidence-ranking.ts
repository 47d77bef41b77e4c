/**
 * The ranking of `auto` where the graph leads on from what a question names: candidates are scored by what is known of them (`scorer`) and chosen
 * for what each adds (`cover`). Where it does not, the channels' sum stands; in between, both count.
 */
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import type { Query } from '../../strategy'
import type { ScoresOf } from './channels'
import { cover } from './cover'
import type { Fused } from './fuse'
import { type Candidate, type Features, type PoolSearch, poolFor } from './pool'
import { scoreOf, scorer, trustIn } from './scorer'

const COVER = 2 // what saying everything still open in the question is worth, in log-odds
const SUM = 12 // what the best of the channels' sum is worth beside it, if both count

export interface EvidenceRanking {
  /** 0: the channels' sum alone. */
  readonly trust: number
  /** Shares of the best. */
  readonly ranking: readonly Hit[]
  readonly candidates: ReadonlyMap<string, Candidate>
}

export function channelsAlone({ ranking }: Pick<Fused, 'ranking'>): EvidenceRanking {
  return { trust: 0, ranking, candidates: new Map() }
}

export function rankEvidence(graph: GraphReader, query: Query, search: PoolSearch & { readonly fused: Fused }): EvidenceRanking {
  const pool = poolFor(graph, query, search)
  const trust = trustIn(pool.reached)
  if (trust === 0) return channelsAlone(search.fused)
  const own = sharesOf(search.fused.ranking)
  const known = pool.candidates()
  const ranking = orderEvidence(
    known.map(({ passage, features }) => ({ id: passage.id, covers: passage.covers(), features })),
    { trust, own, share: pool.share },
  )
  const last = ranking.at(-1)?.score ?? 0
  const candidates = new Map(known.map((one) => [one.passage.id, one]))
  // What the channels found but the pool had no room for follows, in its own order.
  const rest = search.fused.ranking.filter((hit) => !candidates.has(hit.id))
  return { trust, ranking: [...ranking, ...rest.map((hit) => ({ id: hit.id, score: last * (own.get(hit.id) ?? 0) }))], candidates }
}

interface KnownCandidate {
  readonly id: string
  readonly covers: number
  readonly features: Features
}

interface Ordering {
  /** Above 0. */
  readonly trust: number
  /** What the channels' sum gives each candidate, as a share of its best. */
  readonly own: ScoresOf
  readonly share: (covers: number) => number
  /** If absent, the weights in use. */
  readonly weights?: typeof scorer
}

export function orderEvidence(candidates: readonly KnownCandidate[], { trust, own, share, weights = scorer }: Ordering): readonly Hit[] {
  const scored = candidates.map(({ id, covers, features }) => ({
    id,
    covers,
    score: trust * scoreOf(features, weights) + (1 - trust) * SUM * (own.get(id) ?? 0),
  }))
  const floor = scored.reduce((least, one) => Math.min(least, one.score), 0)
  const ordered = cover(scored, { worth: COVER * trust, share })
  const best = (ordered[0]?.score ?? 0) - floor || 1
  return ordered.map(({ id, score }) => ({ id, score: (score - floor) / best }))
}

function sharesOf(hits: readonly Hit[]): ScoresOf {
  const best = hits[0]?.score || 1
  return new Map(hits.map((hit) => [hit.id, hit.score / best]))
}
