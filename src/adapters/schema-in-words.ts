/** How a model without JSON mode is told the form of its reply. Pure. */

interface Node {
  readonly type?: unknown
  readonly properties?: { readonly [name: string]: unknown }
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: unknown
  readonly maxItems?: number
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly unknown[]
  readonly oneOf?: readonly unknown[]
}

const SCALARS: { readonly [type: string]: string } = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}
const PLAIN = /^[A-Za-z_]\w*$/

/**
 * As a type of TypeScript, which has a third of the tokens of its JSON Schema or less, and which no model can pass off as its reply, as small ones do with a
 * schema. Bounds of numbers and texts are left to whoever checks the reply. A schema with more than types, lists, choices and objects is shown as it is.
 */
export function formInWords(schema: unknown): string {
  const type = typeOf(schema)
  const form = type === undefined ? `match this JSON Schema:\n${JSON.stringify(schema)}` : `have this type, in TypeScript:\n${type}`
  return `The reply must ${form}\nReply with that one JSON object, on one line, and nothing else.`
}

/** Undefined: it has something that these types cannot say. */
function typeOf(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const {
    type,
    properties,
    required = [],
    additionalProperties: more,
    items,
    maxItems,
    enum: choices,
    const: only,
    anyOf,
    oneOf,
  } = schema as Node
  if (choices) return choices.map((one) => JSON.stringify(one)).join(' | ')
  if (only !== undefined) return JSON.stringify(only)
  const either = anyOf ?? oneOf
  if (either) return joined(either.map(typeOf), (all) => all.join(' | '))
  if (type === 'array') {
    const most = maxItems === undefined ? '' : ` /* at most ${maxItems} */` // without an end a small model names on and on
    return joined([typeOf(items)], ([item = '']) => `${isChoice(items) ? `(${item})` : item}[]${most}`)
  }
  if (type === 'object' && properties && typeof more !== 'object') {
    const fields = Object.entries(properties).map(([name, value]) => {
      const own = typeOf(value)
      const key = PLAIN.test(name) ? name : JSON.stringify(name)
      return own && `${key}${required.includes(name) ? '' : '?'}: ${own}`
    })
    return joined(fields, (all) => `{${all.join(', ')}}`)
  }
  return typeof type === 'string' && Object.hasOwn(SCALARS, type) ? SCALARS[type] : undefined
}

function isChoice(schema: unknown): boolean {
  const { enum: choices, anyOf, oneOf } = schema as Node
  return Boolean(choices ?? anyOf ?? oneOf)
}

/** Undefined if a part of it is. */
function joined(parts: readonly (string | undefined)[], write: (all: readonly string[]) => string): string | undefined {
  const known = parts.filter((part) => part !== undefined)
  return known.length === parts.length ? write(known) : undefined
}
