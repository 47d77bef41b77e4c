/**
 * `env.VECTORIZE` on a machine without an account: the call shape of the Vectorize binding, its limits and its delayed visibility, over one
 * Durable Object that stores the vectors. Exact up to 32,768 vectors in a namespace, where the real index is approximate; beyond that,
 * approximate too (shelf.ts).
 */
import { WorkerEntrypoint } from 'cloudflare:workers'
import { vectorizeLimits as limits } from '../../src/platform-limits'
import type { Env } from './env'
import { refused, type VectorOperation } from './faults'
import { bodyBytes, readIds, readRows, readValues, readWanted } from './limits'
import type { VectorStore } from './vector-store'
import { admits, clockOf, failing, record, world } from './world'

const TOO_MANY = 40041
const INDEX = 'index'
export const PREVIOUS_INDEX = 'previous'

/** `index`: the name of an index other than the shared one. */
interface Props {
  readonly index?: string
}

export class VectorizeStandIn extends WorkerEntrypoint<Env, Props> {
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
    const removed = readIds('DELETE', ids, limits.maxDeleteIds)
    this.#enter('DELETE', { count: removed.length })
    this.#paced('DELETE')
    return { mutationId: await this.#store().remove(removed, this.#delay(), lost()) }
  }

  async getByIds(ids: unknown): Promise<unknown> {
    const wanted = readIds('GET', ids, limits.maxGetIds)
    this.#enter('GET', { count: wanted.length })
    return this.#store().fetchByIds(wanted)
  }

  async query(vector: unknown, options?: unknown): Promise<unknown> {
    const values = readValues(vector, this.#dimensions())
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
    this.#enter(operation, { count: rows.length, bytes: bodyBytes(vectors as readonly unknown[]) })
    this.#paced(operation)
    return { mutationId: await this.#store().write(operation, rows, this.#delay(), lost()) }
  }

  #enter(operation: VectorOperation, size: { readonly count?: number; readonly bytes?: number } = {}): void {
    record(this.env.RECORD === '1', { binding: 'vectorize', op: operation.toLowerCase(), ...size })
    if (failing(world.vectorize)) throw refused(operation, world.vectorize.code, faultOf(world.vectorize.code))
  }

  /** The rate limit of writes is not published; a test may set one. */
  #paced(operation: VectorOperation): void {
    if (!admits(clockOf(this.env))) throw refused(operation, TOO_MANY, faultOf(TOO_MANY))
  }

  #dimensions(): number {
    return Math.min(limits.maxDimensions, Number(this.dimensions()))
  }

  protected dimensions(): string | undefined {
    return this.env.EMBEDDING_DIMENSIONS
  }

  protected indexName(): string {
    return INDEX
  }

  #delay(): number {
    return world.delay ?? Number(this.env.VECTORIZE_DELAY_MS ?? 0)
  }

  #store(): DurableObjectStub<VectorStore> {
    return storeOf(this.env, this.ctx.props?.index ?? this.indexName())
  }
}

/** The index of the previous embedding model. */
export class PreviousVectorizeStandIn extends VectorizeStandIn {
  protected override dimensions(): string | undefined {
    return this.env.EMBEDDING_DIMENSIONS_PREVIOUS
  }

  protected override indexName(): string {
    return PREVIOUS_INDEX
  }
}

export function storeOf(env: Env, name = INDEX): DurableObjectStub<VectorStore> {
  return env.VECTORS.get(env.VECTORS.idFromName(name))
}

/** Is this mutation one that a test makes the index lose? */
function lost(): boolean {
  return failing(world.lost)
}

function faultOf(code: number): string {
  return code === TOO_MANY ? 'Too Many Requests' : 'internal error'
}
