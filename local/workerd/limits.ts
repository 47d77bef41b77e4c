/**
 * What Vectorize refuses, refused before the store sees it, with the real codes and messages (src/platform-limits.ts has the numbers). One
 * bad vector refuses its whole call. Messages that are documented nowhere (too many vectors, too large a body, topK beyond 100, a
 * namespace, a metadata key, a filter) are ours.
 */
import { vectorizeLimits as limits } from '../../src/platform-limits'
import { refused, type VectorOperation } from './faults'
import { compile, type Filter } from './filter'
import { isFields } from './requests'

export interface Row {
  readonly id: string
  readonly namespace: string
  readonly values: Float32Array
  readonly metadata: { readonly [key: string]: unknown } | undefined
}

export interface Wanted {
  readonly k: number
  readonly namespace: string | undefined
  readonly values: boolean
  readonly metadata: 'none' | 'indexed' | 'all'
  readonly filter: Filter | undefined
}

const ENCODER = new TextEncoder()
const bytes = (text: string): number => (/[^\0-\x7f]/.test(text) ? ENCODER.encode(text).length : text.length)

export function readRows(operation: VectorOperation, vectors: unknown, dimensions: number): Row[] {
  if (!Array.isArray(vectors) || !vectors.length) throw refused(operation, 40012, 'no vectors')
  const { maxUpsertVectors, maxUpsertBytes } = limits
  if (vectors.length > maxUpsertVectors)
    throw refused(operation, 40013, `too many vectors in payload; max vector count is ${maxUpsertVectors}, got ${vectors.length}`)
  if (bodyBytes(vectors) > maxUpsertBytes) throw refused(operation, 40013, `payload too large; max is ${maxUpsertBytes} bytes`)
  return vectors.map((vector) => readRow(operation, vector, dimensions))
}

/** The size of the vectors in transit: one line of JSON each. */
export function bodyBytes(vectors: readonly unknown[]): number {
  return vectors.reduce<number>((sum, vector) => sum + bytes(JSON.stringify(vector)) + 1, 0)
}

function readRow(operation: VectorOperation, vector: unknown, dimensions: number): Row {
  if (!isFields(vector)) throw refused(operation, 40012, 'not a vector')
  const { namespace = '', metadata } = vector
  if (typeof namespace !== 'string' || bytes(namespace) > limits.maxNamespaceBytes)
    throw refused(operation, 40009, `namespace too long; max is ${limits.maxNamespaceBytes} bytes`)
  const id = readId(operation, vector.id)
  const values = numbers(vector.values)
  if (values.length !== dimensions) throw refused(operation, 40012, `invalid vector for id="${id}", ${mismatch(dimensions, values.length)}`)
  return { id, namespace, values: floats(operation, 40012, values), metadata: readMetadata(operation, metadata) }
}

function readMetadata(operation: VectorOperation, metadata: unknown): Row['metadata'] {
  if (metadata === undefined) return undefined
  const unreadable = (): Error => refused(operation, 40023, `failed to parse ${operation.toLowerCase()} vectors request in json format`)
  if (!isFields(metadata)) throw unreadable()
  const json = JSON.stringify(metadata)
  if (bytes(json) > limits.maxMetadataBytes || LONE_SURROGATE.test(json)) throw unreadable()
  for (const key of keysOf(metadata)) {
    if (key === '' || key.startsWith('$') || /[."]/.test(key)) throw refused(operation, 40018, `invalid metadata key "${key}"`)
  }
  return metadata
}

/** JSON.stringify writes half a surrogate pair as an escape. */
const LONE_SURROGATE = /(^|[^\\])(\\\\)*\\ud[89a-f]/i

function keysOf(value: unknown): string[] {
  return isFields(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]) : []
}

function readId(operation: VectorOperation, id: unknown): string {
  if (typeof id !== 'string' || !id) throw refused(operation, 40008, 'id missing')
  const length = bytes(id)
  if (length > limits.maxIdBytes) throw refused(operation, 40008, `id too long; max is ${limits.maxIdBytes} bytes, got ${length} bytes`)
  return id
}

export function readIds(operation: VectorOperation, ids: unknown, limit: number): string[] {
  if (!Array.isArray(ids) || !ids.length) throw refused(operation, 40008, 'no ids')
  if (ids.length > limit) throw refused(operation, 40007, `too many ids in payload; max id count is ${limit}, got ${ids.length}`)
  return ids.map((id) => readId(operation, id))
}

/** Checks a question's vector. */
export function readValues(vector: unknown, dimensions: number): Float32Array {
  const values = numbers(vector)
  if (values.length !== dimensions) throw refused('QUERY', 40006, `invalid query vector, ${mismatch(dimensions, values.length)}`)
  return floats('QUERY', 40006, values)
}

function mismatch(dimensions: number, length: number): string {
  return `expected ${dimensions} dimensions, and got ${length} dimensions`
}

function numbers(values: unknown): readonly unknown[] {
  if (ArrayBuffer.isView(values)) return Array.from(values as Float32Array)
  return Array.isArray(values) ? values : []
}

function floats(operation: VectorOperation, code: number, values: readonly unknown[]): Float32Array {
  return Float32Array.from(values, (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw refused(operation, code, 'invalid vector, not all numbers')
    return value
  })
}

export function readWanted(options: unknown): Wanted {
  const given = isFields(options) ? options : {}
  const { topK: k = 5, namespace, returnValues = false, returnMetadata = 'none', filter } = given
  const metadata = levelOf(returnMetadata)
  if (typeof k !== 'number' || !Number.isInteger(k) || k < 1) throw refused('QUERY', 40025, 'top K must be a positive integer')
  const { maxTopK, maxTopKWithPayload } = limits
  if ((returnValues === true || metadata === 'all') && k > maxTopKWithPayload)
    throw refused(
      'QUERY',
      40025,
      `with returnValues=true or returnMetadata=all, max top K is ${maxTopKWithPayload}, but got ${k}; for a top K up to ${maxTopK}, retry with returnValues=false and returnMetadata=indexed`,
    )
  if (k > maxTopK) throw refused('QUERY', 40025, `max top K is ${maxTopK}, but got ${k}`)
  if (namespace !== undefined && (typeof namespace !== 'string' || bytes(namespace) > limits.maxNamespaceBytes))
    throw refused('QUERY', 40009, 'namespace too long')
  return { k, namespace, values: returnValues === true, metadata, filter: filter === undefined ? undefined : readFilter(filter) }
}

function levelOf(level: unknown): Wanted['metadata'] {
  if (level === true || level === 'all') return 'all'
  if (level === 'none' || level === 'indexed') return level
  // The binding turns true into "all" and passes false unchanged.
  throw refused('QUERY', 40026, 'Failed to parse the request body as JSON: returnMetadata: expected value')
}

function readFilter(filter: unknown): Filter {
  if (bytes(JSON.stringify(filter)) >= limits.maxFilterBytes)
    throw refused('QUERY', 40027, `filter too large; max is ${limits.maxFilterBytes} bytes`)
  const compiled = compile(filter)
  if (typeof compiled === 'string') throw refused('QUERY', 40027, compiled)
  return compiled
}
