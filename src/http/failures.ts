/**
 * Errors that no handler expected: something outside is down (503, try again) or our own promise is broken (500). Errors may have
 * crossed RPC, so only names, flags and known beginnings of messages are checked, and no message is passed on or logged.
 */
import { mismatchIn } from '../embedding-mismatch'
import { faultOf } from '../flows/faults'
import { PARTITIONED } from '../flows/partitions/corpus'
import { objectFault } from '../object-fault'
import { CLOSED, MOVED } from '../partition-layout'
import { d1Limits, diskFull } from '../platform-limits'
import { type StoreFault, storeFault } from '../store-fault'
import { partitioned } from './divided'
import { notFound, Problem } from './problem'

const SOON = 2 // seconds until a second try may find the object or the database again
const LATER = 10
const STALLED = 80 // a database that was reset because of a heavy statement was observed to be down for 60 to 80 s

interface Thrown {
  readonly name?: unknown
  readonly message?: unknown
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { name, message }: Thrown = typeof error === 'object' && error !== null ? error : {}
  const text = typeof message === 'string' ? message : ''
  const store = storeFault(error)
  if (store) return storeProblem(store)
  const fault = objectFault(error)
  if (fault === 'overloaded') return new Problem('overloaded', 'The corpus is busy.', { retryAfter: LATER })
  if (fault)
    return new Problem('unavailable', 'The corpus could not be reached. Try again.', { retryAfter: fault === 'reset' ? LATER : SOON })
  const mismatched = mismatchIn(text)
  if (mismatched) return new Problem('embedding_mismatch', `${mismatched} See docs/migrating.md, "Another embedding model".`)
  if (text === 'corpus: deleted') return notFound('corpus')
  if (text.startsWith(PARTITIONED)) return partitioned()
  if (text === 'corpus: being restored')
    return new Problem('restoring', 'This corpus is being restored and is not complete yet; see `GET …/restore` or `GET …/restore-to`.')
  if (text.startsWith(MOVED) || text.startsWith(CLOSED))
    return new Problem('unavailable', 'The corpus is changing its partitions. Try again in a moment.', { retryAfter: SOON })
  if (text.startsWith('corpus: busy'))
    return new Problem('overloaded', 'A large change is being applied. Try again in a moment.', { retryAfter: LATER })
  if (name === 'ModelError') {
    const { fault, retryAfter } = faultOf(error)
    return new Problem('model_unavailable', `The model did not answer: ${fault}.`, { retryAfter: retryAfter ?? LATER })
  }
  if (text.includes(diskFull)) return new Problem('storage_full', 'The corpus has no storage left. Deletions are still accepted.')
  if (/Durable Object (reset|storage)/.test(text)) {
    return new Problem('unavailable', 'A store could not be reached. Try again.', { retryAfter: SOON })
  }
  return new Problem('internal', 'Something went wrong on the server.')
}

function storeProblem(fault: StoreFault): Problem {
  switch (fault) {
    case 'lost':
      return new Problem('unavailable', 'A database could not be reached. Try again.', { retryAfter: SOON })
    case 'calls':
      return new Problem('unavailable', 'This request asked the databases for too much. Ask for less at once.', { retryAfter: SOON })
    case 'overloaded':
      return new Problem('overloaded', 'A database is busy.', { retryAfter: LATER })
    case 'heavy':
      return new Problem('unavailable', 'A database is recovering.', { retryAfter: STALLED })
    case 'full':
      return new Problem('database_full', 'A database of this deployment is full (docs/deploy.md, "Room").', {
        members: { limit: d1Limits.maxDatabaseBytes, of: 'database_bytes' },
      })
    case 'refused':
      return new Problem('internal', 'Something went wrong on the server.')
  }
}
