#!/usr/bin/env node
/** Runs a TypeScript file of the project: bundled by esbuild, with packages external. `node scripts/run-ts.mjs <file> [args]` */
import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [file, ...args] = process.argv.slice(2)
if (!file) throw new Error('usage: run-ts.mjs <file> [args]')
const folder = join(root, '.loam', 'run')
mkdirSync(folder, { recursive: true })
// Inside the project, so that packages resolve; one file per process, so that two runs do not collide.
const outfile = join(folder, `${file.replace(/[^\w]+/g, '-')}-${process.pid}.mjs`)
await build({
  entryPoints: [resolve(file)],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  target: 'es2023',
  sourcemap: 'inline',
  logLevel: 'warning',
})
process.argv.splice(1, process.argv.length - 1, resolve(file), ...args)
try {
  await import(pathToFileURL(outfile).href)
} finally {
  const { rmSync } = await import('node:fs')
  rmSync(outfile, { force: true })
}
