/**
 * Fetches a page: robots.txt is consulted, redirects are followed one by one (each address checked like the first), and the response is
 * bounded in size and time and turned into a document. An unchanged page is not read.
 */
import { MAX_TEXT } from '../contract/document-limits'
import { type FileType, fileTypeOf } from '../contract/file-types'
import type { Dates } from '../core/text/iso-date'
import { openSecrets, type Vault } from '../hooks/seal'
import { bodyUpTo, checkAddress, type Network, reach, retryAfter } from '../outbound/reach'
import type { BucketRoute, Buckets } from '../ports/buckets'
import type { Conversion, Converter } from '../ports/conversion'
import type { FetchOutcome, Known, ListOrder, PageOrder } from '../ports/sources'
import type { Robots } from './robots'

const LIMIT = 16 * 1024 * 1024 // bytes of a page or a PDF
const TIMEOUT = 60_000 // ms for robots.txt, all redirects and the body together
const HOPS = 5 // redirects
const ACCEPT = 'text/html,text/markdown;q=0.9,text/plain;q=0.8,application/pdf;q=0.7,*/*;q=0.5'

export interface Reader {
  readonly network: Network
  readonly robots: Robots
  readonly agent: string
  readonly convert: Converter
  /** Opens the credentials of private sources. Null: there is no master key. */
  readonly vault: Vault | null
  /** The buckets bound to the Worker. Null: none. */
  readonly buckets?: Buckets | null
  /** A source should hear of changes in a bucket. */
  route?(route: Pick<BucketRoute, 'bucket' | 'prefix' | 'source'>): Promise<void>
  now(): number
  /** Milliseconds between two requests, if an API limits their rate. */
  wait(ms: number): Promise<void>
}

export type Failed = Extract<FetchOutcome, { kind: 'failed' }>
export const failed = (last: string, asked?: number): Failed => ({
  kind: 'failed',
  last,
  ...(asked === undefined ? {} : { retryAfter: asked }),
})

/** The credential to use. Null: it needs none. */
export async function credentialOf(
  { vault }: Reader,
  { source, secrets }: Pick<ListOrder, 'source' | 'secrets'>,
): Promise<string | null | Failed> {
  if (!secrets) return null
  if (!vault) return failed('no_master_key')
  if (secrets.length === 0) return failed('no_credential')
  const [found] = await openSecrets(vault, secrets, source)
  return found?.secret ?? failed('master_key_changed')
}

/** A page from a listing is on the site that lists it; the listing's title and date are used if the page has none. */
export interface ListedPage extends PageOrder {
  readonly origin?: string
  readonly title?: string
  readonly published?: string | null
}

/** Never rejects. */
export async function fetchPage(reader: Reader, order: ListedPage): Promise<FetchOutcome> {
  const asking: Asking = {
    headers: headersFor(reader, order.known, ACCEPT),
    signal: AbortSignal.timeout(TIMEOUT),
    ...(order.origin === undefined ? {} : { origin: order.origin }),
  }
  const response = await follow(reader, order.url, asking)
  return response instanceof Response ? answered(reader, order, response) : response
}

export interface Asking {
  readonly headers: Headers
  readonly signal: AbortSignal
  /** Redirects must stay on this site. Absent: they may lead anywhere public. */
  readonly origin?: string
}

/** The response at the end of all redirects, each requested like the first. Never rejects. */
export async function follow(reader: Reader, start: string, { headers, signal, origin }: Asking): Promise<Response | Failed> {
  let address = start
  for (let hop = 0; hop <= HOPS; hop++) {
    const url = URL.parse(address)
    if (origin !== undefined && url?.origin !== origin) return failed('redirect_origin')
    const allowed = url ? await reader.robots(reader.network, url, signal, reader.now()) : 'unknown'
    if (allowed !== 'yes') return await whyNot(reader, address, allowed, signal)
    const reached = await reach(reader.network, address, { headers, signal })
    if (reached.kind !== 'answer') return failed(reached.kind === 'refused' ? `refused_${reached.why}` : reached.why)
    const { response } = reached
    const location = response.headers.get('location')
    if (response.status === 304 || response.status < 300 || response.status >= 400 || location === null) return response
    await response.body?.cancel().catch(() => undefined)
    if (!URL.canParse(location, reached.url.href)) return failed('redirect')
    address = new URL(location, reached.url.href).href
  }
  return failed('redirects')
}

