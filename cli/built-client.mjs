/** The client as a module that plain Node imports: built when it is missing or older than what it is made from. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const FILE = join(root, 'dist/client.js')
const FROM = join(root, 'src/client')
const BESIDE = join(root, 'src/core/backoff.ts') // the one file from elsewhere that goes into it, as a test holds

export async function builtClient() {
  if (!isFresh()) build()
  return import(pathToFileURL(FILE).href)
}

/** An installed package may hold no sources. */
function isFresh() {
  if (!existsSync(FILE)) return false
  if (!existsSync(FROM)) return true
  const { mtimeMs } = statSync(FILE)
  return [BESIDE, ...readdirSync(FROM).map((name) => join(FROM, name))].every((path) => statSync(path).mtimeMs <= mtimeMs)
}

/** Aside first: another command may be reading it. */
function build() {
  const made = `${FILE}.${process.pid}`
  try {
    execFileSync(process.execPath, [join(root, 'scripts/build-client.mjs'), made])
    renameSync(made, FILE)
  } finally {
    rmSync(made, { force: true })
  }
}
