/** The object the latency bench measures: commits and questions are calls of their own, so that they can be timed from outside. */
import { DurableObject } from 'cloudflare:workers'
import { SqliteGraph } from '../../durable-objects/graph/sqlite-graph'
import { counted, type Sql } from '../../durable-objects/sql'
import { hashEmbedding } from '../../local/workerd/hash-embedder'
import { integrate } from '../../src/core/graph/integrate'
import type { Chunk, DocumentRecord, Patch, Vector } from '../../src/core/graph/types'
import { random } from '../../src/core/random'
import type { Settings } from '../../src/core/settings'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { strategies } from '../../src/core/strategies/registry'
import type { Builder, Delta, Query } from '../../src/core/strategy'
import { divide } from '../../src/core/text/divide'
import { distinct, terms } from '../../src/core/text/terms'
import { quantize } from '../../src/core/vectors'
import { vector } from '../graph/corpus'
import type { Built, Taken } from './grown'

interface Doc {
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface Setup {
  readonly strategies: readonly string[]
  /** Vectors by the hash of a text's words; else random ones. */
  readonly hash: boolean
  readonly archrag: Partial<Settings['archrag']>
}

export class Bench extends DurableObject {
  readonly #sql: Sql
  readonly #graph: SqliteGraph
  readonly #dice = random('latency')
  readonly #builders: readonly Builder[]
  readonly #settings: Settings
  readonly #hash: boolean
  #delta: Omit<Delta, 'replies'> | undefined
  #made = new Map<string, Patch>()
  #query: Query | undefined

  // What is set up comes with the environment: after a long commit the runtime may have thrown the object out of memory.
  constructor(ctx: DurableObjectState, env: Cloudflare.Env & { readonly SETUP: Setup }) {
    super(ctx, env)
    const { strategies: names, hash, archrag } = env.SETUP
    const all = names.flatMap((name) => strategies.get(name)?.builders ?? [])
    this.#builders = [...new Map(all.map((one) => [one.name, one])).values()]
    this.#settings = { ...defaultSettings, archrag: { ...defaultSettings.archrag, ...archrag } }
    this.#hash = hash
    this.#sql = counted(ctx.storage.sql)
    this.#graph = new SqliteGraph({ sql: this.#sql, dimensions: defaultSettings.dimensions })
    this.#graph.migrate()
  }

  nothing(): void {}

  /** Takes the texts in; what the builders make of them comes next. */
  take(docs: readonly Doc[]): Taken {
    const upserts = docs.map((doc) => {
      const { name, chunks, placed } = divide(doc, defaultSettings.chunking)
      const document: DocumentRecord = { id: doc.id, title: doc.title, name, url: null, metadata: {}, chunks: placed }
      const divided = chunks.map((chunk) => ({
        chunk,
        vectors: { passages: this.#embed(chunk, 'passages'), units: this.#embed(chunk, 'units') },
      }))
      return { document, chunks: divided }
    })
    const { patch, delta } = integrate(this.#graph, { upserts, deletes: [] })
    this.#delta = delta
    this.#made = new Map()
    const rows = this.#write(patch)
    return { chunks: delta.added.length, passages: this.#graph.count('passage'), rows }
  }

  /** One builder's share of what was taken in last; those it follows first. */
  build(name: string): Built {
    const builder = this.#builders.find((one) => one.name === name)
    if (!builder || !this.#delta) return { rows: 0, told: 0, behind: false }
    const followed = builder.follows?.flatMap((one) => this.#made.get(one) ?? [])
    const changes = builder.update(
      this.#graph,
      { ...this.#delta, replies: [], ...(followed ? { changes: followed } : {}) },
      this.#settings,
    ).patch
    this.#made.set(name, changes)
    return { rows: this.#write(changes), told: toldOf(changes), behind: builder.hasBacklog?.(this.#graph) ?? false }
  }

  /** A piece of what a builder has left. */
  catchUp(name: string): Built {
    const builder = this.#builders.find((one) => one.name === name)
    const changes = builder?.processBacklog?.(this.#graph, this.#settings).patch ?? []
    return { rows: this.#write(changes), told: toldOf(changes), behind: builder?.hasBacklog?.(this.#graph) ?? false }
  }

  entities(): number {
    return this.#graph.count('entity')
  }

  names(): readonly string[] {
    return this.#builders.map((one) => one.name)
  }

  /** As the schedule does; the number of changes. */
  consolidate(name: string): number {
    const patch = this.#builders.find((one) => one.name === name)?.consolidate?.(this.#graph, this.#settings).patch ?? []
    this.#write(patch)
    return patch.length
  }

  aim(text: string): void {
    const own = this.#hash ? hashed(text) : vector(this.#dice)
    const near = { passage: this.#graph.nearest(own, 'passage', 100), keyword: this.#graph.nearest(own, 'keyword', 24) }
    this.#query = { text, terms: distinct(terms(text)), vector: own, near }
  }

  /** Empties the caches, as in an object that has just woken. */
  forget(): void {
    this.#graph.forget()
  }

  ask(name: string, own: { readonly [key: string]: string | number }): number {
    const strategy = strategies.get(name)
    if (!this.#query || !strategy) return -1
    const retrieved = strategy.retrieve(this.#graph, this.#query, new Map(), { topK: 20, budget: 4000, trace: false, own }, this.#settings)
    return retrieved.kind === 'evidence' ? retrieved.found.length : 0
  }

  #embed(chunk: Chunk, part: 'passages' | 'units'): Vector[] {
    return chunk[part].map(({ start, end }) => (this.#hash ? hashed(chunk.text.slice(start, end)) : vector(this.#dice)))
  }

  #write(patch: Patch): number {
    const before = this.#sql.written()
    this.ctx.storage.transactionSync(() => this.#graph.apply(patch, this.#graph.version + 1))
    return this.#sql.written() - before
  }
}

function hashed(text: string): Vector {
  return quantize(hashEmbedding(text, defaultSettings.dimensions))
}

interface Call {
  readonly call: 'nothing' | 'names' | 'entities' | 'take' | 'build' | 'consolidate' | 'aim' | 'forget' | 'ask'
  readonly args: readonly unknown[]
}

export default {
  async fetch(request: Request, env: { readonly BENCH: DurableObjectNamespace<Bench> }): Promise<Response> {
    const { call, args } = await request.json<Call>()
    const stub = env.BENCH.getByName('bench')
    const method = stub[call] as (...args: readonly unknown[]) => Promise<unknown>
    return Response.json((await method(...args)) ?? null)
  },
}

function toldOf(changes: Patch): number {
  return changes.filter((one) => one.op === 'put-node' || (one.op === 'put-edge' && one.edge.kind !== 'mentions')).length
}
