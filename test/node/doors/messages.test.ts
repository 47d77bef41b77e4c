/** What is said of every field that can be sent, whatever is wrong with it: what it must be, in our words and not those of the library that checks it. */
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { importedSchema } from '../../../src/contract/imports'
import { openapi } from '../../../src/http/openapi/document'
import { operations } from '../../../src/http/routes'
import { faultsOf } from '../../../src/http/schema-faults'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: { readonly [name: string]: Schema }
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
}
type Path = readonly (string | number)[]

const DEEPEST = 7
const RAW = /invalid|expected|received|unrecognized|too (?:small|big)|>=|<=|\bNaN\b|undefined|\bint\b|\barray\b|\brecord\b|\[object/i
const document = openapi(operations, 'v') as unknown as {
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly operationId: string; readonly requestBody?: Body } } }
}
interface Body {
  readonly content: { readonly 'application/json'?: { readonly schema: Schema } }
}

/** Every place of a schema, with what is there; `isSure`: it has this form alone. */
function placesIn(schema: Schema, at: Path = [], isSure = true, seen: readonly string[] = []): (readonly [Path, Schema, boolean])[] {
  const { $ref: name, anyOf, oneOf, allOf, properties = {}, items, additionalProperties: others } = schema
  if (at.length > DEEPEST || (name && seen.includes(name))) return []
  if (name) return placesIn(document.components.schemas[name.split('/').at(-1) ?? ''] ?? {}, at, isSure, [...seen, name])
  return [
    [at, schema, isSure],
    ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap((one) => placesIn(one, at, false, seen)),
    ...(allOf ?? []).flatMap((one) => placesIn(one, at, isSure, seen)),
    ...Object.entries(properties).flatMap(([key, one]) => placesIn(one, [...at, key], isSure, seen)),
    ...(items ? placesIn(items, [...at, 0], isSure, seen) : []),
    ...(typeof others === 'object' ? placesIn(others, [...at, 'x'], isSure, seen) : []),
  ]
}

/** As little around the value as leads to its place. */
function at([first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value
  return typeof first === 'number' ? [at(rest, value)] : { [first]: at(rest, value) }
}

const WRONG: readonly unknown[] = [null, true, -1, 0, 1.5, 1e300, '', ' ', 'x', 'x'.repeat(70_000), [], [null], ['x'], {}, { surplus: 1 }]

/** Just outside each bound, with what the message must say of it. */
function outside({ minimum, maximum, minItems, maxItems, minLength, maxLength, type }: Schema): (readonly [unknown, number])[] {
  const isNumber = type === 'integer' || type === 'number'
  const fits = (n: number | undefined): n is number => n !== undefined && n < 5000
  return [
    ...(isNumber && minimum !== undefined && minimum > -1e6 ? [[minimum - 1, minimum] as const] : []),
    ...(isNumber && maximum !== undefined && maximum < 2 ** 52 ? [[maximum + 1, maximum] as const] : []),
    ...(type === 'array' && minItems !== undefined && minItems > 1 ? [[[], minItems] as const] : []),
    ...(type === 'array' && fits(maxItems) ? [[Array.from({ length: maxItems + 1 }, (_, i) => `x${i}`), maxItems] as const] : []),
    ...(type === 'string' && minLength !== undefined && minLength > 1 ? [['', minLength] as const] : []),
    ...(type === 'string' && fits(maxLength) ? [['x'.repeat(maxLength + 1), maxLength] as const] : []),
  ]
}

const faults = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.flatMap(faultsOf) ?? []
const json = (id: string): Schema =>
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id)?.requestBody?.content['application/json']?.schema ?? {}

const bodies: readonly (readonly [string, z.ZodType, Schema])[] = [
  ...operations.flatMap(({ id, body }) => (body && 'schema' in body ? [[id, body.schema as z.ZodType, json(id)] as const] : [])),
  ['an import’s line', importedSchema, { $ref: '#/components/schemas/ImportLine' }],
]

describe('every field of every body', () => {
  it.each(bodies)('[W2101] %s', (_, schema, described) => {
    const odd = new Set<string>()
    for (const [place, there, isSure] of placesIn(described)) {
      for (const value of WRONG)
        for (const { path, message } of faults(schema, at(place, value)))
          if (message === '' || RAW.test(message.replaceAll(/"[^"]*"|`[^`]*`|\/.*\//g, '')) || /value that is not allowed/.test(message))
            odd.add(`${path}: ${message.slice(0, 200)}`)
      if (!isSure) continue
      const name = place.join('.')
      for (const [value, bound] of outside(there)) {
        const own = faults(schema, at(place, value)).filter(({ path }) => path === name || path.startsWith(`${name}.`))
        const plain = (text: string): string => text.replaceAll(/[,_](?=\d{3})/g, '')
        if (!own.some(({ message }) => plain(message).includes(String(bound))))
          odd.add(`${name} of ${bound}: ${JSON.stringify(own).slice(0, 200)}`)
      }
    }
    expect([...odd]).toEqual([])
  })

  it('[W2101] are looked at: most of them have fields, and some bounds', () => {
    const places = bodies.flatMap(([, , described]) => placesIn(described))
    expect(bodies.length).toBeGreaterThan(30)
    expect(places.length).toBeGreaterThan(500)
    expect(places.filter(([, there, isSure]) => isSure && outside(there).length > 0).length).toBeGreaterThan(40)
  })
})
