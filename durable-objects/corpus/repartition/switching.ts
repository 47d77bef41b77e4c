/** What is moved besides documents, and the switch. */
import { partOf } from '../../../src/core/joint/part-of'
import { partitionKey } from '../../../src/corpus-uid'
import { type Layout, rememberLayout } from '../../../src/partition-layout'
import type { MovedRow, MovedTable, RowKey } from '../../../src/ports/repartition'
import { addAuditEntries } from '../audit/log'
import { takeOver } from '../billing/taken-over'
import { advance, strategiesAfter } from '../division/state'
import { forgetTops } from '../maintenance/take-reports'
import { insertMovedJob } from '../tables/job'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { SpendingRow } from '../tables/spending'
import type { DaySpending } from '../tables/spending-day'
import { setAside } from './aside'
import { isAlone, type Move, newUids, oldUids, order, stateAt, statesOf } from './giving'

const RECENT = 3_600_000 // ms: jobs that somebody may be waiting for

export type Record = (uid: string, layout: Layout, strategies?: readonly string[]) => Promise<void>

interface Served {
  readonly record?: Record | undefined
  readonly reread?: () => void
}

type Send = (from: string, rows: readonly MovedRow[]) => Promise<unknown>

async function page(move: Move, uid: string, table: MovedTable, after: RowKey, since?: number) {
  const answer = await order(move, uid, { kind: 'rows', table, after, ...(since === undefined ? {} : { since }) })
  if (answer.kind !== 'rows') throw new Error(`repartition: ${answer.kind} instead of rows`)
  return answer
}

async function eachPage(move: Move, table: MovedTable, send: Send, since?: number): Promise<void> {
  for (const uid of oldUids(move)) {
    for (let after: RowKey | null = []; after !== null; ) {
      const { rows, next }: Awaited<ReturnType<typeof page>> = await page(move, uid, table, after, since)
      if (rows.length > 0) await send(uid, rows)
      after = next
    }
  }
}

const give = (move: Move, part: number, from: string, table: MovedTable, rows: readonly MovedRow[]) =>
  order(move, newUids(move)[part] ?? '', { kind: 'rows-of', from, table, rows })

/** To the partition of each row's document. */
const byDocument = (move: Move, table: MovedTable) => (from: string, rows: readonly MovedRow[]) => {
  const parts = Map.groupBy(rows, (row) => partOf(String(row.document), move.state.to.count))
  return Promise.all([...parts].map(([part, own]) => give(move, part, from, table, own)))
}

/** What was deleted, and who did what: most of it before writes are refused. `since`, `before`: deletions noted since, entries made by then, ms. */
export async function giveLogs(move: Move, { since, before }: { readonly since: number; readonly before: number }): Promise<void> {
  await eachPage(move, 'withdrawn', byDocument(move, 'withdrawn'), since)
  if (isAlone(move)) return // its audit log is the corpus's own
  const uids = oldUids(move)
  const { count } = move.state.to
  for (let part = 0; part < Math.min(count, uids.length); part++) {
    await giveAudit(
      move,
      part,
      uids.filter((_, i) => i % count === part),
      before,
    )
  }
}

/** One log of several, by time. The new partition knows which entries it has. */
async function giveAudit(move: Move, part: number, uids: readonly string[], before: number): Promise<void> {
  const { audit } = await stateAt(move, newUids(move)[part] ?? '')
  const places = new Map(uids.map((uid) => [uid, audit[uid] ?? 0]))
  for (;;) {
    const pages = await Promise.all(uids.map(async (from) => ({ from, ...(await page(move, from, 'audit', [places.get(from) ?? 0])) })))
    const until = Math.min(before, ...pages.flatMap(({ rows, next }) => (next ? Number(rows.at(-1)?.at) : [])))
    const entries = pages.flatMap(({ from, rows }) => rows.flatMap((row) => (Number(row.at) <= until ? [{ from, row }] : [])))
    entries.sort((a, b) => Number(a.row.at) - Number(b.row.at))
    for (let at = 0, to = 0; at < entries.length; at = to) {
      const from = entries[at]?.from ?? ''
      while (entries[to]?.from === from) to++
      const rows = entries.slice(at, to).map(({ row }) => row)
      await give(move, part, from, 'audit', rows)
      places.set(from, Number(rows.at(-1)?.n))
    }
    if (entries.length === 0) return
  }
}

