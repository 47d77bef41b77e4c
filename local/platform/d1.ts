/**
 * The local D1 within the limits of the real one. Workerd's own refuses what SQLite refuses: parameters, statement length, columns,
 * patterns. The service's own limits are enforced here, with its messages: calls of one invocation, values of 2 MB, a full database; and
 * faults occur when a test asks for them. `d1` says which faults are to come; it is empty unless a test fills it.
 */
import type { D1Database, D1PreparedStatement, D1Result } from '@cloudflare/workers-types'
import { d1Errors, d1Limits } from '../../src/platform-limits'
import { connected, countCall, invocation } from './invocation'

export interface D1Fault {
  /** Calls still to fail. */
  left: number
  readonly message: string
  /** The call is carried out, and only its response is lost. */
  readonly done?: boolean
  /** Only statements that contain this. */
  readonly match?: string
}

interface D1World {
  maxCalls: number
  /** Bytes that a database claims to hold beyond its real size, by binding. */
  readonly filled: Map<string, number>
  faults: D1Fault[]
  /** The most calls that one invocation has made since the last check. */
  peak: number
  /** Calls, rows and bytes written since the last check, for statistics. */
  calls: number
}

export const d1: D1World = { maxCalls: d1Limits.maxCallsPerInvocation, filled: new Map(), faults: [], peak: 0, calls: 0 }

export function resetD1(): void {
  Object.assign(d1, { maxCalls: d1Limits.maxCallsPerInvocation, faults: [], peak: 0, calls: 0 })
  d1.filled.clear()
}

/** With the error name that D1 would use. */
export function failure(message: string): Error {
  return new Error(`D1_ERROR: ${message}`)
}

interface Call {
  readonly name: string
  readonly queries: readonly string[]
  readonly values: readonly unknown[]
}

export function limitedD1(binding: D1Database, name: string): D1Database {
  const bare = new WeakMap<object, { readonly inner: D1PreparedStatement; readonly query: string; readonly values: readonly unknown[] }>()
  const wrapped = (inner: D1PreparedStatement, query: string, values: readonly unknown[] = []): D1PreparedStatement => {
    const call = { name, queries: [query], values }
    const statement = {
      bind: (...bound: unknown[]) => wrapped(inner.bind(...bound), query, bound),
      first: (column?: string) => made(call, () => (column === undefined ? inner.first() : inner.first(column))),
      all: () => made(call, () => inner.all()),
      run: () => made(call, () => inner.run()),
      raw: (options?: { columnNames: true }) => made(call, () => (options ? inner.raw(options) : inner.raw())),
    }
    bare.set(statement, { inner, query, values })
    return statement as unknown as D1PreparedStatement
  }
  const database: Pick<D1Database, 'prepare' | 'batch' | 'exec'> = {
    prepare: (query) => wrapped(binding.prepare(query), query),
    batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
      const known = statements.map((one) => bare.get(one) ?? { inner: one, query: '', values: [] })
      const call = { name, queries: known.map((one) => one.query), values: known.flatMap((one) => one.values) }
      return made(call, () => binding.batch<T>(known.map((one) => one.inner)))
    },
    exec: (query) => made({ name, queries: [query], values: [] }, () => binding.exec(query)),
  }
  return database as D1Database
}

async function made<T>(call: Call, act: () => Promise<T>): Promise<T> {
  countCall()
  counted()
  for (const value of call.values) if (bytesOf(value) > d1Limits.maxRowBytes) throw failure('string or blob too big: SQLITE_TOOBIG')
  const fault = faultFor(call)
  if (fault && !fault.done) throw failure(fault.message)
  if (isFull(call.name)) throw failure(d1Errors.full[0])
  const answer = await connected(act)
  if (fault) throw failure(fault.message)
  sized(call.name, answer)
  return answer
}

function counted(): void {
  const current = invocation()
  d1.calls++
  if (!current) return
  current.d1Calls++
  d1.peak = Math.max(d1.peak, current.d1Calls)
  if (current.d1Calls > d1.maxCalls) throw failure(d1Errors.calls[0])
}

function faultFor({ queries }: Call): D1Fault | undefined {
  const fault = d1.faults.find(({ left, match }) => left > 0 && (match === undefined || queries.some((query) => query.includes(match))))
  if (fault) fault.left--
  return fault
}

const sizes = new Map<string, number>()
const isFull = (name: string): boolean => (sizes.get(name) ?? 0) + (d1.filled.get(name) ?? 0) >= d1Limits.maxDatabaseBytes

/** Records what the database holds, and reports what it is told to report. */
function sized(name: string, answer: unknown): void {
  for (const result of Array.isArray(answer) ? answer : [answer]) {
    const { meta }: { meta?: { size_after?: number } } = typeof result === 'object' && result !== null ? result : {}
    if (typeof meta?.size_after !== 'number') continue
    sizes.set(name, meta.size_after)
    meta.size_after += d1.filled.get(name) ?? 0
  }
}

const ENCODER = new TextEncoder()

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length * 3 <= d1Limits.maxRowBytes ? value.length : ENCODER.encode(value).length
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength
  return 0
}
