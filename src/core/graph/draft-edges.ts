/** Changes to edges that are not in the graph yet, found by either end. */
import { ends, heaviest, stored, walkable } from './edge-ends'
import { endsOf, neighboursOf } from './neighbours'
import { type GraphReader, NEIGHBOURS, type Neighbours, SYMMETRIC } from './reader'
import type { Edge, EdgeKind } from './types'

interface Slot {
  readonly kind: EdgeKind
  readonly source: string
  readonly target: string
  /** The edge in the graph below, if it has one. */
  readonly below: Edge | undefined
  /** The edge now; undefined once dropped. */
  now: Edge | undefined
}

export class DraftEdges {
  readonly #below: GraphReader
  readonly #slots = new Map<string, Slot>()
  readonly #bySource = new Map<string, Set<Slot>>()
  readonly #byTarget = new Map<string, Set<Slot>>()

  constructor(below: GraphReader) {
    this.#below = below
  }

  put(edge: Edge): void {
    const kept = stored(edge)
    this.#slot(kept.kind, kept.source, kept.target).now = kept
  }

  drop(kind: EdgeKind, a: string, b: string): void {
    this.#slot(kind, ...ends(kind, a, b)).now = undefined
  }

  find(kind: EdgeKind, a: string, b: string): Edge | undefined {
    const [source, target] = ends(kind, a, b)
    const slot = this.#slots.get(keyOf(kind, source, target))
    return slot ? slot.now : this.#below.edge(kind, source, target)
  }

  leaving(kind: EdgeKind, source: string, limit?: number): readonly Edge[] {
    walkable(kind, 'source')
    const slots = this.#around(kind, source, 'source')
    return merged(slots, source, limit, (enough) => this.#below.edges(kind, source, enough))
  }

  arriving(kind: EdgeKind, target: string, limit?: number): readonly Edge[] {
    walkable(kind, 'target')
    const slots = this.#around(kind, target, 'target')
    return merged(slots, target, limit, (enough) => this.#below.edgesTo(kind, target, enough))
  }

  neighbours(kind: EdgeKind, sources: readonly string[]): readonly Neighbours[] {
    walkable(kind, 'source')
    const below = neighboursOf(this.#below, kind, sources)
    const isChanged = (source: string): boolean => this.#around(kind, source, 'source').length > 0
    return sources.map((source, i) => (isChanged(source) ? endsOf(this.leaving(kind, source, NEIGHBOURS), source) : (below[i] ?? NO_ENDS)))
  }

  degree(kind: EdgeKind, target: string): number {
    walkable(kind, 'target')
    let degree = this.#below.degreeTo(kind, target)
    for (const slot of this.#around(kind, target, 'target')) degree += Number(slot.now !== undefined) - Number(slot.below !== undefined)
    return degree
  }

  all(): Iterable<Readonly<Slot>> {
    return this.#slots.values()
  }

  #slot(kind: EdgeKind, source: string, target: string): Slot {
    const key = keyOf(kind, source, target)
    const known = this.#slots.get(key)
    if (known) return known
    const below = this.#below.edge(kind, source, target)
    const slot: Slot = { kind, source, target, below, now: below }
    this.#slots.set(key, slot)
    among(this.#bySource, `${kind} ${source}`, slot)
    among(this.#byTarget, `${kind} ${target}`, slot)
    return slot
  }

  /** Changed edges with `end` on that side; on either side if both ends are equals. */
  #around(kind: EdgeKind, end: string, side: 'source' | 'target'): readonly Slot[] {
    const key = `${kind} ${end}`
    if (!this.#bySource.has(key) && !this.#byTarget.has(key)) return NONE
    const leaving = side === 'source' || SYMMETRIC.has(kind) ? (this.#bySource.get(key) ?? []) : []
    const arriving = side === 'target' || SYMMETRIC.has(kind) ? (this.#byTarget.get(key) ?? []) : []
    return [...new Set([...leaving, ...arriving])]
  }
}

const NONE: readonly Slot[] = []
const NO_ENDS: Neighbours = { ids: [], weights: [] }

/** The edges of the graph at a node, with the changed ones in their place. */
function merged(
  slots: readonly Slot[],
  end: string,
  limit: number | undefined,
  read: (limit?: number) => readonly Edge[],
): readonly Edge[] {
  if (slots.length === 0) return read(limit)
  const changed = new Set(slots.map((slot) => keyOf(slot.kind, slot.source, slot.target)))
  const below = read(limit === undefined ? undefined : limit + slots.length)
  const rest = below.filter((edge) => !changed.has(keyOf(edge.kind, edge.source, edge.target)))
  const now = slots.flatMap((slot) => slot.now ?? [])
  return [...rest, ...now].sort(heaviest(end)).slice(0, limit)
}

/** Lengths keep a foreign id, whatever characters are in it, from being read as two. */
function keyOf(kind: EdgeKind, source: string, target: string): string {
  return `${kind} ${source.length} ${source} ${target}`
}

function among(index: Map<string, Set<Slot>>, key: string, slot: Slot): void {
  const known = index.get(key)
  if (known) known.add(slot)
  else index.set(key, new Set([slot]))
}
