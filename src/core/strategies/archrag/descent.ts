/**
 * What is near a vector in a layer, found by way of the communities above it (ArchRAG, §3.2.1): the first layer above that is small enough is compared
 * whole, and below it the members of the best communities. So a newcomer is compared with a few hundred nodes, whatever the size of the corpus, and
 * nothing is written for it. Newcomers have no community yet, and are compared with each other besides.
 */
import type { Scored } from '../../algorithms/c-hnsw-search'
import { nearness } from '../../algorithms/nearness'
import { packedDot, pairsOf, swappedOf } from '../../algorithms/packed-dot'
import { norm } from '../../vectors'
import { type Clustering, membersOf, sizeOf } from './clustering-state'

const descent = {
  whole: 256, // nodes of a layer that are all compared
  beam: 16, // communities of a layer whose members are compared
} as const

interface Code {
  readonly vector: Int8Array
  readonly pairs: Int32Array | undefined
  readonly length: number
}

export interface Descent {
  /** The best of a layer by cosine above 0, best first, then by id; without the node itself. */
  nearest(id: string, count: number): readonly Scored[]
}

/** For newcomers of a layer, each of which is in the index. */
export function descentInto(clustering: Clustering, layer: number, newcomers: readonly string[]): Descent {
  const { rows, draft } = clustering
  const start = startOf(clustering, layer)
  const first = start === layer ? rows.load(layer) : rows.ids(start)
  const codes = new Map<string, Code | undefined>()
  const codeOf = (at: number, id: string): Code | undefined => {
    if (codes.has(id)) return codes.get(id)
    const vector = rows.read(at, id)?.vector
    const code = vector && { vector, pairs: pairsOf(vector), length: norm(vector) }
    codes.set(id, code)
    return code
  }
  const best = (own: Code, at: number, ids: Iterable<string>, count: number): Scored[] => {
    const close = closeTo(own)
    const out: Scored[] = []
    for (const id of ids) {
      const code = codeOf(at, id)
      const score = code ? close(code) : 0
      if (score > 0 && (out.length < count || score >= (out[out.length - 1]?.score ?? 0))) insertSorted(out, { id, score }, count)
    }
    return out
  }
  rows.fetch(start, first)
  return {
    nearest(id, count) {
      const own = codeOf(layer, id)
      if (!own) return []
      let level: readonly string[] = first
      for (let at = start; at > layer; at--) {
        level = best(own, at, level, descent.beam).flatMap((one) => membersOf(draft, one.id))
        rows.fetch(at - 1, level)
      }
      const all = new Set([...level, ...newcomers])
      all.delete(id)
      return best(own, layer, all, count)
    },
  }
}

/** The first layer from one on that is small enough to be compared whole. */
function startOf(clustering: Clustering, layer: number): number {
  const top = clustering.rows.top()
  for (let at = layer; at < top; at++) if (sizeOf(clustering, at) <= descent.whole) return at
  return Math.max(layer, top)
}

function closeTo(own: Code): (other: Code) => number {
  const swapped = swappedOf(own.vector)
  return (other) => {
    if (!swapped || !other.pairs) return nearness(own.vector, other.vector)
    const product = own.length * other.length
    return product > 0 ? packedDot(other.pairs, swapped) / product : 0
  }
}

function insertSorted(best: Scored[], one: Scored, count: number): void {
  let at = best.length
  for (; at > 0; at--) {
    const before = best[at - 1] as Scored
    if (before.score > one.score || (before.score === one.score && before.id < one.id)) break
  }
  best.splice(at, 0, one)
  if (best.length > count) best.pop()
}
