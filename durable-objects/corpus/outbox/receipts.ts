/**
 * A receipt for every commit: what it touched and the state it left (core/graph/state.ts), chained by hashes to all before it, so that an
 * export can be verified offline. O(change). Contains numbers and names of jobs, never a text or a document's id.
 */
import type { Page } from '../../../src/contract/pages'
import type { CommitReceipt } from '../../../src/contract/receipts'
import { canonicalJson } from '../../../src/core/canonical-json'
import { hexOf, linked, minus, noSum, sumOf } from '../../../src/core/graph/state'
import { pageOf } from '../../../src/core/page'
import type { CorpusContext } from '../store'
import { insertReceipt, listReceipts, newestReceipt, type ReceiptRow } from '../tables/receipt'
import { reportTops } from './report-tops'
import type { Touched } from './touched'

export const GENESIS = '0'.repeat(64)
const MAX_JOBS_NAMED = 20 // jobs that a receipt names

type Body = Omit<CommitReceipt, 'hash'>

export const NOTHING_TOUCHED: CommitReceipt['touched'] = { documents: 0, chunks: 0, nodes: 0, edges: 0, other: 0 }
const COUNTED: { readonly [thing: string]: keyof CommitReceipt['touched'] } = {
  document: 'documents',
  chunk: 'chunks',
  node: 'nodes',
  edge: 'edges',
}

/** Call this once for each commit, after its last change and inside its transaction. A version that already has a receipt keeps it. A partition reports what the commit left at the top of its tree. */
export function keepReceipt(
  context: CorpusContext,
  touched: CommitReceipt['touched'],
  jobs: readonly { readonly id: string }[] = [],
): void {
  const { graph, sql } = context
  reportTops(context)
  const last = lastReceipt(context)
  if (last?.version === graph.version) return
  const body: Body = {
    version: graph.version,
    at: context.now(),
    jobs: jobs.slice(0, MAX_JOBS_NAMED).map((job) => job.id),
    touched,
    change: hexOf(minus(sumOf(graph.state), last ? sumOf(last.state) : noSum())),
    state: graph.state,
  }
  const hash = linked(last?.hash ?? GENESIS, { ...body })
  insertReceipt(sql, { version: body.version, body: canonicalJson({ ...body }), hash })
}

/** How much these changes touch, in addition to what was touched before them. */
export function touchedBy(changes: readonly Touched[], before: CommitReceipt['touched'] = NOTHING_TOUCHED): CommitReceipt['touched'] {
  const touched = { ...before }
  for (const { op } of changes) touched[COUNTED[op.slice(op.indexOf('-') + 1)] ?? 'other']++
  return touched
}

export function lastReceipt(context: Pick<CorpusContext, 'sql'>): CommitReceipt | undefined {
  const row = newestReceipt(context.sql)
  return row && read(row)
}

/** Oldest first; the cursor is the last version given. */
export function receipts(context: Pick<CorpusContext, 'sql'>, cursor: string | null, limit: number): Page<CommitReceipt> {
  const after = cursor && /^\d+$/.test(cursor) ? Number(cursor) : 0
  const rows = listReceipts(context.sql, after, limit + 1)
  return pageOf(rows.map(read), limit, ({ version }) => String(version))
}

function read({ body, hash }: ReceiptRow): CommitReceipt {
  return { ...(JSON.parse(body) as Body), hash }
}
