/**
 * What is near a vector in a layer, found through the communities above it (ArchRAG, §3.2.1): the first layer above that is small enough is
 * compared whole, and below it the members of the best communities. So a newcomer is compared with a few hundred nodes, whatever the size of the
 * corpus, and nothing is written for it. Newcomers have no community yet, and are also compared with each other.
 */
import type { Scored } from '../../algorithms/c-hnsw-search'
import { packedDot, packedDots, packInto, swappedOf } from '../../algorithms/packed-dot'
import { dot, norm } from '../../vectors'
import { guestsIn, hostsIn } from './above'
import { type Clustering, fetchHomes, homeOf, membersOf, sizeOf } from './clustering-state'
import { isLinked } from './linking'

const descent = {
  whole: 256, // nodes of a layer up to which all are compared
  beam: 16, // communities of a layer whose members are compared
  hosts: 8, // nearest ones of a new community that are asked for a home
} as const

/** A vector of newcomers: entities named in the same sentences have the same one, and are looked for once. */
interface Asker {
  readonly ids: string[]
  readonly vector: Int8Array
  readonly swapped: Int32Array | undefined
  readonly length: number
  /** The nearest so far, best first, then by id. */
  best: Scored[]
  /** Communities whose members it is compared with. */
  opened: ReadonlySet<string>
}

/**
 * For newcomers of a layer, each of which is in the index: the best of the layer by cosine above 0, at most `count`, best first, then by id;
 * without the node itself. All descend together, so that the nodes they meet in a layer are read and prepared once.
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
  const askers = askersOf(clustering, layer, newcomers)
  const widthAt = (at: number): number => (at === layer ? count + 1 : descent.beam) // one more, since each finds itself
  meet(clustering, start, first, askers, widthAt(start))
  for (let at = start; at > layer; at--) {
    for (const [members, some] of openBest(clustering, at, askers)) meet(clustering, at - 1, members, some, widthAt(at - 1))
  }
  if (start > layer) meetEachOther(clustering, newcomers, askers, widthAt(layer))
  return new Map(askers.flatMap(({ ids, best }) => ids.map((own) => [own, best.filter(({ id }) => id !== own).slice(0, count)] as const)))
}

/** In the order of their first newcomers. */
function askersOf({ rows }: Clustering, layer: number, ids: readonly string[]): readonly Asker[] {
  const out = new Map<string, Asker>()
  for (const id of ids) {
    const vector = rows.read(layer, id)?.vector
    if (!vector) continue
    const key = String.fromCharCode.apply(null, vector as unknown as number[])
    const known = out.get(key)
    if (known) known.ids.push(id)
    else out.set(key, { ids: [id], vector, swapped: swappedOf(vector), length: norm(vector), best: [], opened: new Set() })
  }
  return [...out.values()]
}

/** The members of the best communities of a layer, with those that are only near them as yet; each with the askers that opened it. */
function openBest(
  clustering: Clustering,
  layer: number,
  askers: readonly Asker[],
): readonly (readonly [readonly string[], readonly Asker[]])[] {
  const { draft, rows } = clustering
  const opened = new Map<string, Asker[]>()
  for (const asker of askers) {
    asker.opened = new Set(asker.best.map(({ id }) => id))
    asker.best = []
    for (const id of asker.opened) {
      const some = opened.get(id)
      if (some) some.push(asker)
      else opened.set(id, [asker])
    }
  }
  draft.preload({ nodes: [...opened.keys()] })
  const guests = layer === 2 ? guestsIn(draft) : NONE
  const groups = [...opened].map(([id, some]) => [[...membersOf(draft, id), ...(guests.get(id) ?? [])], some] as const)
  rows.fetch(
    layer - 1,
    groups.flatMap(([ids]) => ids),
  )
  return groups
}

const NONE: ReadonlyMap<string, readonly string[]> = new Map()

/**
 * Newcomers without a home, and those at home where an asker has not looked. What one is to another, the other is to it, and newcomers of one
 * vector are looked at once.
 */
