/**
 * Objects of a corpus in partitions, of which there may be others than a moment ago: what is remembered of them is read again when it is old, or when a
 * partition says that it is the corpus's no more.
 */
import { isDivisible, partitionSetOf, partitionUids } from '../corpus-uid'
import { isLayoutFresh, type Layout, MOVED, rememberLayout } from '../partition-layout'

const TRIES = 10 // the catalogue and the corpus's own object learn of a switch in this time
const BETWEEN = 200 // ms

type Call = (...args: readonly unknown[]) => Promise<unknown>

/** `make`: of these partitions. */
export function ofPartitions<T>(
  uid: string,
  calls: { readonly [name: string]: unknown },
  make: (parts: readonly string[]) => T,
  layout: () => Promise<Layout | null>,
): T {
  const learn = async (): Promise<void> => {
    const told = await layout().catch(() => undefined)
    if (told !== undefined) rememberLayout(uid, told)
  }
  let made: { readonly of: string; readonly object: T } | undefined
  const current = (): T => {
    const parts = partitionUids(uid)
    const of = parts.join()
    if (made?.of !== of) made = { of, object: make(parts) }
    return made.object
  }
  const methods = Object.keys(calls).map((name) => {
    const call: Call = async (...args) => {
      if (!isLayoutFresh(uid)) await learn()
      for (let tries = 0; ; tries++) {
        try {
          return await (current() as { readonly [name: string]: Call })[name]?.(...args)
        } catch (error) {
          if (!isMoved(error) || tries === TRIES) throw error
          if (tries > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN))
          await learn()
        }
      }
    }
    return [name, call] as const
  })
  return Object.fromEntries(methods) as T
}

/**
 * Objects of a corpus that was made without partitions. It may have been divided since: its own object then refuses to be asked as if it had the
 * documents, and the call is made again to the partitions. Until it refuses, nothing is looked up.
 */
export function perhapsDivided<T extends object>(
  uid: string,
  calls: { readonly [name: string]: unknown },
  alone: T,
  divided: () => T,
  layout: () => Promise<Layout | null>,
): T {
  if (partitionSetOf(uid)) return divided()
  if (!isDivisible(uid)) return alone
  const methods = Object.keys(calls).map((name) => {
    const call: Call = async (...args) => {
      for (let tries = 0; ; tries++) {
        const object = partitionSetOf(uid) ? divided() : alone
        try {
          return await (object as { readonly [name: string]: Call })[name]?.(...args)
        } catch (error) {
          if (!isMoved(error) || object !== alone || tries === TRIES) throw error
          if (tries > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN))
          const told = await layout().catch(() => undefined)
          if (told) rememberLayout(uid, told)
        }
      }
    }
    return [name, call] as const
  })
  return Object.fromEntries(methods) as T
}

const isMoved = (error: unknown): boolean => error instanceof Error && error.message.startsWith(MOVED)
