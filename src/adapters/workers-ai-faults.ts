/**
 * Why Workers AI gave nothing, as a code of ours. The vendor's message may quote the document, so it is read and never passed on.
 * Codes: https://developers.cloudflare.com/workers-ai/platform/errors/
 */
import type { ModelFault } from '../ports'

const CODES: { readonly [code: string]: ModelFault } = {
  3006: 'too_large', // request too large
  3007: 'timeout',
  3008: 'timeout', // aborted
  3036: 'quota', // the account's daily free allocation
  3040: 'capacity',
  3041: 'missing', // the account may not use this model
  5004: 'invalid', // input of the wrong shape
  5007: 'missing', // no such model
  5016: 'missing', // licence of the model not accepted
  5018: 'missing', // the account may not use this model
  5019: 'missing', // request form the vendor no longer serves
  5021: 'too_large', // input and reply exceed the context window
  5035: 'missing', // the model needs a paid plan
}
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

/** Any error of the binding as one of ours. `now`: milliseconds since the epoch. */
export function mapped(error: unknown, now: number): Error {
  if (isModelError(error)) return error
  const fault = faultIn(messageOf(error))
  return fault === 'quota' ? modelError('quota', Math.ceil((DAY - (now % DAY)) / 1000)) : modelError(fault)
}

/** True where the model could not, or does not, answer in JSON mode: ask again without it. */
export function refusesJson(error: unknown): boolean {
  const message = messageOf(error)
  return JSON_MODE.test(message) || JSON_CODES.has(codeIn(message))
}

function faultIn(message: string): ModelFault {
  const known = CODES[codeIn(message)]
  if (known) return known
  if (/\b429\b|rate limit|too many requests|capacity/i.test(message)) return 'capacity'
  if (/\b408\b|\b504\b|timed? ?out|deadline/i.test(message)) return 'timeout'
  if (/\b413\b|too large/i.test(message)) return 'too_large'
  return 'down'
}

/** Messages begin with the code, behind the error's name where serialisation has flattened it. */
function codeIn(message: string): string {
  return /^(?:\w*Error: *)*(\d{4})\b/.exec(message)?.[1] ?? ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
