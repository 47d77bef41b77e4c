/**
 * What is near a vector in a layer, found by way of the communities above it (ArchRAG, §3.2.1): the first layer above that is small enough is compared
 * whole, and below it the members of the best communities. So a newcomer is compared with a few hundred nodes, whatever the size of the corpus, and
 * nothing is written for it. Newcomers have no community yet, and are compared with each other besides.
 */
import type { Scored } from '../../algorithms/c-hnsw-search'
import { nearness } from '../../algorithms/nearness'
import { packedDot, pairsOf, swappedOf } from '../../algorithms/packed-dot'
import { norm } from '../../vectors'
import { type Clustering, homeOf, membersOf, sizeOf } from './clustering-state'

const descent = {
  whole: 256, // nodes of a layer that are all compared
  beam: 16, // communities of a layer whose members are compared
} as const

interface Code {
  readonly id: string
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
  rows.fetch(start, first)
  rows.fetch(layer, newcomers)
  const codesOf = (at: number, ids: readonly string[]): Code[] =>
    ids.flatMap((id) => {
      const vector = rows.read(at, id)?.vector
      return vector ? { id, vector, pairs: pairsOf(vector), length: norm(vector) } : []
    })
  const groups = new Map<string, readonly Code[]>()
  /** The members of communities of a layer, group by group, those of each made ready once. */
  const membersIn = (at: number, communities: readonly string[]): readonly (readonly Code[])[] => {
    draft.preload({ nodes: communities })
    const fresh = communities.flatMap((id) => (groups.has(id) ? [] : [[id, membersOf(draft, id)] as const]))
    if (fresh.length > 0)
      rows.fetch(
        at - 1,
        fresh.flatMap(([, members]) => members),
      )
    for (const [id, members] of fresh) groups.set(id, codesOf(at - 1, members))
    return communities.flatMap((id) => [groups.get(id) ?? []])
  }
  const own = new Map(codesOf(layer, newcomers).map((code) => [code.id, code]))
  const settled = new Map([...own.keys()].flatMap((id) => [[id, homeOf(clustering, id)] as const]))
  const homeless = [...own.values()].filter((code) => settled.get(code.id) === undefined)
  const housed = [...own.values()].filter((code) => settled.get(code.id) !== undefined)
  const all = codesOf(start, first)
  return {
    nearest(id, count) {
      const code = own.get(id)
      if (!code) return []
      if (start === layer) return bestOf(code, [all], count)
      let level: readonly (readonly Code[])[] = [all]
      let opened: readonly string[] = []
      for (let at = start; at > layer; at--) {
        opened = bestOf(code, level, descent.beam).map((one) => one.id)
        level = membersIn(at, opened)
      }
      const besides = housed.filter((one) => !opened.includes(settled.get(one.id) ?? ''))
      return bestOf(code, [...level, homeless, besides], count)
    },
  }
}

/** The first layer from one on that is small enough to be compared whole. */
function startOf(clustering: Clustering, layer: number): number {
  const top = clustering.rows.top()
  for (let at = layer; at < top; at++) if (sizeOf(clustering, at) <= descent.whole) return at
  return Math.max(layer, top)
}

function bestOf(own: Code, groups: readonly (readonly Code[])[], count: number): Scored[] {
  const close = closeTo(own)
  const out: Scored[] = []
  let floor = 0
  for (const group of groups) {
    for (const code of group) {
      const score = close(code)
      if (score <= 0 || score < floor || code.id === own.id) continue
      insertSorted(out, { id: code.id, score }, count)
      if (out.length === count) floor = (out[count - 1] as Scored).score
    }
  }
  return out
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
