/** Which database a new corpus goes to. The databases are asked how full they are, since corpora are rarely created. */
import { and, count, inArray, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { workerLimits } from '../platform-limits'
import type { DataPool } from '../ports/listings'
import { corpus, DEDICATED_ROWS } from './catalogue/schema'
import { type Databases, dedicatedPrefix, sizeOf } from './databases'
import { indexName } from './indexes'

const STEP = 64 * 1024 * 1024 // bytes; databases that differ by less count as equally filled, and the one with fewer corpora is chosen

interface Candidate {
  readonly name: string
  readonly bytes: number
}

/** `env`: the bindings, which include the dedicated indexes. */
export function dataPool(databases: Databases, env: object = {}): DataPool {
  return {
    limit: databases.maxBytes,
    async choose(jurisdiction) {
      const pool = databases.pool(jurisdiction)
      const sizes = await sizesOf(databases, pool)
      return firstOf(sizes, databases.maxBytes, pool.length > 1 ? await corporaIn(databases, pool) : new Map())
    },
    async chooseDedicated(jurisdiction) {
      const prefix = dedicatedPrefix(jurisdiction)
      const whole = databases.dedicated(jurisdiction).filter((number) => indexName(number, jurisdiction) in env)
      const taken = await dedicatedTaken(databases)
      const number = whole.find((one) => !taken.has(prefix + one))
      return number === undefined ? null : { database: prefix + number, number }
    },
  }
}

function firstOf(sizes: readonly Candidate[], max: number, corpora: ReadonlyMap<string, number>): string | null {
  const [first] = sizes
    .filter(({ bytes }) => bytes < max)
    .map(({ name, bytes }) => ({ name, filled: Math.floor(bytes / STEP), corpora: corpora.get(name) ?? 0 }))
    .sort((a, b) => a.filled - b.filled || a.corpora - b.corpora)
  return first?.name ?? null
}

/** From those that answer; if none does, the caller gets the failure. */
async function sizesOf({ of }: Databases, pool: readonly string[]): Promise<Candidate[]> {
  const found: Candidate[] = []
  let failure: unknown
  for (let at = 0; at < pool.length; at += workerLimits.safeConnections) {
    const names = pool.slice(at, at + workerLimits.safeConnections)
    const sizes = await Promise.allSettled(names.map(async (name) => ({ name, bytes: await sizeOf(of(name)) })))
    for (const size of sizes) {
      if (size.status === 'fulfilled') found.push(size.value)
      else failure = size.reason
    }
  }
  if (found.length === 0) throw failure
  return found
}

async function corporaIn({ control }: Databases, pool: readonly string[]): Promise<Map<string, number>> {
  const rows = await drizzle(control)
    .select({ name: corpus.database, n: count() })
    .from(corpus)
    .where(and(isNull(corpus.deleted), inArray(corpus.database, pool.slice(0, MAX_NAMES))))
    .groupBy(corpus.database)
  return new Map(rows.flatMap(({ name, n }) => (name === null ? [] : [[name, n]])))
}

/** From the catalogue's index `corpus_dedicated`, which contains only these. */
async function dedicatedTaken({ control }: Databases): Promise<ReadonlySet<string>> {
  const rows = await drizzle(control).select({ name: corpus.database }).from(corpus).where(sql.raw(DEDICATED_ROWS))
  return new Set(rows.flatMap(({ name }) => name ?? []))
}

const MAX_NAMES = 90 // in one statement, which binds 100 parameters; further databases count as empty
