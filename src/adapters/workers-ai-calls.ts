/**
 * One call of the AI binding: at most six at a time, each within its deadline, a few tries where trying again helps.
 * The deadline is raced outside the call: an AbortSignal does not cross the RPC to a stand-in. A call that lost its race runs on
 * unheard. Made anew for each invocation: a queue shared between requests would wait on another request's promises.
 */
import type { AiBinding, CallSlots, ModelFault } from '../ports'
import { mapped, modelError } from './workers-ai-faults'

export const calling = {
  together: 6, // connections a Worker may have waiting for headers
  tries: { capacity: 4, timeout: 2, down: 3 } as { readonly [fault in ModelFault]?: number },
  pause: 500, // milliseconds before the second try, doubled for each further one; half of it is chance
} as const

/** What a test replaces. */
export interface World {
  now(): number
  sleep(ms: number): Promise<void>
  /** Calls back once the milliseconds are over, unless what it returns was called before. */
  after(ms: number, then: () => void): () => void
  random(): number
}

export const realWorld: World = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  after: (ms, then) => {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
}

export interface Calls {
  /** Rejects with a `ModelError`; errors of the binding for which `through` holds come through as they are. */
  run(
    model: string,
    inputs: unknown,
    limits: { readonly deadline: number; readonly through?: (error: unknown) => boolean },
  ): Promise<unknown>
}

const FREE: CallSlots = { with: (_model, call) => call() }

/** `slots`: who is asked before each call. A question waits for nobody. */
export function calls(binding: AiBinding, world: World, slots = FREE): Calls {
  const admit = gate(calling.together)
  return {
    async run(model, inputs, { deadline, through }) {
      for (let tried = 1; ; tried++) {
        try {
          // The deadline is the call's own: waiting for a slot is not part of it.
          return await admit(() => slots.with(model, () => within(deadline, () => binding.run(model, inputs), world)))
        } catch (error) {
          if (through?.(error)) throw error
          const ours = mapped(error, world.now())
          if (tried >= (calling.tries[ours.message as ModelFault] ?? 1)) throw ours
          await world.sleep(calling.pause * 2 ** (tried - 1) * (0.5 + world.random() / 2))
        }
      }
    },
  }
}

/** The promise, or `timeout` once the milliseconds are over. */
export async function within<T>(ms: number, start: () => Promise<T>, world: Pick<World, 'after'> = realWorld): Promise<T> {
  let cancel: (() => void) | undefined
  const late = new Promise<never>((_, reject) => {
    cancel = world.after(ms, () => reject(modelError('timeout')))
  })
  try {
    return await Promise.race([start(), late])
  } finally {
    cancel?.()
  }
}

/** Lets `most` run at once; the others wait in the order they came. */
export function gate(most: number): <T>(start: () => Promise<T>) => Promise<T> {
  let free = most
  const waiting: (() => void)[] = []
  return async (start) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await start()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
