/**
 * Which callers the local server answers. Its key is published, so no web page may use it: neither one open in a browser on this machine (a
 * foreign Origin), nor one whose name was made to resolve to this machine (a foreign Host). Requests meant for Miniflare itself are not let
 * through.
 */
import { isIP } from 'node:net'
import { hostname } from 'node:os'

export const PUBLISHED_KEY = 'local-development-key'
const INNER = /^(mf|cf)-/ // headers that only Miniflare or the platform may set

/** @param {string} address an address to listen on, or the name `localhost` */
export function isLoopback(address) {
  const bare = address.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}

/**
 * The admin key: the published one if only this machine can connect; otherwise the user's own, or a random one kept in the state.
 * @param {{listen: string, given: string | undefined, own: () => string}} options
 */
export function adminKey({ listen, given, own }) {
  if (isLoopback(listen)) return given ?? PUBLISHED_KEY
  if (given === PUBLISHED_KEY) {
    throw new Error(
      `The key ${PUBLISHED_KEY} is published: with LOAM_LISTEN=${listen} set ADMIN_KEY to another, or leave it out and one is made.`,
    )
  }
  return given ?? own()
}

/**
 * @param {{listen?: string, names?: readonly string[]}} options `names`: further host names of this server
 * @returns {(request: import('node:http').IncomingMessage) => {status: number, code: string, title: string} | undefined} why not; undefined: continue
 */
export function guard({ listen = '127.0.0.1', names = [] } = {}) {
  const open = !isLoopback(listen)
  const known = new Set(['localhost', ...(open ? [hostname().toLowerCase()] : []), ...names.map((name) => name.toLowerCase())])
  // A page gets here by a host name; an IP address in Host was typed by a person.
  const isOurs = (name) => known.has(name) || isLoopback(name) || (open && isIP(name.replace(/^\[|\]$/g, '')) > 0)
  return ({ headers, method, url }) => {
    const { host = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
    if (!isOurs(nameIn(host)))
      return { status: 421, code: 'wrong_host', title: 'This server does not answer to that host name; LOAM_HOSTS adds names' }
    if (origin !== undefined && hostOf(origin) !== host) return foreign
    const elsewhere = site === 'cross-site' || site === 'same-site'
    if (elsewhere && !(mode === 'navigate' && (method === 'GET' || method === 'HEAD'))) return foreign
    if (!url.startsWith('/') || isInner(url)) return { status: 404, code: 'not_found', title: 'There is nothing here' }
    return undefined
  }
}

const foreign = { status: 403, code: 'foreign_origin', title: 'Pages of other sites may not use a local Loam' }

/** Clients can set neither Miniflare's headers nor the platform's statements about them. */
export const isInnerHeader = (name) => INNER.test(name)

function nameIn(host) {
  return hostOf(`http://${host}`) === undefined ? '' : new URL(`http://${host}`).hostname
}

function hostOf(origin) {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/** `/cdn-cgi/` in any spelling. */
function isInner(url) {
  const { pathname } = new URL(`http://local${url}`)
  return /^\/*cdn-cgi(\/|$)/i.test(decoded(pathname))
}

function decoded(path) {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
