/** Changes what is pinned without losing what others pin at the same moment. */
import { LoamError } from './error'
import type * as t from './types'

const TRIES = 5 // each fails only because somebody else's change was accepted

interface Calls {
  read(): Promise<t.Probes>
  pin(probes: t.NewProbes, ifMatch: string): Promise<t.Pinned>
}

/** `change` may be asked more than once: whenever others were pinned meanwhile, it is called with what is there now. */
export async function changeProbes({ read, pin }: Calls, change: (now: t.Probes) => t.NewProbes): Promise<t.Pinned> {
  for (let left = TRIES; ; left--) {
    const now = await read()
    try {
      return await pin(toSend(change(now)), now.revision)
    } catch (error) {
      if (!(error instanceof LoamError) || error.code !== 'precondition_failed' || left <= 1) throw error
    }
  }
}

/** A change may spread what it was given: what was found of a probe is read, and not sent. */
function toSend({ probes, k, tolerance }: t.NewProbes): t.NewProbes {
  return {
    probes: probes.map(({ query, expect }) => ({ query, expect })),
    ...(k === undefined ? {} : { k }),
    ...(tolerance === undefined ? {} : { tolerance }),
  }
}
