/** Rows that are moved from partition to partition as they are: what is not part of the graph, and does not follow from documents. */
import type { MoveAnswer, MovedRow, MovedTable, RowKey } from '../../../src/ports/repartition'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'

const AT_ONCE = 500

const KEYS: { readonly [table in MovedTable]: readonly string[] } = {
  job: ['n'],
  saved_filter: ['name'],
  source: ['id'],
  withdrawn: ['document', 'what'],
  audit: ['n'],
  spending_total: ['stage'],
  spending_day: ['day', 'key', 'stage'],
}

const SINCE: { readonly [table in MovedTable]?: string } = { job: `(created >= ? OR phase <> 'done')`, withdrawn: 'at >= ?' }

export function readRows({ sql }: Pick<CorpusContext, 'sql'>, table: MovedTable, after: RowKey, since?: number): MoveAnswer {
  const keys = KEYS[table]
  const recent = since === undefined ? [] : [SINCE[table] ?? '? >= 0']
  const behind = after.length > 0 ? [`(${keys.join(', ')}) > (${keys.map(() => '?').join(', ')})`] : []
  const where = [...recent, ...behind].join(' AND ')
  const limit = `${where && `WHERE ${where}`} ORDER BY ${keys.join(', ')} LIMIT ?`
  const bound = [...(since === undefined ? [] : [since]), ...after, AT_ONCE]
  const rows = sql.all<MovedRow & { readonly [column: string]: string | number }>(`SELECT * FROM ${table} ${limit}`, ...bound)
  const last = rows.at(-1)
  return { kind: 'rows', rows, next: last && rows.length === AT_ONCE ? keys.map((key) => last[key] ?? '') : null }
}

/** Rows of another partition, which may have been taken before: they overwrite themselves, and entries of an audit log are not changed. */
export function takeRows(context: CorpusContext, from: string, table: MovedTable, rows: readonly MovedRow[]): void {
  const { sql } = context
  context.atomically(() => {
    const arriving = readMeta(sql, metaKeys.arriving)
    if (table !== 'audit' || !arriving) return insertRows(context, table, rows)
    const taken = arriving.audit[from] ?? 0
    const fresh = rows.filter(({ n }) => Number(n) > taken)
    insertRows(
      context,
      table,
      fresh.map(({ n: _, ...row }) => row),
    )
    const last = fresh.at(-1)?.n
    if (last !== undefined) writeMeta(sql, metaKeys.arriving, { ...arriving, audit: { ...arriving.audit, [from]: Number(last) } })
  })
}

/** Numbers that rows have here are their own. */
export function insertRows({ sql }: Pick<CorpusContext, 'sql'>, table: MovedTable, rows: readonly MovedRow[]): void {
  for (const given of rows) {
    const { n: _, ...row } = given
    const columns = Object.keys(row)
    sql.run(`INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, ...Object.values(row))
  }
}
