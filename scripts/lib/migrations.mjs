/** The D1 migrations that a state folder has not applied yet. Their digest is kept, so that a start without new ones asks no database. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BREAK = '--> statement-breakpoint' // drizzle-kit's

/** @returns {{migrations: Record<string, {name: string, statements: string[]}[]>, done(): void} | undefined} by binding */
export function pendingMigrations({ root, state, production }) {
  const migrations = {}
  const hash = createHash('sha256')
  for (const { binding, migrations_dir: directory = 'migrations' } of production.d1_databases ?? []) {
    const folder = join(root, directory)
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sql')) : []
    migrations[binding] = names.sort().map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      hash.update(name).update(text)
      return {
        name,
        statements: text
          .split(BREAK)
          .map((statement) => statement.trim())
          .filter(Boolean),
      }
    })
  }
  const stamp = state.path('migrated')
  const digest = hash.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return undefined
  return { migrations, done: () => writeFileSync(stamp, digest) }
}
