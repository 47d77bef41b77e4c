/**
 * Restores a corpus to a moment, step by step (src/ports/recovery.ts). Once closed, it writes what stays valid into the catalogue; its storage is restored,
 * and with it everything it knew about this; when it wakes, it learns from the catalogue that it was restored, reads in what stays valid, one part per
 * transaction, and is served again under a version that it never had. Whatever crashes, the next check continues there.
 */
import type { Replay } from '../../../src/ports/backup'
import type { PointInTime, Recoveries, Recovery, RecoveryState } from '../../../src/ports/recovery'
import { forgetHolds } from '../../holds'
import { addAuditEntries } from '../audit/log'
import { stopRepartition } from '../division/state'
import { startResend } from '../maintenance/start-resend'
import { unknownEntries } from '../outbox/index-reconciler'
import { resend } from '../outbox/outbox'
import { keepReceipt, NOTHING_TOUCHED } from '../outbox/receipts'
import { endReplication } from '../replication/writer'
import { type CorpusContext, contextOf, type Store } from '../store'
import { deleteAuditEntriesFrom } from '../tables/audit'
import { deleteAllConversations } from '../tables/conversation'
import { deleteAllAnswers } from '../tables/kept-answer'
import { deleteMeta, metaKeys, readMeta, writeMeta, writeStored } from '../tables/meta'
import type { Recovering } from '../tables/meta-values'
import { unwatchDocuments } from '../tables/moving'
import { deleteOutboxRows, raiseSequences } from '../tables/outbox'
import { deleteAllLogged } from '../tables/question-log'
import { deleteReceiptsFrom } from '../tables/receipt'
import { deleteRulingsUpTo } from '../tables/ruling'
import { deleteSentBatches } from '../tables/sent'
import { readAllSourcesAnew } from '../tables/source'
import { deleteItemsWithoutSource } from '../tables/source-item'
import { type CarriedHead, type CarriedPart, carriedParts, REPLACED_TABLES } from './carried'
import { beginReplay, leftToReplay } from './replay'
import { isRestoring } from './restore'
import { CLOSING, type Life, setBack } from './set-back'
import { SINK_VALUES } from './tables'

export interface RecoveryParts {
  readonly context: CorpusContext
  readonly recoveries: Recoveries
  readonly pointInTime: PointInTime
  readonly life: Life
  /** The object itself must see what was changed: whether it is closed, and how it is configured. */
  readonly look: () => void
}

/** Does it answer nobody because it is being restored? */
export function isRecovering({ sql }: Pick<Store, 'sql'>): boolean {
  const own = readMeta(sql, metaKeys.recovery)
  return own !== undefined && own.done === undefined && own.refused === undefined
}

/** Is it being restored from a backup or to a moment, and not complete yet? */
export const isComingBack = (store: Pick<Store, 'sql'>): boolean => isRestoring(store) || isRecovering(store)

/** As far as it gets now; null: no restore is requested, and none is known to have been done. */
export async function advanceRecovery(parts: RecoveryParts): Promise<RecoveryState | null> {
  const { context, recoveries } = parts
  const asked = await recoveries.state(context.config.uid)
  if (!asked) return null
  const own = readMeta(context.sql, metaKeys.recovery)
  const mine = own?.id === asked.id ? own : undefined
  const isOver = mine?.done !== undefined || mine?.refused !== undefined
  if (isOver && asked.step !== 'done') await finish(parts, asked)
  if (isOver || asked.step === 'done') return stateOf(context, asked, mine)
  if (asked.step === 'asked' && !(await carry(parts, asked, mine))) return stateOf(context, asked, mine)
  if ((asked.step === 'asked' || mine) && mine?.applied === undefined) {
    if ((await setBack(parts, asked)) === 'open') await finish(parts, asked)
    return stateOf(context, asked, readMeta(context.sql, metaKeys.recovery))
  }
  const now = (await recoveries.state(context.config.uid)) ?? asked
  await apply(parts, now, mine)
  await finish(parts, now)
  return stateOf(context, now, readMeta(context.sql, metaKeys.recovery))
}

/** It is closed first; when no cache has it as open any more, what stays valid is written. True: everything is written. */
async function carry({ context, recoveries, look }: RecoveryParts, { id, uid, time }: Recovery, mine?: Recovering): Promise<boolean> {
  const closed: Recovering = mine ?? { id, since: context.now() }
  if (!mine) {
    context.atomically(() => writeMeta(context.sql, metaKeys.recovery, closed))
    look()
  }
  if (context.now() < closed.since + CLOSING) return false
  let n = 0
  for (const part of carriedParts(context, time)) await recoveries.keepPart(uid, n++, JSON.stringify(part))
  await recoveries.carried(uid, id, n)
  return true
}

