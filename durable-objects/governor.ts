/**
 * The one object that lends the account's model calls to corpora (see governor/slots.ts and governor/rates.ts). Wiring: RPC, timers. It is
 * never a bottleneck: a runner that cannot reach it continues with its own small limit, and questions only report what they did.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../src/env'
import type { CallTrouble, GovernorObject, QuestionCalls } from '../src/ports/call-slots'
import { capacityOf, ratesOf } from './governor/capacity'
import { createLending } from './governor/lending'
import { counted } from './sql'

const KEPT = 150_000 // ms for which a slot may be kept: longer than the longest call may take

export class Governor extends DurableObject<Env> implements GovernorObject {
  readonly #lending: GovernorObject

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#lending = createLending(counted(ctx.storage.sql), {
      capacity: capacityOf(env.MODEL_SLOTS),
      rate: ratesOf(env.MODEL_RATES),
      kept: env.SLOT_SECONDS ? Number(env.SLOT_SECONDS) * 1000 : KEPT,
      now: () => Date.now(),
      after: (ms, then) => {
        const timer = setTimeout(then, ms)
        return () => clearTimeout(timer)
      },
      newId: () => crypto.randomUUID(),
    })
  }

  async acquire(call: Parameters<GovernorObject['acquire']>[0]): Promise<string | null> {
    return this.#lending.acquire(call)
  }

  async release(id: string, trouble?: CallTrouble): Promise<void> {
    return this.#lending.release(id, trouble)
  }

  async note(calls: readonly QuestionCalls[]): Promise<void> {
    return this.#lending.note(calls)
  }
}
