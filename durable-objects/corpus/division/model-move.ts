/** A corpus in partitions is moved to another embedding model: how far its own object has got, and whether that can still be stopped. */
import type { CorpusContext, Store } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { ModelMove } from '../tables/model-move'

type Db = Pick<Store, 'sql'>

const { lead } = metaKeys.modelMove

export const modelMoveOf = ({ sql }: Db): ModelMove | undefined => readMeta(sql, lead)

export const isMovingModel = (db: Db): boolean => (modelMoveOf(db)?.step ?? 'done') !== 'done'

/** When the next step is due; null: nothing is under way. */
export function modelMoveAt(db: Db): number | null {
  const state = modelMoveOf(db)
  return state && state.step !== 'done' ? state.notBefore : null
}

/** Inside the transaction that begins the job of the corpus's own object. */
export function beginModelMove({ sql }: Db, { job, to }: Pick<ModelMove, 'job' | 'to'>): void {
  writeMeta(sql, lead, { job, to, step: 'begin', tries: 0, notBefore: 0 })
}

/** False: it is at another step by now, and nothing was changed. */
export function advanceModelMove(context: CorpusContext, from: ModelMove, change: Partial<ModelMove>): boolean {
  return context.atomically(() => {
    const now = modelMoveOf(context)
    if (now?.job !== from.job || now.step !== from.step) return false
    writeMeta(context.sql, lead, { ...now, ...change })
    return true
  })
}

/** Before the switch. False: it is too late, or there is no such job. */
export function giveUpModelMove(context: CorpusContext, job: string): boolean {
  const state = modelMoveOf(context)
  if (state?.job !== job || !['begin', 'wait', 'close'].includes(state.step)) return false
  return advanceModelMove(context, state, { step: 'end', notBefore: 0 })
}

/** Are the partitions changing to the other model in this moment? Settings that they were told now might reach only some of them before it. */
export function isSwitchingModel(db: Db): boolean {
  const step = modelMoveOf(db)?.step
  return step === 'close' || step === 'switch'
}
