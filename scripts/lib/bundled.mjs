/** Workers as one module each, bundled by esbuild as wrangler would, for runtimes that must not change while files are edited. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync, version } from 'esbuild'
import { readToml, STAND_INS } from './local-config.mjs'
import { root as home } from './setup.mjs'

const KEPT = join(home, 'node_modules/.cache/bundles')
/** Decide which file an import means, besides the files themselves. */
const RESOLUTION = ['package-lock.json', 'tsconfig.json'].map((name) => join(home, name))

const CLOCKS = 20 // ms by which those of files lag behind

/**
 * To read 1,800 files takes a start four seconds of processor time, and tests start a hundred times: so a bundle is kept, and used for as long as
 * every file in it is as it was.
 * @param {string} entry
 * @param {{isReadable?: boolean, kept?: string}} [options] `isReadable`: keeps names and lines, for a profiler; the isolate holds the text, with two
 *   bytes a character. `kept`: the folder of kept bundles
 * @returns {string} the module's text
 */
export function bundled(entry, { isReadable = false, kept = KEPT } = {}) {
  const options = {
    entryPoints: [entry],
    absWorkingDir: home,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    loader: { '.html': 'text', '.txt': 'text', '.sql': 'text' },
    external: ['cloudflare:*', 'node:*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    keepNames: false, // as in wrangler.toml
    minify: !isReadable, // likewise
  }
  const place = join(
    kept,
    `${createHash('sha256')
      .update(JSON.stringify([version, options]))
      .digest('hex')
      .slice(0, 32)}.js`,
  )
  const before = read(place)
  if (before) return before
  const began = Date.now()
  const { outputFiles, metafile } = buildSync({ ...options, metafile: true, write: false, logLevel: 'error' })
  const [{ text }] = outputFiles
  const files = [...RESOLUTION, ...Object.keys(metafile.inputs).map((path) => join(home, path))]
  // What was edited meanwhile may be in the text as it was before.
  if (files.every((file) => statSync(file).mtimeMs < began - CLOCKS)) keep(place, { files, text })
  return text
}

/** A kept bundle: the files it was made of and their digest in the first line, then the text. */
function read(place) {
  try {
    const whole = readFileSync(place, 'utf8')
    const end = whole.indexOf('\n')
    const { files, digest } = JSON.parse(whole.slice(0, end))
    return digest === digestOf(files) ? whole.slice(end + 1) : undefined
  } catch {
    return undefined // not kept, or one of its files is gone
  }
}

function keep(place, { files, text }) {
  const aside = `${place}.${process.pid}`
  try {
    mkdirSync(join(place, '..'), { recursive: true })
    writeFileSync(aside, `${JSON.stringify({ files, digest: digestOf(files) })}\n${text}`)
    renameSync(aside, place) // whole, also for those who start at the same time
  } catch {
    // a folder that cannot be written to costs the next start some seconds
  }
}

function digestOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(createHash('sha256').update(readFileSync(file)).digest())
  return hash.digest('hex')
}

/** The stand-ins as a Miniflare worker: their own configuration except for the variables given. */
export function standIns(root, vars) {
  const config = readToml(join(root, 'local/wrangler.toml'))
  return {
    name: STAND_INS,
    modules: [{ type: 'ESModule', path: 'stand-ins.js', contents: bundled(join(root, 'local', config.main)) }],
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    bindings: { ...config.vars, ...vars },
    durableObjects: Object.fromEntries(
      config.durable_objects.bindings.map(({ name, class_name: className }) => [name, { className, useSQLite: true }]),
    ),
  }
}
