/**
 * What one invocation of the platform has used up: a request, an alarm, a call to an object, a run of a Workflow and a batch of messages
 * are one each. Calls of bindings are counted and refused beyond a number; of those that hold a connection until they are answered, the
 * seventh waits.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { workerLimits } from '../../src/platform-limits'

export interface Invocation {
  /** The object it belongs to, if any: calls to its own methods from within are not separate invocations. */
  readonly of: unknown
  d1Calls: number
  /** Of any binding, including D1. */
  calls: number
  connections: number
  readonly waiting: (() => void)[]
}

/** `peak`, `waited`: the most calls one invocation has made, and the calls that had to wait for a connection, since the last check. */
export const invocations = { maxCalls: workerLimits.maxSubrequests as number, peak: 0, waited: 0 }

export function resetInvocations(): void {
  Object.assign(invocations, { maxCalls: workerLimits.maxSubrequests, peak: 0, waited: 0 })
}

/** The platform's message for one call too many (LIVE). */
export const TOO_MANY_CALLS = 'Too many API requests by single Worker invocation.'

const current = new AsyncLocalStorage<Invocation>()

/** Undefined outside any invocation: a test that calls the code directly. */
export function invocation(): Invocation | undefined {
  return current.getStore()
}

export function invoked<T>(act: () => T, of?: unknown): T {
  return current.run({ of, d1Calls: 0, calls: 0, connections: 0, waiting: [] }, act)
}

/** Throws on one call too many. */
export function countCall(): void {
  const here = invocation()
  if (!here) return
  here.calls++
  invocations.peak = Math.max(invocations.peak, here.calls)
  if (here.calls > invocations.maxCalls) throw new Error(TOO_MANY_CALLS)
}

/** Holds one of this invocation's connections until the response begins. */
export async function connected<T>(act: () => Promise<T>): Promise<T> {
  const here = invocation()
  if (!here) return act()
  if (here.connections < workerLimits.maxConnections) here.connections++
  else {
    invocations.waited++
    await new Promise<void>((resolve) => here.waiting.push(resolve)) // a call that ends passes its connection on
  }
  try {
    return await act()
  } finally {
    const next = here.waiting.shift()
    if (next) next()
    else here.connections--
  }
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/** The class with each of its methods as an invocation, like calls and alarms of an object. */
export function eachInvoked(subject: { readonly prototype: object }): void {
  const { prototype } = subject
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor' || typeof value !== 'function') continue
    const method = value as Method
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]) {
        return invocation()?.of === this ? method.apply(this, args) : invoked(() => method.apply(this, args), this)
      },
    })
  }
}
