/** What a check is, and what it says when something does not hold. */
import type { World } from './world'

export interface Check {
  readonly name: string
  /** Throws where it does not hold; what it returns is printed beside its name. */
  readonly run: (world: World) => Promise<string>
}

/** Thrown where a check cannot be made here, with the reason; it counts neither as held nor as failed. */
export class Skipped extends Error {}

export function hold(held: boolean, what: string): asserts held {
  if (!held) throw new Error(what)
}

export function same(found: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (a !== b) throw new Error(`${what}: ${a?.slice(0, 200)} instead of ${b?.slice(0, 200)}`)
}
