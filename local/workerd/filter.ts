/**
 * Metadata filters of Vectorize: `{kind: 'passage', layer: {$gte: 1}}`; fields are joined by AND, there is no OR. They see only what was
 * indexed when the vector was written: a property without a metadata index at that time matches nothing.
 */
import { vectorizeLimits as limits } from '../../src/platform-limits'
import { isFields } from './requests'

export type Scalar = string | number | boolean | null
export type Indexed = { readonly [property: string]: Scalar }
export type Filter = (indexed: Indexed) => boolean

type Test = (value: Scalar) => boolean

const scalar = (value: unknown): value is Scalar => value === null || ['string', 'number', 'boolean'].includes(typeof value)

const SAME = {
  $eq:
    (wanted: Scalar): Test =>
    (value) =>
      value === wanted,
  $ne:
    (wanted: Scalar): Test =>
    (value) =>
      value !== wanted,
} as const

const ORDER = {
  $lt: (a: number | string, b: number | string) => a < b,
  $lte: (a: number | string, b: number | string) => a <= b,
  $gt: (a: number | string, b: number | string) => a > b,
  $gte: (a: number | string, b: number | string) => a >= b,
} as const

/** The filter as a function, or the reason it is refused. */
export function compile(filter: unknown): Filter | string {
  if (!isFields(filter)) return 'filter must be an object'
  const tests: [string, Test][] = []
  for (const [property, condition] of Object.entries(filter)) {
    if (!property || property.startsWith('$') || property.includes('"')) return 'filter has an invalid property name'
    if (property.length > limits.maxFilterKeyLength) return `filter has a property name longer than ${limits.maxFilterKeyLength} characters`
    const found = scalar(condition) ? [SAME.$eq(condition)] : conditions(condition)
    if (typeof found === 'string') return found
    for (const test of found) tests.push([property, test])
  }
  return (indexed) =>
    tests.every(([property, test]) => {
      const value = indexed[property]
      return value !== undefined && test(value)
    })
}

function conditions(condition: unknown): Test[] | string {
  if (!isFields(condition) || !Object.keys(condition).length) return 'filter has an invalid condition'
  const tests = Object.entries(condition).map(([operator, wanted]) => testOf(operator, wanted))
  const why = tests.find((test) => typeof test === 'string')
  return typeof why === 'string' ? why : tests.filter((test) => typeof test !== 'string')
}

function testOf(operator: string, wanted: unknown): Test | string {
  if (operator === '$eq' || operator === '$ne') return scalar(wanted) ? SAME[operator](wanted) : `${operator} takes one value`
  if (operator === '$in' || operator === '$nin') return membership(operator, wanted)
  if (!isOrder(operator)) return 'filter has an unknown operator'
  if (typeof wanted !== 'number' && typeof wanted !== 'string') return `${operator} takes a number or a string`
  return (value) =>
    typeof value === typeof wanted && (typeof value === 'number' || typeof value === 'string') && ORDER[operator](value, wanted)
}

function membership(operator: '$in' | '$nin', wanted: unknown): Test | string {
  if (!Array.isArray(wanted) || !wanted.every(scalar)) return `${operator} takes a list of values`
  const set = new Set(wanted)
  return (value) => set.has(value) === (operator === '$in')
}

function isOrder(operator: string): operator is keyof typeof ORDER {
  return Object.hasOwn(ORDER, operator)
}
