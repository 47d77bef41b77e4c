/** Why a call to a Durable Object failed, read from an error that may have crossed RPC: by flags and known beginnings of messages. */
import { objectErrors } from './platform-limits'

/**
 * overloaded: leave it alone for a while · replaced, updated: another instance answers by now, the call may or may not have been carried
 * out · reset: over what it was doing
 */
export type ObjectFault = keyof typeof objectErrors

const FAULTS = Object.keys(objectErrors) as ObjectFault[]

/** Null: not the platform's doing. */
export function objectFault(error: unknown): ObjectFault | null {
  if (typeof error !== 'object' || error === null) return null
  const { message, overloaded, retryable } = error as { message?: unknown; overloaded?: unknown; retryable?: unknown }
  const said = typeof message === 'string' ? message : ''
  const known = FAULTS.find((fault) => objectErrors[fault].some((beginning) => said.startsWith(beginning)))
  if (known) return known
  if (overloaded === true) return 'overloaded'
  return retryable === true ? 'replaced' : null
}
