/**
 * Which nodes of a layer are linked, and how much a link weighs (ArchRAG, Algorithm 1, lines 3 to 5): nodes that the texts relate, and similar
 * ones.
 */
import { closenessTo } from '../../algorithms/nearness'
import { cosine, dot, norm, sumProduct } from '../../vectors'
import { type Clustering, grouping } from './clustering-state'
import { namesOf, relatedTo, relationWeights } from './relation-weights'
import type { Row } from './rows'

const FLOOR = 0.01 // the least weight of a link: texts that relate two unlike things still relate them

/** The nodes of the layer that a node is linked to, each with the link's weight. Not kept: those of a whole layer would fill the object's memory. */
export function linksOf(clustering: Clustering, layer: number, id: string): ReadonlyMap<string, number> {
  return weighLinks(clustering, layer, id, relationWeights(clustering, layer, id), clustering.rows.read(layer, id))
}

/** Does a node have any link at all? */
export function isJoined(clustering: Clustering, layer: number, id: string): boolean {
  const near = clustering.rows.read(layer, id)?.near ?? []
  const holds = (other: string): boolean => other !== id && clustering.rows.read(layer, other) !== undefined
  return near.some(holds) || [...relatedTo(clustering, layer, id)].some(holds)
}

function weighLinks(
  clustering: Clustering,
  layer: number,
  id: string,
  strengths: ReadonlyMap<string, number>,
  row: Row | undefined,
): Map<string, number> {
  const close = likenessTo(grouping(clustering, layer, id))
  const same = new Set(layer === 0 ? namesOf(clustering, id) : [])
  const likeness = (other: string): number => (same.has(other) ? 1 : close(grouping(clustering, layer, other)))
  const weigh = clustering.steps.weighLinks(likeness, strengths)
  const out = new Map<string, number>()
  for (const other of new Set([...strengths.keys(), ...(row?.near ?? [])])) {
    if (other === id || !clustering.rows.read(layer, other)) continue
    out.set(other, Math.max(FLOOR, weigh(other)))
  }
  return clustering.steps.keepLinks(out, id, (other) => neighboursOf(clustering, layer, other))
}

function neighboursOf(clustering: Clustering, layer: number, id: string): ReadonlySet<string> {
  return new Set([...relatedTo(clustering, layer, id), ...(clustering.rows.read(layer, id)?.near ?? [])])
}

const lengths = new WeakMap<ArrayLike<number>, number>() // of sums, which are never written into

function lengthOf(sum: ArrayLike<number>): number {
  const before = lengths.get(sum)
  if (before !== undefined) return before
  const length = norm(sum)
  lengths.set(sum, length)
  return length
}

/** The cosine of one vector with others, from what is kept prepared for them; the result is exactly the same. */
export function likenessTo(own: ArrayLike<number>): (other: ArrayLike<number>) => number {
  if (!(own instanceof Int8Array)) {
    const length = lengthOf(own)
    return (other) => {
      const lengths = length * lengthOf(other)
      if (!(lengths > 0)) return 0
      return (own instanceof Int32Array && other instanceof Int32Array ? sumProduct(own, other) : dot(own, other)) / lengths
    }
  }
  const close = closenessTo(own)
  return (other) => (other instanceof Int8Array ? close(other) : cosine(own, other))
}
