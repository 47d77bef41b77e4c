/**
 * A runner's calls, lent by the account's governor. When it cannot be reached, or does not answer in time, a runner continues with its own
 * small limit and asks again after a while: slow is better than stopped, and a few calls from each corpus stay within what the vendor
 * allows.
 */
import { atOnce } from '../core/at-once'
import type { CallSlots, CallTrouble, GovernorObject, ModelCall } from '../ports/call-slots'
import type { Namespace } from './corpus'
import { realWorld, type World, within } from './workers-ai-calls'
import { modelError, troubleIn } from './workers-ai-faults'

export const governing = {
  alone: 2, // parallel calls of a runner without a governor
  patience: 20_000, // ms in the queue before asking again, so that a governor that died is noticed
  grace: 5000, // ms by which the answer may be late
  blind: 30_000, // ms before a governor that was gone is asked again
} as const

const ACCOUNT = 'account' // one object for all

export function governorOf(namespace: Namespace): GovernorObject {
  return namespace.getByName(ACCOUNT) as GovernorObject
}

/** `party`: the corpus the calls are for. One per runner. */
export function withGovernor(namespace: Namespace, party: string, world: World = realWorld): CallSlots {
  const object = () => governorOf(namespace)
  const alone = atOnce(governing.alone)
  let blindUntil = 0
  /** A slot's id, or undefined without a governor. */
  const granted = async (call: ModelCall, signal: AbortSignal | undefined): Promise<string | undefined> => {
    while (world.now() >= blindUntil) {
      if (signal?.aborted) throw modelError('timeout')
      try {
        const wait = governing.patience + governing.grace
        const id = await within(wait, () => object().acquire({ ...call, party, patience: governing.patience }), { world })
        if (id !== null) return id
      } catch {
        if (world.now() >= blindUntil) console.warn(JSON.stringify({ event: 'governor_unreachable', corpus: party }))
        blindUntil = world.now() + governing.blind
      }
    }
    return undefined
  }
  return {
    async with(call, run, signal) {
      const id = await granted(call, signal)
      if (id === undefined) return alone(run)
      let trouble: CallTrouble | undefined
      try {
        return await run()
      } catch (error) {
        trouble = troubleIn(error)
        throw error
      } finally {
        // A slot that cannot be returned expires.
        void Promise.resolve(object().release(id, trouble)).catch(() => undefined)
      }
    },
  }
}
