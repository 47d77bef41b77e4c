/**
 * A corpus that was made without partitions has its documents in its own object. When they are in partitions, that object keeps what belongs to the whole,
 * and everything else in it is set aside in one transaction, whatever its size: its tables get other names, and empty ones take their place. From then on it
 * is an object like that of any corpus in partitions. What was set aside is removed afterwards, a slice at a time.
 */
import { DECISION_SPACES } from '../../../src/core/builders/decision-list'
import type { Change } from '../../../src/core/graph/types'
import { renamedTables } from '../../graph/renamed-tables'
import { SECURE_DELETE } from '../../graph/schema'
import { SqliteGraph } from '../../graph/sqlite-graph'
import type { Sql } from '../../sql'
import { NOBODY } from '../billing/rows'
import { dropSlice } from '../maintenance/drop'
import type { Sinks } from '../outbox/drain'
import { keepReceipt, NOTHING_TOUCHED } from '../outbox/receipts'
import { endReplication } from '../replication/writer'
import type { CorpusContext } from '../store'
import { leaveJobs } from '../tables/job'
import { deleteMeta, type MetaKey, metaKeys, writeMeta } from '../tables/meta'
import { lastSeq, listSequences, raiseSequences } from '../tables/outbox'
import { FORGOTTEN_FOR, noteForgottenHere } from '../tables/report'
import { deletePageSources } from '../tables/source'
import { addToDocument, listTotals } from '../tables/spending'
import { KEYS_ASIDE } from './aside-tables'

const PREFIX = 'left_'
const LAST = 'graph_state' // is there as long as anything is
const WORDS = ['words', 'word'] // virtual: the second is a view of the first
const PAGE = 100
const BETWEEN = 20 // ms between two slices, in which other requests are served

const nameAside = (table: string): string => PREFIX + table

interface Made {
  readonly name: string
  readonly sql: string
}

const madeOf = (sql: Sql, type: 'table' | 'index', table: string): Made[] =>
  sql.all<Made>('SELECT name, sql FROM sqlite_master WHERE type = ? AND tbl_name = ? AND sql IS NOT NULL', type, table)

const hasTable = (sql: Sql, name: string): boolean =>
  sql.one(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, name) !== undefined

/** Is there something of it? */
export const isAside = (sql: Sql): boolean => hasTable(sql, nameAside(LAST))

/** Values about documents, their graph, and where both are shown: as in an object that never had any. */
const OF_DOCUMENTS: readonly Pick<MetaKey<unknown>, 'name'>[] = [
  ...Object.values(metaKeys.faults),
  ...Object.values(metaKeys.findings),
  ...Object.values(metaKeys.churnAtQuality),
  ...[metaKeys.modelVersion, metaKeys.modelRows, metaKeys.modelBatch, metaKeys.indexSlice, metaKeys.indexDelay, metaKeys.refusedVectors],
  ...[metaKeys.reconciliation, metaKeys.lastReconciliation, metaKeys.sinkCheckNotBefore, metaKeys.dividedBefore],
  ...[metaKeys.lease, metaKeys.isPaused, metaKeys.backlogJobs, metaKeys.writerOutage, metaKeys.promptForms, metaKeys.ontologyFit],
  ...[metaKeys.progress, metaKeys.costBasis, metaKeys.unaffordable, metaKeys.gateVerdict, metaKeys.churn, metaKeys.isConsolidated],
  ...[metaKeys.survey, metaKeys.surveyedNodes, metaKeys.surveyBaseline, metaKeys.quality, metaKeys.announcedDrift, metaKeys.fileBytes],
  metaKeys.deletedAt,
]

