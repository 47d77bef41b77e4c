/**
 * A corpus in partitions is moved to another embedding model, by its own object, in its alarm: it tells each partition to begin, waits until all have
 * everything from the other model, refuses writes for a moment so that nothing is lacking, and lets all change. It has a job of the same id itself, by
 * which its settings change and its probes get vectors of that model; it changes first. Where it has got to is written down before each call, and every
 * call may be made twice.
 */
import type { EmbeddingModel } from '../../../src/core/settings'
import { partitionsOf, partitionUids } from '../../../src/corpus-uid'
import type { Accepted } from '../../../src/ports/jobs'
import type { ModelMovingObject, ModelOrder, ModelState, MoveRefusal } from '../../../src/ports/migration'
import { advanceModelMove, beginModelMove, modelMoveOf } from '../division/model-move'
import { newJobId } from '../ingest/accept'
import type { CorpusContext } from '../store'
import type { ModelMove } from '../tables/model-move'
import { change, giveUp, stateOf } from './follow-move'
import { startMigration } from './migrate'
import { forgetTops } from './take-reports'

const SOON = 1000 // ms until objects that are still at work are asked again; then after a tenth of the time that has been waited
const SELDOM = 60_000
const MOMENT = 100 // the same while writes are refused
const PAUSE = 20_000 // ms for which writes are refused at most, at a time
const AGAIN = 30_000 // ms until the second time; then twice as long each time
const MOST = 3_600_000

export interface LeadParts {
  readonly partition?: ((uid: string) => ModelMovingObject) | undefined
  readonly pause: (ms: number) => Promise<void>
}

interface Leading {
  readonly context: CorpusContext
  readonly state: ModelMove
  readonly parts: LeadParts
  /** To one partition. */
  readonly order: (uid: string, order: ModelOrder) => ReturnType<ModelMovingObject['moveModel']>
}

/** A corpus is moved by itself; where it is in partitions, its own object begins, and leads. */
export function startMove(context: CorpusContext, to: EmbeddingModel, isBusy: boolean): Accepted | MoveRefusal {
  if (partitionsOf(context.config.uid) === 1) return startMigration(context, to, isBusy)
  return context.atomically(() => {
    const begun = startMigration(context, to, isBusy, newJobId())
    if (typeof begun !== 'string' && begun.kind === 'accepted') beginModelMove(context, { job: begun.job, to })
    return begun
  })
}

/** As far as it gets until a time. */
export async function leadMove(context: CorpusContext, parts: LeadParts, until: number): Promise<void> {
  const { partition } = parts
  for (;;) {
    const state = modelMoveOf(context)
    if (!partition || !state || state.step === 'done' || context.now() < state.notBefore || context.now() >= until) return
    await step({ context, state, parts, order: (uid, order) => partition(uid).moveModel(order) })
  }
}

function step(leading: Leading): Promise<void> {
  switch (leading.state.step) {
    case 'begin':
      return begin(leading)
    case 'wait':
      return waitForAll(leading)
    case 'close':
      return close(leading)
    case 'switch':
      return changeAll(leading)
    default:
      return end(leading)
  }
}

const uidsOf = ({ context }: Leading): readonly string[] => partitionUids(context.config.uid)

/** Work that a partition has in progress ends first. */
async function begin(leading: Leading): Promise<void> {
  const { context, state, order } = leading
  const { job, to } = state
  for (const uid of uidsOf(leading)) {
    const answer = await order(uid, { what: 'begin', job, to })
    if (answer.kind === 'empty') throw new Error('migrate: a partition is not there')
    if (answer.kind !== 'refused') continue
    if (answer.why === 'busy') return wait(leading)
    const error = typeof answer.why === 'string' ? answer.why : answer.why.kind === 'full' ? 'storage_full' : answer.why.kind
    return void advanceModelMove(context, state, { step: 'end', error: `refused: ${error}`, notBefore: 0 })
  }
  advanceModelMove(context, state, { step: 'wait', waitingSince: undefined })
}

function wait({ context, state }: Leading): void {
  const now = context.now()
  const { waitingSince = now } = state
  advanceModelMove(context, state, { waitingSince, notBefore: now + Math.min(SELDOM, Math.max(SOON, (now - waitingSince) / 10)) })
}

/** Of its own object first. */
async function statesOf(leading: Leading): Promise<readonly ModelState[]> {
  const { context, state, order } = leading
  const told = await Promise.all(
    uidsOf(leading).map(async (uid) => {
      const answer = await order(uid, { what: 'state', job: state.job })
      if (answer.kind !== 'state') throw new Error(`migrate: ${answer.kind} instead of a state`)
      return answer.state
    }),
  )
  return [stateOf(context, state.job), ...told]
}

/** True: one has failed, and all stay with the model that they have. */
function hasEnded({ context, state }: Leading, states: readonly ModelState[]): boolean {
  const ended = states.find(({ at }) => at === 'ended' || at === 'none')
  if (!ended) return false
  advanceModelMove(context, state, { step: 'end', notBefore: 0, ...(ended.error === undefined ? {} : { error: ended.error }) })
  return true
}

const isReady = ({ at }: ModelState): boolean => at === 'ready' || at === 'moved'

async function waitForAll(leading: Leading): Promise<void> {
  const { context, state } = leading
  const states = await statesOf(leading)
  if (hasEnded(leading, states)) return
  if (!states.every(isReady)) return wait(leading)
  advanceModelMove(context, state, { step: 'close', closedAt: context.now(), waitingSince: undefined })
}

const closeAll = (leading: Leading, isClosed: boolean) =>
  Promise.all(uidsOf(leading).map((uid) => leading.order(uid, { what: 'close', isClosed })))

async function close(leading: Leading): Promise<void> {
  const { context, state, parts } = leading
  await closeAll(leading, true)
  const states = await statesOf(leading)
  if (hasEnded(leading, states)) return
  if (states.every((one) => isReady(one) && !one.isBusy)) return void advanceModelMove(context, state, { step: 'switch' })
  await parts.pause(MOMENT)
  if (context.now() < (state.closedAt ?? 0) + PAUSE) return
  const tries = state.tries + 1
  const notBefore = context.now() + Math.min(MOST, AGAIN * 2 ** (tries - 1))
  if (advanceModelMove(context, state, { step: 'wait', tries, notBefore })) await closeAll(leading, false)
}

/**
 * There is no way back. From its own change on, its object knows no summaries of the other model (take-reports.ts), and questions are embedded by this
 * one; a question that meets partitions of both is asked again (flows/find.ts).
 */
async function changeAll(leading: Leading): Promise<void> {
  const { context, state, parts, order } = leading
  const uids = uidsOf(leading)
  if (stateOf(context, state.job).at !== 'moved') {
    if (change(context, state.job).at !== 'moved') return parts.pause(MOMENT)
    context.atomically(() => forgetTops(context, uids)) // nothing was awaited since: both are written, or neither is
  }
  const told = await Promise.allSettled(uids.map((uid) => order(uid, { what: 'switch', job: state.job })))
  const failed = told.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  const hasMoved = told.every((one) => one.status === 'fulfilled' && one.value.kind === 'state' && one.value.state.at === 'moved')
  if (hasMoved) return void advanceModelMove(context, state, { step: 'done' })
  await parts.pause(MOMENT)
}

async function end(leading: Leading): Promise<void> {
  const { context, state, order } = leading
  const { job, error } = state
  await Promise.all(uidsOf(leading).map((uid) => order(uid, { what: 'cancel', job })))
  giveUp(context, job, error)
  advanceModelMove(context, state, { step: 'done' })
}
