/** What a check is, and what it reports when something does not hold. */
import type { World } from './world'

export interface Check {
  readonly name: string
  /** Throws if it does not hold; its result is printed next to its name. */
  readonly run: (world: World) => Promise<string>
}

/** Thrown if a check cannot be made here, with the reason; it counts neither as held nor as failed. */
export class Skipped extends Error {}

export function hold(held: boolean, what: string): asserts held {
  if (!held) throw new Error(what)
}

export function same(found: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (a !== b) throw new Error(`${what}: ${a?.slice(0, 200)} instead of ${b?.slice(0, 200)}`)
}
