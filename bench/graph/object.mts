/** The object the graph's bench measures: loops long enough to be timed from outside. */
import { DurableObject } from 'cloudflare:workers'
import { SqliteGraph } from '../../durable-objects/graph/sqlite-graph'
import { counted, type Sql, type SqlSource } from '../../durable-objects/sql'
import type { Change } from '../../src/core/graph/types'
import { nodeId, passageId, unitId } from '../../src/core/ids'
import { random } from '../../src/core/random'
import { terms } from '../../src/core/text/terms'
import { put, sentence, shape, vector } from './corpus'

export class Bench extends DurableObject {
  readonly #sql: Sql
  readonly #graph: SqliteGraph
  readonly #unbounded: SqliteGraph
  #read = 0
  readonly #dice = random('bench')
  #next: Change[] = []
  #chunks: string[] = []

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env)
    const exec: SqlSource['exec'] = (query, ...bindings) => {
      const cursor = ctx.storage.sql.exec(query, ...bindings)
      const rows = cursor.toArray()
      this.#read += cursor.rowsRead
      return { toArray: () => rows, rowsWritten: cursor.rowsWritten }
    }
    this.#sql = counted({ exec })
    this.#graph = new SqliteGraph({ sql: this.#sql, dimensions: shape.dimensions })
    this.#graph.migrate()
    this.#unbounded = new SqliteGraph({ sql: this.#sql, dimensions: shape.dimensions, postings: Number.MAX_SAFE_INTEGER })
    this.#unbounded.migrate()
  }

  nothing(): void {}

  /** Makes the next chunks, so that making them is not measured. */
  prepare(count: number, unitVectors: boolean): void {
    this.#next = Array.from({ length: count }, () => put(this.#dice, unitVectors))
  }

  /** Rows written. */
  apply(): number {
    const before = this.#sql.written()
    const version = this.#graph.version + 1
    this.ctx.storage.transactionSync(() => this.#graph.apply(this.#next, version))
    for (const change of this.#next) if (change.op === 'put-chunk') this.#chunks.push(change.chunk.id)
    this.#next = []
    return this.#sql.written() - before
  }

  edges(count: number): number {
    const entities = Array.from({ length: count / 2 }, (_, i) => nodeId('entity', i))
    const edge = (): Change => {
      const [source = '', target = ''] = [this.#dice.below(entities.length), this.#dice.below(entities.length)].map(
        (i) => entities[i] ?? '',
      )
      return { op: 'put-edge', edge: { kind: 'relates', source, target, weight: 1 + this.#dice.below(9), data: 'works with' } }
    }
    const before = this.#sql.written()
    this.#graph.apply(Array.from({ length: count }, edge), this.#graph.version + 1)
    return this.#sql.written() - before
  }

  read(what: 'chunk' | 'passage vector' | 'unit vector' | 'edges' | 'count', times: number, forget: boolean): number {
    let found = 0
    for (let i = 0; i < times; i++) {
      if (forget) this.#graph.forget()
      const chunk = this.#chunks[this.#dice.below(forget ? this.#chunks.length : 100)] ?? ''
      if (what === 'chunk') found += this.#graph.chunk(chunk)?.tokens ?? 0
      else if (what === 'passage vector') found += this.#graph.vector(passageId(chunk, this.#dice.below(shape.passages)))?.length ?? 0
      else if (what === 'unit vector') found += this.#graph.vector(unitId(chunk, this.#dice.below(shape.units)))?.length ?? 0
      else if (what === 'edges') found += this.#graph.edges('relates', nodeId('entity', this.#dice.below(1000))).length
      else found += this.#graph.count('passage')
    }
    return found
  }

  /** One question; rows read. Terms in more than a quarter of the passages are left out, as the keyword channel does. */
  match(seed: number, words: number, unbounded: boolean): number {
    const graph = unbounded ? this.#unbounded : this.#graph
    graph.forget()
    this.#read = 0
    const asked = [...new Set(terms(sentence(random(seed), words)))]
    const max = graph.count('passage') / 4
    const frequencies = graph.frequency(asked)
    const telling = asked.filter((_, i) => (frequencies[i] ?? 0) > 0 && (frequencies[i] ?? 0) <= max)
    graph.match(telling, 50)
    return this.#read
  }

  frequency(seed: number, words: number): number {
    return this.#graph.frequency(terms(sentence(random(seed), words))).length
  }

  nearest(): number {
    return this.#graph.nearest(vector(this.#dice), 'passage', 10).length
  }

  drop(count: number): number {
    const before = this.#sql.written()
    const gone = this.#chunks.splice(0, count)
    this.ctx.storage.transactionSync(() =>
      this.#graph.apply(
        gone.map((id) => ({ op: 'drop-chunk', id })),
        this.#graph.version + 1,
      ),
    )
    return this.#sql.written() - before
  }
}

interface Call {
  readonly call: 'nothing' | 'prepare' | 'apply' | 'edges' | 'read' | 'match' | 'frequency' | 'nearest' | 'drop'
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
