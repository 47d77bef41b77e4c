/**
 * Events that were refused, counted by the address they came from, like keys that open nothing (attempts.ts). Webhooks that do not
 * exist are counted for the address as a whole; wrong signatures for the address and the webhook, because senders such as GitHub call
 * on behalf of strangers, too, from one address. A webhook that was found, or a sender that was genuine, from there before is still
 * checked.
 */
import { addressOf } from './access'
import type { Ctx } from './context'
import { Problem } from './problem'

const MINUTE = 60 // seconds, the limiters' period
const GENUINE = 'genuine'

const tooMany = (seconds: number): Problem =>
  new Problem('rate_limited', 'Too many invalid events came from this address.', { retryAfter: seconds })

/** Called before the webhook is looked up. If it does not exist, the error thrown by `find` is counted. */
export function findCounted<T>(c: Ctx, hook: string, find: () => Promise<T>): Promise<T> {
  const address = addressOf(c)
  return address === null ? find() : countFailures(c, { from: address, as: hook }, find)
}

/** Called before the event is read. If it is not genuine, the error thrown by `verify` is counted. */
export function verifyCounted<T>(c: Ctx, hook: string, verify: () => Promise<T>): Promise<T> {
  const address = addressOf(c)
  return address === null ? verify() : countFailures(c, { from: `${address} ${hook}`, as: GENUINE }, verify)
}

async function countFailures<T>(c: Ctx, { from, as }: { from: string; as: string }, attempt: () => Promise<T>): Promise<T> {
  const { hookAttempts } = c.get('caches')
  const { limitFailed, now } = c.get('world')
  const wait = hookAttempts.wait(from, as, now())
  if (wait > 0) throw tooMany(wait)
  try {
    const result = await attempt()
    hookAttempts.succeeded(from, as)
    return result
  } catch (error) {
    if (!isRefusal(error) || !hookAttempts.failed(from, now())) throw error // this caller is still told why; the next one is not looked up
    if (await limitFailed(`hook ${from}`)) throw error
    hookAttempts.block(from, now())
    throw tooMany(MINUTE)
  }
}

/** Our own failures count against nobody. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'hook_not_found' || error.code === 'signature_invalid')
