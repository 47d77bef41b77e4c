/**
 * Which addresses Loam may call on someone's behalf: https, a public name or a public unicast address, nothing in this network or on this
 * machine. The URL parser has already normalised every spelling of an IPv4 address (octal, hexadecimal, one number) to four bytes. Pure.
 * What a name resolves to is looked up elsewhere and checked by `isPublic`.
 */
import ipaddr from 'ipaddr.js'

/** scheme, credentials, port: the form is refused · private: it points, or may point, to an internal address. */
export type Refusal = 'not_a_url' | 'scheme' | 'credentials' | 'port' | 'private'

export interface Rules {
  /** Only for a person's own machine and for tests: plain http, and internal addresses. */
  readonly anywhere: boolean
}

const MAX_URL = 2048 // characters
/** Names that are internal by convention or by standard (RFC 6761, 6762, 8375, 9476). */
const INSIDE = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'test',
  'invalid',
  'onion',
  'alt',
]
/** Ports whose protocols can be tricked into misreading an HTTP request; the Fetch standard blocks the others of this kind. */
const PORTS: ReadonlySet<string> = new Set([
  '22',
  '23',
  '25',
  '53',
  '110',
  '143',
  '465',
  '587',
  '3306',
  '5432',
  '6379',
  '9200',
  '11211',
  '27017',
])
const GLOBAL = ipaddr.parseCIDR('2000::/3') // the only IPv6 space assigned for public unicast

/** The URL to call, or why not. The name's trailing dot and the fragment are dropped. */
export function parseTarget(text: string, rules: Rules): URL | Refusal {
  if (text.length > MAX_URL || !URL.canParse(text)) return 'not_a_url'
  const url = new URL(text)
  url.hash = ''
  if (url.protocol !== 'https:' && !(rules.anywhere && url.protocol === 'http:')) return 'scheme'
  if (url.username !== '' || url.password !== '') return 'credentials'
  if (rules.anywhere) return url
  if (PORTS.has(url.port)) return 'port'
  const host = hostOf(url)
  if (isLiteral(host)) return isPublic(host) ? url : 'private'
  return isInside(host) ? 'private' : url
}

/** Without the brackets of IPv6 and the trailing dot of a fully qualified name. */
export function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
}

export const isLiteral = (host: string): boolean => ipaddr.isValid(host)

/** Is this an address on the public internet? False for anything else, including text that is not an address. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL as [ipaddr.IPv6, number])
}

function isInside(host: string): boolean {
  if (!host.includes('.')) return true
  return INSIDE.some((name) => host === name || host.endsWith(`.${name}`))
}
