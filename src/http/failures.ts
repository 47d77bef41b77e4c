/**
 * What went wrong that no handler expected: the world is down (503, come back) or our own promise is broken (500). Errors may have
 * crossed RPC, so only names, flags and known beginnings of messages are looked at, and no message is passed on or logged.
 */
import { faultOf } from '../flows/faults'
import { objectFault } from '../object-fault'
import { Problem } from './problem'

const SOON = 2 // seconds until a second try may find the object or the database again
const LATER = 10

interface Thrown {
  readonly name?: unknown
  readonly message?: unknown
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { name, message }: Thrown = typeof error === 'object' && error !== null ? error : {}
  const said = typeof message === 'string' ? message : ''
  const fault = objectFault(error)
  if (fault === 'overloaded') return new Problem('overloaded', 'The corpus is busy.', { retryAfter: LATER })
  if (fault) return new Problem('unavailable', 'The corpus could not be reached.', { retryAfter: fault === 'reset' ? LATER : SOON })
  if (name === 'ModelError') {
    const { fault, retryAfter } = faultOf(error)
    return new Problem('model_unavailable', `The model did not answer: ${fault}.`, { retryAfter: retryAfter ?? LATER })
  }
  if (/^D1_ERROR|^D1_EXEC_ERROR|Durable Object (reset|storage)/.test(said) && !/SQLITE_ERROR|SQLITE_CONSTRAINT/.test(said)) {
    return new Problem('unavailable', 'A store could not be reached.', { retryAfter: SOON })
  }
  return new Problem('internal', 'Something went wrong on our side.')
}