function meetEachOther(clustering: Clustering, newcomers: readonly string[], askers: readonly Asker[], width: number): void {
  fetchHomes(clustering, newcomers)
  const homes = new Map(newcomers.map((id) => [id, homeOf(clustering, id)]))
  const isKnown = ({ opened }: Asker, id: string): boolean => {
    const home = homes.get(id)
    return home !== undefined && opened.has(home)
  }
  for (const [at, one] of askers.entries()) {
    multiply(one.vector, askers, at)
    for (let other = at; other < askers.length; other++) {
      const product = products[other - at] as number
      if (product <= 0) continue
      const them = askers[other] as Asker
      for (const id of one.ids) if (!isKnown(them, id)) keep(them, id, product, one.length, width)
      if (other > at) for (const id of them.ids) if (!isKnown(one, id)) keep(one, id, product, them.length, width)
    }
  }
}

/**
 * The community of the second layer that is found on the way to each new one of the first: the home of the nearest that has one. None where all of
 * the first are compared.
 */
export function guestHosts(clustering: Clustering, come: readonly string[]): ReadonlyMap<string, string> {
  const out = new Map<string, string>()
  if (come.length === 0 || startOf(clustering, 1) === 1 || isLinked(clustering.draft)) return out
  const hosts = hostsIn(clustering.draft)
  const found = descend(clustering, 1, come, descent.hosts)
  fetchHomes(
    clustering,
    [...found.values()].flatMap((near) => near.map(({ id }) => id)),
  )
  for (const [id, near] of found) {
    const host = near.map((one) => homeOf(clustering, one.id) ?? (hosts.get(one.id) || undefined)).find((one) => one !== undefined)
    if (host !== undefined) out.set(id, host)
  }
  return out
}

/** The first layer from this one up that is small enough to be compared whole. */
function startOf(clustering: Clustering, layer: number): number {
  const top = clustering.rows.top()
  for (let at = layer; at < top; at++) if (sizeOf(clustering, at) <= descent.whole) return at
  return Math.max(layer, top)
}

const AT_ONCE = 4 // askers compared with a vector in one pass
const dots = new Int32Array(AT_ONCE)
let pairs = new Int32Array(0)
let products = new Float64Array(0)

/** Compares nodes of a layer with askers; each keeps its best. */
function meet({ rows }: Clustering, layer: number, ids: readonly string[], askers: readonly Asker[], width: number): void {
  for (const id of ids) {
    const vector = rows.read(layer, id)?.vector
    if (!vector) continue
    const length = multiply(vector, askers, 0)
    for (let at = 0; at < askers.length; at++) keep(askers[at] as Asker, id, products[at] as number, length, width)
  }
}

/** The dot products of a vector and those of the askers from `first` on, in `products`; returns the vector's length. */
function multiply(vector: Int8Array, askers: readonly Asker[], first: number): number {
  const size = (vector.length + 1) >> 1
  if (pairs.length !== size) pairs = new Int32Array(size)
  if (products.length < askers.length) products = new Float64Array(2 * askers.length)
  const square = packInto(vector, pairs)
  const isPacked = square !== undefined
  let at = first
  for (; isPacked && at + AT_ONCE <= askers.length; at += AT_ONCE) {
    const [a, b, c, d] = [askers[at], askers[at + 1], askers[at + 2], askers[at + 3]] as [Asker, Asker, Asker, Asker]
    if (!a.swapped || !b.swapped || !c.swapped || !d.swapped) break
    packedDots(pairs, a.swapped, b.swapped, c.swapped, d.swapped, dots)
    for (let i = 0; i < AT_ONCE; i++) products[at - first + i] = dots[i] as number
  }
  for (; at < askers.length; at++) {
    const asker = askers[at] as Asker
    products[at - first] = isPacked && asker.swapped ? packedDot(pairs, asker.swapped) : dot(asker.vector, vector)
  }
  return isPacked ? Math.sqrt(square) : norm(vector)
}

function keep({ best, length }: Asker, id: string, product: number, other: number, width: number): void {
  if (product <= 0) return
  const score = product / (length * other)
  const last = best[best.length - 1]
  if (best.length === width && last && score < last.score) return
  insertSorted(best, { id, score }, width)
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
