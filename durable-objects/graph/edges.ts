/** Edges in rows: one for each end they are walked from, with everything in it, so that a walk never joins. */
import { ends, stored, walkable } from '../../src/core/graph/edge-ends'
import { type GraphReader, type Incident, SYMMETRIC } from '../../src/core/graph/reader'
import { EDGE_ENDS, type Edge, type EdgeKind } from '../../src/core/graph/types'
import type { Sql } from '../sql'
import { bulk } from './bulk'
import type { Cache, Shelf } from './cache'
import type { Counts } from './counts'
import { Neighbours } from './neighbours'
import { arrivingSide, EDGE_KINDS, leavingSide, oneSide } from './rows'
import { EDGE_BYTES, edgeOf, type EdgeRow as Row, Stars } from './stars'

const AT_ONCE = 2000 // edges looked up together

/** Rows are written in their storage order: the next one is mostly in the page that was just changed. */
const asLaidOut = ([a, near, far]: Cell, [b, otherNear, otherFar]: Cell): number =>
  a - b || (near < otherNear ? -1 : near > otherNear ? 1 : far < otherFar ? -1 : 1)

type Cell = readonly [side: number, near: string, far: string, weight: number, data: string | null]

const CHANGED = `ON CONFLICT (side, near, far) DO UPDATE SET weight = excluded.weight, data = excluded.data
  WHERE weight <> excluded.weight OR data IS NOT excluded.data`

export class Edges {
  readonly #sql: Sql
  readonly #single: Shelf
  readonly #counts: Counts
  readonly #stars: Stars
  readonly #neighbours: Neighbours

  constructor({ sql, cache, counts }: { sql: Sql; cache: Cache; counts: Counts }) {
    this.#sql = sql
    this.#single = cache.shelf('edge')
    this.#counts = counts
    this.#stars = new Stars({ sql, cache, counts })
    this.#neighbours = new Neighbours({ sql, cache })
  }

