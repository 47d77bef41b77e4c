/** Workers as one module each, bundled by esbuild as wrangler would, for runtimes that must not change while files are edited. */
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { readToml, STAND_INS } from './local-config.mjs'

/**
 * @param {string} entry @param {{isReadable?: boolean}} [options] `isReadable`: keeps names and lines, for a profiler; the isolate holds the text, with two bytes a character
 * @returns {string} the module's text
 */
export function bundled(entry, { isReadable = false } = {}) {
  const built = buildSync({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    loader: { '.html': 'text', '.txt': 'text', '.sql': 'text' },
    external: ['cloudflare:*', 'node:*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    keepNames: false, // as in wrangler.toml
    minify: !isReadable, // likewise
    write: false,
    logLevel: 'error',
  })
  return built.outputFiles[0].text
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
