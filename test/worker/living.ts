/** Calls to the whole product as a client makes them. */
import { exports } from 'cloudflare:workers'
import { expect } from 'vitest'
import { ended } from './waiting'

export const app = (exports as unknown as { default: Fetcher }).default
const origin = 'https://loam.test'

export interface Got {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
  readonly body: any
}

export async function call(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Got> {
  const headers = { authorization: 'Bearer local-development-key', 'content-type': 'application/json', ...more }
  const response = await app.fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await bodyOf(response)
  return { status: response.status, text, body: /json$/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null }
}

/** Lines of JSON are text, whatever workerd makes of their type. */
export async function bodyOf(response: { arrayBuffer(): Promise<ArrayBuffer> }): Promise<string> {
  return new TextDecoder().decode(await response.arrayBuffer())
}

let made = 0
export async function corpus(config: object = {}): Promise<string> {
  const name = `living-${Date.now().toString(36)}-${made++}`
  expect((await call('PUT', `/v1/corpora/${name}`, config)).status).toBe(201)
  return `/v1/corpora/${name}`
}

export async function succeeded(base: string, job: string): Promise<void> {
  const { status } = await ended(job, async () => (await call('GET', `${base}/jobs/${job}?wait=20`)).body)
  expect(status).toBe('succeeded')
}
