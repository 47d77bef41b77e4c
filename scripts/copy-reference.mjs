/** Copies the renderer of the reference page (/docs) into the assets: none of it is fetched from anywhere else. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const from = join(root, 'node_modules/redoc/bundles')
const to = join(root, 'ui/dist/reference')

mkdirSync(to, { recursive: true })
const SCRIPT = 'redoc.standalone.js'
const MARK = 'https://cdn.redoc.ly/redoc/logo-mini.svg' // its makers' logo, which would be fetched from their server

writeFileSync(join(to, SCRIPT), readFileSync(join(from, SCRIPT), 'utf8').replaceAll(MARK, 'data:,'))
copyFileSync(join(from, `${SCRIPT}.LICENSE.txt`), join(to, `${SCRIPT}.LICENSE.txt`))
