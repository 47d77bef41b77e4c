/** What went wrong with a model, read from an error that may have crossed RPC: by name and message, never with `instanceof`. */
const FAULTS: ReadonlySet<string> = new Set<ModelFault>(['capacity', 'quota', 'too_large', 'timeout', 'down', 'invalid', 'missing'])

import type { ModelFault } from '../contract/questions'

export interface Fault {
  readonly fault: ModelFault
  /** Seconds to wait, if known. */
  readonly retryAfter?: number
}

/** Works for any error: one that is not a model's means that the model could not be reached. */
export function faultOf(error: unknown): Fault {
  const { name, message } = typeof error === 'object' && error !== null ? (error as { name?: unknown; message?: unknown }) : {}
  const [fault = '', seconds = ''] = name === 'ModelError' && typeof message === 'string' ? message.split(' ') : []
  if (!FAULTS.has(fault)) return { fault: 'down' }
  const wait = Number(seconds)
  return seconds !== '' && Number.isFinite(wait) ? { fault: fault as ModelFault, retryAfter: wait } : { fault: fault as ModelFault }
}

/** Why the reply is unusable, if known. */
export type ReplyFault = 'form' | 'empty' | 'echo' | 'loop' | 'refusal' | 'language' | 'unfinished' | 'unsupported'

/** A reply came, but it is unusable. */
export function invalid(why?: ReplyFault): Error {
  const error = new Error('invalid' satisfies ModelFault)
  error.name = 'ModelError'
  return why === undefined ? error : Object.assign(error, { why })
}

/** For an error that was thrown here and has not crossed RPC. */
export function replyFaultOf(error: unknown): ReplyFault | undefined {
  return error instanceof Error && 'why' in error ? (error.why as ReplyFault) : undefined
}

/** There is no such model here. */
export function missing(): Error {
  const error = new Error('missing' satisfies ModelFault)
  error.name = 'ModelError'
  return error
}

/** What is left of a ceiling does not cover the next call until others have settled. */
export function uncovered(): Error {
  const error = new Error('capacity' satisfies ModelFault)
  error.name = 'ModelError'
  return error
}

/** Faults of this input or this reply: waiting does not help, asking differently may. */
export function isUnusable(fault: ModelFault): boolean {
  return fault === 'invalid' || fault === 'too_large'
}

/** The model is unavailable, and waiting a minute does not help. */
export function isOut(fault: ModelFault): boolean {
  return fault === 'quota' || fault === 'down' || fault === 'missing'
}
