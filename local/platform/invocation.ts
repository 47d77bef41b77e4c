/** What one invocation of the platform has used up: a request, an alarm, a call to an object, a batch of messages each is one. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Invocation {
  /** The object it is of, if it is of one: its own methods, called from within, are no others. */
  readonly of: unknown
  d1Calls: number
}

const current = new AsyncLocalStorage<Invocation>()

/** Undefined outside any: a test that calls the code itself. */
export function invocation(): Invocation | undefined {
  return current.getStore()
}

export function invoked<T>(act: () => T, of?: unknown): T {
  return current.run({ of, d1Calls: 0 }, act)
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/** The class with each of its methods an invocation: as calls and alarms of an object are. */
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
