/**
 * Why a call to D1 failed, read from an error that may have crossed RPC or been wrapped by a library: by known words, which are never
 * passed on.
 */
import { d1Errors } from './platform-limits'

/**
 * lost: it may have been done, and a repeat will show it · overloaded: later · heavy: it took too much at once · calls: this invocation has asked
 * too often · full: the database holds all it may · refused: our own mistake
 */
export type StoreFault = keyof typeof d1Errors

const FAULTS = Object.entries(d1Errors) as readonly (readonly [StoreFault, readonly string[]])[]
const MAX_CAUSES = 5 // libraries wrap errors, none deeper

/** Null: not D1's doing. */
export function storeFault(error: unknown): StoreFault | null {
  for (let depth = 0, at = error; depth < MAX_CAUSES && typeof at === 'object' && at !== null; depth++) {
    const { message, cause }: { message?: unknown; cause?: unknown } = at
    const found = typeof message === 'string' ? faultIn(message) : null
    if (found) return found
    at = cause
  }
  return null
}

function faultIn(message: string): StoreFault | null {
  if (!/^D1_(EXEC_)?ERROR/.test(message)) return null
  const known = FAULTS.find(([, words]) => words.some((said) => message.includes(said)))
  if (known) return known[0]
  return /SQLITE_/.test(message) ? 'refused' : 'lost'
}
