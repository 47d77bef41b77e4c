/**
 * `env.VECTORIZE` on a machine without an account: the call shape of the Vectorize binding, its limits and its late visibility,
 * over one Durable Object that keeps the vectors. Exact where the real index is approximate.
 */
import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Env } from './env'
import { refused, type VectorOperation } from './faults'
import { most, readIds, readRows, readValues, readWanted } from './limits'
import type { VectorStore } from './vector-store'
import { failing, record, world } from './world'

export class VectorizeStandIn extends WorkerEntrypoint<Env> {
  async describe(): Promise<unknown> {
    this.#enter('GET')
    return this.#store().describe(this.#dimensions())
  }

  async insert(vectors: unknown): Promise<{ mutationId: string }> {
    return this.#write('INSERT', vectors)
  }

  async upsert(vectors: unknown): Promise<{ mutationId: string }> {
    return this.#write('UPSERT', vectors)
  }

  async deleteByIds(ids: unknown): Promise<{ mutationId: string }> {
    const removed = readIds('DELETE', ids, most.batch)
    this.#enter('DELETE', removed.length)
    return { mutationId: await this.#store().remove(removed, this.#delay()) }
  }

  async getByIds(ids: unknown): Promise<unknown> {
    const wanted = readIds('GET', ids, most.fetched)
    this.#enter('GET', wanted.length)
    return this.#store().fetchByIds(wanted)
  }

  async query(vector: unknown, options?: unknown): Promise<unknown> {
    const values = readValues('QUERY', vector, this.#dimensions())
    readWanted(options)
    this.#enter('QUERY')
    return this.#store().search(values, options)
  }

  async queryById(id: unknown, options?: unknown): Promise<unknown> {
    const [wanted = ''] = readIds('GET', [id], 1)
    readWanted(options)
    this.#enter('QUERY')
    return this.#store().searchById(wanted, options)
  }

  async #write(operation: 'INSERT' | 'UPSERT', vectors: unknown): Promise<{ mutationId: string }> {
    const rows = readRows(operation, vectors, this.#dimensions())
    this.#enter(operation, rows.length)
    return { mutationId: await this.#store().write(operation, rows, this.#delay()) }
  }

  #enter(operation: VectorOperation, count?: number): void {
    record(this.env.RECORD === '1', { binding: 'vectorize', op: operation.toLowerCase(), ...(count === undefined ? {} : { count }) })
    if (failing(world.vectorize)) throw refused(operation, 10_000, 'internal error')
  }

  #dimensions(): number {
    return Math.min(most.dimensions, Number(this.env.EMBEDDING_DIMENSIONS))
  }

  #delay(): number {
    return world.delay ?? Number(this.env.VECTORIZE_DELAY_MS ?? 0)
  }

  #store(): DurableObjectStub<VectorStore> {
    return storeOf(this.env)
  }
}

export function storeOf(env: Env): DurableObjectStub<VectorStore> {
  return env.VECTORS.get(env.VECTORS.idFromName('index'))
}