/** A refused address is reported as such, not as a robots.txt that we could not fetch. */
async function whyNot({ network }: Reader, address: string, allowed: 'no' | 'unknown', signal: AbortSignal): Promise<Failed> {
  if (allowed === 'no') return failed('robots')
  const url = await checkAddress(network, address, signal)
  if (url instanceof URL) return failed('robots_unreachable')
  return failed(url.kind === 'refused' ? `refused_${url.why}` : url.why)
}

export function headersFor({ agent }: Reader, known: Pick<Known, 'etag' | 'modified'> | null, accept: string): Headers {
  const headers = new Headers({ 'user-agent': agent, accept })
  if (known?.etag) headers.set('if-none-match', known.etag)
  if (known?.modified) headers.set('if-modified-since', known.modified)
  return headers
}

async function answered(reader: Reader, order: ListedPage, response: Response): Promise<FetchOutcome> {
  if (response.status !== 200) return await notGiven(reader, response, order.known !== null)
  try {
    const bytes = await bodyUpTo(response, LIMIT)
    if (!bytes) return failed('too_large')
    return await takeBytes(reader, order, {
      bytes,
      type: response.headers.get('content-type') ?? '',
      path: new URL(order.url).pathname,
      etag: short(response, 'etag'),
      modified: short(response, 'last-modified'),
    })
  } catch {
    return failed('network') // the connection broke, or the time was up: it will be retried
  }
}

/** The outcome of a response that has no body for us. */
export async function notGiven(reader: Reader, response: Response, isKnown: boolean): Promise<FetchOutcome> {
  const { status } = response
  await response.body?.cancel().catch(() => undefined)
  if (status === 304) return isKnown ? { kind: 'unchanged' } : failed('http_304')
  if (status === 404 || status === 410) return { kind: 'missing', last: `http_${status}` }
  return failed(`http_${status}`, retryAfter(response, reader.now()))
}

export interface Given extends Pick<Known, 'etag' | 'modified'> {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** As in a header. */
  readonly type: string
  /** If the content type is generic, the file name decides. */
  readonly path: string
}

/** The bytes as a document, unless they are unchanged. Rejects if the converter does. */
export async function takeBytes(reader: Pick<Reader, 'convert'>, order: TakenAs, given: Given): Promise<FetchOutcome> {
  const hash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', given.bytes)))
  if (order.known?.hash === hash) return { kind: 'unchanged' }
  const made = await textOf(reader, given, order.document)
  if ('last' in made) return made
  const text = storable(made.text)
  if (text.trim() === '') return failed('blank')
  if (new TextEncoder().encode(text).length > MAX_TEXT) return failed('too_large')
  const title = storable(made.title || (order.title ?? '')).slice(0, 1000)
  const { outline = [] } = made
  const dates = { ...published(order.published), ...made.dates }
  const document = {
    id: order.document,
    text,
    title,
    url: order.url,
    metadata: order.metadata,
    ...(outline.length > 0 ? { outline } : {}),
    ...(Object.keys(dates).length > 0 ? { dates } : {}),
    ...(typeOf(given) === 'pdf' ? { file: given.bytes } : {}),
  }
  return { kind: 'fetched', document, etag: given.etag, modified: given.modified, hash }
}

export type TakenAs = Omit<ListedPage, 'url' | 'origin'> & { readonly url: string | null }

const published = (date: string | null | undefined): Dates => (date ? { published_at: { value: date, source: 'feed' } } : {})

/** In the words of `last_result`. */
const RESULTS = {
  encrypted: 'encrypted',
  no_text: 'blank',
  broken: 'unreadable',
  too_large: 'too_large',
  encoding: 'charset',
  unsupported: 'type',
  over_budget: 'over_budget',
  unavailable: 'model_unavailable',
} as const

export const resultOf = (why: keyof typeof RESULTS): string => RESULTS[why]

const typeOf = ({ type, path }: Pick<Given, 'type' | 'path'>): FileType | undefined => fileTypeOf(type.split(';')[0] ?? '', path)

/** The text, or why there is none. */
async function textOf(
  { convert }: Pick<Reader, 'convert'>,
  given: Given,
  document: string,
): Promise<Exclude<Conversion, { kind: 'unreadable' }> | Failed> {
  const type = typeOf(given)
  if (!type) return failed('type')
  const done = await convert({ bytes: given.bytes, type, charset: /;\s*charset="?([^";\s]+)/i.exec(given.type)?.[1], document })
  return done.kind === 'converted' ? done : failed(RESULTS[done.why], done.retryAfter)
}

/** As the HTTP API does with texts sent to it: characters that cannot be stored each become one U+FFFD, so offsets stay right. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

export const short = (response: Response, header: string): string | null => {
  const value = response.headers.get(header)
  return value !== null && value.length <= 512 ? value : null
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
