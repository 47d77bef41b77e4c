/**
 * The nodes that nodes are linked to, read together and kept small: without the edges' data, and with one string per id however often it
 * occurs. A complete edge takes ten times as much, and a clustering walks all those of thousands of nodes.
 */
import { walkable } from '../../src/core/graph/edge-ends'
import { compareText } from '../../src/core/graph/ordered-map'
import { type Neighbours as Found, NEIGHBOURS } from '../../src/core/graph/reader'
import type { EdgeKind } from '../../src/core/graph/types'
import type { Sql } from '../sql'
import { Cache, type Shelf } from './cache'
import { leavingSide } from './rows'

const AT_ONCE = 500 // nodes read together
const NAMES = 3 * 1024 * 1024 // bytes of ids stored as shared strings
const NAME = 130 // bytes for one of them, about
const END = 16 // bytes for a neighbour: a reference to its id, and its weight
const LIST = 250 // and for the list itself

const SOME = 'SELECT near, far, weight FROM edge WHERE side = ?2 AND near IN (SELECT value FROM json_each(?1))'

interface Row {
  readonly near: string
  readonly far: string
  readonly weight: number
}

export class Neighbours {
  readonly #sql: Sql
  readonly #cache: Cache
  readonly #names: Cache

  constructor({ sql, cache }: { readonly sql: Sql; readonly cache: Cache }) {
    this.#names = new Cache(NAMES, cache.occupant)
    this.#sql = sql
    this.#cache = cache
  }

  of(kind: EdgeKind, sources: readonly string[]): readonly Found[] {
    walkable(kind, 'source')
    const side = leavingSide(kind)
    const held = sources.map((source) => this.#shelf(side).held<Found>(source))
    const missing = sources.filter((_, i) => held[i] === undefined)
    if (missing.length === 0) return held as Found[] // each of them is present
    const read = this.#read(side, [...new Set(missing)])
    return sources.map((source, i) => held[i] ?? read.get(source) ?? NONE)
  }

  /** Edges at this end were added, removed or changed. */
  forget(side: number, near: string): void {
    this.#shelf(side).drop(near)
  }

  #read(side: number, sources: readonly string[]): ReadonlyMap<string, Found> {
    const out = new Map<string, Found>()
    for (let at = 0; at < sources.length; at += AT_ONCE) {
      const some = sources.slice(at, at + AT_ONCE)
      const rows = Map.groupBy(this.#sql.all<Row>(SOME, JSON.stringify(some), side), (row) => row.near)
      for (const source of some) {
        const found = this.#compact(rows.get(source) ?? [])
        out.set(source, found)
        this.#shelf(side).set(source, found, LIST + END * found.ids.length)
      }
    }
    return out
  }

  #compact(rows: readonly Row[]): Found {
    if (rows.length === 0) return NONE
    const kept = [...rows].sort((a, b) => b.weight - a.weight || compareText(a.far, b.far)).slice(0, NEIGHBOURS)
    return { ids: kept.map(({ far }) => this.#named(far)), weights: kept.map(({ weight }) => weight) }
  }

  #shelf(side: number): Shelf {
    return this.#cache.shelf(`far ${side}`)
  }

  #named(id: string): string {
    return (
      this.#names.getOrRead(
        id,
        () => id,
        () => NAME,
      ) ?? id
    )
  }
}

const NONE: Found = { ids: [], weights: [] }
