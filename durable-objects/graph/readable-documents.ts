/** The documents that somebody may read: how many, and which, if they are few. */
import type { Sight } from '../../src/core/access/sight'
import type { Sql } from '../sql'
import { UNLABELLED } from './label-sets'

const MAX_SCANNED = 10_000 // documents up to which those without labels are searched for

/** The label sets of the documents that hold a chunk. Not a left join: where a view stands for the table (snapshot.ts), SQLite would first read all of it. */
export const CHUNK_SETS = `SELECT DISTINCT coalesce((SELECT label_set FROM access a WHERE a.document = p.document), ${UNLABELLED}) AS n
  FROM placement p WHERE p.chunk = ?`

export interface NumberedSight extends Sight {
  /** By the number of a list of labels. */
  allows(number: number): boolean
}

export function countReadable(sql: Sql, sight: NumberedSight, all: number): number {
  const rows = sql.all<{ number: number; n: number }>('SELECT label_set AS number, count(*) AS n FROM access GROUP BY label_set')
  const labelled = rows.reduce((sum, row) => sum + row.n, 0)
  const seen = rows.reduce((sum, row) => sum + (sight.allows(row.number) ? row.n : 0), 0)
  return seen + (sight.allows(UNLABELLED) ? all - labelled : 0)
}

/** The documents that may be read, if they are few enough; undefined if there are more, or finding them would mean checking most others. */
export function listReadable(sql: Sql, sight: NumberedSight, all: number, max: number): readonly string[] | undefined {
  if (countReadable(sql, sight, all) > max || (sight.allows(UNLABELLED) && all > MAX_SCANNED)) return undefined
  const numbers = sql.all<{ n: number }>('SELECT DISTINCT label_set AS n FROM access').filter(({ n }) => sight.allows(n))
  const labelled = 'SELECT document AS id FROM access WHERE label_set IN (SELECT value FROM json_each(?)) ORDER BY document'
  const seen = sql.all<{ id: string }>(labelled, JSON.stringify(numbers.map(({ n }) => n)))
  const plain = sight.allows(UNLABELLED)
    ? sql.all<{ id: string }>('SELECT id FROM document d WHERE NOT EXISTS (SELECT 1 FROM access a WHERE a.document = d.id) ORDER BY id')
    : []
  return [...seen, ...plain].map((row) => row.id)
}
