/**
 * Restores a backup, a part at a time: one transaction each, with its progress, so that an interrupted restore continues there and a part that is sent
 * twice changes nothing. The state of graph and receipts is added up as rows arrive. The corpus is served only when all rows are in, in the number and with
 * the state that the backup states.
 */
import type { CommitReceipt } from '../../../src/contract/receipts'
import { count, hexOf, linked, sumOf } from '../../../src/core/graph/state'
import type { Actor } from '../../../src/ports/audit'
import type { Cell, RestoreOutcome, RestorePart, RestoreState, Section } from '../../../src/ports/backup'
import { Cache } from '../../graph/cache'
import { exportedRow } from '../../graph/exported-row'
import { unpackChunk } from '../../graph/rows'
import { Words } from '../../graph/words'
import { addAuditEntries } from '../audit/log'
import { noteBudget } from '../billing/new-budget'
import { startResend } from '../maintenance/start-resend'
import { GENESIS } from '../outbox/receipts'
import { type CorpusContext, contextOf } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { Restore } from '../tables/meta-values'
import { beginReplay, leftToReplay } from './replay'
import { KEPT, LEFT_VALUES } from './tables'

const ZERO = '0'.repeat(64)
const known: ReadonlySet<string> = new Set(KEPT.map(({ table }) => table))

class Refusal extends Error {}

/** Is it being restored and not complete yet? */
export function isRestoring({ sql }: Pick<CorpusContext, 'sql'>): boolean {
  const restore = readMeta(sql, metaKeys.restore)
  return restore !== undefined && restore.job === undefined
}

export function restoreState({ sql, graph }: Pick<CorpusContext, 'sql' | 'graph'>): RestoreState | null {
  const restore = readMeta(sql, metaKeys.restore)
  if (!restore) return null
  const { backup, part, digest, job = null, sum, takenAt = null } = restore
  const isDone = job !== null
  const rows = Object.values(restore.rows).reduce((all, one) => all + one, 0)
  const state = isDone ? sum : null
  return {
    backup,
    part,
    digest,
    rows,
    isDone,
    takenAt,
    replaying: leftToReplay({ sql }),
    version: isDone ? graph.version : null,
    state,
    job,
  }
}

export function restorePart(context: CorpusContext, part: RestorePart, by?: Actor): RestoreOutcome {
  try {
    return context.atomically((): RestoreOutcome => {
      const wasDone = restoreState(context)?.isDone === true
      const outcome = takePart(context, part)
      if (wasDone || !restoreState(context)?.isDone) return outcome
      // Recorded after the entries that the backup's log contains.
      if (part.opens?.isEntered !== false)
        addAuditEntries(context, by, [{ action: 'corpus.restore', subject: part.backup, outcome: 'done' }])
      if (part.replay) beginReplay(contextOf(context) ?? context, part.replay, by)
      return { kind: 'taken', state: restoreState(context) as RestoreState }
    })
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', why: error.message }
    throw error
  }
}

function takePart(context: CorpusContext, part: RestorePart): RestoreOutcome {
  const { sql, graph } = context
  const before = readMeta(sql, metaKeys.restore) ?? begin(context, part)
  if (before.backup !== part.backup) throw new Refusal('another backup is being restored here, or was')
  if (part.opens) {
    if (!before.isHeld) throw new Refusal('parts of one of its objects are missing')
    if (before.job === undefined) {
      writeMeta(sql, metaKeys.restore, { ...before, job: startResend(context, part.opens.job) })
      noteBudget(context, context.config, context.config) // what its rows say it has spent
    }
    return { kind: 'taken', state: restoreState(context) as RestoreState }
  }
  if (part.part <= before.part) {
    if (part.part === 0) writeMeta(sql, metaKeys.restore, before)
    if (part.part === before.part && part.digest !== before.digest)
      throw new Refusal(`part ${part.part} has already arrived with other rows`)
    return { kind: 'taken', state: restoreState(context) as RestoreState }
  }
  if (before.job !== undefined || before.isHeld || part.part !== before.part + 1)
    throw new Refusal(`part ${before.part + 1} is expected next`)
  if (part.before !== before.digest) throw new Refusal(`part ${part.part} does not follow the previous one`)
  const after = { ...before, part: part.part, digest: part.digest, rows: { ...before.rows } }
  const sum = sumOf(before.sum)
  let { chain } = before
  for (const section of part.sections) {
    if (!known.has(section.table)) throw new Refusal(`this release does not know the table ${section.table}`)
    for (const row of section.rows) {
      const cells = Object.fromEntries(section.columns.map((column, i) => [column, row[i] ?? null]))
      const line = exportedRow(section.table, cells)
      if (line !== undefined) count(sum, line, 1)
      if (section.table === 'receipt') chain = followed(chain, cells)
    }
    insertRows(context, section)
    after.rows[section.table] = (after.rows[section.table] ?? 0) + section.rows.length
  }
  const done: Restore = { ...after, chain, sum: hexOf(sum) }
  graph.forget()
  writeMeta(sql, metaKeys.restore, part.end ? finish(context, done, { rows: part.end, isHeld: part.isHeld === true }) : done)
  return { kind: 'taken', state: restoreState(context) as RestoreState }
}

