/** Copies the renderer of the reference page (/docs) into the assets: nothing of it is fetched from anywhere else. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const from = join(root, 'node_modules/redoc/bundles')
const to = join(root, 'ui/dist/reference')

mkdirSync(to, { recursive: true })
for (const name of ['redoc.standalone.js', 'redoc.standalone.js.LICENSE.txt']) copyFileSync(join(from, name), join(to, name))