  edge(kind: EdgeKind, a: string, b: string): Edge | undefined {
    const [source, target] = ends(kind, a, b)
    const place = placeOf(kind, source, target)
    return this.#single.peekOrRead<Edge>(edgeKey(place), () => {
      const row = this.#sql.one<Row>('SELECT near, far, weight, data FROM edge WHERE side = ? AND near = ? AND far = ?', ...place)
      return row && edgeOf(kind, source, target, row)
    })
  }

  preload(edges: readonly Ends[], incident: readonly Incident[] = []): void {
    for (const { kind, end, ids, enough } of incident) {
      walkable(kind, end)
      this.#stars.preload(kind, end === 'source' ? leavingSide(kind) : arrivingSide(kind), ids, enough)
    }
    const missing = new Map<string, { readonly kind: EdgeKind; readonly place: Place }>()
    for (const { kind, source, target } of edges) {
      const place = placeOf(kind, ...ends(kind, source, target))
      const key = edgeKey(place)
      if (!this.#single.has(key)) missing.set(key, { kind, place })
    }
    const statement = `SELECT e.side AS side, e.near AS near, e.far AS far, e.weight AS weight, e.data AS data FROM json_each(?) j
      JOIN edge e ON e.side = j.value ->> 0 AND e.near = j.value ->> 1 AND e.far = j.value ->> 2`
    const all = [...missing]
    for (let at = 0; at < all.length; at += AT_ONCE) {
      const some = all.slice(at, at + AT_ONCE)
      const rows = this.#sql.all<Row & { side: number }>(statement, JSON.stringify(some.map(([, { place }]) => place)))
      const found = new Map(rows.map((row) => [edgeKey([row.side, row.near, row.far]), row]))
      for (const [key, { kind, place }] of some) {
        const row = found.get(key)
        const [, near, far] = place
        const [source, target] = EDGE_ENDS[kind] === 'target' ? [far, near] : [near, far]
        this.#single.set(key, row && edgeOf(kind, source, target, row), EDGE_BYTES + (row?.data?.length ?? 0))
      }
    }
  }

  leaving(kind: EdgeKind, source: string, limit?: number): readonly Edge[] {
    walkable(kind, 'source')
    return this.#stars.around(kind, leavingSide(kind), source, limit)
  }

  arriving(kind: EdgeKind, target: string, limit?: number): readonly Edge[] {
    walkable(kind, 'target')
    return this.#stars.around(kind, arrivingSide(kind), target, limit)
  }

  neighbours: NonNullable<GraphReader['neighbours']> = (kind, sources) => this.#neighbours.of(kind, sources)

  /** With `enough`: counts no further than that. */
  degree(kind: EdgeKind, target: string, enough?: number): number {
    walkable(kind, 'target')
    return this.#stars.degree(kind, arrivingSide(kind), target, enough)
  }

  put(edges: readonly Edge[]): void {
    const kept = edges.map(stored)
    this.#uncount(kept)
    const cells = kept.flatMap(cellsOf).sort(asLaidOut)
    this.#moved(cells)
    // SQLite reads decimal fractions from JSON slightly off: those are bound one by one, whole numbers travel together.
    const whole = cells.filter(([, , , weight]) => Number.isSafeInteger(weight))
    const statement = `INSERT INTO edge (side, near, far, weight, data)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?) WHERE true ${CHANGED}`
    bulk(this.#sql, statement, whole)
    for (const cell of cells) {
      if (Number.isSafeInteger(cell[3])) continue
      this.#sql.run(`INSERT INTO edge (side, near, far, weight, data) VALUES (?, ?, ?, ?, ?) ${CHANGED}`, ...cell)
    }
    for (const { kind } of kept) this.#counts.add(`edge ${kind}`, 1)
  }

  drop(edges: readonly Pick<Edge, 'kind' | 'source' | 'target'>[]): void {
    const kept = edges.map(({ kind, source, target }) => stored({ kind, source, target, weight: 0 }))
    this.#uncount(kept)
    const statement = `DELETE FROM edge WHERE (side, near, far) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?))`
    const cells = kept.flatMap(cellsOf).sort(asLaidOut)
    this.#moved(cells)
    bulk(this.#sql, statement, cells)
  }

  *all(): Generator<Edge> {
    for (const kind of EDGE_KINDS) {
      for (let after: readonly [string, string] = ['', '']; ; ) {
        const { edges, last } = edgesAfter(this.#sql, kind, after, 1000)
        yield* edges
        if (!last) break
        after = last
      }
    }
  }

  /** In storage order: edges of one end are neighbours, and what is known of it is forgotten once. */
  #moved(cells: readonly Cell[]): void {
    for (const [at, [side, near, far]] of cells.entries()) {
      this.#single.drop(edgeKey([side, near, far]))
      const before = cells[at - 1]
      if (before?.[0] === side && before[1] === near) continue
      this.#stars.forget(side, near)
      this.#neighbours.forget(side, near)
    }
  }

  /** Subtracts the existing ones among these edges from the counts. */
  #uncount(edges: readonly Ends[]): void {
    this.preload(edges)
    for (const { kind, source, target } of edges) if (this.edge(kind, source, target)) this.#counts.add(`edge ${kind}`, -1)
  }
}

/** Edges of a kind in the order of their rows, after one; `last`: the last one's place; undefined: there are none. */
export function edgesAfter(sql: Sql, kind: EdgeKind, after: readonly [near: string, far: string], limit: number) {
  const swap = EDGE_ENDS[kind] === 'target'
  const page = `SELECT near, far, weight, data FROM edge WHERE ${ONCE} AND (near, far) > (?, ?) ORDER BY near, far LIMIT ?`
  const rows = sql.all<Row>(page, oneSide(kind), Number(SYMMETRIC.has(kind)), ...after, limit)
  const end = rows.at(-1)
  const last: readonly [string, string] | undefined = end && [end.near, end.far]
  return { edges: rows.map((row) => edgeOf(kind, swap ? row.far : row.near, swap ? row.near : row.far, row)), last }
}

type Ends = Pick<Edge, 'kind' | 'source' | 'target'>
type Place = readonly [side: number, near: string, far: string]

/** Where an edge is looked up. */
function placeOf(kind: EdgeKind, source: string, target: string): Place {
  return EDGE_ENDS[kind] === 'target' ? [arrivingSide(kind), target, source] : [leavingSide(kind), source, target]
}

function edgeKey([side, near, far]: Place): string {
  return `${side} ${near.length} ${near} ${far}`
}

/** One row of every edge; the second parameter says whether both ends are equals. */
const ONCE = 'side = ? AND (NOT ? OR near <= far)'

/** An edge's rows, that of `oneSide` first. */
function cellsOf({ kind, source, target, weight, data }: Edge): readonly Cell[] {
  const json = data === undefined || data === null ? null : JSON.stringify(data)
  const leaving: Cell = [leavingSide(kind), source, target, weight, json]
  const arriving: Cell = [arrivingSide(kind), target, source, weight, json]
  const kept = EDGE_ENDS[kind]
  return kept === 'both' ? [leaving, arriving] : [kept === 'source' ? leaving : arriving]
}
