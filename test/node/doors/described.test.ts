/** Whatever is sent, what comes back is described. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chatError } from '../../../src/contract/chat'
import { health } from '../../../src/contract/deployment'
import { problem } from '../../../src/contract/problem'
import { createApp } from '../../../src/http/app'
import { openapi } from '../../../src/http/openapi/document'
import { route } from '../../../src/http/route'
import { operations } from '../../../src/http/routes'
import { ADMIN, fakeWorld } from '../http/world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const { paths } = openapi(operations, '0') as unknown as {
  paths: Record<string, Record<string, { responses: Record<string, { readonly description: string }> }>>
}
const RUNS = 3_750

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', ' ', -1, 1.5, 2 ** 53, 'x'.repeat(9000), '../..', '\ud800', '__proto__', [], {}, true),
  fc.jsonValue({ maxDepth: 2 }),
)
const place = fc.oneof(
  { weight: 4, arbitrary: fc.constant('here') },
  { weight: 1, arbitrary: fc.string({ minLength: 1, unit: 'grapheme', maxLength: 20 }) },
)
const wild = fc.record({
  operation: fc.constantFrom(...operations),
  places: fc.array(place, { minLength: 2, maxLength: 2 }),
  part: fc.nat(9),
  value: odd,
  form: fc.constantFrom('fitting', 'mutated', 'mutated', 'odd', 'none'),
  query: fc.array(
    fc.tuple(fc.constantFrom('limit', 'cursor', 'wait', 'node', 'depth', 'layer', 'format', 'q'), fc.string({ maxLength: 8 })),
    { maxLength: 2 },
  ),
  key: fc.constantFrom(ADMIN, ADMIN, ADMIN, 'nonsense', null),
  type: fc.constantFrom('application/json', 'application/json', 'text/plain', 'image/png'),
  repeat: fc.option(fc.constantFrom('a', 'b', '\u00e9'), { nil: undefined, freq: 5 }),
})

type Wild = typeof wild extends fc.Arbitrary<infer T> ? T : never

function bodyOf({ operation, form, part, value }: Wild): string | undefined {
  const example = operation.body?.example
  if (form === 'none' || operation.method === 'get') return undefined
  if (form === 'odd' || typeof example !== 'object' || example === null) return JSON.stringify(value)
  const keys = Object.keys(example)
  const key = keys[part % (keys.length + 1)] ?? 'extra'
  return JSON.stringify(form === 'fitting' ? example : { ...example, [key]: value })
}

function requestOf(one: Wild): Request {
  const { operation, places, query, key, type, repeat, part } = one
  const taken = new Set(operation.parameters?.map(({ name }) => name))
  let next = 0
  const path = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent((places[next++] ?? 'x').toWellFormed()))
  const headers = new Headers(key === null ? {} : { authorization: `Bearer ${key}` })
  if (repeat !== undefined) headers.set('idempotency-key', repeat)
  const body = bodyOf(one)
  if (body !== undefined) headers.set('content-type', operation.body?.type ?? type)
  const search = new URLSearchParams(query.filter(([name]) => part === 0 || taken.has(name)))
  return new Request(`https://loam.test${path}?${search}`, {
    method: operation.method.toUpperCase(),
    headers,
    ...(body === undefined ? {} : { body }),
  })
}

it('[D7] over every operation the status and the code are described, and an error has the described form', async () => {
  const world = fakeWorld()
  const app = createApp(() => world.wired)
  const seen = new Map<string, Set<number>>()
  for (const one of fc.sample(wild, { seed: 9, numRuns: RUNS })) {
    const { path, method, id, foreign } = one.operation
    // `here` is where paths lead, `manuals` what the examples name.
    for (const name of ['here', 'manuals'].filter((each) => !world.corpora.has(each))) {
      const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' }
      const init = { method: 'PUT', headers, body: '{"strategies":["gorag","archrag"]}' }
      await app.fetch(new Request(`https://loam.test/v1/corpora/${name}`, init), {}, context)
    }
    const request = requestOf(one)
    const response = await app.fetch(request, {}, context)
    const text = await response.text()
    const told = `${id} ${request.method} ${request.url} → ${response.status} ${text.slice(0, 300)}`
    // `.` and `..` are resolved before anything is sent: then another route answers, or none.
    const responses = paths[path]?.[method]?.responses ?? {}
    seen.set(id, (seen.get(id) ?? new Set()).add(response.status))
    if (response.status === 404 && text.includes('"not_found"')) continue
    if (response.status === 405 && one.places.some((place) => place === '.' || place === '..')) continue
    expect([told, String(response.status) in responses]).toEqual([told, true])
    if (response.status >= 400 && response.status !== 405) {
      const form = one.operation.answers[response.status]?.schema ?? (foreign ? chatError : problem)
      expect([told, form.safeParse(JSON.parse(text)).error?.issues ?? []]).toEqual([told, []])
      if (form === problem)
        expect([told, responses[response.status]?.description]).toEqual([told, expect.stringContaining(`\`${JSON.parse(text).code}\``)])
    }
  }
  // The fuzz is of use only if it reaches behind the door as well as to it.
  expect(operations.map((one) => one.id).filter((id) => !seen.has(id))).toEqual([])
  const behind = [...seen].filter(([, statuses]) => [...statuses].some((status) => status < 400)).map(([id]) => id)
  expect(behind.length).toBeGreaterThan(operations.length / 2)
})

it('[H250] a handler that answers another status or another shape than its route declares does not compile', () => {
  const answers = { 200: { description: 'It is.', schema: health }, 204: { description: 'Nothing.' } }
  const described = route({ method: 'get', path: '/x', id: 'x', tag: 'service', summary: 'Try', access: 'open', answers })
  expect([
    described.answer(() => ({ status: 200, body: { status: 'ok', version: '1' } })),
    described.answer(async () => ({ status: 204 })),
    // @ts-expect-error no such status is declared
    described.answer(() => ({ status: 201, body: { status: 'ok', version: '1' } })),
    // @ts-expect-error the schema has a version
    described.answer(() => ({ status: 200, body: { status: 'ok' } })),
    // @ts-expect-error this answer has a body
    described.answer(() => ({ status: 200 })),
    // @ts-expect-error what is sent as it is says so
    described.answer(() => new Response('x')),
  ]).toHaveLength(6)
})

it('[H253] what a key must be allowed is declared by the route: no handler decides a scope, and who enters what is declared too', () => {
  const folder = join(import.meta.dirname, '../../../src/http/routes')
  const handlers = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
  const deciding = handlers.filter(([, text]) => /noScope|'forbidden'/.test(text))
  expect(deciding.map(([name]) => name)).toEqual([])
  const entering = operations.flatMap(({ id, enters }) => (enters ? [[id, enters]] : []))
  expect(Object.fromEntries(entering)).toEqual({
    putCorpus: 'corpus.create',
    deleteCorpus: 'corpus.delete',
    undeleteCorpus: 'corpus.undelete',
    restoreCorpus: 'corpus.restore',
    restoreCorpusTo: 'corpus.restore',
    createHook: 'hook.create',
    rotateHook: 'hook.rotate',
    deleteHook: 'hook.delete',
  })
})
