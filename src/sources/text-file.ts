/** A listing as fetched: text of bounded size, unpacked if it is compressed. */
import { bytesUpTo } from '../bytes-up-to'
import { bodyUpTo, retryAfter } from '../outbound/reach'
import { type Failed, failed, follow, headersFor, type Reader } from './page'

const MIB = 1024 * 1024
const SENT = 16 * MIB // bytes as sent
const UNPACKED = 24 * MIB // bytes of text
const TIMEOUT = 60_000 // ms for robots.txt, all redirects and the body together

/** Redirects stay on the site. Never rejects. */
export async function fetchText(reader: Reader, url: string, accept: string): Promise<string | Failed> {
  const asking = { headers: headersFor(reader, null, accept), signal: AbortSignal.timeout(TIMEOUT), origin: new URL(url).origin }
  const response = await follow(reader, url, asking)
  if (!(response instanceof Response)) return response
  if (response.status !== 200) {
    await response.body?.cancel().catch(() => undefined)
    return failed(`http_${response.status}`, retryAfter(response, reader.now()))
  }
  try {
    const sent = await bodyUpTo(response, SENT)
    const bytes = sent && isGzip(sent) ? await unpacked(sent) : sent
    return bytes ? new TextDecoder(encodingOf(bytes)).decode(bytes) : failed('too_large')
  } catch {
    return failed('unreadable')
  }
}

const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | null> {
  return bytesUpTo(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')), UNPACKED)
}

/** The encoding that XML declares; UTF-8 if it declares none or an unknown one. */
function encodingOf(bytes: Uint8Array): string {
  const declared = /^[^>]*\bencoding=["']([\w-]+)["']/.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 200)))?.[1]
  try {
    return new TextDecoder(declared).encoding
  } catch {
    return 'utf-8'
  }
}
