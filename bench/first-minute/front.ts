/** Stands before a local Loam as Cloudflare's edge stands before a deployment: TLS, HTTP/2 and compressed answers. The certificate is made here and thrown away. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { brotliCompressSync, constants, createBrotliCompress } from 'node:zlib'

const QUALITY = 4 // of Brotli, as the edge compresses on the way
const COMPRESSED = /^(?:text\/|application\/(?:javascript|json))|svg/

export interface Front {
  readonly url: string
  readonly close: () => void
}

/** `page`: the folder of a built page that stands in front of this Loam's own. */
export async function frontOf(loam: string, page?: string): Promise<Front> {
  const server = createSecureServer({ ...certificate(), allowHTTP1: false }, (asked, answer) => {
    if (page === undefined || !serve(page, asked, answer)) forward(new URL(loam), asked, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}`, close: () => server.close() }
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** False: it is no file of the page. */
function serve(page: string, asked: Http2ServerRequest, answer: Http2ServerResponse): boolean {
  const { pathname } = new URL(asked.url, 'https://page')
  const file = join(page, normalize(pathname === '/' ? '/index.html' : pathname))
  const type = TYPES[extname(file)]
  if (type === undefined || !existsSync(file)) return false
  answer.writeHead(200, { 'content-type': type, 'content-encoding': 'br' })
  answer.end(brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }))
  return true
}

/** The local Loam lets in what names its own address alone. */
function forward({ hostname, port, origin }: URL, asked: Http2ServerRequest, answer: Http2ServerResponse): void {
  const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !name.startsWith(':') && name !== 'accept-encoding'))
  const own = { host: `${hostname}:${port}`, ...(headers.origin ? { origin } : {}) }
  const onward = request({ host: hostname, port, path: asked.url, method: asked.method, headers: { ...headers, ...own } }, (back) => {
    const { connection, 'keep-alive': alive, 'transfer-encoding': chunked, 'content-length': length, ...kept } = back.headers
    const isSmall = length !== undefined && Number(length) < 50
    if (isSmall || !COMPRESSED.test(kept['content-type'] ?? '')) {
      answer.writeHead(back.statusCode ?? 502, kept)
      back.pipe(answer)
      return
    }
    answer.writeHead(back.statusCode ?? 502, { ...kept, 'content-encoding': 'br' })
    back.pipe(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })).pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  asked.pipe(onward)
}

function certificate(): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'loam-front-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const made = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=127.0.0.1',
    ]
    execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
