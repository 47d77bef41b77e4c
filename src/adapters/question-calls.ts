/**
 * The calls that questions make. A question waits for no slot: its calls start at once and are counted in the isolate's memory; the
 * governor, which keeps a share of every minute for questions, is told afterwards and in batches, in the background. So a question has no
 * further hop, and an account with few questions wakes no governor. Counts that die with the isolate are covered by that share.
 */
import { aiLimits } from '../platform-limits'
import type { CallKind, CallSlots, CallTrouble, GovernorObject, ModelCall, QuestionCalls } from '../ports/call-slots'
import { troubleIn } from './workers-ai-faults'

/**
 * How many calls in a minute an isolate may make before it reports them: a tenth of what is kept for questions, so that ten isolates fit.
 */
const UNREPORTED: { readonly [kind in CallKind]: number } = { text: 6, embedding: 60, rerank: 60 }

/** An isolate's counts. One for all its requests: only numbers, nothing about a request. */
export interface Tally {
  /** Adds one call. Returns what must be reported now, if anything. */
  add(call: ModelCall, now: number): readonly QuestionCalls[]
  /** A call met trouble: reported at once. */
  trouble(call: ModelCall, trouble: CallTrouble, now: number): readonly QuestionCalls[]
}

export function createTally(): Tally {
  let counts = new Map<string, { readonly call: ModelCall; calls: number }>()
  let minute = 0
  const countOf = (call: ModelCall, now: number): { calls: number } => {
    // Anything older than a minute no longer counts anywhere.
    if (now >= minute + aiLimits.rateWindowMs) [counts, minute] = [new Map(), now]
    const known = counts.get(call.model) ?? { call, calls: 0 }
    counts.set(call.model, known)
    return known
  }
  const taken = (call: ModelCall, known: { calls: number }, trouble?: CallTrouble): readonly QuestionCalls[] => {
    const { calls } = known
    known.calls = 0
    return [{ ...call, calls, ...(trouble ? { trouble } : {}) }]
  }
  return {
    add(call, now) {
      const known = countOf(call, now)
      known.calls++
      return known.calls >= UNREPORTED[call.kind] ? taken(call, known) : []
    },
    trouble: (call, trouble, now) => taken(call, countOf(call, now), trouble),
  }
}

export interface Reporting {
  readonly tally: Tally
  governor(): GovernorObject
  /** Runs in the background; the answer does not wait for it. */
  later(work: Promise<unknown>): void
  now(): number
}

export function questionCalls({ tally, governor, later, now }: Reporting): CallSlots {
  // A lost report means one call too many lent to indexing, which the vendor then refuses.
  const report = (calls: readonly QuestionCalls[]): void => {
    if (calls.length > 0)
      later(
        governor()
          .note(calls)
          .catch(() => undefined),
      )
  }
  return {
    async with(call, run) {
      report(tally.add(call, now()))
      try {
        return await run()
      } catch (error) {
        const trouble = troubleIn(error)
        if (trouble) report(tally.trouble(call, trouble, now()))
        throw error
      }
    },
  }
}
