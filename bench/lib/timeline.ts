/**
 * Is the objects' thread at work, or what does it wait for? Sampled from the scheduler's own counts (Linux). Time in which threads only wait for a core counts nothing,
 * so the sum is about what a quiet machine would take.
 */
import { readFileSync } from 'node:fs'

const EVERY = 5 // ms
const SECOND = 1000 // ms

/** Milliseconds. */
export interface Stretch {
  /** The thread ran. */
  busy: number
  /** It slept, or waited for the disk, while another of those that it works with ran. */
  others: number
  /** All of them slept. */
  asleep: number
}

/** One line. */
export function saidOf(seconds: readonly Stretch[]): string {
  const sum = (of: keyof Stretch): string => (seconds.reduce((all, one) => all + one[of], 0) / SECOND).toFixed(1)
  return `it was at work for ${sum('busy')} s, slept for ${sum('others')} s while another thread was at work, and for ${sum('asleep')} s while all slept`
}

/** Begins to watch the main thread of a process, and those of others that it works with; what is returned ends it, and tells each second of the three together. */
export function watchThread(pid: number, others: () => readonly number[]): () => Stretch[] {
  const seconds: Stretch[] = []
  let before = { at: performance.now(), own: threadOf(pid), others: new Map(others().map((one) => [one, threadOf(one)])) }
  const look = (): void => {
    const now = { at: performance.now(), own: threadOf(pid), others: new Map(others().map((one) => [one, threadOf(one)])) }
    const busy = now.own.ran - before.own.ran
    const sleeps = !before.own.isRunnable && !now.own.isRunnable
    const beside = Math.max(0, ...[...now.others].map(([one, { ran }]) => ran - (before.others.get(one)?.ran ?? ran)))
    const anyRunnable = [...now.others.values(), ...before.others.values()].some((one) => one.isRunnable)
    add(seconds, {
      busy,
      others: sleeps ? Math.max(0, Math.min(beside, now.at - before.at) - busy) : 0,
      asleep: sleeps && !anyRunnable ? Math.max(0, now.at - before.at - busy - beside) : 0,
    })
    before = now
  }
  const timer = setInterval(look, EVERY)
  return () => {
    clearInterval(timer)
    look()
    return seconds
  }
}

function add(seconds: Stretch[], one: Stretch): void {
  const last = seconds.at(-1)
  if (!last || last.busy + last.others + last.asleep >= SECOND) {
    seconds.push({ ...one })
    return
  }
  last.busy += one.busy
  last.others += one.others
  last.asleep += one.asleep
}

function threadOf(pid: number): { readonly ran: number; readonly isRunnable: boolean } {
  try {
    const [ran = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    const state = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]?.[0]
    return { ran: ran / 1e6, isRunnable: state === 'R' }
  } catch {
    return { ran: 0, isRunnable: false } // ended
  }
}
