/**
 * The object's alarm. It is set to the next due time whenever work is added or done, and runs for a bounded time. The platform retries a run that throws
 * six times and then deletes the alarm, so errors are caught here and retried by an alarm of our own.
 */
import { objectFault } from '../../../src/object-fault'
import { objectLimits } from '../../../src/platform-limits'
import { type Attempts, type NextAlarm, nextAlarm, type ScheduleState } from './due-times'

const RUN = 30_000 // for one run: far below the quarter of an hour, and the five minutes of processor time, that it may take
const SLACK = 20_000 // an alarm that is too early by less is left: setting it costs a row, and waking up as much
const LAST_RESORT = 600_000 // until it is retried after all but one of the platform's retries have failed

/** The part of the object's storage that is used here. */
export interface AlarmStorage {
  getAlarm(): Promise<number | null>
  setAlarm(at: number): Promise<void>
  deleteAlarm(): Promise<void>
}

export interface AlarmParts {
  readonly storage: AlarmStorage
  readonly now: () => number
  /** Undefined: there is no corpus here. */
  readonly state: () => ScheduleState | undefined
  /** Called with every next alarm. */
  readonly watch: (next: NextAlarm | null) => void
  /** Only by code: an error's message may quote a document. */
  readonly failed: (error: string) => void
}

const NOTHING_TRIED: Attempts = { failures: 0, failedAt: 0, starts: 0, startedAt: 0, isDraining: false, drainedAt: null }

export class Alarm {
  readonly #parts: AlarmParts
  #attempts = NOTHING_TRIED
  #isRunning = false

  constructor(parts: AlarmParts) {
    this.#parts = parts
  }

  get attempts(): Attempts {
    return this.#attempts
  }

  /** A runner, or a drain, was started or has ended. */
  update(change: Partial<Attempts>): void {
    this.#attempts = { ...this.#attempts, ...change }
  }

  /** Call this after anything that may have changed what is due. A run does it at its end. */
  async set(): Promise<void> {
    if (this.#isRunning) return
    const { storage, now, state, watch } = this.#parts
    const current = await storage.getAlarm()
    const open = state()
    const next = open ? nextAlarm(open, now()) : null
    watch(next)
    if (!next) {
      if (current !== null) await storage.deleteAlarm()
    } else if (current === null || next.at < current || next.at > current + SLACK) {
      await storage.setAlarm(next.at)
    }
  }

  /** One run. `work` must end by the given time; `retries`: how often the platform has tried this run before. */
  async run(retries: number, work: (until: number) => Promise<void>): Promise<void> {
    const { storage, now, failed } = this.#parts
    if (retries >= objectLimits.maxAlarmRetries - 1) await storage.setAlarm(now() + LAST_RESORT) // another failure would delete it
    this.#isRunning = true
    try {
      await work(now() + RUN)
      this.update({ failures: 0 })
    } catch (error) {
      // On new code every call to the storage fails until the run is over: the platform starts it again there.
      if (objectFault(error) === 'updated') throw error
      this.update({ failures: this.#attempts.failures + 1, failedAt: now() })
      failed(error instanceof Error ? error.name : 'unknown')
    } finally {
      this.#isRunning = false
    }
    await this.set()
  }
}