/** To the corpus's own object: those that were made since, or are not done. */
export async function giveJobs(move: Move, since: number): Promise<void> {
  const { context } = move
  if (isAlone(move)) return // it has them
  const take: Send = async (_, rows) => context.atomically(() => rows.forEach((row) => void insertMovedJob(context.sql, row)))
  await eachPage(move, 'job', take, since)
}

/** Writes are refused, and everything else is in the new partitions. From here on there is no way back; all of it may be repeated. */
export async function serveNew(move: Move, { record, reread }: Served): Promise<void> {
  const { context, state } = move
  const { uid } = context.config
  await giveLogs(move, { since: state.logsAt ?? 0, before: Number.MAX_SAFE_INTEGER })
  const pages = byDocument(move, 'source')
  await eachPage(move, 'source', (from, rows) =>
    pages(
      from,
      rows.filter(({ kind }) => kind === 'page'),
    ),
  )
  const { count } = state.to
  await eachPage(move, 'saved_filter', (from, rows) =>
    Promise.all(Array.from({ length: count }, (_, part) => give(move, part, from, 'saved_filter', rows))),
  )
  await giveJobs(move, context.now() - RECENT) // the others follow after the switch
  const before = await statesOf(move, oldUids(move))
  const [totals, days] = isAlone(move) ? [[], []] : await spentIn(move)
  const version = before.reduce((sum, one) => sum + one.version, 0)
  for (const [part, to] of newUids(move).entries()) await order(move, to, { kind: 'serve', version: part === 0 ? version : -1 })
  // Nobody reads here any more what is deleted there.
  for (const from of oldUids(move)) await order(move, from, { kind: 'leave' })
  const layout = { n: state.layout + 1, ...state.to, other: state.from }
  const strategies = strategiesAfter(context.config, state)
  await record?.(uid, layout, strategies)
  context.atomically(() => {
    if (!advance(context, state, { step: 'clear', switchedAt: context.now() })) return
    const { sql } = context
    if (isAlone(move)) {
      writeMeta(sql, metaKeys.config, { ...(readMeta(sql, metaKeys.config) ?? context.config), strategies })
      setAside(context)
    }
    writeMeta(sql, metaKeys.layout, layout)
    const old = new Set(oldUids(move))
    const alerts = readMeta(sql, metaKeys.partitionAlerts) ?? []
    writeMeta(
      sql,
      metaKeys.partitionAlerts,
      alerts.filter(([from]) => !old.has(from)),
    )
    forgetTops(context, [...old])
    takeOver(context, { totals, days, parts: [...old].map(partitionKey) })
    const heads = before.map(({ version: own, head }, part) => `${part}: ${own} ${head}`).join(', ')
    const by = state.by ?? { key: 'nobody', door: 'cron' as const }
    addAuditEntries(context, by, [{ action: 'corpus.repartition', subject: `${state.from.count} → ${count}; ${heads}`, outcome: 'done' }])
  })
  reread?.()
  rememberLayout(uid, layout)
}

const spentIn = async (move: Move): Promise<[SpendingRow[], DaySpending[]]> => [
  await collect<SpendingRow>(move, 'spending_total'),
  await collect<DaySpending>(move, 'spending_day'),
]

async function collect<Row>(move: Move, table: MovedTable): Promise<Row[]> {
  const all: Row[] = []
  await eachPage(move, table, async (_, rows) => void all.push(...(rows as unknown as Row[])))
  return all
}
