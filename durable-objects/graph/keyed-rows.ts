/** Ordered indexes and builders' values in rows, under (space, key). */
import { MENTIONS } from '../../src/core/builders/mention-list'
import type { KeyedValue, Preload, Range } from '../../src/core/graph/reader'
import type { Place, Value } from '../../src/core/graph/types'
import { distinct } from '../../src/core/text/terms'
import type { Sql } from '../sql'
import { bulk, limited } from './bulk'
import type { Cache, Shelf } from './cache'
import { MentionedLists } from './mentioned-lists'
import { packValue, unpackValue } from './rows'

const DECODED = 2 // times its bytes: what a value takes with its reader's result, about

const AT_ONCE = 500 // values read together
const SOME = 'SELECT key, body FROM value WHERE space = ?2 AND key IN (SELECT value FROM json_each(?1))'

// A range is read only to its limit: an inner select that runs for each.
const RANGES = `SELECT j.key AS at, (SELECT json_group_array(json_array(key, id)) FROM
  (SELECT key, id FROM place WHERE space = ?2 AND key >= j.value ->> 0 AND key <= j.value ->> 1 ORDER BY key LIMIT ?3)) AS found
  FROM json_each(?1) j`
const PLACE = 150 // bytes for a place in memory, about

const SIZE = 'SELECT coalesce(sum(length(key) + length(body)), 0) AS bytes, count(*) AS rows FROM value WHERE space = ?'
const ROW = 200 // bytes that a kept value takes in addition to its own
const TOO_MUCH = 'too much'

type Ends = Required<Omit<Range, 'descending'>>
type Key = readonly [space: string, key: string]

export class KeyedRows {
  readonly #sql: Sql
  readonly #cache: Cache
  readonly mentioned: MentionedLists

  constructor({ sql, cache }: { readonly sql: Sql; readonly cache: Cache }) {
    this.#sql = sql
    this.#cache = cache
    this.mentioned = new MentionedLists(sql, cache)
  }

  order(space: string, { from, to, limit, descending }: Range): readonly Place[] {
    if (!descending && from !== undefined && to !== undefined) {
      const known = this.#ranges(space).held<readonly Place[]>(rangeKey({ from, to, limit }))
      if (known) return known
    }
    const bounds = [...(from === undefined ? [] : [from]), ...(to === undefined ? [] : [to])]
    const where = `space = ?${from === undefined ? '' : ' AND key >= ?'}${to === undefined ? '' : ' AND key <= ?'}`
    const statement = `SELECT key, id FROM place WHERE ${where} ORDER BY key ${descending ? 'DESC' : 'ASC'} LIMIT ?`
    return this.#sql.all<Place>(statement, space, ...bounds, limited(limit))
  }

