/** `npm run models`: lists the models that can be named, fetches one, removes one. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isKept, modelsFolder, readCatalogue, sizesOf } from './lib/models/catalogue.mjs'
import { ensureEngine } from './lib/models/engine.mjs'
import { fetchModel, progressBar } from './lib/models/fetch-model.mjs'

const USAGE = `npm run models                      what there is, and what is here
npm run models -- fetch <name>      --accept-licence where its terms ask for it
npm run models -- remove <name>     its files; --all: every model and the engine`

/**
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, say?: (text: string) => void, catalogue?: Record<string, import('./lib/models/catalogue.mjs').CatalogueModel>, engine?: typeof ensureEngine, progress?: (done: number, all: number) => void }} [around]
 */
export async function models(
  args,
  { env = process.env, say = console.log, catalogue = readCatalogue(), engine = ensureEngine, progress } = {},
) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'accept-licence': { type: 'boolean', default: false }, all: { type: 'boolean', default: false } },
  })
  const folder = modelsFolder(env)
  const [verb = 'list', name] = positionals
  const known = () => {
    if (name && Object.hasOwn(catalogue, name)) return catalogue[name]
    throw new Error(`${name ? `No model is called ${name}` : 'Name a model'}: ${Object.keys(catalogue).join(', ')}\n\n${USAGE}`)
  }
  switch (verb) {
    case 'list':
      return list(folder, catalogue, say)
    case 'fetch': {
      const model = known()
      const acceptsLicence = values['accept-licence']
      await fetchModel(folder, name, model, {
        acceptsLicence,
        mirror: env.LOAM_MODELS_MIRROR,
        index: env.PIP_INDEX_URL,
        say,
        progress: progress ?? progressBar(),
      })
      await engine(folder, { say })
      return say(`${name} is in ${join(folder, name)}. npm start -- --${model.kind}-model ${name}`)
    }
    case 'remove':
      if (!values.all) known()
      for (const one of values.all ? ownIn(folder, catalogue) : [name]) rmSync(join(folder, one), { recursive: true, force: true })
      return say(`Removed ${values.all ? 'every model and the engine' : name} from ${folder}.`)
    default:
      throw new Error(USAGE)
  }
}

/** Nothing else of the folder is ours. */
function ownIn(folder, catalogue) {
  const there = existsSync(folder) ? readdirSync(folder) : []
  return there.filter((one) => Object.hasOwn(catalogue, one) || one.startsWith('engine-'))
}

function list(folder, catalogue, say) {
  const rows = Object.entries(catalogue).map(([name, model]) => {
    const megabytes = `${Math.round(sizesOf(model).kept / 1e6)} MB`
    const here = isKept(folder, name, model) ? 'here' : '–'
    return [name, model.kind, megabytes, model.licence.name, `${model.window} tokens`, here, model.about]
  })
  const table = [['name', 'for', 'size', 'licence', 'window', '', ''], ...rows]
  const widths = table[0].map((_, i) => Math.max(...table.map((row) => row[i].length)))
  for (const row of table)
    say(
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
  say(`\nFolder: ${folder}\n\n${USAGE}`)
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await models(process.argv.slice(2)).catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
