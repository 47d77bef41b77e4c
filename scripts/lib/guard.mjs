/**
 * Whom the local server answers. Its key is published, so no web page may use it: neither one that is open in a browser beside it (a foreign
 * Origin), nor one whose name has been made to lead to this machine (a foreign Host). What speaks to Miniflare itself is not let through.
 */
import { isIP } from 'node:net'
import { hostname } from 'node:os'

export const PUBLISHED_KEY = 'local-development-key'
const INNER = /^(mf|cf)-/ // headers that Miniflare, or the platform alone, may set

/** @param {string} address an address to listen on, or the name `localhost` */
export function isLoopback(address) {
  const bare = address.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}

/**
 * The admin key: published on this machine alone; beyond it one's own, or a random one that the state keeps.
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
 * @param {{listen?: string, names?: readonly string[]}} options `names`: further names this server may be called by
 * @returns {(request: import('node:http').IncomingMessage) => {status: number, code: string, title: string} | undefined} why not; undefined: go on
 */
export function guard({ listen = '127.0.0.1', names = [] } = {}) {
  const open = !isLoopback(listen)
  const known = new Set(['localhost', ...(open ? [hostname().toLowerCase()] : []), ...names.map((name) => name.toLowerCase())])
  // A page is led here by a name; an address in Host was typed.
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

/** Neither Miniflare's headers nor what the platform says of a client can be given by the client. */
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
