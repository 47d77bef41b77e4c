/** Copies the encoder into the assets, where the Worker reads it (src/adapters/static-embedder.ts). */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

export function copyEncoder() {
  const from = join(root, 'encoder/static.bin')
  const to = join(root, 'ui/dist/encoder/static.bin')
  if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) return
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, `${to}.part`)
  renameSync(`${to}.part`, to) // a concurrent reader gets a complete file
}
