/**
 * What stays valid whatever moment the storage is restored to, because it is not part of the corpus's knowledge: what was done, paid and reported, what was
 * deleted or relabelled, and how far numbers have been used. It is written outside the object before the restore, and read in again afterwards.
 */
import type { Replay, Section } from '../../../src/ports/backup'
import type { CorpusConfig } from '../../../src/ports/corpus'
import { indexedEntries } from '../outbox/index-reconciler'
import type { CorpusContext } from '../store'
import { firstAuditEntrySince } from '../tables/audit'
import { metaKeys, readMeta } from '../tables/meta'
import { listSequences, type OutboxEntry, type Sequence } from '../tables/outbox'
import { newestReceiptBy } from '../tables/receipt'
import { withdrawalsSince } from './replay'
import { KEPT } from './tables'

const MARGIN = 3_600_000 // ms before the moment: rows carried twice overwrite themselves
/** ms: a deletion at the same moment counts as later. */
export const SKEW = 5000
const ROWS = 500
const CHARACTERS = 400_000 // in a part, about; D1 allows 2 MB in a row
const NAMED = 2000 // documents in a part
const INDEXED = 4000 // things that have vectors in a part

/** The current rows replace the restored ones. */
const REPLACED = ['spending', 'spending_total', 'spending_day', 'withdrawn', 'endpoint', 'delivery', 'event', 'source'] as const
type Carried = (typeof REPLACED)[number] | 'receipt' | 'audit'

export interface CarriedHead {
  readonly kind: 'head'
  /** The highest number that was returned to a reader, or promised to one. */
  readonly version: number
  readonly accepted: number
  readonly runners: number
  readonly sequences: readonly Sequence[]
  /** Single values that are written as stored; null: there is none. */
  readonly values: { readonly [name: string]: string | null }
  readonly config: CorpusConfig
  /** The number from which receipts and audit entries are carried. */
  readonly from: { readonly receipt: number; readonly audit: number }
}

export type CarriedPart =
  | CarriedHead
  | { readonly kind: 'rows'; readonly section: Section & { readonly table: Carried } }
  | { readonly kind: 'replay'; readonly replay: Replay }
  /** The ids in the index: it cannot be listed, and what was added since would stay in it permanently. */
  | { readonly kind: 'indexed'; readonly entries: readonly OutboxEntry[] }

export const REPLACED_TABLES: readonly Carried[] = REPLACED

export function* carriedParts(context: CorpusContext, time: number): Generator<CarriedPart> {
  const { sql, graph, config } = context
  const receipt = (newestReceiptBy(sql, time - MARGIN)?.version ?? 0) + 1
  const audit = firstAuditEntrySince(sql, time - MARGIN) ?? Number.MAX_SAFE_INTEGER
  const storedOf = ({ name, print }: { name: string; print: (value: never) => string }, value: unknown) =>
    [name, value === undefined ? null : print(value as never)] as const
  yield {
    kind: 'head',
    version: Math.max(graph.version, readMeta(sql, metaKeys.integration)?.version ?? 0),
    accepted: readMeta(sql, metaKeys.acceptedCount) ?? 0,
    runners: readMeta(sql, metaKeys.runnerCount) ?? 0,
    sequences: listSequences(sql),
    values: Object.fromEntries([
      storedOf(metaKeys.usage, readMeta(sql, metaKeys.usage)),
      storedOf(metaKeys.keptAnswers, readMeta(sql, metaKeys.keptAnswers)),
      storedOf(metaKeys.nameRules, readMeta(sql, metaKeys.nameRules)),
      storedOf(metaKeys.withdrawnFrom, readMeta(sql, metaKeys.withdrawnFrom)),
      storedOf(metaKeys.alertRules, readMeta(sql, metaKeys.alertRules)),
      storedOf(metaKeys.raisedAlerts, readMeta(sql, metaKeys.raisedAlerts)),
      storedOf(metaKeys.layout, readMeta(sql, metaKeys.layout)),
      storedOf(metaKeys.repartition, readMeta(sql, metaKeys.repartition)),
    ]),
    config,
    from: { receipt, audit },
  }
  for (const table of REPLACED) yield* rowsOf(context, table, [])
  yield* rowsOf(context, 'receipt', [receipt - 1])
  yield* rowsOf(context, 'audit', [audit - 1])
  const { deleted, access } = withdrawalsSince(context, time - SKEW)
  for (let at = 0; at < deleted.length; at += NAMED)
    yield { kind: 'replay', replay: { deleted: deleted.slice(at, at + NAMED), access: [] } }
  for (let at = 0; at < access.length; at += NAMED) yield { kind: 'replay', replay: { deleted: [], access: access.slice(at, at + NAMED) } }
  let entries: OutboxEntry[] = []
  for (const page of indexedEntries(context)) {
    entries.push(...page)
    if (entries.length < INDEXED) continue
    yield { kind: 'indexed', entries }
    entries = []
  }
  if (entries.length > 0) yield { kind: 'indexed', entries }
}

/** Rows after a key, in parts. None of these tables contains bytes. */
function* rowsOf({ sql }: CorpusContext, table: Carried, from: readonly (string | number)[]): Generator<CarriedPart> {
  const key = KEPT.find((one) => one.table === table)?.key ?? []
  const names = key.join(', ')
  let after = from
  for (;;) {
    const behind = after.length > 0 ? `WHERE (${names}) > (${key.map(() => '?').join(', ')})` : ''
    const rows = sql.all<{ readonly [column: string]: string | number | null }>(
      `SELECT * FROM ${table} ${behind} ORDER BY ${names} LIMIT ?`,
      ...after,
      ROWS,
    )
    const [last] = rows.slice(-1)
    if (!last) return
    const columns = Object.keys(last)
    const cells = rows.map((row) => columns.map((column) => row[column] ?? null))
    for (let at = 0, to = 0; at < cells.length; at = to) {
      for (let size = 0; to < cells.length && size < CHARACTERS; to++) size += JSON.stringify(cells[to]).length
      yield { kind: 'rows', section: { table, columns, rows: cells.slice(at, to) } }
    }
    after = key.map((column) => last[column] ?? '')
    if (rows.length < ROWS) return
  }
}
