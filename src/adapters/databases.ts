/**
 * The D1 databases of the deployment. `DB` is the control database: which corpora exist, keys, webhooks, repeated requests. What corpora
 * are read from is in the pool, `DATA_0`, `DATA_1`, … (`DATA_EU_0`, … for a jurisdiction), with one database for each corpus. Every
 * database has the same tables, so a deployment without a pool keeps everything in `DB`, and a corpus created before there was a pool stays
 * there. `DEDICATED_0`, … (`DEDICATED_EU_0`, …) contain one corpus each.
 */
import type { D1Database } from '@cloudflare/workers-types'
import { d1Limits } from '../platform-limits'
import { withRetries } from './d1-retry'

export const CONTROL = 'DB'
/** Reserved for deletions, for documents already accepted, and for growth from other causes than documents. */
const RESERVE = 0.2
const POOLED = /^DATA_(?:([A-Z]+)_)?\d+$/
const DEDICATED = /^DEDICATED_(?:[A-Z]+_)?\d{1,2}$/

/** The prefix of a dedicated database's binding; its number follows. */
export const dedicatedPrefix = (jurisdiction?: string): string => (jurisdiction ? `DEDICATED_${jurisdiction.toUpperCase()}_` : 'DEDICATED_')

export interface Databases {
  readonly control: D1Database
  /** Where new corpora of a jurisdiction may go: databases created in it (`DATA_EU_0`, …), or else those of the general pool, by name. */
  pool(jurisdiction?: string): readonly string[]
  /** Numbers of the dedicated databases created in the jurisdiction; without one, of those created in none. */
  dedicated(jurisdiction?: string): readonly number[]
  /** How many bytes a database may hold before it accepts no further documents. */
  readonly maxBytes: number
  /** The database of a corpus; if it names none, the control database. Throws if it is no longer bound. */
  of(name?: string): D1Database
}

export function databasesOf(env: object): Databases {
  const bindings = new Map<string, D1Database>()
  for (const [name, binding] of Object.entries(env))
    if (name === CONTROL || POOLED.test(name) || DEDICATED.test(name)) bindings.set(name, withRetries(binding))
  const of = (name = CONTROL): D1Database => {
    const found = bindings.get(name)
    if (!found) throw new Error(`databases: ${name} is not bound; keep it in wrangler.toml as long as a corpus uses it`)
    return found
  }
  const named = (jurisdiction: string | undefined) => [...bindings.keys()].filter((name) => isOf(name, jurisdiction)).sort()
  const pool = (jurisdiction?: string): readonly string[] =>
    [named(jurisdiction?.toUpperCase()), named(undefined), [CONTROL]].find((names) => names.length > 0) ?? []
  const dedicated = (jurisdiction?: string): readonly number[] => {
    const prefix = dedicatedPrefix(jurisdiction)
    const numbers = [...bindings.keys()].flatMap((name) => (name.startsWith(prefix) ? Number(name.slice(prefix.length)) : []))
    return numbers.filter(Number.isInteger).sort((a, b) => a - b)
  }
  const { DATABASE_BYTES: bytes }: { readonly DATABASE_BYTES?: string } = env
  const maxBytes = Number(bytes || d1Limits.maxDatabaseBytes * (1 - RESERVE))
  return { control: of(CONTROL), pool, dedicated, maxBytes, of }
}

/** Its size in bytes: every response states it. */
export async function sizeOf(db: D1Database): Promise<number> {
  return (await db.prepare('SELECT 1').all()).meta.size_after
}

function isOf(name: string, jurisdiction: string | undefined): boolean {
  const found = POOLED.exec(name)
  return found !== null && found[1] === jurisdiction
}
