/**
 * One HTTP request to an address that somebody gave us. The address is checked as written, and then by what its name resolves to now: both
 * each time, since names change. The platform never follows redirects. Between our lookup and the platform's own, a hostile name server may
 * change its answer; a Worker on Cloudflare's network reaches nothing private even then, but a local runtime might.
 */
import { bytesUpTo } from '../bytes-up-to'
import { hostOf, isLiteral, isPublic, parseTarget, type Refusal, type Rules } from './address'

export interface Network {
  readonly rules: Rules
  fetch(url: string, init: RequestInit): Promise<Response>
  /** The addresses that a name resolves to; empty: none. Rejects if they cannot be determined. */
  addresses(host: string, signal: AbortSignal): Promise<readonly string[]>
}

export type Reached =
  | { readonly kind: 'answer'; readonly response: Response; readonly url: URL }
  /** We refuse. */
  | { readonly kind: 'refused'; readonly why: Refusal }
  /** We could not: a later attempt may succeed. */
  | { readonly kind: 'unreached'; readonly why: 'dns' | 'timeout' | 'network' }

/** `signal` bounds everything, including reading the response body. Never rejects. */
export async function reach(network: Network, address: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<Reached> {
  const url = await checkAddress(network, address, init.signal)
  if (!(url instanceof URL)) return url
  try {
    return { kind: 'answer', response: await network.fetch(url.href, { ...init, redirect: 'manual' }), url }
  } catch {
    return { kind: 'unreached', why: init.signal.aborted ? 'timeout' : 'network' }
  }
}

/** The URL, if we may call it. Never rejects. */
export async function checkAddress(
  network: Network,
  address: string,
  signal: AbortSignal,
): Promise<URL | Exclude<Reached, { kind: 'answer' }>> {
  const url = parseTarget(address, network.rules)
  if (typeof url === 'string') return { kind: 'refused', why: url }
  switch (await resolve(network, url, signal)) {
    case 'outside':
      return url
    case 'inside':
      return { kind: 'refused', why: 'private' }
    case 'nowhere':
      return { kind: 'unreached', why: signal.aborted ? 'timeout' : 'dns' }
  }
}

/** One internal address is enough to refuse: we cannot control which of them the platform would use. */
async function resolve(network: Network, url: URL, signal: AbortSignal): Promise<'outside' | 'inside' | 'nowhere'> {
  const host = hostOf(url)
  if (network.rules.anywhere || isLiteral(host)) return 'outside' // a literal address was already checked as written
  try {
    const addresses = await network.addresses(host, signal)
    if (addresses.length === 0) return 'nowhere'
    return addresses.every(isPublic) ? 'outside' : 'inside'
  } catch {
    return 'nowhere'
  }
}

/** The delay that `Retry-After` asks for, in milliseconds; undefined if it says nothing we understand. */
export function retryAfter(response: Response, now: number): number | undefined {
  const text = response.headers.get('retry-after')?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

/** A body of at most so many bytes; null: it has more. Rejects if the connection breaks or the time is up. */
export async function bodyUpTo(response: Response, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const { body } = response
  if (Number(response.headers.get('content-length') ?? 0) > limit) {
    await body?.cancel()
    return null
  }
  return bytesUpTo(body, limit)
}
