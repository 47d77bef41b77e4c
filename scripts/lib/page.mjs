/** The web page, built where it is not there yet. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { alone, lockOf } from './setup.mjs'

export async function buildPage(root, production) {
  const directory = production.assets?.directory
  if (!directory) return
  // Two that start at the same time do not build into each other's folder.
  await alone(lockOf(join(root, directory)), async () => {
    if (existsSync(join(root, directory, 'index.html'))) return
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build-ui.mjs')])
  })
}
