/** How long documents are, read without the text of any chunk (core/graph/homes.ts). */
import { SAMPLE, scaled } from '../../src/core/graph/homes'
import type { Home } from '../../src/core/graph/reader'
import { distinct } from '../../src/core/text/terms'
import type { Sql } from '../sql'
import type { Cache, Shelf } from './cache'

const HOME = 150 // bytes to keep one, about

// A chunk's vectors come first in its row and are as many as its passages; where there are none its text has to be looked into.
const PASSAGES = `CASE length(c.passages) WHEN 0 THEN json_array_length(c.body, '$.passages') ELSE length(c.passages) / ? END`
const LENGTHS = `
  SELECT d.id, d.chunks, count(c.id) AS counted, coalesce(sum(${PASSAGES}), 0) AS passages
  FROM (SELECT id, body, json_array_length(body, '$.chunks') AS chunks FROM document WHERE id IN (SELECT value FROM json_each(?))) d
    JOIN json_each(d.body, '$.chunks') placed ON placed.key % max(1, (d.chunks + ${SAMPLE - 1}) / ${SAMPLE}) = 0
    LEFT JOIN chunk c ON c.id = placed.value ->> '$.chunk'
  GROUP BY d.id`

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
    const rows = this.#sql.all<{ id: string; chunks: number; counted: number; passages: number }>(
      LENGTHS,
      this.#lengths.dimensions,
      JSON.stringify([...documents]),
    )
    return new Map(
      rows.map(({ id, ...numbers }): [string, Home] => {
        const home = { document: id, passages: scaled(numbers) }
        this.#kept.set(id, home, HOME)
        return [id, home]
      }),
    )
  }
}
