/**
 * One call of the AI binding: few in parallel, each within its deadline, a few attempts where retrying helps. The deadline and the caller's
 * signal are raced outside the call, and aborted inside it if the binding accepts a signal: RPC to a stand-in carries none, and a call that
 * lost its race runs on unheard. Created anew for each invocation: a queue shared between requests would wait on another request's
 * promises.
 */
import type { ModelFault } from '../contract/questions'
import { atOnce } from '../core/at-once'
import { backoff, retry } from '../core/backoff'
import { mayBeBilled } from '../core/cost'
import { workerLimits } from '../platform-limits'
import type { CallSlots, ModelCall } from '../ports/call-slots'
import type { AiBinding, CallOptions } from '../ports/models'
import { mapped, modelError, quotaError } from './workers-ai-faults'

export const calling = {
  together: workerLimits.safeConnections, // a call holds a connection until its reply begins
  tries: { capacity: 4, timeout: 2, down: 3 } as { readonly [fault in ModelFault]?: number },
  spent: 240_000, // ms for which nothing is called once the account's quota is used up: it applies to every model
  pause: 500, // milliseconds before the second attempt, doubled for each further one; half of it is random
} as const

/** What a test replaces. */
export interface World {
  now(): number
  sleep(ms: number): Promise<void>
  /** Calls back when the milliseconds are over, unless the returned function was called before. */
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

/** How the binding is called, whatever the request. */
export interface Binding {
  readonly ai: AiBinding
  /** True: a call accepts an `AbortSignal`. Over RPC that is a DataCloneError, so this is configured, not detected. */
  readonly takesSignal?: boolean
  /** The id of an AI Gateway that calls go through. */
  readonly gateway?: string
}

/** `signal` ends the call at once, like a timeout that is not retried. */
export interface CallLimits extends CallOptions {
  /** Milliseconds, excluding the wait for a slot. */
  readonly deadline: number
  /** The reply may be a stream. Otherwise it is read to its end: the binding only parses `application/json` without parameters. */
  readonly streams?: boolean
  /** Bytes of a reply's body. A larger one is dropped unread, and is not a reply. */
  readonly maxBytes: number
  /** Errors of the binding for which this is true are passed through unchanged. */
  readonly through?: ((error: unknown) => boolean) | undefined
}

export interface Calls {
  /** Rejects with a `ModelError`. */
  run(call: ModelCall, inputs: unknown, limits: CallLimits): Promise<unknown>
  /** The same for a call in another form than `run`. */
  make(call: ModelCall, start: () => Promise<unknown>, limits: Omit<CallLimits, 'streams' | 'maxBytes'>): Promise<unknown>
}

const FREE: CallSlots = { with: (_call, run) => run() }

/** `slots`: asked before each call. A question waits for none. */
export function calls(binding: Partial<Binding>, world: World, slots = FREE): Calls {
  const admit = atOnce(calling.together)
  let spentUntil = 0
  const ask = async (abort: AbortController, model: string, inputs: unknown, { streams, maxBytes }: CallLimits): Promise<unknown> => {
    const options = {
      ...(binding.gateway ? { gateway: { id: binding.gateway } } : {}),
      ...(binding.takesSignal ? { signal: abort.signal } : {}),
    }
    if (!binding.ai) throw modelError('missing')
    const reply = await (Object.keys(options).length > 0 ? binding.ai.run(model, inputs, options) : binding.ai.run(model, inputs))
    return streams || !(reply instanceof ReadableStream) ? reply : whole(reply, maxBytes)
  }
  const made = (
    call: ModelCall,
    start: (abort: AbortController) => Promise<unknown>,
    limits: Omit<CallLimits, 'streams' | 'maxBytes'>,
  ): Promise<unknown> => {
    const { deadline, signal } = limits
    let lost: Error | undefined
    let stands = false
    const once = (): Promise<unknown> => {
      const abort = new AbortController()
      if (world.now() < spentUntil) return Promise.reject(quotaError(world.now()))
      return within(deadline, () => start(abort), { world, signal, lost: () => abort.abort() })
    }
    const attempt = async (): Promise<unknown> => {
      if (lost && limits.mayRepeat && !(await limits.mayRepeat({ isCounted: false }))) {
        stands = true
        throw lost
      }
      lost = undefined
      try {
        // The deadline is the call's own: waiting for a slot is not part of it.
        return await admit(() => slots.with(call, once, signal))
      } catch (error) {
        if (limits.through?.(error)) throw error
        const ours = mapped(error, world.now())
        if (faultNamed(ours) === 'quota' && world.now() >= spentUntil) spentUntil = world.now() + calling.spent
        if (mayBeBilled(faultNamed(ours))) lost = ours
        throw ours
      }
    }
    return retry(attempt, {
      pauseAfter(error, failures) {
        if (stands || limits.through?.(error) || signal?.aborted || failures >= (calling.tries[faultNamed(error)] ?? 1)) return undefined
        return backoff(failures, { first: calling.pause }) * (0.5 + world.random() / 2)
      },
      sleep: (ms) => world.sleep(ms),
    })
  }
  return {
    run: (call, inputs, limits) => made(call, (abort) => ask(abort, call.model, inputs, limits), limits),
    make: made,
  }
}

export interface Race {
  readonly world?: Pick<World, 'after'>
  readonly signal?: AbortSignal | undefined
  /** Called when the promise has lost: its result is no longer used. */
  readonly lost?: () => void
}

/** A body that the binding did not parse: JSON if possible, otherwise text. */
async function whole(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<unknown> {
  const text = await boundedText(body, maxBytes)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Rejects with `invalid`, and drops the rest, if there are more bytes. */
async function boundedText(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const parts: string[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return parts.join('') + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel().catch(() => undefined)
      throw modelError('invalid')
    }
    parts.push(decoder.decode(value, { stream: true }))
  }
}

/** The promise, or `timeout` when the milliseconds are over or the signal is aborted. Nothing starts after an abort. */
export async function within<T>(ms: number, start: () => Promise<T>, race: Race = {}): Promise<T> {
  const { world = realWorld, signal, lost } = race
  if (signal?.aborted) throw modelError('timeout')
  let end = (): void => {}
  const late = new Promise<never>((_, reject) => {
    const lose = (): void => {
      lost?.()
      reject(modelError('timeout'))
    }
    const cancel = world.after(ms, lose)
    signal?.addEventListener('abort', lose)
    end = () => {
      cancel()
      signal?.removeEventListener('abort', lose)
    }
  })
  try {
    return await Promise.race([start(), late])
  } finally {
    end()
  }
}

/** By a `ModelError`. */
function faultNamed(error: unknown): ModelFault {
  return (error as Error).message.split(' ')[0] as ModelFault
}
