/**
 * The one object that lends the account's model calls to corpora (see governor/slots.ts). Wiring: RPC, timers. It stands in nobody's
 * way: who cannot reach it goes on with a small limit of its own.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../src/env'
import type { GovernorObject } from '../src/ports'
import { capacityOf } from './governor/capacity'
import { createSlots, migrateSlots, type Slots } from './governor/slots'
import { counted } from './sql'

const KEPT = 150_000 // ms a slot may be kept: longer than the longest call may take
const LONGEST = 30_000 // ms anybody is kept waiting before it must ask again

export class Governor extends DurableObject<Env> implements GovernorObject {
  readonly #slots: Slots
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const sql = counted(ctx.storage.sql)
    migrateSlots(sql)
    this.#slots = createSlots(sql, {
      capacity: capacityOf(env.MODEL_SLOTS),
      kept: env.SLOT_SECONDS ? Number(env.SLOT_SECONDS) * 1000 : KEPT,
      now: () => Date.now(),
      newId: () => crypto.randomUUID(),
    })
  }

  async acquire(model: string, party: string, patience: number): Promise<string | null> {
    return new Promise((resolve) => {
      let leave = (): void => {}
      const timer = setTimeout(
        () => {
          leave()
          resolve(null)
        },
        Math.min(LONGEST, patience),
      )
      leave = this.#slots.ask(model, party, (id) => {
        clearTimeout(timer)
        resolve(id)
      })
      this.#look()
    })
  }

  async release(id: string): Promise<void> {
    this.#slots.release(id)
    this.#look()
  }

  /** Looks again when the next loan ends, as long as somebody waits: those keep the object awake. */
  #look(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    const until = this.#slots.turn()
    if (until !== undefined) this.#timer = setTimeout(() => this.#look(), Math.max(1, until - Date.now()))
  }
}
