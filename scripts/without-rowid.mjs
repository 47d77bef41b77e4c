/**
 * Drizzle cannot say WITHOUT ROWID. A table whose primary key is not one integer otherwise keeps a second b-tree for it, and D1
 * bills each row twice. Applied by `npm run migrations` to what drizzle-kit has just written; doing it twice changes nothing.
 * Not for `chunk` and `document`: their rows are long, and such a table's interior pages would hold too few of them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const TABLES = ['node', 'edge', 'key_grant']
const folder = new URL('../migrations/', import.meta.url)

for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
  const path = new URL(file, folder)
  const before = readFileSync(path, 'utf8')
  const after = before.replace(/CREATE TABLE `(\w+)` \(([^;]*)\);/g, (all, table, body) =>
    TABLES.includes(table) ? `CREATE TABLE \`${table}\` (${body}) WITHOUT ROWID;` : all,
  )
  if (after !== before) writeFileSync(path, after)
}
