/** An operation asked as the reference describes it. */
import { exports } from 'cloudflare:workers'
import { expect } from 'vitest'
import { operations } from '../../src/http/routes'
import { bodyOf } from './living'

const ADMIN = 'local-development-key'
export const app = (exports as unknown as { default: Fetcher }).default
/** The corpus that is meant where none is named. */
export const name = `doors-${Date.now().toString(36)}`
/** Operations that have been. */
export const called: Set<string> = new Set()

interface Sent {
  readonly path?: { readonly [name: string]: string }
  readonly query?: string
  readonly body?: unknown
  readonly key?: string | null
  readonly headers?: { readonly [name: string]: string }
}

/** Sends what the description says, and holds the answer against it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the schemas they are described by
export async function call(id: string, { path = {}, query = '', body, key = ADMIN, headers = {} }: Sent = {}): Promise<any> {
  const operation = operations.find((one) => one.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  called.add(id)
  const places: { readonly [name: string]: string } = { corpus: name, ...path }
  const target = operation.path.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(places[place] ?? ''))
  const response = await app.fetch(`https://loam.test${target}${query}`, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': operation.body?.type ?? 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await bodyOf(response)
  const answer = operation.answers[response.status]
  expect([id, answer === undefined ? `${response.status}: ${text}` : 'described']).toEqual([id, 'described'])
  if (!answer?.schema) return text
  const value = JSON.parse(text)
  // What the schema does not name would be lost in parsing.
  expect([id, answer.schema.parse(value)]).toEqual([id, value])
  return value
}
