/**
 * Chunks that a model could not read, or for whose texts it gave no usable vector. Their documents are served and say so (`partial`); the schedule asks the
 * model again, with growing delays and a limited number of times. When nothing of a document is quarantined any more, it is `ready`.
 */
import { backoff } from '../../../src/core/backoff'
import type { Reply } from '../../../src/core/strategy'
import { embedInput } from '../jobs/staging'
import { addTasks } from '../jobs/tasks'
import { type CorpusContext, contextOf } from '../store'
import {
  countQuarantined,
  countQuarantineTry,
  deleteQuarantined,
  hasQuarantinedChunk,
  hasQuarantinedOfKind,
  insertQuarantined,
  isQuarantined,
  listEmbeddingQuarantined,
  listQuarantinedDue,
  postponeQuarantined,
  putQuarantined,
  type QuarantineKey,
  readNextQuarantineTime,
} from '../tables/quarantine'
import { readLiveState, setLiveError, setRevisionErrors } from '../tables/revision'
import { BASE, type TaskRow } from '../tables/task'
import { deleteAllVectorless, listVectorless } from '../tables/vectorless'
import { announce, documentEvent } from '../webhooks/announce'
import { onceRoles } from './prompt-forms'

const MAX_TRIES = 6
const FIRST_PAUSE = 3_600_000 // ms until the schedule asks again; then four times as long each time
const MAX_PAUSE = 30 * 86_400_000 // ms; also how often abandoned rows are checked
const WAIT_FOR_BETTER = 86_400_000 // ms until it is checked whether a model that is hardly ever usable has been replaced
const AT_ONCE = 100 // requested again in one tick

/** What a reply to an extraction means for its chunk. Inside the commit that accepts the reply. */
export function updateQuarantine(context: CorpusContext, task: TaskRow, reply: Reply): void {
  if (task.kind !== 'extract') return
  if (reply.kind === 'unusable') enterQuarantine(context, task, reply.reason)
  else leaveQuarantine(context, task)
}

/** Passages of a new chunk may have no vectors: only words find these until the model is called again. */
export function quarantineRefused(
  context: CorpusContext,
  task: TaskRow,
  revisions: readonly { readonly n: number }[],
  refused: number,
): void {
  const { sql, now } = context
  if (refused === 0) {
    deleteQuarantined(sql, task) // left from an earlier stay in the graph
    return
  }
  insertQuarantined(sql, task, now() + FIRST_PAUSE)
  const numbers = revisions.map((one) => one.n)
  setRevisionErrors(sql, numbers, 'quarantined: invalid')
}

/**
 * The corpus has moved to another embedding model. Texts for which the old model had no vectors and the new one has are complete; those for which the new
 * one has none are requested again, as when documents are added. Inside the transaction that moved it.
 */
export function quarantineAfterMove(context: CorpusContext): void {
  const { sql, graph, now } = context
  const { settings } = (contextOf(context) ?? context).config // as just written
  const lacking = new Set(listVectorless(sql))
  const task = (node: string) => ({ builder: BASE, kind: 'embed' as const, node })
  for (const node of listEmbeddingQuarantined(sql)) if (!lacking.has(node)) leaveQuarantine(context, task(node))
  for (const node of lacking) {
    if (graph.placements(node).length === 0) continue // it was removed meanwhile
    deleteQuarantined(sql, task(node)) // its attempts were with the other model
    insertQuarantined(sql, { ...task(node), input: embedInput(node, settings) }, now() + FIRST_PAUSE)
    setErrorOfDocuments(context, node, 'quarantined: invalid')
  }
  deleteAllVectorless(sql)
}

/** Is this chunk in the graph without all of its vectors? Then a reply includes those of its passages too. */
export function lacksVectors({ sql }: Pick<CorpusContext, 'sql'>, chunk: string): boolean {
  return hasQuarantinedOfKind(sql, chunk, 'embed')
}

export interface Retries {
  /** Chunks that a model will be asked about again, and abandoned ones. */
  readonly waiting: number
  readonly given_up: number
  /** Milliseconds since the epoch. Null: nothing waits. */
  readonly next_at: number | null
}

/** Counted up to `max`. */
export function retriesOf(context: Pick<CorpusContext, 'sql'>, max: number): Retries {
  const { fewer, asMany } = countQuarantined(context.sql, MAX_TRIES, max)
  return { waiting: fewer, given_up: asMany, next_at: quarantineAt(context) }
}

function enterQuarantine(context: CorpusContext, task: TaskRow, reason: string): void {
  putQuarantined(context.sql, task, context.now() + FIRST_PAUSE)
  setErrorOfDocuments(context, task.node, `quarantined: ${reason}`)
}

/** It has been read, or has its vectors. */
export function leaveQuarantine(context: CorpusContext, task: QuarantineKey): void {
  if (!isQuarantined(context.sql, task)) return
  deleteQuarantined(context.sql, task)
  setErrorOfDocuments(context, task.node, null)
}

/** The documents that contain the chunk get their current status. Those whose job is not done are announced when it is. */
function setErrorOfDocuments(context: CorpusContext, chunk: string, error: string | null): void {
  const { sql } = context
  for (const document of new Set(context.graph.placements(chunk).map((one) => one.document))) {
    const live = readLiveState(sql, document)
    if (!live || (live.error === null) === (error === null)) continue
    if (error === null && hasQuarantinedChunk(sql, live.placed)) continue
    setLiveError(sql, document, error)
    if (live.done === 1) announce(sql, context.now(), [documentEvent({ ...live, error }, null)])
  }
}

/** When the next chunk is asked about again; null: none is. */
export function quarantineAt({ sql }: Pick<CorpusContext, 'sql'>): number | null {
  return readNextQuarantineTime(sql, MAX_TRIES)
}

/** Requests what is due; true if there was any. A removed chunk leaves its quarantine. */
export function retryQuarantined(context: CorpusContext): boolean {
  const { sql, graph, now } = context
  const isUseless = onceRoles(context).includes('extract')
  let hasAsked = false
  for (const { tries, ...task } of listQuarantinedDue(sql, now(), AT_ONCE)) {
    const { builder, kind, node } = task
    if (!graph.chunk(node) || !(kind === 'embed' || context.builders.some((one) => one.name === builder))) {
      deleteQuarantined(sql, task)
      continue
    }
    if (kind === 'extract' && isUseless) {
      postponeQuarantined(sql, task, now() + WAIT_FOR_BETTER)
      continue
    }
    const isGivenUp = tries >= MAX_TRIES
    if (!isGivenUp) addTasks(sql, [{ ...task, urgent: true }], [])
    hasAsked ||= !isGivenUp
    const pause = isGivenUp ? MAX_PAUSE : backoff(tries + 2, { first: FIRST_PAUSE, max: MAX_PAUSE, factor: 4 })
    countQuarantineTry(sql, task, MAX_TRIES, now() + pause)
  }
  return hasAsked
}
