/**
 * What is near a vector in a layer, found through the communities above it (ArchRAG, §3.2.1): the first layer above that is small enough is
 * compared whole, and below it the members of the best communities. So a newcomer is compared with a few hundred nodes, whatever the size of the
 * corpus, and nothing is written for it. Newcomers have no community yet, and are also compared with each other.
 */
import type { Scored } from '../../algorithms/c-hnsw-search'
import { nearness } from '../../algorithms/nearness'
import { packedDot, pairsOf, swappedOf } from '../../algorithms/packed-dot'
import { norm } from '../../vectors'
import { type Clustering, fetchHomes, homeOf, membersOf, sizeOf } from './clustering-state'

const descent = {
  whole: 256, // nodes of a layer up to which all are compared
  beam: 16, // communities of a layer whose members are compared
} as const

interface Code {
  readonly id: string
  readonly vector: Int8Array
  readonly pairs: Int32Array | undefined
  readonly length: number
}

/**
 * For newcomers of a layer, each of which is in the index: the best of the layer by cosine above 0, at most `count`, best first, then by id;
 * without the node itself. All descend together, so that the nodes they meet in a layer are read at once.
 */
export function descend(
  clustering: Clustering,
  layer: number,
  newcomers: readonly string[],
  count: number,
): ReadonlyMap<string, readonly Scored[]> {
  const { rows } = clustering
  const start = startOf(clustering, layer)
  const first = start === layer ? rows.load(layer) : rows.ids(start)
  rows.fetch(start, first)
  rows.fetch(layer, newcomers)
  const own = codesOf(clustering, layer, newcomers)
  const all = codesOf(clustering, start, first)
  if (start === layer) return new Map(own.map((code) => [code.id, bestOf(code, [all], count)]))
  let met = own.map((): readonly (readonly Code[])[] => [all])
  let opened: (readonly string[])[] = []
  for (let at = start; at > layer; at--) {
    opened = own.map((code, i) => bestOf(code, met[i] ?? [], descent.beam).map((one) => one.id))
    const groups = membersIn(clustering, at, new Set(opened.flat()))
    met = opened.map((communities) => communities.map((id) => groups.get(id) ?? []))
  }
  fetchHomes(clustering, newcomers)
  const home = new Map(own.map(({ id }) => [id, homeOf(clustering, id)]))
  const homeless = own.filter(({ id }) => home.get(id) === undefined)
  const housed = own.filter(({ id }) => home.get(id) !== undefined)
  return new Map(
    own.map((code, i) => {
      const besides = housed.filter(({ id }) => !opened[i]?.includes(home.get(id) ?? ''))
      return [code.id, bestOf(code, [...(met[i] ?? []), homeless, besides], count)]
    }),
  )
}

/** The members of a layer's communities, group by group, each prepared once. */
function membersIn(clustering: Clustering, layer: number, communities: ReadonlySet<string>): ReadonlyMap<string, readonly Code[]> {
  const { draft, rows } = clustering
  draft.preload({ nodes: [...communities] })
  const members = [...communities].map((id) => [id, membersOf(draft, id)] as const)
  rows.fetch(
    layer - 1,
    members.flatMap(([, ids]) => ids),
  )
  return new Map(members.map(([id, ids]) => [id, codesOf(clustering, layer - 1, ids)]))
}

function codesOf({ rows }: Clustering, layer: number, ids: readonly string[]): readonly Code[] {
  return ids.flatMap((id) => {
    const vector = rows.read(layer, id)?.vector
    return vector ? { id, vector, pairs: pairsOf(vector), length: norm(vector) } : []
  })
}

/** The first layer from this one up that is small enough to be compared whole. */
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