function begin(context: CorpusContext, part: RestorePart): Restore {
  const { sql, graph } = context
  if (graph.version > 0 || (readMeta(sql, metaKeys.acceptedCount) ?? 0) > 0) throw new Refusal('the corpus is not empty')
  if (part.part > 1 || part.opens || part.state === undefined) throw new Refusal('part 1 is expected first')
  const { backup, state, head, takenAt } = part
  return {
    backup,
    ...(takenAt === undefined ? {} : { takenAt }),
    part: 0,
    digest: '',
    rows: {},
    state,
    ...(head === undefined ? {} : { head }),
    sum: ZERO,
    chain: { hash: GENESIS, version: 0, state: ZERO },
  }
}

/** As `loam verify` follows receipts. */
function followed(before: Restore['chain'], { body, hash }: { readonly [column: string]: Cell }): Restore['chain'] {
  const receipt = JSON.parse(String(body)) as Omit<CommitReceipt, 'hash'>
  if (linked(before.hash, { ...receipt }) !== hash)
    throw new Refusal(`the receipt of version ${receipt.version} does not follow the one before it`)
  return { hash: String(hash), version: receipt.version, state: receipt.state }
}

function insertRows({ sql }: CorpusContext, { table, columns, rows }: Section): void {
  const wanted = table === 'meta' ? rows.filter((row) => !(String(row[columns.indexOf('key')]) in LEFT_VALUES)) : rows
  // `graph_state` has a row from the start, and the corpus has recorded who created it.
  const into = `INSERT OR REPLACE INTO ${table} (${columns.map(quoted).join(', ')})`
  for (const row of wanted) {
    // An empty byte array would be bound as NULL.
    const values = columns.map((_, i) => (isEmpty(row[i]) ? `x''` : '?')).join(', ')
    sql.run(`${into} VALUES (${values})`, ...row.filter((cell) => !isEmpty(cell)).map((cell) => cell ?? null))
  }
  if (table !== 'chunk') return
  const [n, id, body] = ['n', 'id', 'body'].map((column) => columns.indexOf(column)) as [number, number, number]
  const words = new Words({ sql, cache: new Cache(0), counts: () => [], passages: () => 0 })
  words.add(rows.map((row) => ({ n: Number(row[n]), chunk: unpackChunk(String(row[id]), String(row[body])) })))
}

const isEmpty = (cell: Cell | undefined): boolean => cell instanceof ArrayBuffer && cell.byteLength === 0

/** A column name consists of letters: anything else, from a tampered file, is refused. */
function quoted(column: string): string {
  if (!/^[a-z_]+$/.test(column)) throw new Refusal('a column has a name that no table has')
  return `"${column}"`
}

/** All rows are in: do they match the backup? Then the sinks can be filled. */
function finish(
  context: CorpusContext,
  { ...restore }: Restore,
  { rows: end, isHeld }: { readonly rows: { readonly [table: string]: number }; readonly isHeld: boolean },
): Restore {
  const { sql, graph } = context
  for (const table of new Set([...Object.keys(end), ...Object.keys(restore.rows)])) {
    const [came, said] = [restore.rows[table] ?? 0, end[table] ?? 0]
    if (came !== said) throw new Refusal(`${came} rows of ${table} arrived, but the backup says ${said}`)
  }
  if (restore.sum !== restore.state) throw new Refusal('the rows do not add up to the state named in the backup')
  if (graph.state !== restore.state) throw new Refusal('the recorded state of the graph does not match its rows')
  if (restore.chain.version > 0 && restore.chain.state !== restore.state) throw new Refusal('the last receipt has another state')
  if (restore.head !== undefined && restore.chain.hash !== restore.head)
    throw new Refusal('the last receipt is not the one that the backup names')
  writeMeta(sql, metaKeys.dimensions, context.config.settings.dimensions)
  return isHeld ? { ...restore, isHeld } : { ...restore, job: startResend(context) }
}
