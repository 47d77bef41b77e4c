/** Deletions can be undone for some seconds: lists leave the thing out at once, and the service is told when the time is over, or when the page is left. */
import { effect, signal } from '@preact/signals'
import { key } from '../session'
import { LEFT, read, writeTo } from '../stored'
import { readAgain } from './load'

const GRACE = 8_000 // ms during which it can be undone
const REREAD = 1_500 // ms for lists to be read again before it would reappear

export interface Removal {
  /** What it removes from lists: `document <corpus> <id>`. */
  readonly keys: readonly string[]
  /** “leave.md” deleted */
  readonly words: string
  /** With the current client: the key may be another by then. */
  readonly send: () => Promise<unknown>
}

export interface Waiting extends Removal {
  readonly id: number
  readonly isSent: boolean
  /** Why it was refused: it is in lists again. */
  readonly fault?: unknown
}

export const removals = signal<readonly Waiting[]>([])
const timers = new Map<number, ReturnType<typeof setTimeout>>()
let latest = 0

export const isRemoved = (name: string): boolean => removals.value.some(({ fault, keys }) => fault === undefined && keys.includes(name))

export function removeLater(removal: Removal): void {
  latest += 1
  removals.value = [...removals.value, { ...removal, id: latest, isSent: false }]
  wait(latest)
}

/** Undoes it; for a refused one, the message is dismissed. */
export function takeBack(id: number): void {
  hold(id)
  removals.value = removals.value.filter((one) => one.id !== id)
}

/** While somebody looks at it, its time does not run. */
export function hold(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

export function wait(id: number): void {
  hold(id)
  const waits = removals.value.some((one) => one.id === id && !one.isSent)
  if (waits) timers.set(id, setTimeout(send, GRACE, id))
}

function send(id: number): void {
  hold(id)
  const due = removals.value.find((one) => one.id === id && !one.isSent)
  if (!due) return
  change(id, { isSent: true })
  due.send().then(
    () => setTimeout(takeBack, REREAD, id),
    (fault: unknown) => change(id, { fault }),
  )
}

function change(id: number, to: Partial<Waiting>): void {
  removals.value = removals.value.map((one) => (one.id === id ? { ...one, ...to } : one))
}

function sendAll(): void {
  for (const { id } of removals.peek()) send(id)
}

addEventListener('pagehide', () => {
  const keys = removals.peek().flatMap((one) => (one.fault === undefined ? one.keys : []))
  writeTo(() => sessionStorage, LEFT, keys.length > 0 ? JSON.stringify(keys) : null)
  sendAll()
})
keepOut()

/**
 * A request sent as the page was left may arrive after this visit's first readings: the thing stays out of lists until they are read again.
 */
function keepOut(): void {
  const left = read(() => sessionStorage, LEFT)
  if (left === null) return
  writeTo(() => sessionStorage, LEFT, null)
  latest += 1
  removals.value = [{ keys: JSON.parse(left), words: '', send: async () => undefined, id: latest, isSent: true }]
  setTimeout(readAgain, REREAD)
  setTimeout(takeBack, 2 * REREAD, latest)
}

// The next visitor in this tab could not undo it.
let before = key.peek()
effect(() => {
  const now = key.value
  if (now !== before) sendAll()
  before = now
})
