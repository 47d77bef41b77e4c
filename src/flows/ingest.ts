/**
 * A corpus's model work as a Workflow does it: rounds of lease, ask, commit, until no work is left. Every step may be repeated, even while
 * its first attempt is still running: a step's timeout ends the waiting, not the work. So each attempt is a round with its own name, and
 * the object lends no task to a second round while the first has it. Only counts pass through the Workflow's state.
 */
import { backoff } from '../core/backoff'
import { workerLimits, workflowLimits } from '../platform-limits'
import type { Models } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import { type Clock, type RoundOutcome, runRound } from './round'

const ROUNDS = 400 // steps per instance, far below the platform's 10,000
const CALLS = 0.9 * workerLimits.safeSubrequests // calls of an instance, which may count as one invocation for its entire life
const MIN_TEXTS = 1024 // texts leased per round, at first
const MAX_TEXTS = 16_384 // if rounds are quick: a round with several commits embeds during them, and only its first embedding keeps the object waiting
const QUICK = 5000 // ms: after a round within this time the next takes twice as many, after a longer one half as many
const MAX_PAUSE = 300_000 // ms between two attempts
const BETWEEN = 20 // ms between two rounds: if the runner, the models and the object share a thread, no request gets through without a timer

/**
 * Writing tasks leased per round: fifteen for each connection, at some six seconds a call, can be begun in the time in which a round begins
 * tasks.
 */
export const WRITTEN = 15 * workerLimits.safeConnections

/** The part of a Workflow's step that is used here. */
export interface Steps {
  do<T>(
    name: string,
    config: {
      readonly retries: { readonly limit: number; readonly delay: string; readonly backoff: 'exponential' }
      readonly timeout: number
    },
    work: () => Promise<T>,
  ): Promise<T>
  sleep(name: string, ms: number): Promise<void>
}

export interface Runner {
  readonly corpus: CorpusObject
  readonly models: Models
  /** The Workflow's instance. */
  readonly name: string
  newId(): string
  readonly clock: Clock
  /** How many calls of models, the governor and the object this invocation has made so far. */
  calls(): number
  /** Called for each round in which something went wrong, only with counts. */
  warn?(outcome: RoundOutcome): void
}

interface Done extends RoundOutcome {
  readonly round: string
  readonly calls: number
  readonly ms: number
}

/** A model that is slow or failing is lent no more than it can easily do within the time of a round. */
function nextTexts(texts: number, { ms, faults }: Done): number {
  const isQuick = ms <= QUICK && Object.keys(faults).length === 0
  return isQuick ? Math.min(MAX_TEXTS, texts * 2) : Math.max(MIN_TEXTS, texts / 2)
}

export async function ingest({ corpus, models, name, newId, clock, calls, warn }: Runner, step: Steps): Promise<void> {
  let failures = 0
  let [made, max] = [0, 0] // calls of the rounds so far, and of the largest round
  let texts = MIN_TEXTS
  let ended: string | undefined // the round before; its end is in the Workflow's state
  for (let round = 0; round < ROUNDS; round++) {
    const after = ended
    const done: Done = await step.do(
      `round ${round}`,
      { retries: { limit: 5, delay: '2 seconds', backoff: 'exponential' }, timeout: workflowLimits.stepTimeoutMs },
      async () => {
        const [id, before, began] = [newId(), calls(), clock.now()] // for this attempt
        const turn = { id, ...(after === undefined ? {} : { after }), ...(models.text ? { written: WRITTEN } : {}) }
        const outcome = await runRound(corpus, models, { runner: name, texts, turn, clock })
        return { round: id, ...outcome, calls: calls() - before, ms: clock.now() - began }
      },
    )
    ended = done.round
    if (done.truncated || Object.keys(done.faults).length > 0) warn?.(done)
    if (done.left === 0 || done.lost || done.paused) return
    made += done.calls
    max = Math.max(max, done.calls)
    texts = nextTexts(texts, done)
    failures = done.committed > 0 ? 0 : failures + 1
    // Nothing came back: a model is down or over its limit. The lease runs out while we sleep, which is fine: no work is lost.
    if (failures > 0) await step.sleep(`pause ${round}`, pause(failures, done.retryAfter))
    else await new Promise<void>((resolve) => clock.after(BETWEEN, resolve))
    if (made + max > CALLS) break // another round might be refused midway
  }
  // The object's alarm starts the next instance. A failure only makes it wait for the lease to run out.
  await step.do(
    'release',
    { retries: { limit: 5, delay: '2 seconds', backoff: 'exponential' }, timeout: workflowLimits.stepTimeoutMs },
    () => corpus.release(name),
  )
}

/** Milliseconds: as long as the model asked for, or else doubling from one second to five minutes. */
function pause(failures: number, retryAfter: number | undefined): number {
  return Math.min(MAX_PAUSE, retryAfter ? retryAfter * 1000 : backoff(failures, { first: 1000, max: MAX_PAUSE }))
}
