/** Builds the web page to ui/dist. Where there is no page to build, a placeholder, so that a deployment has assets. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ui = join(dirname(fileURLToPath(import.meta.url)), '../ui')
const page = '<!doctype html><meta charset="utf-8"><title>Loam</title><h1>Loam</h1><p>The API answers under <code>/v1</code>.</p>\n'

if (existsSync(join(ui, 'build.mjs'))) {
  await import(join(ui, 'build.mjs'))
} else {
  mkdirSync(join(ui, 'dist'), { recursive: true })
  writeFileSync(join(ui, 'dist/index.html'), page)
}
