/** All edges at one end, heaviest first: read together and cached; if there are very many, only the heaviest. */
import { ends, heaviest } from '../../src/core/graph/edge-ends'
import type { Edge, EdgeKind, Json } from '../../src/core/graph/types'
import { distinct } from '../../src/core/text/terms'
import type { Sql } from '../sql'
import { limited } from './bulk'
import type { Cache, Shelf } from './cache'
import type { Counts } from './counts'
import { leavingSide } from './rows'

const STAR = 256 // edges at one end that are read and kept together
const HEAD = 64 // if there are more, the heaviest, which are kept; for more than these, SQLite sorts all of them each time
const WIDE = 256 // the most of those that are kept
const FEW = 16 // edges that are counted without reading all of them
export const EDGE_BYTES = 250 // bytes for an edge in memory, about

const TOGETHER = 64 // nodes whose edges are read together
const AT_ONCE = 1024 // edges read without knowing whether one of the nodes has very many

// Two statements, not one that joins the edges to what the first finds: while readers have a view in place of the table (snapshot.ts), SQLite
// begins such a join with the edges, all of that side, and a question takes as long as there are edges.
// Most often all edges at these ends are few enough to be read at once; otherwise those with many are found first.
const LONG = `SELECT j.value AS near FROM json_each(?1) j
  WHERE (SELECT 1 FROM edge WHERE side = ?2 AND near = j.value LIMIT 1 OFFSET ?3) IS NOT NULL`
const ALL = 'SELECT near, far, weight, data FROM edge WHERE side = ?2 AND near IN (SELECT value FROM json_each(?1)) LIMIT ?3'
const SOME = 'SELECT near, far, weight, data FROM edge WHERE side = ? AND near = ? LIMIT ?'

/** All edges at one end, in order; or none, if there are too many to keep. */
interface Star {
  readonly whole: boolean
  readonly edges: readonly Edge[]
}

const NOT_WHOLE: Star = { whole: false, edges: [] }

/** What is known of the nodes on one side: their stars, the heaviest edges of large ones, and which have at least so many. */
interface Shelves {
  readonly star: Shelf
  readonly head: Shelf
  readonly wide: Shelf
  readonly many: Shelf
}

export interface EdgeRow {
  readonly near: string
  readonly far: string
  readonly weight: number
  readonly data: string | null
}

export class Stars {
  readonly #sql: Sql
  readonly #cache: Cache
  readonly #counts: Counts
  readonly #sides: Shelves[] = []

  constructor({ sql, cache, counts }: { sql: Sql; cache: Cache; counts: Counts }) {
    this.#sql = sql
    this.#cache = cache
    this.#counts = counts
  }

  /** Prefetches what is about to be requested one by one. */
  preload(kind: EdgeKind, side: number, ids: readonly string[], enough: number = STAR + 1): void {
    if (this.#counts.of(`edge ${kind}`) === 0) return
    const limit = enough <= FEW ? enough : STAR + 1
    const missing = distinct(ids.filter((near) => !this.#knows(side, near, limit)))
    if (missing.length < 2) return // they are read when they are requested
    for (let at = 0; at < missing.length; at += TOGETHER) {
      const some = missing.slice(at, at + TOGETHER)
      const rows = limit > FEW ? this.#sql.all<EdgeRow>(ALL, JSON.stringify(some), side, AT_ONCE) : undefined
      if (rows && rows.length < AT_ONCE) this.#keepAll(kind, side, some, rows)
      else this.#preloadShort(kind, side, some, limit)
    }
  }

  /** Of those with at least `limit` edges, nothing but that is kept; the others' edges are read. */
  #preloadShort(kind: EdgeKind, side: number, some: readonly string[], limit: number): void {
    const long = new Set(this.#sql.all<{ near: string }>(LONG, JSON.stringify(some), side, limit - 1).map((row) => row.near))
    for (const near of long) this.#keepLong(side, near, limit)
    const short = some.filter((near) => !long.has(near))
    if (short.length > 0) this.#keepAll(kind, side, short, this.#sql.all<EdgeRow>(ALL, JSON.stringify(short), side, limited(undefined)))
  }

  /** `rows`: all edges at these ends. */
  #keepAll(kind: EdgeKind, side: number, nodes: readonly string[], rows: readonly EdgeRow[]): void {
    const ends = Map.groupBy(rows, (row) => row.near)
    for (const near of nodes) this.#keep(kind, side, near, ends.get(near) ?? [])
  }

  #knows(side: number, near: string, limit: number): boolean {
    return this.#at(side).star.has(near) || (limit <= FEW && (this.#at(side).many.held<number>(near) ?? 0) >= limit)
  }

  /** At least `limit` edges: all that is to be known of them. */
  #keepLong(side: number, near: string, limit: number): void {
    if (limit <= FEW) this.#at(side).many.set(near, limit, EDGE_BYTES)
    else this.#at(side).star.set(near, NOT_WHOLE, starBytes(NOT_WHOLE))
  }

