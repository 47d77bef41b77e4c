/** `npm run bench [name] [options]`, or `--only <name>`: system (the default), or any bench/<name>.ts or bench/<name>/main.ts. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureSetup, root } from './lib/setup.mjs'

await ensureSetup(import.meta.url)
const fileOf = (name) => [`bench/${name}/main.ts`, `bench/${name}.ts`].find((path) => existsSync(join(root, path)))
const asked = process.argv.slice(2)
const only = asked.indexOf('--only')
// `--only classify` names a bench; `--only growth` a part of the system's.
const alone = only >= 0 && fileOf(asked[only + 1])
const given = alone ? [asked[only + 1], ...asked.slice(0, only), ...asked.slice(only + 2)] : asked
const [first = '', ...rest] = given
const named = first !== '' && !first.startsWith('-')
const name = named ? first : 'system'
const file = fileOf(name)
if (!file) throw new Error(`no such bench: ${name}`)
process.argv.splice(2, process.argv.length, file, ...(named ? rest : given))
await import('./run-ts.mjs')
