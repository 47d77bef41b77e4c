/** What the vector index would answer, for a tree in memory. */
import type { Hit, Vector } from '../../src/core/graph/types'
import { dot, norm } from '../../src/core/vectors'
import type { World } from './world'

/** Everything with a vector, by length-free cosine: what the vector index answers. */
export function nearest(one: World): (question: Vector) => { readonly passage: Hit[]; readonly summary: Hit[] } {
  const chunks = one.graph.page('chunk', '', 1_000_000).flatMap((id) => one.graph.chunk(id)?.passages ?? [])
  const known = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const own = one.graph.vector(id)
      return own ? [{ id, own, length: norm(own) || 1 }] : []
    })
  const passages = known(chunks.map((span) => span.id))
  const summaries = known(one.graph.page('summary', '', 1_000_000))
  return (question) => {
    const length = norm(question) || 1
    const best = (all: typeof passages, k: number): Hit[] =>
      all
        .map((entry) => ({ id: entry.id, score: dot(question, entry.own) / length / entry.length }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, k)
    return { passage: best(passages, 100), summary: best(summaries, 30) }
  }
}
