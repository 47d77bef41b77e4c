/**
 * Another number of partitions, while the corpus serves. Its own object leads, in its alarm: new partitions are made beside those there are and given all
 * documents with their vectors, and then, again and again, what has changed meanwhile. When little is left, writes are refused for a moment, the rest is
 * moved, and the new partitions are the corpus's; the old ones are removed. Where it has got to is written down before and after each call, and
 * every call may be made twice.
 */

import type { Layout } from '../../../src/partition-layout'
import { FORGOTTEN_AFTER, rememberLayout } from '../../../src/partition-layout'
import type { Catalogue } from '../../../src/ports/catalogue'
import type { ModelMovingObject } from '../../../src/ports/migration'
import type { ReadModel } from '../../../src/ports/read-model'
import type { MoveOrder } from '../../../src/ports/repartition'
import type { VectorIndex } from '../../../src/ports/vector-index'
import { advance, repartitionOf, strategiesAfter } from '../division/state'
import { leadMove } from '../maintenance/lead-move'
import { type Asked, workOfWhole } from '../maintenance/of-whole'
import { forgetTops } from '../maintenance/take-reports'
import { everyDecision } from '../query/decisions'
import { pause } from '../schedule/timers'
import { type CorpusContext, contextOf } from '../store'
import { finishMovedJobs } from '../tables/job'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { Repartition } from '../tables/repartition'
import { deleteRulingsUpTo, lastRuling } from '../tables/ruling'
import { removeAside } from './aside'
import {
  giveChanges,
  giveNext,
  isAmidst,
  type Move,
  NoRoom,
  newUids,
  Overtaken,
  oldUids,
  order,
  type PartitionAt,
  statesOf,
} from './giving'
import { giveJobs, giveLogs, type Record, serveNew } from './switching'

const SOON = 1000 // ms until partitions that are still busy are asked again; then after a tenth of the time that has been waited
const SELDOM = 60_000
const RECENT = 60_000 // ms: work begun since then is on what has just changed
const MOMENT = 100 // the same while writes are refused
export const PAUSE = 20_000 // ms for which writes are refused at most, at a time
const AGAIN = 30_000 // ms until the second time; then twice as long each time
const MOST = 3_600_000
const MARGIN = 5000 // ms by which clocks may differ
const IN_PARTITIONS: ReadonlySet<string> = new Set(['job_failed', 'quarantine', 'index_lag', 'source_failing'])

interface Sinks extends Asked {
  readonly moving?: (uid: string) => ReturnType<PartitionAt> & ModelMovingObject
  readonly catalogue?: Pick<Catalogue, 'recordLayout'>
  readonly index: VectorIndex
  readonly readModel: ReadModel
}

/** The alarm's work in the object of a corpus in partitions, that is about all of them. `reread`: what it is configured as has changed. */
export async function workOnWhole(context: CorpusContext, sinks: Sinks, until: number, reread: () => void): Promise<void> {
  const { moving: partition, catalogue } = sinks
  const record: Record | undefined = catalogue && ((...given) => catalogue.recordLayout(...given))
  await workOnRepartition(context, { partition, record, pause, sinks, reread }, until)
  await leadMove(context, { partition, pause }, until)
  await workOfWhole(context, sinks, until)
}

export interface RepartitionParts {
  readonly partition?: PartitionAt | undefined
  readonly record?: Record | undefined
  readonly pause: (ms: number) => Promise<void>
  /** Of the corpus's own object, if that has the documents: what it had is removed from them. */
  readonly sinks?: Pick<Sinks, 'index' | 'readModel'>
  /** The corpus has been divided: its configuration is another. */
  readonly reread?: () => void
}

