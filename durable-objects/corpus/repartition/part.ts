/** A partition follows the orders of the corpus's own object, which changes the number of partitions. Each order may come twice. */
import { corpusUidOf } from '../../../src/corpus-uid'
import type { MoveAnswer, MoveOrder, MoveState } from '../../../src/ports/repartition'
import { usage } from '../billing/usage'
import { isIntegrating } from '../jobs/integration-state'
import { startClearing } from '../maintenance/deletion'
import { invisibleSince } from '../outbox/index-sink'
import { countUnsentRows } from '../outbox/outbox'
import { GENESIS, keepReceipt, NOTHING_TOUCHED } from '../outbox/receipts'
import { isPending } from '../pending-config'
import { takeRulings } from '../query/decisions'
import type { CorpusContext } from '../store'
import { deleteFinishedJobs, oldestJobIn } from '../tables/job'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import { countChanged, deleteChanged, unwatchDocuments, watchDocuments } from '../tables/moving'
import { newestReceipt } from '../tables/receipt'
import { hasReports } from '../tables/report'
import { readChanges, readDocuments, takeDocuments } from './documents'
import { readRows, takeRows } from './rows'

const UNSENT = 100 // entries of the outbox: as many as wait for a moment where documents keep coming
const UNSEEN = 30_000 // ms for which the index may lack what it was sent: the object compares that itself

/** What it does in one transaction. */
export function follow(context: CorpusContext, order: Exclude<MoveOrder, { readonly kind: 'begin' }>): MoveAnswer {
  const { sql } = context
  switch (order.kind) {
    case 'read':
      return order.after === null ? readChanges(context) : readDocuments(context, order.after)
    case 'rows':
      return readRows(context, order.table, order.after, order.since)
    case 'state':
      return { kind: 'state', state: stateOf(context) }
    case 'put':
      return takeDocuments(context, order)
    case 'rows-of':
      takeRows(context, order.from, order.table, order.rows)
      return DONE
    case 'remove':
      startClearing(context)
      return DONE
    default:
      context.atomically(() => {
        if (order.kind === 'watch') watchDocuments(sql)
        else if (order.kind === 'taken') deleteChanged(sql, order.changes)
        else if (order.kind === 'close') writeMeta(sql, metaKeys.moving, { isClosed: order.isClosed })
        else if (order.kind === 'leave') leave(context)
        else if (order.kind === 'serve') serve(context, order.version)
        else stay(context)
      })
      return DONE
  }
}

const DONE: MoveAnswer = { kind: 'done' }

/** What was decided before is known before the first document is here. */
export function beginArriving(context: CorpusContext, { rulings, upTo, alerts }: Extract<MoveOrder, { readonly kind: 'begin' }>): void {
  const { sql } = context
  context.atomically(() => {
    if (!readMeta(sql, metaKeys.arriving)) writeMeta(sql, metaKeys.arriving, { isQuiet: true, n: 0, audit: {} })
    if (alerts) writeMeta(sql, metaKeys.alertRules, alerts)
  })
  if ((readMeta(sql, metaKeys.rulingsTaken) ?? -1) < upTo) {
    takeRulings(context, rulings, true)
    context.atomically(() => writeMeta(sql, metaKeys.rulingsTaken, upTo))
  }
}

function leave({ sql }: CorpusContext): void {
  unwatchDocuments(sql)
  writeMeta(sql, metaKeys.moving, { isClosed: true, hasLeft: true })
}

function stay({ sql }: CorpusContext): void {
  unwatchDocuments(sql)
  deleteMeta(sql, metaKeys.moving)
}

/** From now on it says what happens in it. The jobs in which documents came are nobody's. */
function serve(context: CorpusContext, version: number): void {
  const { sql, graph } = context
  const arriving = readMeta(sql, metaKeys.arriving)
  if (!arriving?.isQuiet) return
  writeMeta(sql, metaKeys.arriving, { ...arriving, isQuiet: false })
  deleteFinishedJobs(sql)
  if (graph.version > version) return
  graph.apply([], version + 1)
  keepReceipt(context, NOTHING_TOUCHED)
}

function stateOf(context: CorpusContext): MoveState {
  const { sql, graph, config, now } = context
  const since = invisibleSince(context)
  return {
    version: graph.version,
    isBusy:
      oldestJobIn(sql, ['staging']) !== null || isIntegrating(context) || (corpusUidOf(config.uid) === config.uid && isPending(context)),
    isUntold: hasReports(sql),
    workingSince: oldestJobIn(sql, ['staging', 'settling']),
    tellingSince: oldestJobIn(sql, ['telling']),
    isPaused: readMeta(sql, metaKeys.isPaused) === true,
    isBehind: countUnsentRows(context) > UNSENT || (since !== null && now() - since > UNSEEN),
    changes: countChanged(sql),
    documents: graph.count('document'),
    head: newestReceipt(sql)?.hash ?? GENESIS,
    spent: usage(context),
    audit: readMeta(sql, metaKeys.arriving)?.audit ?? {},
  }
}
