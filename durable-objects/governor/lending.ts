/**
 * The governor without its object: slots, rates, and who waits for how long. The caller supplies timers, so that a test can use its own
 * clock.
 */
import type { CallTrouble, GovernorObject, ModelCall, QuestionCalls } from '../../src/ports/call-slots'
import type { Sql } from '../sql'
import { createRates, migrateRates } from './rates'
import { createSlots, migrateSlots } from './slots'

const MAX_WAIT = 30_000 // ms for which a caller waits at most before it must ask again

export interface LendingRules {
  /** Slots of a model. */
  capacity(model: string): number
  /** Calls per minute, and the name under which they are counted. */
  rate(call: ModelCall): { readonly key: string; readonly most: number }
  /** Milliseconds for which a slot may be kept. */
  readonly kept: number
  now(): number
  /** Calls back when the milliseconds are over, unless the returned function was called before. */
  after(ms: number, then: () => void): () => void
  newId(): string
}

export function createLending(sql: Sql, rules: LendingRules): GovernorObject {
  migrateSlots(sql)
  migrateRates(sql)
  const rates = createRates(sql, rules)
  const slots = createSlots(sql, { ...rules, rates })
  let cancel = (): void => {}
  /** Checks again when the next loan ends or the next minute begins, as long as somebody waits: waiting calls keep the object awake. */
  const look = (): void => {
    cancel()
    const until = slots.lendFree()
    cancel = until === undefined ? () => {} : rules.after(Math.max(1, until - rules.now()), look)
  }
  return {
    acquire: ({ patience, ...call }) =>
      new Promise((resolve) => {
        let leave = (): void => {}
        const end = rules.after(Math.min(MAX_WAIT, patience), () => {
          leave()
          resolve(null)
        })
        leave = slots.request(call, (id) => {
          end()
          resolve(id)
        })
        look()
      }),
    async release(id: string, trouble?: CallTrouble) {
      slots.release(id, trouble)
      look()
    },
    async note(calls: readonly QuestionCalls[]) {
      for (const { calls: n, trouble, ...call } of calls) {
        if (n > 0) rates.noteQuestions(call, n)
        if (trouble) rates.noteRefusal(call, trouble)
      }
    },
  }
}
