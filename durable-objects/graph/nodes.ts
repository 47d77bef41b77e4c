/** Derived nodes in rows. Ids begin with their kind's letter, so that a kind is a range of ids and needs no index of its own. */
import { namesItsKind } from '../../src/core/graph/node-name'
import type { Preload } from '../../src/core/graph/reader'
import type { DerivedKind, GraphNode, Json, Vector } from '../../src/core/graph/types'
import { kindOf } from '../../src/core/ids'
import { distinct } from '../../src/core/text/terms'
import type { Sql } from '../sql'
import { bulk, limited } from './bulk'
import type { Cache, Shelf } from './cache'
import type { Counts } from './counts'
import { bytesOf, idRange } from './rows'

interface Body {
  readonly text: string
  readonly tokens: number
  readonly stale?: boolean
  readonly data: { readonly [key: string]: Json }
}

interface Row {
  readonly id: string
  readonly layer: number
  readonly vector: ArrayBuffer | null
  readonly body: string
  readonly sum: ArrayBuffer | null
}

const AT_ONCE = 1000 // nodes read together
const NONE = 200 // bytes for knowing that there is none

const FIELD = 'SELECT id, json_extract(body, ?2) AS field FROM node WHERE id IN (SELECT value FROM json_each(?1))'
const PUT_BARE = `INSERT INTO node (id, layer, body) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
  ON CONFLICT (id) DO UPDATE SET layer = excluded.layer, vector = NULL, body = excluded.body, sum = NULL`
const PUT = `INSERT INTO node (id, layer, vector, body, sum) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
  layer = excluded.layer, vector = excluded.vector, body = excluded.body, sum = excluded.sum`

export class Nodes {
  readonly #sql: Sql
  readonly #nodes: Shelf
  readonly #vectors: Shelf
  readonly #byField = new Map<string, Shelf>()
  readonly #cache: Cache
  readonly #counts: Counts

  constructor({ sql, cache, counts }: { sql: Sql; cache: Cache; counts: Counts }) {
    this.#sql = sql
    this.#nodes = cache.shelf('node')
    this.#vectors = cache.shelf('vector')
    this.#cache = cache
    this.#counts = counts
  }

  node(id: string): GraphNode | undefined {
    const from = (): GraphNode | undefined => {
      const row = this.#sql.one<Row>('SELECT id, layer, vector, body, sum FROM node WHERE id = ?', id)
      return row && read(row)
    }
    return this.#nodes.getOrRead(id, from, (node) => weight(node))
  }

  preload(ids: readonly string[], fields?: Preload['fields']): void {
    if (fields) this.#preloadFields(fields.name, fields.nodes)
    const missing = distinct(ids.filter((id) => !this.#nodes.has(id)))
    const statement = 'SELECT id, layer, vector, body, sum FROM node WHERE id IN (SELECT value FROM json_each(?))'
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const some = missing.slice(at, at + AT_ONCE)
      const found = new Map(this.#sql.all<Row>(statement, JSON.stringify(some)).map((row) => [row.id, read(row)]))
      for (const id of some) {
        const node = found.get(id)
        this.#nodes.set(id, node, node ? weight(node) : NONE)
      }
    }
  }

  /** A number among the node's data. */
  field(id: string, name: string): number | undefined {
    const kept = this.#fields(name)
    if (kept.has(id)) return kept.held<number>(id)
    if (this.#nodes.has(id)) return numberIn(this.#nodes.held<GraphNode>(id)?.data[name])
    return this.#readFields(name, [id]).get(id)
  }

  #preloadFields(name: string, ids: readonly string[]): void {
    const kept = this.#fields(name)
    this.#readFields(name, distinct(ids.filter((id) => !kept.has(id) && !this.#nodes.has(id))))
  }

  #readFields(name: string, ids: readonly string[]): ReadonlyMap<string, number | undefined> {
    const kept = this.#fields(name)
    const found = new Map<string, number | undefined>(ids.map((id) => [id, undefined]))
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = JSON.stringify(ids.slice(at, at + AT_ONCE))
      for (const { id, field } of this.#sql.all<{ id: string; field: Json }>(FIELD, some, `$.data.${name}`)) found.set(id, numberIn(field))
    }
    for (const [id, field] of found) kept.set(id, field, NONE)
    return found
  }

  #fields(name: string): Shelf {
    const shelf = this.#byField.get(name) ?? this.#cache.shelf(`field ${name}`)
    this.#byField.set(name, shelf)
    return shelf
  }

