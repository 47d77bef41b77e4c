/**
 * One question as both channels see it: its terms, the passages that words and vectors find, and what any passage is worth. Each is worked out
 * once.
 */
import { dense } from '../../channels/dense'
import { discriminativeTerms, lexical, type Weighted } from '../../channels/lexical'
import { byScore, shares } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { Hit, Vector } from '../../graph/types'
import type { Query } from '../../strategy'
import { cosine } from '../../vectors'
import type { KetOptions } from './options'

const CANDIDATES = 100 // passages in each ranking
const NEARNESS = 0.7 // of the vector's contrast beside the keyword share, as in `hybrid`: it settles what words leave open

export interface Question {
  readonly graph: GraphReader
  readonly query: Query
  readonly choice: KetOptions
  readonly terms: readonly Weighted[]
  /** By BM25. */
  readonly words: readonly Hit[]
  /** By cosine; empty without vectors. */
  readonly near: readonly Hit[]
  /** What a passage is worth by itself, by the setting `rank`. */
  readonly worth: (passage: string) => number
  /** The passages worth most. */
  readonly best: readonly Hit[]
  /** Is there a model that describes entities? */
  readonly describes: boolean
}

export function questionOf(graph: GraphReader, query: Query, choice: KetOptions, describes: boolean): Question {
  const terms = discriminativeTerms(graph, query.terms)
  const words = lexical(graph, query, CANDIDATES, terms)
  const near = dense(graph, query, words)
  const { vector } = query
  const worth = vector && choice.rank === 'cosine' ? nearness(graph, near, vector) : fused(words, near)
  const ids = new Set([...words, ...near].map((hit) => hit.id))
  const best = [...ids].map((id) => ({ id, score: worth(id) })).sort(byScore)
  return { graph, query, choice, terms, words, near, worth, best, describes }
}

function nearness(graph: GraphReader, near: readonly Hit[], vector: Vector): (passage: string) => number {
  const known = new Map(near.map((hit) => [hit.id, hit.score]))
  return (passage) => {
    const before = known.get(passage)
    if (before !== undefined) return before
    const own = graph.vector(passage)
    const score = own ? cosine(vector, own) : 0
    known.set(passage, score)
    return score
  }
}

/** As the hybrid baseline adds them. */
function fused(words: readonly Hit[], near: readonly Hit[]): (passage: string) => number {
  const lexicalShares = shares(words)
  const scores = near.map((hit) => hit.score)
  const [max, min] = [Math.max(...scores), Math.min(...scores)]
  const contrasts = new Map(max > min ? near.map((hit) => [hit.id, (hit.score - min) / (max - min)]) : [])
  return (passage) => (lexicalShares.get(passage) ?? 0) + NEARNESS * (contrasts.get(passage) ?? 0)
}
