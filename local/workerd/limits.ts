/**
 * The limits of Vectorize (developers.cloudflare.com/vectorize/platform/limits), enforced on this side of the store. One bad
 * vector refuses its whole batch. The code 40008 is the real one for ids; the others are ours where the real one is not known.
 */
import { refused, type VectorOperation } from './faults'
import { compile, type Filter } from './filter'
import { isFields } from './requests'

export const most = {
  batch: 1000, // vectors or ids a call, through the binding
  fetched: 20, // ids a getByIds call
  id: 64, // bytes
  namespace: 64, // bytes
  metadata: 10_240, // bytes of JSON a vector
  indexed: 64, // bytes of a string that filters see
  filter: 2048, // bytes of JSON
  k: 100,
  kWithPayload: 50, // with values or all metadata
  dimensions: 1536,
} as const

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
  if (vectors.length > most.batch) throw refused(operation, 40013, `too many vectors; max is ${most.batch}, got ${vectors.length}`)
  return vectors.map((vector) => readRow(operation, vector, dimensions))
}

function readRow(operation: VectorOperation, vector: unknown, dimensions: number): Row {
  if (!isFields(vector)) throw refused(operation, 40012, 'not a vector')
  const { namespace = '', metadata } = vector
  if (typeof namespace !== 'string' || bytes(namespace) > most.namespace)
    throw refused(operation, 40009, `namespace too long; max is ${most.namespace} bytes`)
  if (metadata !== undefined && !isFields(metadata)) throw refused(operation, 40010, 'metadata is not an object')
  if (metadata && bytes(JSON.stringify(metadata)) > most.metadata)
    throw refused(operation, 40010, `metadata too large; max is ${most.metadata} bytes`)
  return { id: readId(operation, vector.id), namespace, values: readValues(operation, vector.values, dimensions), metadata }
}

function readId(operation: VectorOperation, id: unknown): string {
  if (typeof id !== 'string' || !id) throw refused(operation, 40008, 'id missing')
  if (bytes(id) > most.id) throw refused(operation, 40008, `id too long; max is ${most.id} bytes, got ${bytes(id)} bytes`)
  return id
}

export function readIds(operation: VectorOperation, ids: unknown, limit: number): string[] {
  if (!Array.isArray(ids) || !ids.length) throw refused(operation, 40008, 'no ids')
  if (ids.length > limit) throw refused(operation, 40007, `too many ids; max is ${limit}, got ${ids.length}`)
  return ids.map((id) => readId(operation, id))
}

export function readValues(operation: VectorOperation, values: unknown, dimensions: number): Float32Array {
  const list = ArrayBuffer.isView(values) ? Array.from(values as Float32Array) : values
  const length = Array.isArray(list) ? list.length : 0
  if (!Array.isArray(list) || length !== dimensions)
    throw refused(operation, 40012, `invalid vector, expected ${dimensions} dimensions, and got ${length} dimensions`)
  const out = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) {
    if (typeof list[i] !== 'number' || !Number.isFinite(list[i])) throw refused(operation, 40012, 'invalid vector, not all numbers')
    out[i] = list[i]
  }
  return out
}

export function readWanted(options: unknown): Wanted {
  const given = isFields(options) ? options : {}
  const { topK: k = 5, namespace, returnValues = false, returnMetadata = 'none', filter } = given
  const metadata = levelOf(returnMetadata)
  const limit = returnValues === true || metadata === 'all' ? most.kWithPayload : most.k
  if (typeof k !== 'number' || !Number.isInteger(k) || k < 1 || k > limit) throw refused('QUERY', 40026, `topK must be from 1 to ${limit}`)
  if (namespace !== undefined && (typeof namespace !== 'string' || bytes(namespace) > most.namespace))
    throw refused('QUERY', 40009, 'namespace too long')
  return { k, namespace, values: returnValues === true, metadata, filter: filter === undefined ? undefined : readFilter(filter) }
}

function levelOf(level: unknown): Wanted['metadata'] {
  if (level === true || level === 'all') return 'all'
  if (level === false || level === 'none') return 'none'
  if (level === 'indexed') return 'indexed'
  throw refused('QUERY', 40026, 'returnMetadata must be none, indexed or all')
}

function readFilter(filter: unknown): Filter {
  if (bytes(JSON.stringify(filter)) >= most.filter) throw refused('QUERY', 40027, `filter too large; max is ${most.filter} bytes`)
  const compiled = compile(filter)
  if (typeof compiled === 'string') throw refused('QUERY', 40027, compiled)
  return compiled
}
