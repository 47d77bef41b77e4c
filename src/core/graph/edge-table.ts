/** Edges of one kind in memory, by both their ends, sorted when first read after a change. */
import { heaviest, otherEnd } from './edge-ends'
import { SYMMETRIC } from './reader'
import type { Edge, EdgeKind } from './types'

interface Star {
  readonly edges: Map<string, Edge>
  sorted: readonly Edge[] | undefined
}

const NONE: readonly Edge[] = []

export class EdgeTable {
  readonly #leaving = new Map<string, Star>()
  /** If both ends are equals, the two sides are one. */
  readonly #arriving: Map<string, Star>

  constructor(kind: EdgeKind) {
    this.#arriving = SYMMETRIC.has(kind) ? this.#leaving : new Map()
  }

  /** `edge`: as stored (`edge-ends.ts`). */
  put(edge: Edge): void {
    add(this.#leaving, edge.source, edge)
    add(this.#arriving, edge.target, edge)
  }

  drop(source: string, target: string): void {
    remove(this.#leaving, source, target)
    remove(this.#arriving, target, source)
  }

  find(source: string, target: string): Edge | undefined {
    return this.#leaving.get(source)?.edges.get(target)
  }

  leaving(source: string): readonly Edge[] {
    return sorted(this.#leaving, source)
  }

  arriving(target: string): readonly Edge[] {
    return sorted(this.#arriving, target)
  }

  degree(target: string): number {
    return this.#arriving.get(target)?.edges.size ?? 0
  }

  /** Every edge once. */
  *all(): Generator<Edge> {
    for (const [end, star] of this.#leaving) for (const edge of star.edges.values()) if (edge.source === end) yield edge
  }
}

function add(side: Map<string, Star>, end: string, edge: Edge): void {
  const star = side.get(end) ?? { edges: new Map<string, Edge>(), sorted: undefined }
  star.edges.set(otherEnd(edge, end), edge)
  star.sorted = undefined
  side.set(end, star)
}

function remove(side: Map<string, Star>, end: string, other: string): void {
  const star = side.get(end)
  if (!star?.edges.delete(other)) return
  star.sorted = undefined
  if (star.edges.size === 0) side.delete(end)
}

function sorted(side: ReadonlyMap<string, Star>, end: string): readonly Edge[] {
  const star = side.get(end)
  if (!star) return NONE
  star.sorted ??= [...star.edges.values()].sort(heaviest(end))
  return star.sorted
}
