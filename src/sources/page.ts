/**
 * A page, fetched: robots asked, redirects followed one by one (each address judged like the first), the answer bounded in size and time and
 * turned into a document. A page that has not changed is not read.
 */
import { MAX_TEXT } from '../contract/document-limits'
import { fileTypeOf } from '../contract/file-types'
import { bodyUpTo, checkAddress, type Network, reach, retryAfter } from '../outbound/reach'
import type { Conversion, Converter } from '../ports/conversion'
import type { FetchOutcome, SourceOrder } from '../ports/sources'
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
  now(): number
}

type Failed = FetchOutcome & { readonly kind: 'failed' }
const failed = (last: string, asked?: number): Failed => ({ kind: 'failed', last, ...(asked === undefined ? {} : { retryAfter: asked }) })

/** Never rejects. */
export async function fetchPage(reader: Reader, order: SourceOrder): Promise<FetchOutcome> {
  const signal = AbortSignal.timeout(TIMEOUT)
  const headers = headersFor(reader, order)
  let address = order.url
  for (let hop = 0; hop <= HOPS; hop++) {
    const allowed = await reader.robots(reader.network, new URL(address), signal, reader.now())
    if (allowed !== 'yes') return await whyNot(reader, address, allowed, signal)
    const reached = await reach(reader.network, address, { headers, signal })
    if (reached.kind !== 'answer') return failed(reached.kind === 'refused' ? `refused_${reached.why}` : reached.why)
    const { response, url } = reached
    const location = response.headers.get('location')
    if (response.status === 304 || response.status < 300 || response.status >= 400 || location === null) {
      return answered(reader, order, response)
    }
    await response.body?.cancel().catch(() => undefined)
    if (!URL.canParse(location, url.href)) return failed('redirect')
    address = new URL(location, url.href).href
  }
  return failed('redirects')
}

/** An address that is refused is refused for itself, not for the robots.txt we could not ask. */
async function whyNot({ network }: Reader, address: string, allowed: 'no' | 'unknown', signal: AbortSignal): Promise<Failed> {
  if (allowed === 'no') return failed('robots')
  const url = await checkAddress(network, address, signal)
  if (url instanceof URL) return failed('robots_unreachable')
  return failed(url.kind === 'refused' ? `refused_${url.why}` : url.why)
}

function headersFor({ agent }: Reader, { known }: SourceOrder): Headers {
  const headers = new Headers({ 'user-agent': agent, accept: ACCEPT })
  if (known?.etag) headers.set('if-none-match', known.etag)
  if (known?.modified) headers.set('if-modified-since', known.modified)
  return headers
}

async function answered(reader: Reader, order: SourceOrder, response: Response): Promise<FetchOutcome> {
  const { status } = response
  if (status === 200) return read(reader, order, response)
  await response.body?.cancel().catch(() => undefined)
  if (status === 304) return order.known ? { kind: 'unchanged' } : failed('http_304')
  if (status === 404 || status === 410) return { kind: 'missing', last: `http_${status}` }
  return failed(`http_${status}`, retryAfter(response, reader.now()))
}

async function read(reader: Reader, order: SourceOrder, response: Response): Promise<FetchOutcome> {
  try {
    const bytes = await bodyUpTo(response, LIMIT)
    if (!bytes) return failed('too_large')
    const hash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
    if (order.known?.hash === hash) return { kind: 'unchanged' }
    const made = await textOf(reader, bytes, response.headers.get('content-type') ?? '', order.url)
    if (typeof made === 'string') return failed(made)
    const text = storable(made.text)
    if (text.trim() === '') return failed('blank')
    if (new TextEncoder().encode(text).length > MAX_TEXT) return failed('too_large')
    const title = storable(made.title).slice(0, 1000)
    const { outline = [], dates } = made
    const document = {
      id: order.document,
      text,
      title,
      url: order.url,
      metadata: order.metadata,
      ...(outline.length > 0 ? { outline } : {}),
      ...(dates ? { dates } : {}),
    }
    return { kind: 'fetched', document, etag: short(response, 'etag'), modified: short(response, 'last-modified'), hash }
  } catch {
    return failed('network') // the connection broke, the time was up, or the converter is down: it is tried again
  }
}

/** As `last_result` says it. */
const RESULTS = {
  encrypted: 'encrypted',
  no_text: 'blank',
  broken: 'unreadable',
  too_large: 'too_large',
  encoding: 'charset',
  unsupported: 'type',
} as const

/** The text, or why there is none. What the site says little of is what its name says. */
async function textOf(
  reader: Reader,
  bytes: Uint8Array<ArrayBuffer>,
  header: string,
  url: string,
): Promise<Exclude<Conversion, { kind: 'unreadable' }> | string> {
  const type = fileTypeOf(header.split(';')[0] ?? '', new URL(url).pathname)
  if (!type) return 'type'
  const done = await reader.convert({ bytes, type, charset: /;\s*charset="?([^";\s]+)/i.exec(header)?.[1] })
  return done.kind === 'converted' ? done : RESULTS[done.why]
}

/** As the HTTP face does with texts sent to it: what cannot be stored as it is becomes one U+FFFD, so offsets hold. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

const short = (response: Response, header: string): string | null => {
  const value = response.headers.get(header)
  return value !== null && value.length <= 512 ? value : null
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
