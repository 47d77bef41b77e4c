/** For tests: breaks the stand-ins, scripts replies, moves their clock, and reports the calls they got. Never bound by `npm start`. */
import { WorkerEntrypoint } from 'cloudflare:workers'
import { type AiRules, noneBegun } from './ai-limits'
import type { Env } from './env'
import { PREVIOUS_INDEX, storeOf } from './vectorize'
import { type Call, forget, type Scripted, world } from './world'

export class Control extends WorkerEntrypoint<Env> {
  /**
   * The next `n` calls of `AI`, or all until it is 0, fail with `code` (3040: capacity); with `model`, only calls of this model. After a
   * 4006 all fail until 00:00 UTC: use `pass` to get there.
   */
  async breakAi(n: number | true, code = 3040, model?: string): Promise<void> {
    world.ai = { left: n, code, ...(model === undefined ? {} : { model }) }
    world.neuronless = null
  }

  /** The next `n` calls of `VECTORIZE`, or all until it is 0, fail with `code` (10000: internal error; 40041: too many requests). */
  async breakVectorize(n: number | true, code = 10_000): Promise<void> {
    world.vectorize = { left: n, code }
  }

  /** The index accepts the next `n` mutations and never processes them. */
  async loseMutations(n: number | true): Promise<void> {
    world.lost = { left: n }
  }

  /**
   * The index does not process what is written into this namespace until it is released (null). The index's clock is shared by all tests;
   * this is not.
   */
  async hold(namespace: string | null): Promise<void> {
    world.held = namespace
  }

  /** The index claims to hold this many more vectors than it does. */
  async fillIndex(vectors: number): Promise<void> {
    world.filled = vectors
  }

  /** More index writes than this per minute of its clock are refused (40041); null: none are. */
  async limitWrites(rate: number | null): Promise<void> {
    world.writes = { rate, since: 0, count: 0 }
  }

  /** Other limits of Workers AI than the documented ones, and an empty minute; `{}`: the documented ones. */
  async limitAi(rules: Partial<AiRules>): Promise<void> {
    world.rules = rules
    world.begun = noneBegun()
  }

  /** Replaces the replies of the text model. Each is used once, in order, unless it says `repeat`; after them there is no model. */
  async script(replies: readonly (string | Scripted)[]): Promise<void> {
    world.script = replies.map((reply) => (typeof reply === 'string' ? { reply } : reply))
  }

  /** Calls since the last check, oldest first; forgets them. */
  async calls(): Promise<Call[]> {
    return world.calls.splice(0)
  }

  /** Vectors written from now on become visible `ms` later; null: as configured. */
  async delay(ms: number | null): Promise<void> {
    world.delay = ms
  }

  /** Moves the clocks of the index and of Workers AI's minutes and days, so that nothing needs to wait. */
  async pass(ms: number): Promise<void> {
    world.skew += ms
  }

  /** Applies every waiting mutation now. */
  async settle(): Promise<void> {
    await Promise.all([storeOf(this.env).settle(), storeOf(this.env, PREVIOUS_INDEX).settle()])
  }

  async declare(property: string, type: 'string' | 'number' | 'boolean'): Promise<void> {
    await storeOf(this.env).declare(property, type)
  }

  /** As new: no vectors, faults, script or calls. */
  async reset(): Promise<void> {
    forget()
    await Promise.all([storeOf(this.env).forget(), storeOf(this.env, PREVIOUS_INDEX).forget()])
  }
}
