/** The stand-ins as one module, for test runners that start workerd themselves (`wrangler dev` bundles on its own). */
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { readToml, STAND_INS } from './local-config.mjs'

/** A Miniflare worker. */
export function standIns(root, vars) {
  const config = readToml(join(root, 'local/wrangler.toml'))
  const built = buildSync({
    entryPoints: [join(root, 'local', config.main)],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    external: ['cloudflare:*', 'node:*'],
    write: false,
  })
  return {
    name: STAND_INS,
    modules: [{ type: 'ESModule', path: 'stand-ins.js', contents: built.outputFiles[0].text }],
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    bindings: { ...config.vars, ...vars },
    durableObjects: Object.fromEntries(
      config.durable_objects.bindings.map(({ name, class_name: className }) => [name, { className, useSQLite: true }]),
    ),
  }
}
