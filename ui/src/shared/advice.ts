/** What to do about an error, if the page knows more than the service says. */
import { LoamError } from '../../../src/client/client'

const ADVICE: Readonly<Record<string, string>> = {
  over_budget: 'Raise the budget under Usage and settings.',
  corpus_full: 'Divide it into partitions under Usage and settings, delete what you no longer need, or make a second corpus.',
  database_full: 'Make a second corpus for new documents: it gets another database.',
  forbidden: 'Sign in with a key that has this right; the admin key can create one under Keys.',
  strategy_not_enabled: 'Switch it on under Usage and settings.',
  corpus_not_found: 'It may have been deleted, or your key does not see it.',
  unauthorized: 'Sign in with a key that may see this.',
  key_limit: 'It works again after midnight UTC; an administrator can raise the limits of the key.',
  rate_limited: 'Wait a minute, or sign in with a key.',
  model_unavailable: 'Try again in a minute.',
  behind: 'Try again in a moment.',
  unavailable: 'Try again in a moment.',
  overloaded: 'Try again in a moment.',
  internal: 'Try again; if it keeps happening, the operator can find it in the log by its number.',
}

export const adviceOn = (fault: unknown): string => (fault instanceof LoamError ? (ADVICE[fault.code] ?? '') : '')

export function messageOf(fault: Error): string {
  if (!(fault instanceof LoamError)) return fault.message
  if (fault.code === 'unreachable') return 'The server cannot be reached. Is it running?'
  return fault.code === 'unknown' ? `The server answered ${fault.status}.` : fault.message
}
