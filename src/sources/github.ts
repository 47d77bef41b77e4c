/**
 * The files of a repository on GitHub, through its REST API: what the tree of a branch or tag lists, each file identified by the hash of
 * its content, so that an unchanged file is never requested. The content is compared with that hash: a stale cache is asked again later.
 * GitHub's API exists for this, so robots.txt is not consulted. With a token, contents also come from the API, by their hash; the token is
 * sent nowhere else.
 */
import { z } from 'zod'
import { fileTypeByName, mediaTypeByName } from '../contract/file-types'
import { bodyUpTo, reach, retryAfter } from '../outbound/reach'
import type { FetchOutcome, ItemOrder, ItemsOrder, Listed, Listing, ListOrder } from '../ports/sources'
import type { Kind } from './kind'
import { credentialOf, type Failed, failed, type Reader, takeBytes } from './page'
import { isTaken } from './paths'
import { idOf } from './sitemap'

const MIB = 1024 * 1024
const TREE = 8 * MIB // bytes of a listing; GitHub truncates at 7 MB and 100,000 files and says so
const FILE = 16 * MIB // bytes
const TIMEOUT = 60_000 // ms
const MINUTE = 60_000 // ms: GitHub asks for at least one if it states no time
const JSON_TYPE = 'application/vnd.github+json'
const API = 'https://api.github.com'
const RAW = 'https://raw.githubusercontent.com'

const treeSchema = z.object({
  truncated: z.boolean().optional(),
  tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string().regex(/^[0-9a-f]{40}$/), size: z.number().optional() })),
})

export const github: Kind = {
  pace: 100,

  async list(reader, order) {
    const { repository, ref } = placeOf(order)
    const token = await credentialOf(reader, order)
    if (token !== null && typeof token !== 'string') return token
    const commit = await ask(reader, `${API}/repos/${repository}/commits/${encoded(ref)}`, { accept: 'application/vnd.github.sha', token })
    if (!(commit instanceof Uint8Array)) return commit
    const sha = new TextDecoder().decode(commit).trim()
    if (!/^[0-9a-f]{40}$/.test(sha)) return failed('unreadable')
    const listing = await ask(reader, `${API}/repos/${repository}/git/trees/${sha}?recursive=1`, { accept: JSON_TYPE, token, limit: TREE })
    return listing instanceof Uint8Array ? listed(order, listing) : listing
  },

  async look(reader, order, item) {
    const { repository, ref } = placeOf(order)
    const token = await credentialOf(reader, order)
    if (token !== null && typeof token !== 'string') return token
    // Without a token this avoids the API, which then allows only sixty requests an hour.
    const bytes = token
      ? await ask(reader, `${API}/repos/${repository}/git/blobs/${item.mark}`, { accept: 'application/vnd.github.raw+json', token })
      : await ask(reader, `${RAW}/${repository}/${encoded(ref)}/${encoded(item.key)}`, { accept: '*/*', token })
    if (token && !(bytes instanceof Uint8Array) && bytes.last === 'http_404') return failed('behind') // the next listing shows what happened to it
    if (!(bytes instanceof Uint8Array)) return bytes.last === 'http_404' ? { kind: 'missing', last: bytes.last } : bytes
    return take(reader, order, item, bytes)
  },
}

function placeOf({ url, options }: ListOrder | ItemsOrder): { readonly repository: string; readonly ref: string } {
  return { repository: new URL(url).pathname.slice(1), ref: options.ref ?? 'HEAD' }
}

/** Slashes stay unencoded: branch names may contain them. */
const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

function listed(order: ListOrder, bytes: Uint8Array): Listing | Failed {
  const parsed = treeSchema.safeParse(parse(bytes))
  if (!parsed.success) return failed('unreadable')
  const { repository } = placeOf(order)
  const files = parsed.data.tree.filter(
    ({ path, type, size = 0 }) => type === 'blob' && size <= FILE && isReadable(path) && isTaken(order.options, path),
  )
  const entries = files.slice(0, order.room).map(({ path, sha }): Listed => {
    return { key: path, document: idOf(order.source, `github/${repository}/${path}`), mark: sha, title: path, published: null }
  })
  return { kind: 'listed', entries, next: null, isComplete: !parsed.data.truncated && files.length <= order.room }
}

/** By its name. Pictures, recordings and videos are left out. */
function isReadable(path: string): boolean {
  const type = fileTypeByName(path)
  return type !== undefined && type !== 'image' && type !== 'audio' && type !== 'video'
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

async function take(reader: Reader, order: ItemsOrder, item: ItemOrder, bytes: Uint8Array<ArrayBuffer>): Promise<FetchOutcome> {
  if ((await blobHash(bytes)) !== item.mark) return failed('behind')
  const { repository, ref } = placeOf(order)
  const url = `https://github.com/${repository}/blob/${ref}/${encoded(item.key)}`
  const metadata = { ...order.metadata, repository, path: item.key }
  try {
    const given = { bytes, type: mediaTypeByName(item.key) ?? '', path: item.key, etag: null, modified: null }
    return await takeBytes(reader, { ...item, url, metadata }, given)
  } catch {
    return failed('unreadable')
  }
}

/** The hash that git gives a file's content. */
async function blobHash(bytes: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`blob ${bytes.length}\0`)
  const whole = new Uint8Array(head.length + bytes.length)
  whole.set(head)
  whole.set(bytes, head.length)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', whole))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

interface Asked {
  readonly accept: string
  readonly token: string | null
  /** Bytes of the response. */
  readonly limit?: number
}

async function ask(reader: Reader, url: string, { accept, token, limit = FILE }: Asked): Promise<Uint8Array<ArrayBuffer> | Failed> {
  const headers = new Headers({ 'user-agent': reader.agent, accept, 'x-github-api-version': '2022-11-28' })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const reached = await reach(reader.network, url, { headers, signal: AbortSignal.timeout(TIMEOUT) })
  if (reached.kind !== 'answer') return failed(reached.kind === 'refused' ? `refused_${reached.why}` : reached.why)
  const { response } = reached
  try {
    if (response.status === 200) return (await bodyUpTo(response, limit)) ?? failed('too_large')
    await response.body?.cancel()
  } catch {
    return failed('network')
  }
  if (isLimit(response)) return failed('rate_limited', retryAfter(response, reader.now()) ?? untilReset(response, reader.now()) ?? MINUTE)
  return failed(response.status >= 300 && response.status < 400 ? 'moved' : `http_${response.status}`)
}

/** The hourly rate limit, or the secondary one, which states how long it lasts. */
function isLimit({ status, headers }: Response): boolean {
  return status === 429 || (status === 403 && (headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')))
}

function untilReset(response: Response, now: number): number | undefined {
  const reset = Number(response.headers.get('x-ratelimit-reset')) * 1000 - now
  return reset > 0 ? reset : undefined
}
