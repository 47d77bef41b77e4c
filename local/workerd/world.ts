/**
 * What a test has set in the stand-ins: faults to come, replies to give, the clock's offset. One per process, in memory, because every
 * entry point and object of this worker shares one isolate. Empty unless `Control` fills it.
 */
import { type AiRules, type Begun, noneBegun } from './ai-limits'

export interface Scripted {
  /** Used only for a request whose messages contain this text. */
  readonly match?: string
  readonly reply?: string
  /** A Workers AI error code to fail with instead, e.g. 3040. */
  readonly fault?: number
  /** Keep it for further requests. */
  readonly repeat?: boolean
  /** The shape of the played model's replies: `{response}` (the default), OpenAI's `{choices}`, or the bare text. */
  readonly shape?: 'response' | 'choices' | 'bare'
}

export interface Call {
  readonly binding: 'ai' | 'vectorize'
  readonly op: string
  readonly model?: string
  /** Texts embedded, vectors written, ids removed. */
  readonly count?: number
  /** Bytes of the body, for vectors written. */
  readonly bytes?: number
  /** The request, for text calls only. */
  readonly messages?: readonly { readonly role: string; readonly content: string }[]
}

export interface World {
  /** Calls still to fail: a number, or all. */
  ai: { left: number | true; code: number; model?: string }
  /** Limits of Workers AI that differ from the documented ones. */
  rules: Partial<AiRules>
  /** Calls in the last minute. */
  begun: Begun
  /** When (ms) the day's neurons were used up. */
  neuronless: number | null
  vectorize: { left: number | true; code: number }
  /** Mutations still to be lost: accepted, but never processed. */
  lost: { left: number | true }
  /** Mutations of vectors in this namespace wait, whatever the clock; null: none do. */
  held: string | null
  /** Vectors that the index claims to hold beyond its real ones. */
  filled: number
  /** Index writes allowed per minute; null: no limit. */
  writes: { rate: number | null; since: number; count: number }
  script: Scripted[]
  calls: Call[]
  /** Overrides VECTORIZE_DELAY_MS. */
  delay: number | null
  /** Added to the clock, so that a test need not wait. */
  skew: number
}

const MINUTE = 60_000 // ms
const DAY = 24 * 60 * MINUTE

export const quiet = (): World => ({
  ai: { left: 0, code: 3040 },
  rules: {},
  begun: noneBegun(),
  neuronless: null,
  vectorize: { left: 0, code: 10_000 },
  lost: { left: 0 },
  held: null,
  filled: 0,
  writes: { rate: null, since: 0, count: 0 },
  script: [],
  calls: [],
  delay: null,
  skew: 0,
})

export const world: World = quiet()

export function forget(): void {
  Object.assign(world, quiet())
}

/** True if this call is one of those set to fail; counts it. */
export function failing(fault: { left: number | true }): boolean {
  if (fault.left === true) return true
  if (fault.left <= 0) return false
  fault.left -= 1
  return true
}

/** Used-up neurons come back at 00:00 UTC. */
export function outOfNeurons({ neuronless }: Pick<World, 'neuronless'>, now: number): boolean {
  return neuronless !== null && Math.floor(now / DAY) === Math.floor(neuronless / DAY)
}

/** The index's clock. A virtual one stands still until a test moves it. */
export function clockOf(env: { readonly VECTORIZE_CLOCK?: string }): number {
  return (env.VECTORIZE_CLOCK === 'virtual' ? EPOCH : Date.now()) + world.skew
}

const EPOCH = Date.UTC(2026, 0, 1) // where a virtual clock begins

/** Does the write rate limit admit one more? Counts it. */
export function admits(now: number): boolean {
  const { writes } = world
  if (writes.rate === null) return true
  if (now - writes.since >= MINUTE) Object.assign(writes, { since: now, count: 0 })
  return ++writes.count <= writes.rate
}

const KEPT = 10_000 // calls remembered; a test that makes more should ask in between

export function record(enabled: boolean, call: Call): void {
  if (enabled && world.calls.length < KEPT) world.calls.push(call)
}
