/**
 * Keys that opened nothing, counted by the address they came from. Above a rate, the address is refused without looking up the key it
 * sends, so that nothing can be guessed; keys that opened something from there before still work. The isolate counts for itself, and
 * asks the platform's limiter, which counts for the whole location.
 */
import ipaddr from 'ipaddr.js'

const WINDOW = 60_000 // ms
const MAX_FAILED = 20 // in a window
const MAX_REMEMBERED = 10_000 // addresses, and valid keys: a flood of either cannot fill the memory

export interface Attempts {
  /** Seconds until this key may be tried from that address; 0: now. */
  wait(address: string, digest: string, now: number): number
  /** True while further ones may fail. */
  failed(address: string, now: number): boolean
  /** Another isolate has counted too many. */
  block(address: string, now: number): void
  succeeded(address: string, digest: string): void
}

export function createAttempts(): Attempts {
  const counted = new Map<string, { readonly since: number; readonly failed: number }>()
  const good = new Map<string, true>()
  const current = (address: string, now: number) => {
    const held = counted.get(address)
    return held && now - held.since < WINDOW ? held : { since: now, failed: 0 }
  }
  return {
    wait(address, digest, now) {
      const { since, failed } = current(address, now)
      return failed < MAX_FAILED || good.has(`${address} ${digest}`) ? 0 : (since + WINDOW - now) / 1000
    },
    failed(address, now) {
      const { since, failed } = current(address, now)
      remember(counted, address, { since, failed: failed + 1 })
      return failed + 1 < MAX_FAILED
    },
    block(address, now) {
      remember(counted, address, { since: now, failed: MAX_FAILED })
    },
    succeeded(address, digest) {
      remember(good, `${address} ${digest}`, true)
    },
  }
}

function remember<T>(known: Map<string, T>, name: string, value: T): void {
  known.delete(name)
  if (known.size >= MAX_REMEMBERED) known.delete(known.keys().next().value ?? '')
  known.set(name, value)
}

/** What an address is counted as: for IPv6 the /64, which is what one subscriber has. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address) // IPv4 inside IPv6 is IPv4
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString()
}
