/**
 * The index itself: vectors in SQLite, and in memory by namespace for exact search. A mutation waits in `pending` until its time and is
 * applied, in order, by the next call of any kind; `describe` says how far that has gone, as the real one does.
 */
import { DurableObject } from 'cloudflare:workers'
import { vectorizeLimits as limits } from '../../src/platform-limits'
import { refused } from './faults'
import type { Scalar } from './filter'
import { type Row, readWanted } from './limits'
import { Shelf } from './shelf'
import { clockOf, world } from './world'

type Stored = { id: string; namespace: string; vec: ArrayBuffer; metadata: string; indexed: string }
type Change = Stored & { op: string }
type Operation = 'INSERT' | 'UPSERT' | 'DELETE'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS vectors (id TEXT PRIMARY KEY, namespace TEXT, vec BLOB, metadata TEXT, indexed TEXT);
  CREATE TABLE IF NOT EXISTS mutations (seq INTEGER PRIMARY KEY, mutation TEXT, due INTEGER);
  CREATE TABLE IF NOT EXISTS pending (seq INTEGER, op TEXT, id TEXT, namespace TEXT, vec BLOB, metadata TEXT, indexed TEXT);
  CREATE INDEX IF NOT EXISTS pending_seq ON pending (seq);
  CREATE TABLE IF NOT EXISTS metadata_indexes (property TEXT PRIMARY KEY, type TEXT);
  CREATE TABLE IF NOT EXISTS processed (one INTEGER PRIMARY KEY CHECK (one = 1), mutation TEXT, at INTEGER);`

interface StoreEnv {
  readonly METADATA_INDEXES?: string
  readonly VECTORIZE_CLOCK?: string
}

export class VectorStore extends DurableObject<StoreEnv> {
  #shelf: Shelf | undefined
  readonly #sql = this.ctx.storage.sql

  constructor(ctx: DurableObjectState, env: StoreEnv) {
    super(ctx, env)
    this.#begin()
  }

  #begin(): void {
    this.#sql.exec(SCHEMA)
    for (const pair of (this.env.METADATA_INDEXES ?? '').split(',').filter(Boolean)) this.declare(...halves(pair))
  }

  /** Like `wrangler vectorize create-metadata-index`: it covers only vectors written afterwards. */
  declare(property: string, type: string): void {
    this.#sql.exec('INSERT OR IGNORE INTO metadata_indexes VALUES (?, ?)', property, type)
  }

  /** Nothing is written beyond an index's capacity; the message is ours, since the real one is not documented. */
  write(op: 'INSERT' | 'UPSERT', rows: readonly Row[], delay: number, lost: boolean): string {
    if (world.filled > 0 && this.#count() + world.filled + rows.length > limits.maxVectors) {
      throw refused(op, 40013, `too many vectors in index; max is ${limits.maxVectors}`)
    }
    return this.#accept(op, lost ? [] : rows, delay)
  }

  remove(ids: readonly string[], delay: number, lost: boolean): string {
    const rows = ids.map((id) => ({ id, namespace: '', values: new Float32Array(), metadata: undefined }))
    return this.#accept('DELETE', lost ? [] : rows, delay)
  }

  describe(dimensions: number): unknown {
    this.#advance()
    const last = this.#sql.exec<{ mutation: string; at: number }>('SELECT mutation, at FROM processed').toArray()[0]
    return {
      vectorCount: this.#count() + world.filled,
      dimensions,
      processedUpToDatetime: last ? new Date(last.at).toISOString() : null,
      processedUpToMutation: last?.mutation ?? null,
    }
  }

  fetchByIds(ids: readonly string[]): unknown {
    this.#advance()
    const rows = this.#sql.exec<Stored>(
      'SELECT * FROM vectors WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
      JSON.stringify(ids),
    )
    return rows
      .toArray()
      .map((row) => ({ id: row.id, ...named(row.namespace), values: [...new Float32Array(row.vec)], ...parsed(row.metadata) }))
  }

  searchById(id: string, options: unknown): unknown {
    this.#advance()
    const row = this.#row(id)
    return row ? this.search(new Float32Array(row.vec), options) : { count: 0, matches: [] }
  }

  search(vector: Float32Array, options: unknown): unknown {
    this.#advance()
    const wanted = readWanted(options)
    const found = this.#loaded().nearest(vector, wanted)
    const plain = wanted.metadata === 'none' && !wanted.values
    const matches = found.map(({ id, namespace, score, indexed }) => {
      const row = plain ? undefined : this.#row(id)
      const metadata = wanted.metadata === 'indexed' ? { metadata: indexed } : row && wanted.metadata === 'all' ? parsed(row.metadata) : {}
      return { id, score, ...named(namespace), ...(row && wanted.values ? { values: [...new Float32Array(row.vec)] } : {}), ...metadata }
    })
    return { count: matches.length, matches }
  }

  /** Applies everything that waits, whenever it is due. */
  settle(): void {
    this.#advance(Number.MAX_SAFE_INTEGER)
  }

  async forget(): Promise<void> {
    await this.ctx.storage.deleteAll()
    this.#shelf = undefined
    this.#begin()
  }

  /** A write with no delay and nothing before it is applied at once; any other waits its turn. */
  #accept(op: Operation, rows: readonly Row[], delay: number): string {
    this.#advance()
    const mutation = crypto.randomUUID()
    const types = this.#types()
    const changes = rows.map((row) => changeOf(op, row, types))
    this.ctx.storage.transactionSync(() => {
      const { last } = this.#sql.exec<{ last: number | null }>('SELECT max(due) AS last FROM mutations').one()
      if (last === null && delay <= 0) return this.#process(mutation, changes)
      const due = Math.max(last ?? 0, this.#now() + delay)
      const { seq } = this.#sql
        .exec<{ seq: number }>('INSERT INTO mutations (mutation, due) VALUES (?, ?) RETURNING seq', mutation, due)
        .one()
      for (const { id, namespace, vec, metadata, indexed } of changes) {
        this.#sql.exec('INSERT INTO pending VALUES (?, ?, ?, ?, ?, ?, ?)', seq, op, id, namespace, vec, metadata, indexed)
      }
    })
    return mutation
  }

  #advance(until = this.#now()): void {
    const ready = this.#sql.exec<{ seq: number; mutation: string }>(
      `SELECT seq, mutation FROM mutations
       WHERE due <= ? AND NOT EXISTS (SELECT 1 FROM pending WHERE pending.seq = mutations.seq AND namespace = ?) ORDER BY seq`,
      until,
      world.held,
    )
    for (const { seq, mutation } of ready.toArray()) {
      this.ctx.storage.transactionSync(() => {
        this.#process(mutation, this.#sql.exec<Change>('SELECT * FROM pending WHERE seq = ? ORDER BY rowid', seq).toArray())
        this.#sql.exec('DELETE FROM pending WHERE seq = ?', seq)
        this.#sql.exec('DELETE FROM mutations WHERE seq = ?', seq)
      })
    }
  }

  #process(mutation: string, changes: readonly Change[]): void {
    for (const change of changes) this.#apply(change)
    this.#sql.exec('INSERT OR REPLACE INTO processed VALUES (1, ?, ?)', mutation, this.#now())
  }

  #apply({ op, id, namespace, vec, metadata, indexed }: Change): void {
    if (op === 'INSERT' && this.#row(id)) return
    this.#shelf?.remove(id)
    if (op === 'DELETE') this.#sql.exec('DELETE FROM vectors WHERE id = ?', id)
    else this.#sql.exec('INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)', id, namespace, vec, metadata, indexed)
    if (op !== 'DELETE') this.#shelf?.put(id, namespace, new Float32Array(vec), JSON.parse(indexed))
  }

  #row(id: string): Stored | undefined {
    return this.#sql.exec<Stored>('SELECT * FROM vectors WHERE id = ?', id).toArray()[0]
  }

  #loaded(): Shelf {
    if (this.#shelf) return this.#shelf
    const shelf = new Shelf()
    for (const row of this.#sql.exec<Stored>('SELECT * FROM vectors')) {
      shelf.put(row.id, row.namespace, new Float32Array(row.vec), JSON.parse(row.indexed))
    }
    this.#shelf = shelf
    return shelf
  }

  #count(): number {
    return this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM vectors').one().n
  }

  #now(): number {
    return clockOf(this.env)
  }

  #types(): Map<string, string> {
    const rows = this.#sql.exec<{ property: string; type: string }>('SELECT property, type FROM metadata_indexes').toArray()
    return new Map(rows.map(({ property, type }) => [property, type]))
  }
}

function halves(pair: string): [string, string] {
  const [property = '', type = 'string'] = pair.split(':')
  return [property.trim(), type.trim()]
}

function changeOf(op: Operation, row: Row, types: ReadonlyMap<string, string>): Change {
  const metadata = row.metadata === undefined ? '' : JSON.stringify(row.metadata)
  return {
    op,
    id: row.id,
    namespace: row.namespace,
    vec: row.values.slice().buffer,
    metadata,
    indexed: indexedOf(row.metadata ?? {}, types),
  }
}

function named(namespace: string): { namespace?: string } {
  return namespace ? { namespace } : {}
}

function parsed(metadata: string): { metadata?: unknown } {
  return metadata ? { metadata: JSON.parse(metadata) } : {}
}

/** What filters will see: declared properties of the declared type, strings cut to their first bytes. */
function indexedOf(metadata: { readonly [key: string]: unknown }, types: ReadonlyMap<string, string>): string {
  const out: { [property: string]: Scalar } = {}
  for (const [property, type] of types) {
    const value = property.split('.').reduce<unknown>((inner, key) => (inner as { [key: string]: unknown } | undefined)?.[key], metadata)
    if (typeof value === type) out[property] = typeof value === 'string' ? cut(value) : (value as Scalar)
  }
  return JSON.stringify(out)
}

function cut(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return bytes.length <= limits.maxIndexedBytes
    ? text
    : new TextDecoder().decode(bytes.subarray(0, limits.maxIndexedBytes)).replace(/\uFFFD$/, '')
}
