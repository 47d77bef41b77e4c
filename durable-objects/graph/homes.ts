/** How long documents are, read without the text of any chunk (core/graph/homes.ts). */
import { SAMPLE, scaled } from '../../src/core/graph/homes'
import type { Home } from '../../src/core/graph/reader'
import { distinct } from '../../src/core/text/terms'
import type { Sql } from '../sql'
import type { Cache, Shelf } from './cache'

const HOME = 150 // bytes to keep one, about

// Two statements, not one that joins: while readers have a view in place of the table of chunks (snapshot.ts), SQLite would read all of it for the join.
const SAMPLED = `SELECT id, chunks, (SELECT json_group_array(placed.value ->> '$.chunk') FROM json_each(body, '$.chunks') placed
    WHERE placed.key % max(1, (chunks + ${SAMPLE - 1}) / ${SAMPLE}) = 0) AS sample
  FROM (SELECT id, body, json_array_length(body, '$.chunks') AS chunks FROM document WHERE id IN (SELECT value FROM json_each(?)))`
// A chunk's vectors come first in its row and are as many as its passages; where there are none its text has to be looked into.
const LENGTHS = `
  SELECT id, CASE length(passages) WHEN 0 THEN json_array_length(body, '$.passages') ELSE length(passages) / ? END AS passages
  FROM chunk WHERE id IN (SELECT value FROM json_each(?))`

interface HomesParts {
  readonly sql: Sql
  readonly cache: Cache
  /** The length of vectors. */
  readonly lengths: { readonly dimensions: number }
}

export class Homes {
  readonly #sql: Sql
  readonly #lengths: HomesParts['lengths']
  readonly #kept: Shelf

  constructor({ sql, cache, lengths }: HomesParts) {
    this.#sql = sql
    this.#lengths = lengths
    this.#kept = cache.shelf('home')
  }

  /** By id; undefined: it is gone. */
  of(documents: readonly (string | undefined)[]): readonly (Home | undefined)[] {
    const ids = distinct(documents.flatMap((id) => id ?? []))
    // What is read may take the place of what was kept: that is taken first.
    const kept = ids.map((id) => this.#kept.held<Home>(id))
    const read = this.#read(new Set(ids.filter((_, i) => kept[i] === undefined)))
    const homes = new Map(ids.map((id, i) => [id, kept[i] ?? read.get(id)]))
    return documents.map((id) => (id === undefined ? undefined : homes.get(id)))
  }

  drop(document: string): void {
    this.#kept.drop(document)
  }

  #read(documents: ReadonlySet<string>): ReadonlyMap<string, Home> {
    if (documents.size === 0) return new Map()
    const placed = this.#sql
      .all<{ id: string; chunks: number; sample: string }>(SAMPLED, JSON.stringify([...documents]))
      .map(({ sample, ...one }) => ({ ...one, sample: JSON.parse(sample) as string[] }))
    const chunks = JSON.stringify(distinct(placed.flatMap(({ sample }) => sample)))
    const rows = this.#sql.all<{ id: string; passages: number }>(LENGTHS, this.#lengths.dimensions, chunks)
    const lengths = new Map(rows.map(({ id, passages }) => [id, passages]))
    return new Map(
      placed.map(({ id, chunks: all, sample }): [string, Home] => {
        const counts = sample.flatMap((chunk) => lengths.get(chunk) ?? [])
        const passages = counts.reduce((sum, count) => sum + count, 0)
        const home = { document: id, passages: scaled({ chunks: all, counted: counts.length, passages }) }
        this.#kept.set(id, home, HOME)
        return [id, home]
      }),
    )
  }
}
