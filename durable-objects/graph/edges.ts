/** Edges in rows: one for each end they are walked from, with everything in it, so that a walk never joins. */
import { ends, heaviest, stored, walkable } from '../../src/core/graph/edge-ends'
import { type GraphReader, SYMMETRIC } from '../../src/core/graph/reader'
import { EDGE_ENDS, type Edge, type EdgeKind, type Json } from '../../src/core/graph/types'
import type { Sql } from '../sql'
import { bulk, limited } from './bulk'
import type { Cache } from './cache'
import type { Counts } from './counts'
import { Neighbours } from './neighbours'
import { arrivingSide, EDGE_KINDS, leavingSide, oneSide } from './rows'

const AT_ONCE = 2000 // edges looked up together
const STAR = 256 // edges at one end that are read and kept together
const HEAD = 64 // of more than those, the heaviest, which are kept; who wants more than these has all of them sorted by SQLite each time
const ROW = 250 // bytes an edge takes in memory, about

/** All edges at one end, in their order; or none, where there are too many to keep. */
interface Star {
  readonly whole: boolean
  readonly edges: readonly Edge[]
}

interface Row {
  readonly near: string
  readonly far: string
  readonly weight: number
  readonly data: string | null
}

/** Rows are written in the order in which they lie: the next one is mostly in the page that was just changed. */
const asLaidOut = ([a, near, far]: Cell, [b, otherNear, otherFar]: Cell): number =>
  a - b || (near < otherNear ? -1 : near > otherNear ? 1 : far < otherFar ? -1 : 1)

type Cell = readonly [side: number, near: string, far: string, weight: number, data: string | null]

const CHANGED = `ON CONFLICT (side, near, far) DO UPDATE SET weight = excluded.weight, data = excluded.data
  WHERE weight <> excluded.weight OR data IS NOT excluded.data`

export class Edges {
  readonly #sql: Sql
  readonly #cache: Cache
  readonly #counts: Counts
  readonly #neighbours: Neighbours

  constructor({ sql, cache, counts }: { sql: Sql; cache: Cache; counts: Counts }) {
    this.#sql = sql
    this.#cache = cache
    this.#counts = counts
    this.#neighbours = new Neighbours({ sql, cache })
  }

