/**
 * A bucket that speaks S3, by its endpoint, with the bucket in the path: each request is signed (SigV4) and its address checked like any
 * other.
 */
import { AwsV4Signer } from 'aws4fetch'
import { z } from 'zod'
import { bodyUpTo, reach, retryAfter } from '../outbound/reach'
import type { Bucket, Unanswered } from '../ports/buckets'
import { readS3Listing, tagOf } from '../reading/s3-listing'
import type { Reader } from './page'

const LISTING = 8 * 1024 * 1024 // bytes; a thousand keys take a few hundred kB
const TIMEOUT = 60_000 // ms
const MINUTE = 60_000 // ms
const AWS = /^s3[.-]([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/

export const s3KeySchema = z.object({ access_key_id: z.string(), secret_access_key: z.string() })
export type S3Key = z.output<typeof s3KeySchema>

export interface S3Place {
  /** `https://endpoint/bucket`. */
  readonly address: string
  readonly region: string
}

/** As in AWS's host names; other services use `us-east-1`, R2 and MinIO among them. */
export const regionOf = (host: string): string => AWS.exec(host)?.[1] ?? 'us-east-1'

export function s3(reader: Reader, { address, region }: S3Place, key: S3Key): Bucket {
  const ask = async (url: string, headers: Record<string, string> = {}): Promise<Response | Unanswered> => {
    const signer = new AwsV4Signer({
      ...{ url, method: 'GET', service: 's3', region, headers },
      ...{ accessKeyId: key.access_key_id, secretAccessKey: key.secret_access_key },
      datetime: new Date(reader.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    })
    const signed = await signer.sign()
    const sent = new Headers(signed.headers)
    sent.set('user-agent', reader.agent)
    const reached = await reach(reader.network, signed.url.href, { headers: sent, signal: AbortSignal.timeout(TIMEOUT) })
    if (reached.kind === 'answer') return reached.response
    return { kind: 'failed', last: reached.kind === 'refused' ? `refused_${reached.why}` : reached.why }
  }
  return {
    async list(prefix, after) {
      const query = new URLSearchParams({
        'list-type': '2',
        'max-keys': '1000',
        prefix,
        ...(after === null ? {} : { 'start-after': after }),
      })
      const response = await ask(`${address}?${query}`)
      if (!(response instanceof Response)) return response
      if (response.status !== 200) return refused(reader, response)
      const bytes = await bodyOf(response, LISTING)
      const page = bytes && parse(new TextDecoder().decode(bytes))
      return page ?? { kind: 'failed', last: bytes === null ? 'too_large' : bytes ? 'unreadable' : 'network' }
    },
    async read(name, known, limit) {
      const response = await ask(`${address}/${encodeKey(name)}`, known === null ? {} : { 'if-none-match': `"${known}"` })
      if (!(response instanceof Response)) return response
      if (response.status === 304) return { kind: 'unchanged' }
      if (response.status === 404) return missing(reader, response)
      if (response.status !== 200) return refused(reader, response)
      const bytes = await bodyOf(response, limit)
      if (bytes === null) return { kind: 'too_large' }
      if (!bytes) return { kind: 'failed', last: 'network' }
      const [etag, type] = ['etag', 'content-type'].map((header) => response.headers.get(header) ?? '')
      return { kind: 'read', etag: tagOf(etag ?? ''), type: type ?? '', bytes }
    },
  }
}

/** Null: the body is larger. Undefined: the connection broke. */
const bodyOf = (response: Response, limit: number) => bodyUpTo(response, limit).catch(() => undefined)

function parse(xml: string) {
  try {
    return readS3Listing(xml)
  } catch {
    return null
  }
}

/** Slashes stay unencoded; everything else is encoded as S3 signs it. */
const encodeKey = (key: string): string =>
  key
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`))
    .join('/')

/** A missing bucket does not mean that an object is gone. */
async function missing(reader: Reader, response: Response): Promise<{ readonly kind: 'missing' } | Unanswered> {
  const body = await bodyOf(response, 65_536)
  const code = body ? /<Code>(\w+)<\/Code>/.exec(new TextDecoder().decode(body))?.[1] : undefined
  return code === 'NoSuchKey' ? { kind: 'missing' } : refused(reader, response)
}

async function refused(reader: Reader, response: Response): Promise<Unanswered> {
  await response.body?.cancel().catch(() => undefined)
  const { status } = response
  const asked = retryAfter(response, reader.now())
  if (status === 429 || status === 503) return { kind: 'failed', last: 'rate_limited', retryAfter: asked ?? MINUTE }
  return { kind: 'failed', last: `http_${status}`, ...(asked === undefined ? {} : { retryAfter: asked }) }
}
