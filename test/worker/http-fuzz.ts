/**
 * Requests no client would send, made from the reference itself, so that a route is covered from the day it is declared: a body with one part of a wrong
 * form, a wrong body, bytes, parameters and ids of any kind. Seeded.
 */
import fc from 'fast-check'

export interface FuzzedRequest {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array | undefined
}

interface Schema {
  readonly $ref?: string
  readonly properties?: { readonly [name: string]: Schema }
  readonly items?: Schema | boolean
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema?: Schema; readonly example?: unknown } } }
  readonly responses: { readonly [status: string]: unknown }
}

/** What the generator reads of an OpenAPI document. */
export interface Reference {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Described } }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

type Place = readonly (string | number)[]

const LONG = 'x'.repeat(9000)
const OWN_PROTO: unknown = JSON.parse('{"__proto__": {"x": 1}, "constructor": {"prototype": 1}}')
const NAMES_OF_ALL = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
const DEEP: unknown = JSON.parse(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`)

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\u202e',
  '💧',
  'ſ',
  LONG,
  '../..',
  '%00',
  "' OR 1=1 --",
  '1e9',
  '9999-99-99',
  '+275760-09-13',
]
const ADDRESSES = [
  'javascript:alert(1)',
  'http://[::1]/',
  'https://user:pw@example.org/',
  'http://169.254.169.254/',
  'https://\ud800/',
  '//x',
]
const NUMBERS = [-1, 0, -0, 1.5, 1e308, 2 ** 31, 2 ** 53, -(2 ** 53)]
const strange = fc.oneof(
  fc.constantFrom<unknown>(...NUMBERS, ...TEXTS, ...ADDRESSES, ...NAMES_OF_ALL, true, null, [], {}, [null], [[]], [{}], OWN_PROTO, DEEP),
  fc.constantFrom<unknown>(NAMES_OF_ALL, ['x', 'x'], ['\ud800'], Array(2000).fill('x'), Object.fromEntries(TEXTS.map((name) => [name, 1]))),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(LONG, LONG.repeat(8)),
)

const RAW = [
  '',
  ' ',
  'null',
  'true',
  '1',
  '"x"',
  '[]',
  '{}',
  '{',
  '{"a":1}x',
  '\ufeff{}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":1,"a":2}',
  '1e999',
  '\0',
  '{"":1}',
  '9'.repeat(5000),
  '['.repeat(3000),
  '{"a":'.repeat(3000),
  '"\\ud800"',
  `{"${'k'.repeat(20_000)}":1}`,
  JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, i]))),
]
const BYTES = [[0xff, 0xfe], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], Array(500).fill(0x50)]
const TAGS = [
  '<p>',
  '</p>',
  '<table>',
  '<td rowspan=99999 colspan=99999>',
  '<title>',
  '&#xFFFFFFFF;',
  '<!--',
  '<script>',
  'text',
  '<ol start=-1>',
]
const TYPES = [
  '',
  ';;',
  'text/plain',
  'text/html',
  'application/pdf',
  'application/json; charset=utf-16',
  'text/plain; charset=klingon',
  'image/png',
]
const IDS = [
  '%00',
  'a%00b',
  '%ed%a0%80',
  '%zz',
  '%',
  '..%2f..',
  'a%2fb',
  '%F0%9F%92%A7',
  '-1',
  '9'.repeat(30),
  '%20',
  'a:b',
  '*',
  LONG,
  ...NAMES_OF_ALL,
]
const VALUES = [
  '',
  '-1',
  '0',
  '1.5',
  '1e9',
  'NaN',
  '%00',
  '%ed%a0%80',
  '%zz',
  'true',
  '[]',
  'W10',
  'W251bGxd',
  'eyJhIjoxfQ',
  '2026-13-45',
  '9'.repeat(400),
  ...IDS,
]
const HEADERS = ['x', 'x'.repeat(300), '"', '*', '"v1", "v2"', 'W/"1"', '-1', '__proto__']

/** Where a body of this schema may hold something, however deep. */
function placesIn(schema: Schema | boolean | undefined, of: Reference['components']['schemas'], within: readonly unknown[] = []): Place[] {
  if (typeof schema !== 'object') return []
  const { $ref } = schema
  if ($ref !== undefined) return within.includes($ref) ? [] : placesIn(of[$ref.split('/').at(-1) ?? ''], of, [...within, $ref])
  const below = (name: string | number, inner: Schema | boolean | undefined): Place[] => [
    [name],
    ...placesIn(inner, of, within).map((place) => [name, ...place]),
  ]
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => below(name, inner)),
    ...(items ? below(0, items) : []),
    ...(typeof additionalProperties === 'object' ? below('k', additionalProperties) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((form) => placesIn(form, of, within)),
  ]
}

/** A copy with this value at this place, whatever stood on the way there. */
function withAt(body: unknown, [name, ...rest]: Place, value: unknown): unknown {
  if (name === undefined) return value
  if (typeof name === 'number')
    return [withAt(Array.isArray(body) ? body[0] : undefined, rest, value), ...(Array.isArray(body) ? body.slice(1) : [])]
  const record = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as { readonly [name: string]: unknown }) : {}
  return { ...record, [name]: withAt(record[name], rest, value) }
}

/** A body and its type; `type` undefined: the one that is described. */
type Sent = readonly [body: string | Uint8Array | undefined, type?: string]

function bodiesFor({ requestBody }: Described, { components }: Reference): fc.Arbitrary<Sent> {
  const [type = 'application/json', described] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const text = (value: unknown): string => `${JSON.stringify(value) ?? ''}${type === 'application/x-ndjson' ? '\n' : ''}`
  if (!described) return fc.constantFrom<Sent>([undefined], [undefined], [undefined], ['{"surplus":1}'], ['{'])
  const { example, schema } = described
  const places = [...new Map(placesIn(schema, components.schemas).map((place) => [place.join('.'), place])).values()]
  const fitting: Sent = [text(example)]
  const wrong = fc.tuple(fc.constantFrom(...(places.length > 0 ? places : [[]])), strange, fc.nat(9)).map(([place, value, dice]): Sent => {
    return [text(withAt(example, dice === 0 ? [...place, 'surplus'] : place, value))]
  })
  return fc.oneof(
    { weight: 12, arbitrary: wrong },
    { weight: 3, arbitrary: fc.constant(fitting) },
    { weight: 3, arbitrary: fc.constantFrom(...RAW).map((raw): Sent => [raw]) },
    { weight: 1, arbitrary: strange.map((value): Sent => [text(value)]) },
    { weight: 1, arbitrary: fc.constantFrom(...BYTES).map((bytes): Sent => [Uint8Array.from(bytes)]) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...TAGS), { maxLength: 40 }).map((parts): Sent => [parts.join(''), 'text/html']) },
    { weight: 1, arbitrary: fc.constantFrom(...TYPES).map((wanted): Sent => [text(example), wanted]) },
  )
}

function requestsFor(path: string, method: string, described: Described, reference: Reference, known: { readonly [name: string]: string }) {
  const { parameters = [], operationId: operation } = described
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const queries = parameters.filter((one) => one.in === 'query')
  const headers = parameters.filter((one) => one.in === 'header')
  return fc
    .tuple(
      bodiesFor(described, reference),
      fc.nat(9),
      fc.constantFrom(...IDS),
      fc.constantFrom(...VALUES),
      fc.constantFrom(...HEADERS),
      fc.nat(50),
    )
    .map(([[body, type = 'application/json'], dice, id, value, header, pick]): FuzzedRequest => {
      const odd = dice === 0 ? names[pick % names.length] : undefined
      const query = dice < 3 ? queries[pick % queries.length]?.name : dice === 3 ? 'surplus' : undefined
      const named = dice === 4 ? headers[pick % headers.length]?.name : undefined
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === odd ? id : (known[name] ?? 'a')))
      const usual = Object.keys(described.requestBody?.content ?? {})[0] ?? 'application/json'
      return {
        operation,
        method: method.toUpperCase(),
        path: query === undefined ? filled : `${filled}?${query}=${value}`,
        headers: {
          ...(type === '' ? {} : { 'content-type': type === 'application/json' ? usual : type }),
          ...(named === undefined ? {} : { [named]: header }),
        },
        body: method === 'get' ? undefined : body,
      }
    })
}

/** `perRoute` for every route of the reference; `known`: ids that exist, by the name of their parameter. */
export function fuzzedRequests(
  reference: Reference,
  { seed, perRoute, known }: { readonly seed: number; readonly perRoute: number; readonly known: { readonly [name: string]: string } },
): readonly FuzzedRequest[] {
  return Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) =>
      fc.sample(requestsFor(path, method, described, reference, known), { seed, numRuns: perRoute }),
    ),
  )
}

/** What is wrong with an answer, whatever was asked. */
export function faultOf(reference: Reference, { operation }: FuzzedRequest, status: number, text: string): string | undefined {
  const described = Object.values(reference.paths)
    .flatMap(Object.values<Described>)
    .find((one) => one.operationId === operation)
  if (status === 500) return 'a fault of the server'
  const isElsewhere = status === 405 && text.includes('method_not_allowed') // an id with a slash makes another path of it
  if (!described?.responses[String(status)] && !isElsewhere) return 'a status that is not declared'
  if (status < 400) return undefined
  if (/\n\s+at |TypeError|RangeError|SQLITE_/.test(text)) return 'it shows the inside'
  if (operation === 'mcp' || operation.endsWith('Mcp')) return undefined
  const { code, request_id, errors, error } = JSON.parse(text) as {
    readonly code?: string
    readonly request_id?: string
    readonly errors?: readonly { readonly path: string; readonly message: string }[]
    readonly error?: { readonly message?: string }
  }
  if (error) return error.message ? undefined : 'no message'
  if (!code || !request_id) return 'no code or id'
  return errors?.some(({ message }) => message === '' || message === 'Invalid input') ? 'a fault that says nothing' : undefined
}
