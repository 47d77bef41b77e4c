/** Ordered indexes and builders' values in rows, under (space, key). */
import type { Range } from '../../src/core/graph/reader'
import type { Place, Value } from '../../src/core/graph/types'
import type { Sql } from '../sql'
import { bulk, limited } from './bulk'
import { packValue, unpackValue } from './rows'

type Key = readonly [space: string, key: string]

export class Shelves {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  order(space: string, { from, to, limit, descending }: Range): readonly Place[] {
    const bounds = [...(from === undefined ? [] : [from]), ...(to === undefined ? [] : [to])]
    const where = `space = ?${from === undefined ? '' : ' AND key >= ?'}${to === undefined ? '' : ' AND key <= ?'}`
    const statement = `SELECT key, id FROM place WHERE ${where} ORDER BY key ${descending ? 'DESC' : 'ASC'} LIMIT ?`
    return this.#sql.all<Place>(statement, space, ...bounds, limited(limit))
  }

  value(space: string, key: string): Value | undefined {
    const row = this.#sql.one<{ body: string | ArrayBuffer }>('SELECT body FROM value WHERE space = ? AND key = ?', space, key)
    return row && unpackValue(row.body)
  }

  valuesOf(space: string, keys: readonly string[]): readonly (Value | undefined)[] {
    if (keys.length === 0) return []
    const statement = 'SELECT v.key, v.body FROM json_each(?) j CROSS JOIN value v WHERE v.space = ? AND v.key = j.value'
    const rows = this.#sql.all<{ key: string; body: string | ArrayBuffer }>(statement, JSON.stringify(keys), space)
    const found = new Map(rows.map(({ key, body }) => [key, body]))
    return keys.map((key) => {
      const body = found.get(key)
      return body === undefined ? undefined : unpackValue(body)
    })
  }

  values(space: string, from: string, limit: number): readonly { readonly key: string; readonly value: Value }[] {
    const statement = 'SELECT key, body FROM value WHERE space = ? AND key >= ? ORDER BY key LIMIT ?'
    const rows = this.#sql.all<{ key: string; body: string | ArrayBuffer }>(statement, space, from, limited(limit))
    return rows.map(({ key, body }) => ({ key, value: unpackValue(body) }))
  }

  putPlaces(places: readonly (readonly [space: string, key: string, id: string])[]): void {
    const statement = `INSERT INTO place SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
      ON CONFLICT (space, key) DO UPDATE SET id = excluded.id WHERE id <> excluded.id`
    bulk(this.#sql, statement, places)
  }

  dropPlaces(keys: readonly Key[]): void {
    bulk(this.#sql, 'DELETE FROM place WHERE (space, key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))', keys)
  }

  putValues(values: readonly (readonly [space: string, key: string, value: Value])[]): void {
    const statement = `INSERT INTO value VALUES (?, ?, ?)
      ON CONFLICT (space, key) DO UPDATE SET body = excluded.body WHERE body IS NOT excluded.body`
    for (const [space, key, value] of values) this.#sql.run(statement, space, key, packValue(value))
  }

  dropValues(keys: readonly Key[]): void {
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
}
