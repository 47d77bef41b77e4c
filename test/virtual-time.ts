/**
 * A clock that jumps: whatever waits for it goes on at once, in the order it would have in time. For code that takes its clock as an
 * argument; nothing global is touched.
 */
export interface VirtualTime {
  now(): number
  sleep(ms: number): Promise<void>
  /** Calls back once the milliseconds are over, unless what it returns was called before. */
  after(ms: number, then: () => void): () => void
  random(): number
  /** Lets time pass until the work is done. Work that waits for anything but this clock and promises is an error. */
  run<T>(work: Promise<T>): Promise<T>
}

interface Timer {
  readonly at: number
  readonly n: number
  readonly then: () => void
}

/** `from`: milliseconds since the epoch. */
export function virtualTime(from = 0): VirtualTime {
  let timers: Timer[] = []
  let [time, made] = [from, 0]
  const after = (ms: number, then: () => void): (() => void) => {
    const timer = { at: time + Math.max(0, ms), n: made++, then }
    timers.push(timer)
    return () => {
      timers = timers.filter((one) => one !== timer)
    }
  }
  return {
    now: () => time,
    after,
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    random: () => 0.5,
    async run(work) {
      let done = false
      const ended = work.finally(() => {
        done = true
      })
      ended.catch(() => undefined) // the caller that awaits the result gets it
      for (;;) {
        await settled()
        if (done) return ended
        const next = timers.reduce<Timer | undefined>(
          (first, one) => (!first || one.at < first.at || (one.at === first.at && one.n < first.n) ? one : first),
          undefined,
        )
        if (!next) throw new Error('nothing is left to wait for, and the work is not done')
        timers = timers.filter((one) => one !== next)
        time = Math.max(time, next.at)
        next.then()
      }
    },
  }
}

/** All promises that can go on have gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