  #preloadPlaces({ space, limit, ...asked }: NonNullable<Preload['places']>): void {
    const ranges = asked.ranges.map(([from, to]): Ends => ({ from, to, limit }))
    const shelf = this.#ranges(space)
    const missing = ranges.filter((range) => !shelf.has(rangeKey(range)))
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const some = missing.slice(at, at + AT_ONCE)
      const list = JSON.stringify(some.map(({ from, to }) => [from, to]))
      for (const { at, found } of this.#sql.all<{ at: number; found: string }>(RANGES, list, space, limited(limit))) {
        const range = some[at]
        const places = (JSON.parse(found) as [string, string][]).map(([key, id]): Place => ({ key, id }))
        if (range) shelf.set(rangeKey(range), places, PLACE * (2 + places.length))
      }
    }
  }

  /** Nothing is in most spaces of most corpora: their keys need not be looked up, and most are looked up once. */
  #isEmpty(space: string): boolean {
    const read = (): boolean => this.#sql.one('SELECT 1 FROM value WHERE space = ? LIMIT 1', space) === undefined
    return this.#cache.shelf('empty').getOrRead(space, read, () => ROW) === true
  }

  value(space: string, key: string): Value | undefined {
    return this.#shelf(space).peekOrRead<Value>(key, () => {
      if (this.#isEmpty(space)) return undefined
      const row = this.#sql.one<{ body: string | ArrayBuffer }>('SELECT body FROM value WHERE space = ? AND key = ?', space, key)
      return row && unpackValue(row.body)
    })
  }

  preload({ values = [], places, mentioned = [] }: Preload): void {
    for (const { space, keys } of values) this.#preloadValues(space, keys)
    if (places) this.#preloadPlaces(places)
    this.mentioned.preload(mentioned)
  }

  #preloadValues(space: string, keys: readonly string[]): void {
    if (this.#isEmpty(space)) return
    const shelf = this.#shelf(space)
    const missing = distinct(keys.filter((key) => !shelf.has(key)))
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const some = missing.slice(at, at + AT_ONCE)
      const rows = this.#sql.all<{ key: string; body: string | ArrayBuffer }>(SOME, JSON.stringify(some), space)
      const found = new Map(rows.map(({ key, body }) => [key, body]))
      for (const key of some) {
        const body = found.get(key)
        const bytes = typeof body === 'string' ? 4 * body.length : DECODED * (body?.byteLength ?? 0)
        shelf.set(key, body === undefined ? undefined : unpackValue(body), bytes + 200)
      }
    }
  }

  valuesOf(space: string, keys: readonly string[]): readonly (Value | undefined)[] {
    const held = keys.map((key) => this.#shelf(space).held<Value>(key))
    const missing = keys.filter((_, i) => held[i] === undefined)
    if (missing.length === 0) return held
    const rows = this.#sql.all<{ key: string; body: string | ArrayBuffer }>(SOME, JSON.stringify(missing), space)
    const found = new Map(rows.map(({ key, body }) => [key, unpackValue(body)]))
    for (const [key, value] of found) this.#keep(space, key, value)
    return keys.map((key, i) => (held[i] === undefined ? found.get(key) : held[i]))
  }

  values(space: string, from: string, limit: number): readonly KeyedValue[] {
    const statement = 'SELECT key, body FROM value WHERE space = ? AND key >= ? ORDER BY key LIMIT ?'
    const rows = this.#sql.all<{ key: string; body: string | ArrayBuffer }>(statement, space, from, limited(limit))
    return rows.map(({ key, body }) => ({ key, value: unpackValue(body) }))
  }

  /**
   * Kept as long as nothing is written into the space; a result larger than this many bytes is not kept, which is itself remembered as
   * long.
   */
  keptValues(space: string, maxBytes: number): readonly KeyedValue[] | undefined {
    const name = allOf(space)
    const held = this.#cache.held<readonly KeyedValue[] | typeof TOO_MUCH>(name)
    if (held !== undefined) return held === TOO_MUCH ? undefined : held
    const { bytes, rows } = this.#sql.one<{ bytes: number; rows: number }>(SIZE, space) ?? { bytes: 0, rows: 0 }
    const size = bytes + ROW * rows
    if (size > maxBytes) {
      this.#cache.set(name, TOO_MUCH, ROW)
      return undefined
    }
    const all = this.values(space, '', Number.POSITIVE_INFINITY)
    this.#cache.set(name, all, size + ROW)
    return all
  }

  putPlaces(places: readonly (readonly [space: string, key: string, id: string])[]): void {
    this.#forgetRanges(places)
    const statement = `INSERT INTO place SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
      ON CONFLICT (space, key) DO UPDATE SET id = excluded.id WHERE id <> excluded.id`
    bulk(this.#sql, statement, places)
  }

  dropPlaces(keys: readonly Key[]): void {
    this.#forgetRanges(keys)
    bulk(this.#sql, 'DELETE FROM place WHERE (space, key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))', keys)
  }

  putValues(values: readonly (readonly [space: string, key: string, value: Value])[]): void {
    this.#dropKept(values)
    const statement = `INSERT INTO value VALUES (?, ?, ?)
      ON CONFLICT (space, key) DO UPDATE SET body = excluded.body WHERE body IS NOT excluded.body`
    const texts: (readonly [string, string, string])[] = []
    for (const [space, key, value] of values) {
      this.#dropOne(space, key)
      const body = packValue(value)
      if (typeof body === 'string') texts.push([space, key, body])
      else this.#sql.run(statement, space, key, body)
    }
    const many = `INSERT INTO value SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
      ON CONFLICT (space, key) DO UPDATE SET body = excluded.body WHERE body IS NOT excluded.body`
    bulk(this.#sql, many, texts)
  }

  dropValues(keys: readonly Key[]): void {
    this.#dropKept(keys)
    for (const [space, key] of keys) this.#dropOne(space, key)
    bulk(this.#sql, 'DELETE FROM value WHERE (space, key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))', keys)
  }

  *places(): Generator<readonly [space: string, key: string, id: string]> {
    const page = 'SELECT space, key, id FROM place WHERE (space, key) > (?, ?) ORDER BY space, key LIMIT 1000'
    for (let after: readonly [string, string] = ['', '']; ; ) {
      const rows: { space: string; key: string; id: string }[] = this.#sql.all(page, ...after)
      for (const { space, key, id } of rows) yield [space, key, id]
      const last = rows[rows.length - 1]
      if (!last) return
      after = [last.space, last.key]
    }
  }

  *all(): Generator<readonly [space: string, key: string, value: Value]> {
    const page = 'SELECT space, key, body FROM value WHERE (space, key) > (?, ?) ORDER BY space, key LIMIT 100'
    for (let after: readonly [string, string] = ['', '']; ; ) {
      const rows: { space: string; key: string; body: string | ArrayBuffer }[] = this.#sql.all(page, ...after)
      for (const { space, key, body } of rows) yield [space, key, unpackValue(body)]
      const last = rows[rows.length - 1]
      if (!last) return
      after = [last.space, last.key]
    }
  }

  /** Any range of a space that was written into may be another. */
  #forgetRanges(written: readonly (readonly [space: string, ...unknown[]])[]): void {
    for (const space of new Set(written.map(([space]) => space))) this.#ranges(space).clear()
  }

  #shelf(space: string): Shelf {
    return this.#cache.shelf(`value ${space}`)
  }

  #ranges(space: string): Shelf {
    return this.#cache.shelf(`places ${space}`)
  }

  #dropOne(space: string, key: string): void {
    this.#shelf(space).drop(key)
    if (space === MENTIONS) this.mentioned.forget(key)
  }

  #dropKept(written: readonly (readonly [space: string, ...unknown[]])[]): void {
    for (const space of new Set(written.map(([space]) => space))) {
      this.#cache.drop(allOf(space))
      this.#cache.shelf('empty').drop(space)
    }
  }

  /** Bytes that are read together are an index, read again by the next question; its reader's result is kept as long (see `DECODED`). */
  #keep(space: string, key: string, value: Value): void {
    if (value instanceof Uint8Array) this.#shelf(space).set(key, value, DECODED * value.length + 200)
  }
}

/** Spaces and keys of places, or of values, after one. */
export function keysAfter(sql: Sql, table: 'place' | 'value', after: readonly [space: string, key: string], limit: number): Key[] {
  const page = `SELECT space, key FROM ${table} WHERE (space, key) > (?, ?) ORDER BY space, key LIMIT ?`
  return sql.all<{ space: string; key: string }>(page, ...after, limit).map(({ space, key }): Key => [space, key])
}

function rangeKey({ from, to, limit }: Ends): string {
  return `${limit} ${from.length} ${from} ${to}`
}

function allOf(space: string): string {
  return `values ${space}`
}
