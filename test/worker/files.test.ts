/** The PDF that a document was read from, in the running worker: sent, kept in the object, read back byte for byte. */
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { bytesOf, pdf, shown } from '../node/http/pdf-bytes'
import { ended } from './waiting'

const app = (exports as unknown as { default: Fetcher }).default
const BASE = `https://loam.test/v1/corpora/files-${Date.now().toString(36)}`
const MIB = 1024 * 1024

const request = (method: string, path: string, body?: BodyInit, type = 'application/json'): Promise<Response> =>
  app.fetch(`${BASE}${path}`, {
    method,
    headers: { authorization: 'Bearer local-development-key', ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  }) as unknown as Promise<Response>

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
const call = async (...sent: Parameters<typeof request>): Promise<any> => (await request(...sent)).json()

async function put(document: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { job, ...said } = await call('PUT', `/documents/${document}?wait=20`, bytes, 'application/pdf')
  expect(said).toMatchObject({ document })
  await ended(job, () => call('GET', `/jobs/${job}?wait=20`))
}

/** The largest that may arrive: its page is small, the rest is lines of comment. */
function largest(): Uint8Array<ArrayBuffer> {
  const page = pdf([shown('A heron waits by the mill.')])
  const line = (i: number): number => (i % 64 === 63 ? 10 : i % 64 === 0 ? 37 : 97 + (i % 23))
  const length = 64 * Math.floor((16 * MIB - page.length) / 64)
  return bytesOf(
    page.subarray(0, 9),
    Uint8Array.from({ length }, (_, i) => line(i)),
    page.subarray(9),
  )
}

describe('a kept file', () => {
  it('[H2130] comes back byte for byte, with its length on the wire', async () => {
    await call('PUT', '', JSON.stringify({ strategies: [] }))
    const sent = pdf([shown('An owl hunts over the marsh.')])
    await put('owl', sent)
    const response = await request('GET', '/documents/owl/file')
    expect([response.status, response.headers.get('content-type'), response.headers.get('content-length')]).toEqual([
      200,
      'application/pdf',
      String(sent.length),
    ])
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(sent)
    expect((await call('GET', '/documents/owl')).file).toEqual({ media_type: 'application/pdf', bytes: sent.length })
  })

  it('[H2132] [H2135] stays in another language, and goes with a text that takes its place', async () => {
    const { job } = await call('PATCH', '/documents/owl', JSON.stringify({ language: 'sv' }))
    await ended(job, () => call('GET', `/jobs/${job}?wait=20`))
    expect(await (await request('GET', '/documents/owl/file')).text()).toMatch(/^%PDF-/)
    const put = await call('PUT', '/documents/owl?wait=20', JSON.stringify({ text: 'An owl hunts no more.' }))
    await ended(put.job, () => call('GET', `/jobs/${put.job}?wait=20`))
    expect((await call('GET', '/documents/owl/file')).code).toBe('file_not_found')
  })

  it('[H2131] may be as large as a body', async () => {
    const sent = largest()
    expect(16 * MIB - sent.length).toBeLessThan(100)
    await put('large', sent)
    const back = new Uint8Array(await (await request('GET', '/documents/large/file')).arrayBuffer())
    expect([back.length, back.every((byte, i) => byte === sent[i])]).toEqual([sent.length, true])
  })
})
