/**
 * `npm run bench [name] [-- options]`: system (the default), a folder of bench/, or one of its parts (`archrag/growth`, or `growth` if no
 * other part has that name).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asksForHelp } from './lib/arguments.mjs'
import { ensureSetup, root } from './lib/setup.mjs'

const USAGE = `npm run bench                               the whole system (bench/system)
npm run bench <name> -- <options>           a folder of bench/, or one of its parts: archrag/growth, or growth if no other has that name
npm run bench <name> -- --help              what it measures, and its options

bench/README.md lists the benches. Their names: ${readdirSync(join(root, 'bench'))
  .filter((room) => existsSync(join(root, `bench/${room}/main.ts`)))
  .join(', ')}`

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(`${message}\n\n${USAGE}`)
  process.exit(2)
}

/** @param {string} name */
function fileOf(name) {
  const exact = [`bench/${name}/main.ts`, `bench/${name}.ts`].find((path) => existsSync(join(root, path)))
  if (exact || name.includes('/')) return exact
  const parts = readdirSync(join(root, 'bench'))
    .map((room) => `bench/${room}/${name}.ts`)
    .filter((path) => existsSync(join(root, path)))
  if (parts.length > 1) refuse(`Several benches are called ${name}: ${parts.map((path) => path.slice(6, -3)).join(', ')}.`)
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
if (!file) refuse(`There is no bench ${name}.`)
if (asksForHelp(asked)) {
  console.log(named ? headOf(readFileSync(join(root, file), 'utf8')) : USAGE)
  process.exit(0)
}
await ensureSetup()
process.argv.splice(2, process.argv.length, file, ...(named ? rest : given))
await import('./run-ts.mjs').catch((error) => {
  if (!String(error.code).startsWith('ERR_PARSE_ARGS')) throw error
  refuse(`${error.message.split('. ')[0]}. npm run bench ${name} -- --help shows its options.`)
})

/** Its header says what it measures and which options it takes. @param {string} source */
function headOf(source) {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? ''
  return comment.replace(/^ *\* ?/gm, '').trim()
}
