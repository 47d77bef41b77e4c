/**
 * Locally the objects have their own process, so that their work takes no time from the Worker and the Workflow: as in production, where
 * each has its own thread. Objects call through here what this machine has in the other process (databases, the queue, the Workflow).
 */
import { WorkerEntrypoint } from 'cloudflare:workers'
import type { D1Database } from '@cloudflare/workers-types'
import type { Env } from '../../src/env'
import type { Reading, Statement } from './beyond-edge'

/** In the Worker's process: its bindings, for the objects. */
export class Edge extends WorkerEntrypoint<Env> {
  ping(): void {}

  async d1(name: string, reading: Reading, { query, values }: Statement): Promise<unknown> {
    const statement = this.#database(name)
      .prepare(query)
      .bind(...values)
    switch (reading) {
      case 'all':
        return statement.all()
      case 'run':
        return statement.run()
      case 'first':
        return statement.first()
      case 'raw':
        return statement.raw()
      case 'columns':
        return statement.raw({ columnNames: true })
    }
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
