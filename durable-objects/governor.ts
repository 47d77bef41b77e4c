/**
 * The one object that lends the account's model calls to corpora (see governor/slots.ts and governor/rates.ts). Wiring: RPC, timers. It
 * stands in nobody's way: who cannot reach it goes on with a small limit of its own, and questions only tell it what they did.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../src/env'
import type { CallTrouble, GovernorObject, QuestionCalls } from '../src/ports'
import { capacityOf, ratesOf } from './governor/capacity'
import { createRates, migrateRates, type Rates } from './governor/rates'
import { createSlots, migrateSlots, type Slots } from './governor/slots'
import { counted } from './sql'

const KEPT = 150_000 // ms a slot may be kept: longer than the longest call may take
const LONGEST = 30_000 // ms anybody is kept waiting before it must ask again

export class Governor extends DurableObject<Env> implements GovernorObject {
  readonly #slots: Slots
  readonly #rates: Rates
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const sql = counted(ctx.storage.sql)
    migrateSlots(sql)
    migrateRates(sql)
    const now = () => Date.now()
    this.#rates = createRates(sql, { rate: ratesOf(env.MODEL_RATES), now })
    this.#slots = createSlots(sql, {
      capacity: capacityOf(env.MODEL_SLOTS),
      kept: env.SLOT_SECONDS ? Number(env.SLOT_SECONDS) * 1000 : KEPT,
      rates: this.#rates,
      now,
      newId: () => crypto.randomUUID(),
    })
  }

  async acquire({ patience, ...call }: Parameters<GovernorObject['acquire']>[0]): Promise<string | null> {
    return new Promise((resolve) => {
      let leave = (): void => {}
      const timer = setTimeout(
        () => {
          leave()
          resolve(null)
        },
        Math.min(LONGEST, patience),
      )
      leave = this.#slots.ask(call, (id) => {
        clearTimeout(timer)
        resolve(id)
      })
      this.#look()
    })
  }

  async release(id: string, trouble?: CallTrouble): Promise<void> {
    this.#slots.release(id, trouble)
    this.#look()
  }

  async note(calls: readonly QuestionCalls[]): Promise<void> {
    for (const { calls: n, trouble, ...call } of calls) {
      if (n > 0) this.#rates.asked(call, n)
      if (trouble) this.#rates.refused(call, trouble)
    }
  }

  /** Looks again when the next loan ends or the next minute begins, as long as somebody waits: those keep the object awake. */
  #look(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    const until = this.#slots.turn()
    if (until !== undefined) this.#timer = setTimeout(() => this.#look(), Math.max(1, until - Date.now()))
  }
}
