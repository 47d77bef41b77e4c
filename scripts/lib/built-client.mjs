/** The client as a module that plain Node imports: built when it is missing or older than what it is made from. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './setup.mjs'

const FILE = join(root, 'dist/client.js')
const FROM = join(root, 'src/client')

export async function builtClient() {
  if (!isFresh()) await build()
  return import(pathToFileURL(FILE).href)
}

/** An installed package may hold no sources. */
function isFresh() {
  if (!existsSync(FILE)) return false
  if (!existsSync(FROM)) return true
  const { mtimeMs } = statSync(FILE)
  return readdirSync(FROM).every((name) => statSync(join(FROM, name)).mtimeMs <= mtimeMs)
}

/** Aside first: another command may be reading it. */
async function build() {
  const { buildClient } = await import('../build-client.mjs')
  const made = `${FILE}.${process.pid}`
  buildClient(made)
  try {
    renameSync(made, FILE)
  } finally {
    rmSync(made, { force: true })
  }
}
