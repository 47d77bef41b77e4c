/** `npm run bench [name] [-- options]`: system (the default), a folder of bench/, or one of its parts (`archrag/growth`, or `growth` where no other has the name). */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureSetup, root } from './lib/setup.mjs'

await ensureSetup()

/** @param {string} name */
function fileOf(name) {
  const exact = [`bench/${name}/main.ts`, `bench/${name}.ts`].find((path) => existsSync(join(root, path)))
  if (exact || name.includes('/')) return exact
  const parts = readdirSync(join(root, 'bench'))
    .map((room) => `bench/${room}/${name}.ts`)
    .filter((path) => existsSync(join(root, path)))
  if (parts.length > 1) throw new Error(`${name} is one of ${parts.map((path) => path.slice(6, -3)).join(', ')}: which?`)
  return parts[0]
}

const asked = process.argv.slice(2)
const only = asked.indexOf('--only')
// `--only classify` names a bench; `--only growth` a part of the system's.
const alone = only >= 0 && existsSync(join(root, `bench/${asked[only + 1]}/main.ts`))
const given = alone ? [asked[only + 1], ...asked.slice(0, only), ...asked.slice(only + 2)] : asked
const [first = '', ...rest] = given
const named = first !== '' && !first.startsWith('-')
const name = named ? first : 'system'
const file = fileOf(name)
if (!file) throw new Error(`no such bench: ${name} (bench/README.md lists them)`)
process.argv.splice(2, process.argv.length, file, ...(named ? rest : given))
await import('./run-ts.mjs')
