/** The object KET-RAG's bench measures: each step is a call of its own, so that it can be timed from outside. */
import { DurableObject } from 'cloudflare:workers'
import { SqliteGraph } from '../../durable-objects/graph/sqlite-graph'
import { counted, type Sql } from '../../durable-objects/sql'
import { type Integration, integrate } from '../../src/core/graph/integrate'
import type { DocumentRecord, Patch } from '../../src/core/graph/types'
import { random } from '../../src/core/random'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { ketrag } from '../../src/core/strategies/ketrag/ketrag'
import type { Query } from '../../src/core/strategy'
import { divide } from '../../src/core/text/divide'
import { distinct, terms } from '../../src/core/text/terms'
import { vector } from '../graph/corpus'
import type { Step } from './step'

interface Doc {
  readonly id: string
  readonly title: string
  readonly text: string
}

export class Bench extends DurableObject {
  readonly #sql: Sql
  readonly #graph: SqliteGraph
  readonly #dice = random('bench')
  #next: Integration | undefined
  #patch: Patch = []
  #query: Query | undefined

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env)
    this.#sql = counted(ctx.storage.sql)
    this.#graph = new SqliteGraph({ sql: this.#sql, dimensions: defaultSettings.dimensions })
    this.#graph.migrate()
  }

  nothing(): void {}

  passages(): number {
    return this.#graph.count('passage')
  }

  prepare(docs: readonly Doc[]): number {
    const upserts = docs.map((doc) => {
      const { name, chunks, placed } = divide(doc, defaultSettings.chunking)
      const document: DocumentRecord = { id: doc.id, title: doc.title, name, url: null, metadata: {}, chunks: placed }
      const divided = chunks.map((chunk) => ({
        chunk,
        vectors: { passages: chunk.passages.map(() => vector(this.#dice)), units: chunk.units.map(() => vector(this.#dice)) },
      }))
      return { document, chunks: divided }
    })
    this.#next = integrate(this.#graph, { upserts, deletes: [] })
    return this.#next.delta.added.length
  }

  base(): Step {
    return this.#step(() => this.#next?.patch ?? [])
  }

  /** What the builder thinks, without writing it. */
  think(name: string): number {
    const builder = ketrag.builders.find((one) => one.name === name)
    const delta = this.#next?.delta
    this.#patch = builder && delta ? builder.update(this.#graph, { ...delta, replies: [] }, defaultSettings).patch : []
    return this.#patch.length
  }

  write(): Step {
    return this.#step(() => this.#patch)
  }

  consolidate(name: string): number {
    const builder = ketrag.builders.find((one) => one.name === name)
    const settings = { ...defaultSettings, writer: true }
    this.#patch = builder?.consolidate?.(this.#graph, settings).patch ?? []
    return this.#patch.length
  }

  aim(text: string): void {
    const own = vector(this.#dice)
    const near = { passage: this.#graph.nearest(own, 'passage', 100), keyword: this.#graph.nearest(own, 'keyword', 24) }
    this.#query = { text, terms: distinct(terms(text)), vector: own, near }
    this.#graph.forget()
  }

  ask(theta: number): number {
    if (!this.#query) return 0
    const options = { topK: 20, budget: 4000, trace: false, own: { theta } }
    const retrieved = ketrag.retrieve(this.#graph, this.#query, new Map(), options, defaultSettings)
    return retrieved.kind === 'evidence' ? retrieved.found.length : 0
  }

  #step(patch: () => Patch): Step {
    const before = this.#sql.written()
    const changes = patch()
    this.ctx.storage.transactionSync(() => this.#graph.apply(changes, this.#graph.version + 1))
    const told = changes.filter((one) => one.op === 'put-node' || one.op === 'put-edge').length
    return { rows: this.#sql.written() - before, told, chunks: this.#next?.delta.added.length ?? 0 }
  }
}

interface Call {
  readonly call: 'nothing' | 'passages' | 'prepare' | 'base' | 'think' | 'write' | 'consolidate' | 'aim' | 'ask'
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
