/** A real D1 (Miniflare's) with the product's migrations, for tests in Node. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { D1Database } from '@cloudflare/workers-types'
import { Miniflare } from 'miniflare'

const folder = path.join(import.meta.dirname, '../../../migrations')

export interface Database {
  readonly db: D1Database
  dispose(): Promise<void>
}

export async function database(): Promise<Database> {
  const { bindings, dispose } = await databases(['DB'])
  const { DB: db } = bindings
  if (!db) throw new Error('no database')
  return { db, dispose }
}

export interface Bound {
  readonly bindings: { readonly [name: string]: D1Database }
  dispose(): Promise<void>
}

export async function databases(names: readonly string[]): Promise<Bound> {
  const miniflare = new Miniflare({
    cf: false,
    modules: true,
    script: 'export default { fetch: () => new Response() }',
    d1Databases: Object.fromEntries(names.map((name) => [name, name])),
  })
  const bindings = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await migrated(miniflare, name)] as const)))
  return { bindings, dispose: () => miniflare.dispose() }
}

async function migrated(miniflare: Miniflare, name: string): Promise<D1Database> {
  const db = (await miniflare.getD1Database(name)) as unknown as D1Database
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.sql'))) {
    const statements = readFileSync(path.join(folder, file), 'utf8').split('--> statement-breakpoint')
    await db.batch(statements.map((statement) => db.prepare(statement)))
  }
  return db
}
