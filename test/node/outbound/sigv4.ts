/**
 * Signature Version 4 as AWS describes it, computed anew from the request as it came, by node:crypto and nothing that signs.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
import { createHash, createHmac } from 'node:crypto'

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([a-z0-9-]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/
const EMPTY = createHash('sha256').update('').digest('hex')
const SKEW = 15 * 60_000 // ms that a request's time may be off

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

export interface SignedRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
}

/** Why it is refused, in the code that S3 answers; null: the signature is that of this key over this request. */
export function refusalOf(
  { url, method, headers }: SignedRequest,
  key: { readonly id: string; readonly secret: string },
  now: number,
): string | null {
  const [, id, day = '', region = '', names = '', signature] = FORM.exec(headers.get('authorization') ?? '') ?? []
  if (id === undefined) return 'AccessDenied'
  if (id !== key.id) return 'InvalidAccessKeyId'
  const { host, pathname, searchParams } = new URL(url)
  const stamp = headers.get('x-amz-date') ?? ''
  const at = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!stamp.startsWith(day) || !(Math.abs(now - at) <= SKEW)) return 'RequestTimeTooSkewed'
  const signed = names.split(';')
  const needed = ['host', ...[...headers.keys()].filter((name) => name.startsWith('x-amz-'))]
  if (needed.some((name) => !signed.includes(name))) return 'AccessDenied'
  const body = headers.get('x-amz-content-sha256') ?? ''
  if (body !== 'UNSIGNED-PAYLOAD' && body !== EMPTY) return 'XAmzContentSHA256Mismatch'
  const query = [...searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const lines = [...signed]
    .sort()
    .map((name) => `${name}:${(name === 'host' ? host : (headers.get(name) ?? '')).trim().replace(/ +/g, ' ')}\n`)
  // The path as it came, each part of it encoded once.
  const path = pathname
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/')
  const canonical = [method, path, query.join('&'), lines.join(''), [...signed].sort().join(';'), body].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, hash(canonical)].join('\n')
  const own = [region, 's3', 'aws4_request'].reduce<Buffer>((with_, part) => hmac(with_, part), hmac(`AWS4${key.secret}`, day))
  return hmac(own, toSign).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}