/** As far as it gets until a time. */
export async function workOnRepartition(context: CorpusContext, parts: RepartitionParts, until: number): Promise<void> {
  const { partition } = parts
  for (;;) {
    const state = repartitionOf(context)
    if (!partition || !state || state.step === 'done' || context.now() < state.notBefore || context.now() >= until) return
    const move = { context: contextOf(context) ?? context, partition, state } // it may have been configured meanwhile
    try {
      await step(move, parts, until)
    } catch (error) {
      if (error instanceof NoRoom) advance(context, state, { step: 'abandon', status: 'failed', error: 'corpus_full', notBefore: 0 })
      else if (!(error instanceof Overtaken)) throw error
    }
  }
}

async function step(move: Move, parts: RepartitionParts, until: number): Promise<void> {
  switch (move.state.step) {
    case 'open':
      return open(move, parts)
    case 'copy':
      return copy(move)
    case 'close':
      return close(move, parts)
    case 'serve':
      return isAmidst(move) ? wait(move) : serveNew(move, parts)
    case 'clear':
      return clear(move, parts, { gone: oldUids(move), kept: move.state.to, status: 'succeeded', until })
    case 'abandon':
      return abandon(move, parts, until)
    default:
      return undefined
  }
}

/** The catalogue knows of both sets before anything is in the second: if the corpus is deleted, both are removed. */
async function open(move: Move, { record }: RepartitionParts): Promise<void> {
  const { context, state } = move
  const layout = { n: state.layout, ...state.from, other: state.to }
  await record?.(context.config.uid, layout)
  noteLayout(context, layout)
  await begin(move)
  for (const uid of oldUids(move)) await order(move, uid, { kind: 'watch' })
  const states = await statesOf(move, oldUids(move))
  const total = states.reduce((sum, one) => sum + one.documents, 0)
  advance(context, state, { step: 'copy', documents: { done: 0, total } })
}

function noteLayout(context: CorpusContext, layout: Layout): void {
  context.atomically(() => writeMeta(context.sql, metaKeys.layout, layout))
  rememberLayout(context.config.uid, layout)
}

/** Configuration, decisions and alerts, as they are now. */
async function begin(move: Move): Promise<void> {
  const { context, state } = move
  const { hasJudge: _, ...own } = context.config // as flows/partitions/corpus.ts
  const config = { ...own, strategies: strategiesAfter(own, state) }
  const rulings = everyDecision(context.graph).map((decision) => ({ n: 0, what: 'made' as const, decision }))
  const rules = readMeta(context.sql, metaKeys.alertRules)
  const alerts = rules ? { ...rules, conditions: rules.conditions.filter((one) => IN_PARTITIONS.has(one)) } : null
  const what = { kind: 'begin', rulings, upTo: state.rulings, alerts } satisfies Partial<MoveOrder>
  await Promise.all(newUids(move).map((uid) => order(move, uid, { ...what, config: { ...config, uid } })))
}

async function copy(move: Move): Promise<void> {
  const { context, state } = move
  if (isAmidst(move)) return wait(move)
  if (state.place) return giveNext(move, state.place)
  if (await giveChanges(move)) return
  const [old, coming] = await Promise.all([statesOf(move, oldUids(move)), statesOf(move, newUids(move))])
  note(move, coming)
  const isRecent = (at: number | null): boolean => at === null || context.now() - at < RECENT
  const isReady = coming.every((one) => isRecent(one.workingSince) && !one.isBehind) && !old.some((one) => one.isPaused)
  if (!isReady || untold(move)) return wait(move)
  await begin(move)
  const logsAt = context.now() - MARGIN
  await giveLogs(move, { since: 0, before: logsAt })
  advance(context, state, { step: 'close', closedAt: context.now(), logsAt, waitingSince: undefined })
}

function wait({ context, state }: Move): void {
  const now = context.now()
  const { waitingSince = now } = state
  const ms = Math.min(SELDOM, Math.max(SOON, (now - waitingSince) / 10))
  advance(context, state, { waitingSince, notBefore: now + ms })
}

/** Decisions that not every partition has been told. */
const untold = ({ context }: Move): boolean => lastRuling(context.sql) > 0