  edge(kind: EdgeKind, a: string, b: string): Edge | undefined {
    const [source, target] = ends(kind, a, b)
    const place = placeOf(kind, source, target)
    return this.#cache.peekOrRead<Edge>(edgeKey(place), () => {
      const row = this.#sql.one<Row>('SELECT near, far, weight, data FROM edge WHERE side = ? AND near = ? AND far = ?', ...place)
      return row && edgeOf(kind, source, target, row)
    })
  }

  preload(edges: readonly Ends[]): void {
    const missing = new Map<string, { readonly kind: EdgeKind; readonly place: Place }>()
    for (const { kind, source, target } of edges) {
      const place = placeOf(kind, ...ends(kind, source, target))
      const key = edgeKey(place)
      if (!this.#cache.has(key)) missing.set(key, { kind, place })
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
        this.#cache.set(key, row && edgeOf(kind, source, target, row), ROW + (row?.data?.length ?? 0))
      }
    }
  }

  leaving(kind: EdgeKind, source: string, limit?: number): readonly Edge[] {
    walkable(kind, 'source')
    return this.#around(kind, leavingSide(kind), source, limit)
  }

  arriving(kind: EdgeKind, target: string, limit?: number): readonly Edge[] {
    walkable(kind, 'target')
    return this.#around(kind, arrivingSide(kind), target, limit)
  }

  neighbours: NonNullable<GraphReader['neighbours']> = (kind, sources) => this.#neighbours.of(kind, sources)

  degree(kind: EdgeKind, target: string): number {
    walkable(kind, 'target')
    const star = this.#star(kind, arrivingSide(kind), target)
    if (star.whole) return star.edges.length
    return this.#sql.one<{ n: number }>('SELECT count(*) AS n FROM edge WHERE side = ? AND near = ?', arrivingSide(kind), target)?.n ?? 0
  }

  put(edges: readonly Edge[]): void {
    const kept = edges.map(stored)
    this.#uncount(kept)
    const cells = kept.flatMap(cellsOf)
    this.#moved(cells)
    // SQLite reads decimal fractions from JSON a little off: those are bound one by one, whole numbers travel together.
    const whole = cells.filter(([, , , weight]) => Number.isSafeInteger(weight)).sort(asLaidOut)
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
    const cells = kept.flatMap(cellsOf)
    this.#moved(cells)
    bulk(this.#sql, statement, cells.sort(asLaidOut))
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

  #around(kind: EdgeKind, side: number, near: string, limit: number | undefined): readonly Edge[] {
    const { whole, edges } = this.#star(kind, side, near)
    if (whole) return limit === undefined || limit >= edges.length ? edges : edges.slice(0, Math.max(0, limit))
    if (limit !== undefined && limit <= HEAD) return this.#head(kind, side, near).slice(0, Math.max(0, limit))
    return this.#sorted(kind, side, near, limit)
  }

  /** The heaviest of many: most who ask want to know whether there are many. */
  #head(kind: EdgeKind, side: number, near: string): readonly Edge[] {
    const read = (): readonly Edge[] => this.#sorted(kind, side, near, HEAD)
    return this.#cache.getOrRead(headKey(side, near), read, (edges) => ROW * (1 + edges.length)) ?? read()
  }

  #sorted(kind: EdgeKind, side: number, near: string, limit: number | undefined): readonly Edge[] {
    const statement = 'SELECT near, far, weight, data FROM edge WHERE side = ? AND near = ? ORDER BY weight DESC, far LIMIT ?'
    return this.#sql.all<Row>(statement, side, near, limited(limit)).map((row) => edgeFromRow(kind, side, row))
  }

  #star(kind: EdgeKind, side: number, near: string): Star {
    const read = (): Star => {
      const statement = `SELECT near, far, weight, data FROM edge WHERE side = ? AND near = ? LIMIT ${STAR + 1}`
      const rows = this.#sql.all<Row>(statement, side, near)
      if (rows.length > STAR) return { whole: false, edges: [] }
      return { whole: true, edges: rows.map((row) => edgeFromRow(kind, side, row)).sort(heaviest(near)) }
    }
    return this.#cache.getOrRead(starKey(side, near), read, ({ edges }) => ROW * (1 + edges.length)) ?? read()
  }

  #moved(cells: readonly Cell[]): void {
    for (const [side, near, far] of cells) {
      this.#cache.drop(starKey(side, near))
      this.#cache.drop(headKey(side, near))
      this.#neighbours.forget(side, near)
      this.#cache.drop(edgeKey([side, near, far]))
    }
  }

  /** Takes those edges that are there out of the counts. */
  #uncount(edges: readonly Ends[]): void {
    this.preload(edges)
    for (const { kind, source, target } of edges) if (this.edge(kind, source, target)) this.#counts.add(`edge ${kind}`, -1)
  }
}

/** Edges of a kind in the order of their rows, behind one; `last`: the place of the last; undefined: there are none. */
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
  return `edge ${side} ${near.length} ${near} ${far}`
}

function starKey(side: number, near: string): string {
  return `star ${side} ${near}`
}

function headKey(side: number, near: string): string {
  return `head ${side} ${near}`
}

/** An edge as a row of that side describes it. */
function edgeFromRow(kind: EdgeKind, side: number, row: Row): Edge {
  const [source, target] = side === leavingSide(kind) ? ends(kind, row.near, row.far) : [row.far, row.near]
  return edgeOf(kind, source, target, row)
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

function edgeOf(kind: EdgeKind, source: string, target: string, { weight, data }: Row): Edge {
  return data === null ? { kind, source, target, weight } : { kind, source, target, weight, data: JSON.parse(data) as Json }
}