  /** `rows`: all edges at that end. */
  #keep(kind: EdgeKind, side: number, near: string, rows: readonly EdgeRow[]): void {
    const star = starOf(kind, side, near, rows)
    this.#at(side).star.set(near, star, starBytes(star))
  }

  /** Heaviest first. */
  around(kind: EdgeKind, side: number, near: string, limit: number | undefined): readonly Edge[] {
    if (this.#counts.of(`edge ${kind}`) === 0) return []
    const { whole, edges } = this.#star(kind, side, near)
    if (whole) return limit === undefined || limit >= edges.length ? edges : edges.slice(0, Math.max(0, limit))
    if (limit !== undefined && limit <= WIDE) return this.#head(kind, side, near, limit <= HEAD ? HEAD : WIDE).slice(0, Math.max(0, limit))
    return this.#sorted(kind, side, near, limit)
  }

  /** With `enough`: counts no further than that. */
  degree(kind: EdgeKind, side: number, near: string, enough?: number): number {
    if (enough !== undefined && enough <= FEW) return this.#upTo(kind, side, near, enough)
    const star = this.#star(kind, side, near)
    if (star.whole) return star.edges.length
    return this.#sql.one<{ n: number }>('SELECT count(*) AS n FROM edge WHERE side = ? AND near = ?', side, near)?.n ?? 0
  }

  /** How many edges there are, counted no further than that. If there are no more, they are kept. */
  #upTo(kind: EdgeKind, side: number, near: string, enough: number): number {
    const known = this.#at(side).star.held<Star>(near)
    if (known) return known.whole ? known.edges.length : enough
    const counted = this.#at(side).many.held<number>(near) ?? 0
    if (counted >= enough) return counted
    const rows = this.#sql.all<EdgeRow>(SOME, side, near, enough)
    if (rows.length === enough) this.#keepLong(side, near, enough)
    else this.#keep(kind, side, near, rows)
    return rows.length
  }

  /** The heaviest of many: most callers want to know whether there are many. */
  #head(kind: EdgeKind, side: number, near: string, most: number): readonly Edge[] {
    const read = (): readonly Edge[] => this.#sorted(kind, side, near, most)
    const kept = this.#at(side)[most === HEAD ? 'head' : 'wide']
    return kept.getOrRead(near, read, (edges) => EDGE_BYTES * (1 + edges.length)) ?? read()
  }

  #sorted(kind: EdgeKind, side: number, near: string, limit: number | undefined): readonly Edge[] {
    const statement = 'SELECT near, far, weight, data FROM edge WHERE side = ? AND near = ? ORDER BY weight DESC, far LIMIT ?'
    return this.#sql.all<EdgeRow>(statement, side, near, limited(limit)).map((row) => edgeFromRow(kind, side, row))
  }

  #star(kind: EdgeKind, side: number, near: string): Star {
    const read = (): Star => starOf(kind, side, near, this.#sql.all<EdgeRow>(SOME, side, near, STAR + 1))
    return this.#at(side).star.getOrRead(near, read, starBytes) ?? read()
  }

  #at(side: number): Shelves {
    const known = this.#sides[side]
    if (known) return known
    const shelf = (of: string): Shelf => this.#cache.shelf(`${of} ${side}`)
    const made = { star: shelf('star'), head: shelf('head'), wide: shelf('wide'), many: shelf('many') }
    this.#sides[side] = made
    return made
  }

  /** An edge at this end was written or removed. */
  forget(side: number, near: string): void {
    this.#at(side).star.drop(near)
    this.#at(side).head.drop(near)
    this.#at(side).wide.drop(near)
    this.#at(side).many.drop(near)
  }
}

function starOf(kind: EdgeKind, side: number, near: string, rows: readonly EdgeRow[]): Star {
  if (rows.length > STAR) return NOT_WHOLE
  return { whole: true, edges: rows.map((row) => edgeFromRow(kind, side, row)).sort(heaviest(near)) }
}

function starBytes({ edges }: Star): number {
  return EDGE_BYTES * (1 + edges.length)
}

/** An edge as a row of that side describes it. */
function edgeFromRow(kind: EdgeKind, side: number, row: EdgeRow): Edge {
  const [source, target] = side === leavingSide(kind) ? ends(kind, row.near, row.far) : [row.far, row.near]
  return edgeOf(kind, source, target, row)
}

export function edgeOf(kind: EdgeKind, source: string, target: string, { weight, data }: EdgeRow): Edge {
  return data === null ? { kind, source, target, weight } : { kind, source, target, weight, data: parsed(data) }
}

/** Most data of edges are the ordinals of one or two units: those few texts are parsed once. They hold nothing of a document. */
function parsed(data: string): Json {
  if (data.length > SHORT) return JSON.parse(data) as Json
  const known = ordinals.get(data)
  if (known !== undefined) return known
  const made = JSON.parse(data) as Json
  if (ORDINALS.test(data) && ordinals.size < REMEMBERED) ordinals.set(data, made)
  return made
}

const SHORT = 6 // characters
const REMEMBERED = 2000
const ORDINALS = /^\[-?\d+(?:,-?\d+)*\]$/
const ordinals = new Map<string, Json>()
