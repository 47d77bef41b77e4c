/** The bindings that an object has in the other process (edge.ts), with the same shapes as here. */
import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'

export interface Statement {
  readonly query: string
  readonly values: readonly unknown[]
}

export type Reading = 'all' | 'run' | 'first' | 'raw' | 'columns'

/** As the objects see the other process. */
export type Remote = {
  readonly [method in 'd1' | 'd1Batch' | 'd1Exec' | 'send' | 'start' | 'ping']: (...args: unknown[]) => Promise<unknown>
}

/** Set in the objects' process if there are two. */
export interface Apart {
  readonly EDGE?: Remote
  /** The bindings of its databases. */
  readonly EDGE_DATABASES?: readonly string[]
}

/** The bindings of the other process, called there. */
export function withEdge<E extends object>(env: E & Apart): E {
  const { EDGE: edge, EDGE_DATABASES: names = [] } = env
  if (!edge) return env
  return {
    ...env,
    ...Object.fromEntries(names.map((name) => [name, databaseOf(edge, name)])),
    OUTBOUND: { sendBatch: (messages: unknown) => edge.send(messages) },
    INGEST: { create: (instance: unknown) => edge.start(instance) },
  }
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
