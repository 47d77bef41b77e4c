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
  const miniflare = new Miniflare({
    cf: false,
    modules: true,
    script: 'export default { fetch: () => new Response() }',
    d1Databases: { DB: 'test' },
  })
  const db = (await miniflare.getD1Database('DB')) as unknown as D1Database
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    const statements = readFileSync(path.join(folder, file), 'utf8').split('--> statement-breakpoint')
    await db.batch(statements.map((statement) => db.prepare(statement)))
  }
  return { db, dispose: () => miniflare.dispose() }
}
