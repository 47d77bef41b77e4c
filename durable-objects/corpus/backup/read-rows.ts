/**
 * Rows of a corpus for a backup, a page at a time. Pages are read by several calls, and belong together only while the graph and the open work stay as they
 * are: a page states what was true when it was read, and the request for the next page repeats it. What may change meanwhile (the ledger, the audit log,
 * deliveries, settings) is as it was when its row was read.
 */
import type { BackupMark, BackupPage, BackupPlace, BackupStart, Cell, Section } from '../../../src/ports/backup'
import { isMovingModel } from '../division/model-move'
import { isRepartitioning } from '../division/state'
import { readLease } from '../indexing/runner'
import { isIntegrating } from '../jobs/integration-state'
import { isMaintenanceOpen } from '../maintenance/under-way'
import { GENESIS } from '../outbox/receipts'
import { isPending } from '../pending-config'
import { isCandidateOpen } from '../shadow-graph/tables'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta } from '../tables/meta'
import { lastSeq } from '../tables/outbox'
import { newestReceipt } from '../tables/receipt'
import { lastRuling } from '../tables/ruling'
import { KEPT, type KeptTable, LEFT_VALUES } from './tables'

const ROWS = 500 // read at once
const BYTES = 1024 * 1024 // in a page, about: it is in memory several times

/** Is nobody writing, no second graph in progress, and every partition told what was decided? Then what several calls read can be one state. */
function isAtRest(context: CorpusContext): boolean {
  const { sql, now } = context
  const until = readLease(context)?.until ?? 0
  return (
    until <= now() &&
    !isIntegrating(context) &&
    !isCandidateOpen(sql) &&
    !isMaintenanceOpen(context) &&
    !isPending(context) &&
    !isRepartitioning(context) &&
    !isMovingModel(context) &&
    lastRuling(sql) === 0
  )
}

function markOf({ sql, graph }: CorpusContext): BackupMark {
  return { version: graph.version, state: graph.state, accepted: readMeta(sql, metaKeys.acceptedCount) ?? 0, seq: lastSeq({ sql }) }
}

/** Null: work is under way. */
export function backupStart(context: CorpusContext): BackupStart | null {
  return isAtRest(context) ? { mark: markOf(context), head: newestReceipt(context.sql)?.hash ?? GENESIS } : null
}

/** `from`: after which row, of which state; null: from the beginning. */
export function readBackupPage(
  context: CorpusContext,
  from: { readonly place: BackupPlace; readonly mark: BackupMark } | null,
): BackupPage {
  if (!isAtRest(context)) return { kind: 'busy' }
  const mark = markOf(context)
  if (from && JSON.stringify(from.mark) !== JSON.stringify(mark)) return { kind: 'changed' }
  const begin = from ? KEPT.findIndex(({ table }) => table === from.place.table) : 0
  const sections: Section[] = []
  let bytes = 0
  for (let i = Math.max(0, begin); i < KEPT.length; i++) {
    const table = KEPT[i] as KeptTable
    let after = from && i === begin ? from.place.after : []
    for (;;) {
      const found = rowsAfter(context, table, after)
      if (found) {
        sections.push(found.section)
        after = found.last
        bytes += found.bytes
      }
      if (bytes >= BYTES) return { kind: 'page', mark, sections, next: found?.isLast ? startOf(i + 1) : { table: table.table, after } }
      if (!found || found.isLast) break
    }
  }
  return { kind: 'page', mark, sections, next: null }
}

function startOf(i: number): BackupPlace | null {
  const table = KEPT[i]
  return table ? { table: table.table, after: [] } : null
}

interface Found {
  readonly section: Section
  readonly last: readonly Cell[]
  readonly bytes: number
  readonly isLast: boolean
}

function rowsAfter({ sql }: CorpusContext, { table, key, atOnce = ROWS, blanked }: KeptTable, after: readonly Cell[]): Found | undefined {
  const keys = key.join(', ')
  const behind = after.length > 0 ? `WHERE (${keys}) > (${key.map(() => '?').join(', ')})` : ''
  const query = `SELECT * FROM ${table} ${behind} ORDER BY ${keys} LIMIT ?`
  const read = sql.all<{ readonly [column: string]: Cell }>(query, ...after, atOnce)
  const last = read.at(-1)
  if (!last) return undefined
  const columns = Object.keys(last)
  const kept = table === 'meta' ? read.filter((row) => !(String(row.key) in LEFT_VALUES)) : read
  const rows = kept.map((row) => columns.map((column) => blanked?.[column] ?? row[column] ?? null))
  return {
    section: { table, columns, rows },
    last: key.map((column) => last[column] ?? null),
    bytes: rows.flat().reduce<number>((sum, cell) => sum + sizeOf(cell), 0),
    isLast: read.length < atOnce,
  }
}

function sizeOf(cell: Cell): number {
  if (typeof cell === 'string') return cell.length
  return cell instanceof ArrayBuffer ? cell.byteLength : 8
}
