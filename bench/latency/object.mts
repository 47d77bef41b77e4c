/** The object the latency bench measures: commits and questions are calls of their own, so that they can be timed from outside. */
import { DurableObject } from 'cloudflare:workers'
import { SqliteGraph } from '../../durable-objects/graph/sqlite-graph'
import { counted, type Sql } from '../../durable-objects/sql'
import { integrate } from '../../src/core/graph/integrate'
import type { DocumentRecord, Patch } from '../../src/core/graph/types'
import { random } from '../../src/core/random'
import { defaultSettings } from '../../src/core/settings'
import { auto } from '../../src/core/strategies/auto/auto'
import { cluerag } from '../../src/core/strategies/cluerag/cluerag'
import { ketrag } from '../../src/core/strategies/ketrag/ketrag'
import { strategies } from '../../src/core/strategies/registry'
import type { Builder, Query } from '../../src/core/strategy'
import { divide } from '../../src/core/text/divide'
import { distinct, terms } from '../../src/core/text/terms'
import { vector } from '../graph/corpus'
import type { Grown } from './grown'

interface Doc {
  readonly id: string
  readonly title: string
  readonly text: string
}

const strategiesOn = [auto, cluerag, ketrag]
const builders: readonly Builder[] = [...new Map(strategiesOn.flatMap((one) => one.builders).map((one) => [one.name, one])).values()]

export class Bench extends DurableObject {
  readonly #sql: Sql
  readonly #graph: SqliteGraph
  readonly #dice = random('latency')
  #query: Query | undefined

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env)
    this.#sql = counted(ctx.storage.sql)
    this.#graph = new SqliteGraph({ sql: this.#sql, dimensions: defaultSettings.dimensions })
    this.#graph.migrate()
  }

  nothing(): void {}

  grow(docs: readonly Doc[]): Grown {
    const upserts = docs.map((doc) => {
      const { name, chunks, placed } = divide(doc, defaultSettings.chunking)
      const document: DocumentRecord = { id: doc.id, title: doc.title, name, url: null, metadata: {}, chunks: placed }
      const divided = chunks.map((chunk) => ({
        chunk,
        vectors: { passages: chunk.passages.map(() => vector(this.#dice)), units: chunk.units.map(() => vector(this.#dice)) },
      }))
      return { document, chunks: divided }
    })
    const { patch, delta } = integrate(this.#graph, { upserts, deletes: [] })
    const rows: { [builder: string]: number } = { text: this.#write(patch) }
    const told: { [builder: string]: number } = {}
    for (const builder of builders) {
      const changes = builder.update(this.#graph, { ...delta, replies: [] }, defaultSettings).patch
      rows[builder.name] = this.#write(changes)
      told[builder.name] = changes.filter((one) => one.op === 'put-node' || (one.op === 'put-edge' && one.edge.kind !== 'mentions')).length
    }
    return { chunks: delta.added.length, passages: this.#graph.count('passage'), rows, told }
  }

  /** What the schedule publishes: keywords for vector search. */
  publish(): number {
    const builder = builders.find((one) => one.name === 'keywords')
    const patch = builder?.consolidate?.(this.#graph, defaultSettings).patch ?? []
    this.#write(patch)
    return patch.length
  }

  aim(text: string): void {
    const own = vector(this.#dice)
    const near = { passage: this.#graph.nearest(own, 'passage', 100), keyword: this.#graph.nearest(own, 'keyword', 24) }
    this.#query = { text, terms: distinct(terms(text)), vector: own, near }
    this.#graph.forget()
  }

  ask(name: string, own: { readonly [key: string]: string | number }): number {
    const strategy = strategies.get(name)
    if (!this.#query || !strategy) return -1
    const retrieved = strategy.retrieve(this.#graph, this.#query, new Map(), { topK: 20, budget: 4000, trace: false, own }, defaultSettings)
    return retrieved.kind === 'evidence' ? retrieved.found.length : 0
  }

  #write(patch: Patch): number {
    const before = this.#sql.written()
    this.ctx.storage.transactionSync(() => this.#graph.apply(patch, this.#graph.version + 1))
    return this.#sql.written() - before
  }
}

interface Call {
  readonly call: 'nothing' | 'grow' | 'publish' | 'aim' | 'ask'
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