async function apply({ context, recoveries, look }: RecoveryParts, asked: Recovery, mine?: Recovering): Promise<void> {
  const { id, uid, parts } = asked
  const since = mine?.since ?? context.now()
  const read = async (n: number): Promise<CarriedPart> => {
    const body = await recoveries.part(uid, n)
    if (body === null) throw new Error(`corpus: part ${n} of the state to restore is missing`)
    return JSON.parse(body) as CarriedPart
  }
  const head = await read(0)
  if (head.kind !== 'head') throw new Error('corpus: the state to restore does not begin as expected')
  if (mine === undefined) {
    context.atomically(() => {
      makeRoom(context, head)
      writeMeta(context.sql, metaKeys.recovery, { id, since, applied: 1 })
    })
    look()
  }
  const deleted: Replay['deleted'][number][] = []
  const access: Replay['access'][number][] = []
  const applied = mine?.applied ?? 1
  for (let n = 1; n < parts; n++) {
    const part = await read(n)
    if (part.kind === 'replay') {
      deleted.push(...part.replay.deleted)
      access.push(...part.replay.access)
    } else if (part.kind !== 'head' && n >= applied) {
      context.atomically(() => {
        if (part.kind === 'rows') insert(context, part)
        else resend(context, unknownEntries(context, part.entries))
        writeMeta(context.sql, metaKeys.recovery, { id, since, applied: n + 1 })
      })
    }
  }
  context.atomically(() => serve(context, asked, head, { deleted, access }, since))
  look()
}

/** None of the restored rows and deletions that are applied again remain. Numbers and versions continue above those already used. */
function makeRoom(context: CorpusContext, { from, sequences, version }: CarriedHead): void {
  const { sql, graph } = context
  endReplication(context)
  deleteOutboxRows(sql, Number.MAX_SAFE_INTEGER)
  deleteSentBatches(sql, Number.MAX_SAFE_INTEGER)
  deleteMeta(sql, ...SINK_VALUES.map((name) => ({ name })))
  raiseSequences(sql, sequences)
  graph.forget()
  graph.apply([], version + 1)
  const integration = readMeta(sql, metaKeys.integration)
  if (integration) writeMeta(sql, metaKeys.integration, { ...integration, version: version + 2 }) // the state is from the middle of a large change
  for (const table of REPLACED_TABLES) sql.run(`DELETE FROM ${table}`)
  deleteReceiptsFrom(sql, from.receipt)
  deleteAuditEntriesFrom(sql, from.audit)
}

function insert({ sql }: CorpusContext, { section: { table, columns, rows } }: Extract<CarriedPart, { kind: 'rows' }>): void {
  const into = `INSERT OR REPLACE INTO ${table} (${columns.map((one) => `"${one}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  for (const row of rows) sql.run(into, ...row)
}

/** Under a version that it never had, and without revealing what was forgotten since. Both sinks are sent everything, and compared. */
function serve(context: CorpusContext, { id, time, by }: Recovery, head: CarriedHead, replay: Replay, since: number): void {
  const { sql, graph, now } = context
  deleteItemsWithoutSource(sql)
  readAllSourcesAnew(sql, now())
  deleteAllAnswers(sql)
  deleteAllLogged(sql)
  deleteAllConversations(sql)
  forgetHolds(sql)
  deleteMeta(sql, metaKeys.lease, metaKeys.moving)
  unwatchDocuments(sql)
  deleteRulingsUpTo(sql, Number.MAX_SAFE_INTEGER) // of partitions that were being filled
  for (const [name, value] of Object.entries(head.values)) writeStored(sql, name, value)
  stopRepartition(context)
  writeMeta(sql, metaKeys.acceptedCount, Math.max(head.accepted, readMeta(sql, metaKeys.acceptedCount) ?? 0))
  writeMeta(sql, metaKeys.runnerCount, Math.max(head.runners, readMeta(sql, metaKeys.runnerCount) ?? 0))
  const { strategies, settings } = readMeta(sql, metaKeys.config) ?? head.config
  writeMeta(sql, metaKeys.config, { ...head.config, strategies, settings }) // settings that shape the graph are as they were for this graph
  const job = startResend(context)
  keepReceipt(context, NOTHING_TOUCHED, [{ id: job }])
  writeMeta(sql, metaKeys.lastReconciliation, { at: 0, seq: 0 })
  addAuditEntries(context, by ?? undefined, [{ action: 'corpus.restore', subject: new Date(time).toISOString(), outcome: 'done' }])
  beginReplay(contextOf(context) ?? context, replay, by ?? undefined)
  writeMeta(sql, metaKeys.recovery, { id, since, done: { before: head.version, version: graph.version, job } })
}

async function finish({ context, recoveries }: RecoveryParts, { uid, id }: Recovery): Promise<void> {
  const { sql } = context
  const { strategies, settings } = readMeta(sql, metaKeys.pendingConfig) ?? readMeta(sql, metaKeys.config) ?? context.config
  await recoveries.finish(uid, id, { strategies, settings })
}

function stateOf({ sql }: CorpusContext, { id, time, step }: Recovery, own: Recovering | undefined): RecoveryState {
  const done = own?.id === id ? own.done : undefined
  const refused = own?.id === id ? own.refused : undefined
  const replaying = done ? leftToReplay({ sql }) : 0
  const isDone = done !== undefined || step === 'done'
  return {
    id,
    time,
    status: refused ? 'refused' : replaying > 0 ? 'replaying' : isDone ? 'done' : step === 'asked' ? 'closing' : 'setting_back',
    replaying,
    before: (done ?? refused)?.before ?? null,
    version: (done ?? refused)?.version ?? null,
    job: done?.job ?? null,
  }
}