  vector(id: string): Vector | undefined {
    const from = (): Vector | undefined => {
      const row = this.#sql.one<{ vector: ArrayBuffer | null }>('SELECT vector FROM node WHERE id = ?', id)
      return row?.vector ? new Int8Array(row.vector) : undefined
    }
    return this.#vectors.getOrRead(id, from, (vector) => vector.length)
  }

  page(kind: DerivedKind, after: string, limit: number): readonly string[] {
    const [from, to] = idRange(kind)
    const start = after > from ? after : from
    const rows = this.#sql.all<{ id: string }>('SELECT id FROM node WHERE id > ? AND id < ? ORDER BY id LIMIT ?', start, to, limited(limit))
    return rows.map((row) => row.id)
  }

  put(nodes: readonly GraphNode[]): void {
    this.#uncount(nodes.map((node) => node.id))
    const bare: (readonly [string, number, string])[] = []
    for (const node of nodes) {
      namesItsKind(node)
      const { id, layer, vector, sum } = node
      if (vector || sum) this.#sql.run(PUT, id, layer, vector ? bytesOf(vector) : null, packed(node), sum ? bytesOf(sum) : null)
      else bare.push([id, layer, packed(node)])
      this.#count(node.kind, layer, 1)
    }
    bulk(this.#sql, PUT_BARE, bare)
  }

  drop(ids: readonly string[]): void {
    this.#uncount(ids)
    bulk(this.#sql, 'DELETE FROM node WHERE id IN (SELECT value FROM json_each(?))', ids)
  }

  *all(kind: DerivedKind): Generator<GraphNode> {
    const [from, to] = idRange(kind)
    const page = 'SELECT id, layer, vector, body, sum FROM node WHERE id > ? AND id < ? ORDER BY id LIMIT 256'
    for (let after = from; ; ) {
      const rows = this.#sql.all<Row>(page, after, to)
      for (const row of rows) yield read(row)
      const last = rows[rows.length - 1]
      if (!last) return
      after = last.id
    }
  }

  /** Removes the existing ones from the counts and the cache. */
  #uncount(ids: readonly string[]): void {
    this.preload(ids)
    for (const id of ids) {
      const before = this.node(id)
      if (before) this.#count(before.kind, before.layer, -1)
      this.#nodes.drop(id)
      this.#vectors.drop(id)
      for (const shelf of this.#byField.values()) shelf.drop(id)
    }
  }

  #count(kind: string, layer: number, by: number): void {
    this.#counts.add(kind, by)
    this.#counts.add(`${kind} ${layer}`, by)
  }
}

const numberIn = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined)

/** Approximate bytes of a node in memory; its data is assumed to be as long as its text. */
function weight({ text, vector, sum }: GraphNode): number {
  return 500 + 4 * text.length + (vector?.byteLength ?? 0) + (sum?.byteLength ?? 0)
}

function packed({ text, tokens, stale, data }: GraphNode): string {
  const body: Body = stale === undefined ? { text, tokens, data } : { text, tokens, stale, data }
  return JSON.stringify(body)
}

function read({ id, layer, vector, body, sum }: Row): GraphNode {
  return {
    id,
    kind: kindOf(id) as DerivedKind,
    layer,
    ...(JSON.parse(body) as Body),
    ...(vector ? { vector: new Int8Array(vector) } : {}),
    ...(sum ? { sum: new Int32Array(sum) } : {}),
  }
}