function note({ context, state }: Move, coming: Awaited<ReturnType<typeof statesOf>>): void {
  const sum = (of: 'in' | 'out' | 'embedded'): number => coming.reduce((all, { spent }) => all + spent[of], 0)
  advance(context, state, { spent: { in: sum('in'), out: sum('out'), embedded: sum('embedded') } })
}

async function close(move: Move, { pause }: RepartitionParts): Promise<void> {
  const { context, state } = move
  await Promise.all(oldUids(move).map((uid) => order(move, uid, { kind: 'close', isClosed: true })))
  if (isAmidst(move)) await pause(MOMENT)
  else if (!(await giveChanges(move))) {
    const old = await statesOf(move, oldUids(move))
    const coming = await statesOf(move, newUids(move))
    if (old.every((one) => !one.isBusy && !one.isUntold && one.changes === 0) && coming.every((one) => !one.isBusy)) {
      note(move, coming)
      return void advance(context, state, { step: 'serve' })
    }
    await pause(MOMENT)
  }
  if (context.now() < (state.closedAt ?? 0) + PAUSE) return
  const tries = state.tries + 1
  const wait = Math.min(MOST, AGAIN * 2 ** (tries - 1))
  if (advance(context, state, { step: 'copy', tries, notBefore: context.now() + wait })) await reopen(move)
}

const reopen = (move: Move) => Promise.all(oldUids(move).map((uid) => order(move, uid, { kind: 'close', isClosed: false })))

interface Clearing {
  readonly gone: readonly string[]
  readonly kept: Repartition['to']
  readonly status: Repartition['status']
  readonly until: number
}

async function clear(move: Move, parts: RepartitionParts, { gone, kept, status, until }: Clearing): Promise<void> {
  const { context, state } = move
  if (status === 'succeeded' && !state.areJobsMoved) {
    await begin(move) // it may have been configured in the moment of the switch
    await giveJobs(move, 0)
    return void advance(context, state, { areJobsMoved: true, notBefore: (state.switchedAt ?? 0) + FORGOTTEN_AFTER })
  }
  if (gone[0] === context.config.uid) {
    const left = parts.sinks ? await removeAside(context, parts.sinks, until, parts.pause) : 'gone'
    if (left !== 'gone') return left === 'more' ? undefined : wait(move)
  } else {
    const left = await Promise.all(gone.map((uid) => order(move, uid, { kind: 'remove' })))
    if (left.some((one) => one.kind !== 'empty')) return wait(move)
  }
  if (status === 'succeeded' && !(await hasForgotten(move))) return wait(move)
  const layout = { n: state.layout + 2, ...kept }
  await parts.record?.(context.config.uid, layout)
  context.atomically(() => {
    if (kept.count === 1) deleteRulingsUpTo(context.sql, Number.MAX_SAFE_INTEGER) // nobody is to be told
    for (const key of [metaKeys.rulingsTold, metaKeys.reportsTaken]) {
      const known = Object.entries(readMeta(context.sql, key) ?? {}).filter(([uid]) => !gone.includes(uid))
      writeMeta(context.sql, key, Object.fromEntries(known))
    }
    forgetTops(context, gone)
    if (status === 'succeeded') finishMovedJobs(context.sql)
    advance(context, state, { step: 'done', status })
  })
  noteLayout(context, layout)
}

/** What was deleted before the switch is gone from the new partitions' database and index, too: jobs that were waiting for it in the old ones are done. */
async function hasForgotten(move: Move): Promise<boolean> {
  const { switchedAt = 0 } = move.state
  return (await statesOf(move, newUids(move))).every(({ tellingSince }) => tellingSince === null || tellingSince > switchedAt)
}

/** The corpus stays as it is. */
async function abandon(move: Move, parts: RepartitionParts, until: number): Promise<void> {
  await Promise.all(oldUids(move).map((uid) => order(move, uid, { kind: 'stay' })))
  await clear(move, parts, { gone: newUids(move), kept: move.state.from, status: move.state.status, until })
}
