/**
 * May this page be fetched? Decided by the site's robots.txt as RFC 9309 defines: 4xx allows everything, 5xx and no response allow nothing.
 * The holder of the `Robots` remembers a site's rules for a while, so that a hundred pages of one site cost one request.
 */
import robotsParser from 'robots-parser'
import { bodyUpTo, type Network, reach } from '../outbound/reach'

const LIMIT = 512 * 1024 // bytes read; the RFC asks for at least 500 KiB
const MAX_WILDCARDS = 10_000 // in a file; matching each costs a pass over the address, and no site needs hundreds
const KEPT = 600_000 // ms
const MAX = 200 // sites remembered
const STAR = 0x2a
const HOPS = 5 // redirects followed; the RFC asks for at least five
const NAME = 'loam' // the product token that rules name

type Says = (url: string) => boolean

/** yes · no: the site forbids it · unknown: the site does not say because it is down. */
export type Robots = (network: Network, url: URL, signal: AbortSignal, now: number) => Promise<'yes' | 'no' | 'unknown'>

export function robots(agent: string): Robots {
  const known = new Map<string, { readonly says: Says; readonly until: number }>()
  return async (network, url, signal, now) => {
    const held = known.get(url.origin)
    if (held && held.until > now) return held.says(url.href) ? 'yes' : 'no'
    const says = await look(network, `${url.origin}/robots.txt`, { agent, signal })
    if (!says) return 'unknown'
    if (known.size >= MAX) known.clear()
    known.set(url.origin, { says, until: now + KEPT })
    return says(url.href) ? 'yes' : 'no'
  }
}

async function look(network: Network, from: string, { agent, signal }: { agent: string; signal: AbortSignal }): Promise<Says | null> {
  let address = from
  for (let hop = 0; hop <= HOPS; hop++) {
    const reached = await reach(network, address, { headers: { 'user-agent': agent }, signal })
    if (reached.kind !== 'answer') return null
    const { response } = reached
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel().catch(() => undefined)
      if (!URL.canParse(location, address)) return null
      address = new URL(location, address).href
      continue
    }
    if (response.ok) return rules(from, response)
    await response.body?.cancel().catch(() => undefined)
    return response.status >= 500 || response.status === 429 ? null : () => true
  }
  return () => true // too many redirects: unavailable, which allows everything
}

async function rules(from: string, response: Response): Promise<Says | null> {
  try {
    const bytes = await bodyUpTo(response, LIMIT)
    if (!bytes) return null // larger than any site needs: treated as if the site were down
    if (bytes.reduce((stars, byte) => stars + (byte === STAR ? 1 : 0), 0) > MAX_WILDCARDS) return null // likewise
    const parsed = robotsParser(from, new TextDecoder().decode(bytes))
    return (url) => parsed.isAllowed(url, NAME) !== false
  } catch {
    return null
  }
}
