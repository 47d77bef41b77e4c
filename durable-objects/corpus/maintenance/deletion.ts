/**
 * What the object does about the corpus's deletion: it follows the catalogue, which it reads each time, so that a message that arrives late, twice or never
 * does no harm. When closed, it answers and does nothing but keeps everything; removing (drop.ts) cannot be undone; once emptied, it removes what is left
 * elsewhere.
 */
import type { CorpusRef } from '../../../src/ports/corpus'
import type { DeletionState, Deletions } from '../../../src/ports/deletion'
import type { Reconciled } from '../../../src/ports/object'
import type { ReadModel } from '../../../src/ports/read-model'
import { newJobId } from '../ingest/accept'
import { openUnitOfWork } from '../jobs/jobs'
import type { CorpusContext, Store } from '../store'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import { isDropping } from './drop'

const SLICES = 100 // of the read model's rows: an emptied object normally has none

export interface DeletionParts {
  /** Undefined: there is no corpus here, or nothing is left of it. */
  readonly context: () => CorpusContext | undefined
  readonly sinks: {
    readonly readModel: Pick<ReadModel, 'drop'>
    readonly deletions: Pick<Deletions, 'state' | 'confirm' | 'finish'>
  }
  readonly now: () => number
}

/** Null: it is not closed, or closed permanently. */
export function closedUntil({ sql }: Pick<Store, 'sql'>): number | null {
  return readMeta(sql, metaKeys.recoverableUntil) ?? null
}

/** Is the corpus deleted? */
export function isClosed(context: CorpusContext): boolean {
  return closedUntil(context) !== null || isDropping(context)
}

/** One at a time (the caller's queue): of two checks, the later one sees the current state. */
export async function reconcileDeletion({ context, sinks, now }: DeletionParts, corpus: CorpusRef): Promise<Reconciled> {
  const state = await sinks.deletions.state(corpus.uid, now())
  const here = context()
  switch (state.kind) {
    case 'living':
      if (here) open(here)
      await sinks.deletions.confirm(corpus.uid, state)
      return here ? 'open' : 'empty'
    case 'recoverable':
      if (here && !isDropping(here)) close(here, state)
      await sinks.deletions.confirm(corpus.uid, state)
      return 'closed'
    case 'clearing':
    case 'unknown':
      if (!here) return finishEmptied(sinks, corpus)
      beginClearing(here, state)
      return 'clearing'
  }
}

/** Of a partition that its corpus does not have: the corpus lives on. */
export function startClearing(context: CorpusContext): void {
  beginClearing(context, { kind: 'unknown' })
}

function close(context: CorpusContext, { until }: Extract<DeletionState, { kind: 'recoverable' }>): void {
  context.atomically(() => writeMeta(context.sql, metaKeys.recoverableUntil, until))
}

function open(context: CorpusContext): void {
  context.atomically(() => deleteMeta(context.sql, metaKeys.recoverableUntil))
}

function beginClearing(context: CorpusContext, state: Extract<DeletionState, { kind: 'clearing' | 'unknown' }>): void {
  if (isDropping(context)) return
  context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const id = (state.kind === 'clearing' && state.job) || newJobId()
    const job = unitOfWork.create({ id, kind: 'drop', created: context.now(), upto: 0, deletes: [] })
    job.waiting = 1
    unitOfWork.save()
  })
}

/** The object is removed last; rows of the corpus are searched for again, and the catalogue is updated. */
async function finishEmptied(sinks: DeletionParts['sinks'], corpus: CorpusRef): Promise<Reconciled> {
  for (let slice = 0; (await sinks.readModel.drop(corpus)) > 0; slice++) if (slice >= SLICES) return 'clearing'
  await sinks.deletions.finish(corpus.uid)
  return 'empty'
}
