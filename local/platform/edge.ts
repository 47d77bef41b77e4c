/**
 * Locally the objects have a process of their own, so that what they do takes no time of the Worker and the Workflow: as in production, where each has
 * a thread. What an object calls and this machine has in the other process (databases, the queue, the Workflow) it calls through here.
 */
import { WorkerEntrypoint } from 'cloudflare:workers'
import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import type { Env } from '../../src/env'

export interface Statement {
  readonly query: string
  readonly values: readonly unknown[]
}

type Reading = 'all' | 'run' | 'first' | 'raw' | 'columns'

/** Of the process of the Worker: its bindings, for the objects. */
export class Edge extends WorkerEntrypoint<Env> {
  ping(): void {}

  async d1(name: string, reading: Reading, { query, values }: Statement): Promise<unknown> {
    const statement = this.#database(name)
      .prepare(query)
      .bind(...values)
    if (reading === 'columns') return statement.raw({ columnNames: true })
    return statement[reading]()
  }

  async d1Batch(name: string, statements: readonly Statement[]): Promise<unknown> {
    const database = this.#database(name)
    return database.batch(statements.map(({ query, values }) => database.prepare(query).bind(...values)))
  }

  async d1Exec(name: string, query: string): Promise<unknown> {
    return this.#database(name).exec(query)
  }

  async send(messages: Parameters<Env['OUTBOUND']['sendBatch']>[0]): Promise<void> {
    await this.env.OUTBOUND.sendBatch(messages)
  }

  async start({ id, params }: { readonly id: string; readonly params: { readonly uid: string } }): Promise<{ readonly id: string }> {
    await this.env.INGEST.create({ id, params })
    return { id }
  }

  #database(name: string): D1Database {
    return (this.env as unknown as { readonly [name: string]: D1Database })[name] as D1Database
  }
}

type Remote = { readonly [method in 'd1' | 'd1Batch' | 'd1Exec' | 'send' | 'start' | 'ping']: (...args: unknown[]) => Promise<unknown> }

/** Of the process of the objects: set where there are two. */
export interface Apart {
  readonly EDGE?: Remote
  /** The bindings of its databases. */
  readonly EDGE_DATABASES?: readonly string[]
}

/** The bindings that the other process has, called there. */
export function withEdge(env: Env & Apart): Env {
  const { EDGE: edge, EDGE_DATABASES: names = [] } = env
  if (!edge) return env
  return {
    ...env,
    ...Object.fromEntries(names.map((name) => [name, databaseOf(edge, name)])),
    OUTBOUND: { sendBatch: (messages: unknown) => edge.send(messages) },
    INGEST: { create: (instance: unknown) => edge.start(instance) },
  } as unknown as Env
}

function databaseOf(edge: Remote, name: string): D1Database {
  const said = new WeakMap<object, Statement>()
  const statementOf = (query: string, values: readonly unknown[]): D1PreparedStatement => {
    const call = (reading: Reading): Promise<unknown> => edge.d1(name, reading, { query, values })
    const statement = {
      bind: (...bound: unknown[]) => statementOf(query, bound),
      first: async (column?: string) => {
        const row = (await call('first')) as { readonly [column: string]: unknown } | null
        return column === undefined || row === null ? row : row[column]
      },
      all: () => call('all'),
      run: () => call('run'),
      raw: (options?: { readonly columnNames?: boolean }) => call(options?.columnNames ? 'columns' : 'raw'),
    }
    said.set(statement, { query, values })
    return statement as unknown as D1PreparedStatement
  }
  const database = {
    prepare: (query: string) => statementOf(query, []),
    batch: (statements: readonly D1PreparedStatement[]) =>
      edge.d1Batch(
        name,
        statements.map((one) => said.get(one)),
      ),
    exec: (query: string) => edge.d1Exec(name, query),
  }
  return database as unknown as D1Database
}