/** Inside the transaction of the switch. Decisions about names stay; jobs that are not done are done when what they wait for is. */
export function setAside(context: CorpusContext): void {
  const { sql, graph, now } = context
  endReplication(context)
  const { version } = graph
  const decisions = DECISION_SPACES.flatMap((space) => [...valuesIn(graph, space)])
  const sequences = listSequences(sql)
  noteForgottenHere(sql, now() - FORGOTTEN_FOR)
  for (const table of [...Object.keys(KEYS_ASIDE), ...WORDS]) setTableAside(sql, table)
  sql.run(SECURE_DELETE)
  raiseSequences(
    sql,
    sequences.filter(({ name }) => name in KEYS_ASIDE),
  )
  const nothing = '0'.repeat(64)
  sql.run(`INSERT INTO ${LAST} (one, version, counts, sums) VALUES (0, ?, '{}', ?)`, version, `${nothing} ${nothing}`)
  deleteMeta(sql, ...OF_DOCUMENTS)
  for (const cursor of Object.values(metaKeys.cursors)) writeMeta(sql, cursor, lastSeq(context)) // nothing is to be sent
  graph.forget()
  graph.apply(decisions, version + 1)
  keepReceipt(context, NOTHING_TOUCHED)
  leaveJobs(sql)
  deletePageSources(sql)
  for (const total of listTotals(sql)) addToDocument(sql, NOBODY, total)
  writeMeta(sql, metaKeys.moving, { isClosed: false, hasLeft: true })
  context.unindexed.forget(lastSeq(context))
}

/** Its indexes are not needed, and their names are. */
function setTableAside(sql: Sql, table: string): void {
  const [made] = madeOf(sql, 'table', table)
  if (!made) throw new Error(`corpus: there is no table ${table}`)
  const indexes = madeOf(sql, 'index', table)
  for (const { name } of indexes) sql.run(`DROP INDEX ${name}`)
  if (table === WORDS[1]) sql.run(`DROP TABLE ${table}`)
  else sql.run(`ALTER TABLE ${table} RENAME TO ${nameAside(table)}`)
  for (const one of [made, ...indexes]) sql.run(one.sql)
}

function* valuesIn(graph: CorpusContext['graph'], space: string): Generator<Change> {
  for (let after = ''; ; ) {
    const page = graph.values(space, after, PAGE)
    for (const { key, value } of page) yield { op: 'put-value', space, key, value }
    const last = page.at(-1)
    if (!last) return
    after = `${last.key}\0`
  }
}

/** `more`: the time is up · `waiting`: for the index · `gone`: nothing of it is left, in the database and in the index either. */
export async function removeAside(
  context: CorpusContext,
  sinks: Pick<Sinks, 'index' | 'readModel'>,
  until: number,
  pause: (ms: number) => Promise<void>,
): Promise<'more' | 'waiting' | 'gone'> {
  const { sql, now } = context
  if (!isAside(sql)) return 'gone'
  const left = graphAside(context)
  try {
    const sent = await dropSlice(left, sinks, until, metaKeys.asidePlace)
    if (sent !== 'gone') return sent
  } finally {
    left.graph.rest()
  }
  for (const [table, { key, atOnce = 1000 }] of Object.entries(KEYS_ASIDE)) {
    const name = nameAside(table)
    if (!hasTable(sql, name) || table === LAST) continue
    const keys = key.join(', ')
    while (sql.one(`SELECT 1 FROM ${name} LIMIT 1`)) {
      if (now() >= until) return 'more'
      sql.run(`DELETE FROM ${name} WHERE (${keys}) IN (SELECT ${keys} FROM ${name} LIMIT ?)`, atOnce)
      await pause(BETWEEN)
    }
    sql.run(`DROP TABLE ${name}`)
  }
  context.atomically(() => {
    for (const name of [WORDS[0], LAST]) sql.run(`DROP TABLE IF EXISTS ${nameAside(name ?? '')}`)
    deleteMeta(sql, metaKeys.asidePlace)
  })
  return 'gone'
}

/** The graph that was set aside, as if it were the corpus's. */
function graphAside(context: CorpusContext): CorpusContext {
  const sql = renamedTables(context.sql, Object.keys(KEYS_ASIDE), PREFIX)
  const graph = new SqliteGraph({ sql, dimensions: context.graph.dimensions, occupant: context.graph.occupant })
  graph.forget()
  return { ...context, sql, graph }
}
