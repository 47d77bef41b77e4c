/** `npm run bench [name] [options]`: system (the default), or any bench/<name>.ts or bench/<name>/main.ts. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureSetup, root } from './lib/setup.mjs'

await ensureSetup(import.meta.url)
const given = process.argv.slice(2)
const [first = '', ...rest] = given
const named = first !== '' && !first.startsWith('-')
const name = named ? first : 'system'
const file = [`bench/${name}/main.ts`, `bench/${name}.ts`].find((path) => existsSync(join(root, path)))
if (!file) throw new Error(`no such bench: ${name}`)
process.argv.splice(2, process.argv.length, file, ...(named ? rest : given))
await import('./run-ts.mjs')
