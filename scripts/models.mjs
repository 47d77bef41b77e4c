/** `npm run models`: lists the models that can be named, fetches one, removes one. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { asksForHelp, misuse, parsed } from './lib/arguments.mjs'
import { isKept, modelsFolder, readCatalogue, sizesOf } from './lib/models/catalogue.mjs'
import { ensureEngine } from './lib/models/engine.mjs'
import { fetchModel, progressBar } from './lib/models/fetch-model.mjs'

/** Called as `npm run models`, or by the command `loam models`. @param {Record<string, string | undefined>} env */
function usageOf(env) {
  const [list, run] = env.LOAM_CLI ? ['loam models', 'loam models'] : ['npm run models', 'npm run models --']
  const lines = [
    [list, 'lists the models, and shows which are on this machine'],
    [`${run} fetch <name>`, 'fetches one; --accept-licence if its licence requires that'],
    [`${run} remove <name>`, 'removes its files; --all: every model and the engine'],
  ]
  const width = Math.max(...lines.map(([form]) => form.length))
  return lines.map(([form, what]) => `${form.padEnd(width)}     ${what}`).join('\n')
}

/**
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, say?: (text: string) => void, catalogue?: Record<string, import('./lib/models/catalogue.mjs').CatalogueModel>, engine?: typeof ensureEngine, progress?: (done: number, all: number) => void }} [around]
 */
export async function models(
  args,
  { env = process.env, say = console.log, catalogue = readCatalogue(), engine = ensureEngine, progress } = {},
) {
  const usage = usageOf(env)
  if (asksForHelp(args)) return say(usage)
  const { values, positionals } = parsed(args, {
    usage,
    words: 2,
    options: { 'accept-licence': { type: 'boolean', default: false }, all: { type: 'boolean', default: false } },
  })
  const folder = modelsFolder(env)
  const [verb = 'list', name] = positionals
  const known = () => {
    if (name && Object.hasOwn(catalogue, name)) return catalogue[name]
    throw misuse(`${name ? `There is no model ${name}` : 'Name a model'}: ${Object.keys(catalogue).join(', ')}.\n\n${usage}`)
  }
  switch (verb) {
    case 'list':
      return list(folder, catalogue, { say, usage })
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
      return say(`${name} is in ${join(folder, name)}. ${env.LOAM_CLI ? 'loam start' : 'npm start --'} --${model.kind}-model ${name}`)
    }
    case 'remove':
      if (!values.all) known()
      if (!values.all && !existsSync(join(folder, name))) return say(`${name} is not on this machine.`)
      for (const one of values.all ? ownIn(folder, catalogue) : [name]) rmSync(join(folder, one), { recursive: true, force: true })
      return say(`Removed ${values.all ? 'every model and the engine' : name} from ${folder}.`)
    default:
      throw misuse(`Unknown action '${verb}'.\n\n${usage}`)
  }
}

/** Nothing else in the folder is ours. */
function ownIn(folder, catalogue) {
  const there = existsSync(folder) ? readdirSync(folder) : []
  return there.filter((one) => Object.hasOwn(catalogue, one) || one.startsWith('engine-'))
}

function list(folder, catalogue, { say, usage }) {
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
  say(`\nFolder: ${folder}\n\n${usage}`)
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await models(process.argv.slice(2)).catch((error) => {
    console.error(error.message)
    process.exitCode = error.exit ?? 1
  })
}
