/**
 * A Workflow with the limits and habits of the real one, which the local runtime lacks: an existing instance id is refused, a step's result
 * has a maximum size, and a step's timeout ends only the waiting: its callback runs on during the next attempt. Steps for tests and
 * benches, on their own clock. Messages: production's, as far as they are known (src/platform-limits.ts).
 */
import { workflowLimits } from '../../src/platform-limits'

interface Clock {
  sleep(ms: number): Promise<void>
  after(ms: number, then: () => void): () => void
}

interface StepConfig {
  readonly retries: { readonly limit: number; readonly delay: string; readonly backoff: string }
  readonly timeout: number
}

export interface StepsStandIn {
  do<T>(name: string, config: StepConfig, work: () => Promise<T>): Promise<T>
  sleep(name: string, ms: number): Promise<void>
}

export interface StepsOptions {
  readonly clock: Clock
  /** Attempts of a step that time out after so many milliseconds, whatever the step's configuration: by name, in order. */
  readonly timeouts?: { readonly [step: string]: readonly number[] }
}

/** The `step` of one instance. */
export function stepsStandIn({ clock, timeouts = {} }: StepsOptions): StepsStandIn {
  let steps = 0
  const enter = (name: string): void => {
    if (name.length > workflowLimits.maxStepNameLength) throw named('WorkflowInternalError', `Step name ${name.slice(0, 20)}… is too long`)
    if (++steps > workflowLimits.maxSteps) {
      throw named('WorkflowInternalError', `The limit of ${workflowLimits.maxSteps} steps has been reached. This limit can be changed`)
    }
  }
  return {
    async do(name, { retries, timeout }, work) {
      enter(name)
      for (let attempt = 0; ; attempt++) {
        try {
          return kept(name, await inTime(clock, timeouts[name]?.[attempt] ?? timeout, work))
        } catch (error) {
          const ends = error instanceof Error && error.name === 'WorkflowInternalError'
          if (ends || attempt >= retries.limit) throw error
          await clock.sleep(millisecondsOf(retries.delay) * 2 ** attempt)
        }
      }
    },
    async sleep(name, ms) {
      enter(name)
      await clock.sleep(ms)
    },
  }
}

interface Instance<P> {
  readonly id: string
  readonly params: P
}

interface Creator<P, T> {
  create(instance: Instance<P>): Promise<T>
}

/** `create` of a Workflow's binding: `start` runs the instance. */
export function workflowStandIn(start: (id: string, params: unknown) => Promise<void>) {
  return limitedWorkflow({
    async create({ id, params }: Instance<unknown>): Promise<{ readonly id: string }> {
      void start(id, params).catch(() => undefined) // a failing instance must not fail others
      return { id }
    },
  })
}

const KEPT = 10_000 // instance ids that are remembered

/** `create` around any binding. The local runtime accepts an existing id without running anything, and hangs on a large payload. */
export function limitedWorkflow<P, T>(binding: Creator<P, T>): Creator<P, T> {
  const known = new Set<string>()
  return {
    async create(instance) {
      const { id, params } = instance
      if (id.length > workflowLimits.maxIdLength || !/^[a-zA-Z0-9_][a-zA-Z0-9-_]*$/.test(id)) {
        throw named('WorkflowError', 'Workflow instance has invalid id')
      }
      if (known.has(id)) throw named('WorkflowError', '(instance.already_exists) Instance already exists')
      if (bytesOf(params) > workflowLimits.maxPayloadBytes) throw named('WorkflowError', 'Event payload is too large')
      if (known.size >= KEPT) known.clear()
      known.add(id)
      return binding.create(instance)
    },
  }
}

async function inTime<T>(clock: Clock, ms: number, work: () => Promise<T>): Promise<T> {
  let cancel = (): void => {}
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => reject(named('WorkflowTimeoutError', `Execution timed out after ${ms}ms`)))
  })
  const running = work()
  running.catch(() => undefined) // it runs on after its caller stops waiting
  try {
    return await Promise.race([running, late])
  } finally {
    cancel()
  }
}

/** What a later attempt of the instance gets of a step's result. */
function kept<T>(name: string, result: T): T {
  if (bytesOf(result) > workflowLimits.maxStepResultBytes) {
    throw named('WorkflowInternalError', `Step ${name} output is too large. Maximum allowed size is 1MiB.`)
  }
  return structuredClone(result)
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value) ?? '').byteLength
}

function millisecondsOf(delay: string): number {
  return Number.parseFloat(delay) * (delay.includes('minute') ? 60_000 : 1000)
}

function named(name: string, message: string): Error {
  const error = new Error(message)
  error.name = name
  return error
}
