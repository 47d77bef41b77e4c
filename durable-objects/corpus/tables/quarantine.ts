/** Chunks that a model could not read, and when it is asked again. All SQL on the table is here. */
import type { Sql } from '../../sql'
import type { TaskRow } from './task'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_QUARANTINE = `
  CREATE TABLE quarantine (
    builder TEXT NOT NULL,
    kind TEXT NOT NULL,
    node TEXT NOT NULL,
    input TEXT NOT NULL,
    tries INTEGER NOT NULL,           -- made by the schedule
    due INTEGER NOT NULL,             -- ms
    PRIMARY KEY (builder, kind, node)
  ) WITHOUT ROWID;
  CREATE INDEX quarantine_due ON quarantine (due);
  CREATE INDEX quarantine_node ON quarantine (node);
`

/** The input of the task that the model could not do. */
export type QuarantineKey = Pick<TaskRow, 'builder' | 'kind' | 'node'>

export interface QuarantineRow extends QuarantineKey {
  readonly input: string
  readonly tries: number
}

/** An existing row stays unchanged. */
export function insertQuarantined(sql: Sql, { builder, kind, node, input }: Omit<QuarantineRow, 'tries'>, due: number): void {
  const row = [builder, kind, node, input, 0, due]
  sql.run('INSERT INTO quarantine (builder, kind, node, input, tries, due) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING', ...row)
}

/** An existing row keeps its attempts, and is retried with the new input. */
export function putQuarantined(sql: Sql, { builder, kind, node, input }: Omit<QuarantineRow, 'tries'>, due: number): void {
  sql.run(
    `INSERT INTO quarantine (builder, kind, node, input, tries, due) VALUES (?, ?, ?, ?, 0, ?)
     ON CONFLICT (builder, kind, node) DO UPDATE SET input = excluded.input WHERE input <> excluded.input`,
    builder,
    kind,
    node,
    input,
    due,
  )
}

/** After one more attempt, of at most this many. */
export function countQuarantineTry(sql: Sql, { builder, kind, node }: QuarantineKey, maxTries: number, due: number): void {
  sql.run(
    'UPDATE quarantine SET tries = min(?, tries + 1), due = ? WHERE builder = ? AND kind = ? AND node = ?',
    maxTries,
    due,
    builder,
    kind,
    node,
  )
}

/** Without counting an attempt. */
export function postponeQuarantined(sql: Sql, { builder, kind, node }: QuarantineKey, due: number): void {
  sql.run('UPDATE quarantine SET due = ? WHERE builder = ? AND kind = ? AND node = ?', due, builder, kind, node)
}

export function deleteQuarantined(sql: Sql, { builder, kind, node }: QuarantineKey): void {
  sql.run('DELETE FROM quarantine WHERE builder = ? AND kind = ? AND node = ?', builder, kind, node)
}

export function isQuarantined(sql: Sql, { builder, kind, node }: QuarantineKey): boolean {
  return sql.one('SELECT 1 FROM quarantine WHERE builder = ? AND kind = ? AND node = ?', builder, kind, node) !== undefined
}

/** Is there a task of this kind about the chunk, from any builder? */
export function hasQuarantinedOfKind(sql: Sql, chunk: string, kind: 'embed' | 'extract'): boolean {
  return sql.one('SELECT 1 FROM quarantine WHERE node = ? AND kind = ?', chunk, kind) !== undefined
}

/** Chunks that lack vectors. */
export function listEmbeddingQuarantined(sql: Sql): string[] {
  return sql.all<{ node: string }>(`SELECT node FROM quarantine WHERE kind = 'embed'`).map((row) => row.node)
}

/** Rows with fewer attempts, and those with as many: each counted up to `max`. */
export function countQuarantined(sql: Sql, tries: number, max: number): { readonly fewer: number; readonly asMany: number } {
  const count = (compare: '<' | '>='): number =>
    sql.one<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 FROM quarantine WHERE tries ${compare} ? LIMIT ?)`, tries, max)?.n ?? 0
  return { fewer: count('<'), asMany: count('>=') }
}

/** `placed`: a version's chunks and their positions, as JSON. */
export function hasQuarantinedChunk(sql: Sql, placed: string): boolean {
  const query = `SELECT 1 FROM quarantine WHERE node IN (SELECT json_extract(value, '$.chunk') FROM json_each(?)) LIMIT 1`
  return sql.one(query, placed) !== undefined
}

/** When the next row with fewer attempts is due. */
export function readNextQuarantineTime(sql: Sql, maxTries: number): number | null {
  return sql.one<{ due: number }>('SELECT due FROM quarantine WHERE tries < ? ORDER BY due LIMIT 1', maxTries)?.due ?? null
}

export function listQuarantinedDue(sql: Sql, now: number, limit: number): QuarantineRow[] {
  return sql.all<QuarantineRow>('SELECT builder, kind, node, input, tries FROM quarantine WHERE due <= ? ORDER BY due LIMIT ?', now, limit)
}
