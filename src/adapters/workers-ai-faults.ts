/**
 * Why Workers AI gave nothing, as one of our codes. Errors are distinguished by the code at the beginning of their message: the error's
 * name may be the server's or the runtime's. The message may quote the document, so it is read and never passed on. Codes:
 * https://developers.cloudflare.com/workers-ai/platform/errors/, and undocumented ones seen live.
 */
import type { ModelFault } from '../contract/questions'
import { aiLimits } from '../platform-limits'
import type { CallTrouble } from '../ports/call-slots'

const CODES: { readonly [code: string]: ModelFault } = {
  2014: 'timeout', // of an AI Gateway: the provider
  3006: 'too_large', // request too large
  3007: 'timeout',
  3008: 'timeout', // aborted
  3021: 'capacity', // more calls of this task type in a minute than the account may make
  3036: 'quota', // the account's daily free allocation, as documented
  3040: 'capacity',
  3041: 'missing', // the account may not use this model
  3042: 'missing', // no such model
  3046: 'timeout', // as it is seen
  4006: 'quota', // the daily free allocation, as it is seen
  5004: 'invalid', // input of the wrong shape
  5007: 'missing', // no such model
  5016: 'missing', // licence of the model not accepted
  5018: 'missing', // the account may not use this model
  5019: 'missing', // request form the vendor no longer serves
  5021: 'too_large', // input and reply exceed the context window
  5024: 'invalid', // the reply did not meet the JSON Schema
  5035: 'missing', // the model needs a paid plan
}
const RATE = '3021'
const JSON_MODE = /json (mode|schema)/i
const JSON_CODES: ReadonlySet<string> = new Set(['5023', '5024', '5025'])
const DAY = 86_400_000 // milliseconds; the free allocation is renewed at 00:00 UTC

/** The error every call of the port rejects with. */
export function modelError(fault: ModelFault, seconds?: number): Error {
  const error = new Error(seconds === undefined ? fault : `${fault} ${seconds}`)
  error.name = 'ModelError'
  return error
}

export function isModelError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ModelError'
}

/** Converts any error of the binding to one of ours. `now`: milliseconds since the epoch. */
export function mapped(error: unknown, now: number): Error {
  if (isModelError(error)) return error
  const message = messageOf(error)
  const fault = faultIn(message)
  if (fault === 'quota') return quotaError(now)
  return codeIn(message) === RATE ? modelError('capacity', aiLimits.rateWindowMs / 1000) : modelError(fault)
}

/** The account's quota is used up until 00:00 UTC. */
export function quotaError(now: number): Error {
  return modelError('quota', Math.ceil((DAY - (now % DAY)) / 1000))
}

/** What the account's governor should know of an error: the account called too often, or the model is out of capacity. */
export function troubleIn(error: unknown): CallTrouble | undefined {
  const code = codeIn(messageOf(error))
  return code === RATE ? 'rate' : code === '3040' ? 'capacity' : undefined
}

/** True if the model could not, or does not, answer in JSON mode: ask again without it. */
export function refusesJson(error: unknown): boolean {
  const message = messageOf(error)
  return JSON_MODE.test(message) || JSON_CODES.has(codeIn(message))
}

/** True if JSON mode failed for this one reply; any other refusal is about the model. */
export function missedSchema(error: unknown): boolean {
  const message = messageOf(error)
  return codeIn(message) === '5024' || /couldn.t be met/i.test(message)
}

function faultIn(message: string): ModelFault {
  const known = CODES[codeIn(message)]
  if (known) return known
  if (/exceeded this model context window/i.test(message)) return 'too_large'
  if (/\b429\b|rate limit|too many requests|capacity/i.test(message)) return 'capacity'
  if (/\b408\b|\b504\b|timed? ?out|deadline/i.test(message)) return 'timeout'
  if (/\b413\b|too large/i.test(message)) return 'too_large'
  return 'down'
}

/** Messages begin with the code, after the error's name if serialisation has flattened it; 3010 only wraps another. */
function codeIn(message: string): string {
  return /^(?:\w*Error: *|3010: *)*(\d{4})\b/.exec(message)?.[1] ?? ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
