/** The web page, built where it is not there yet. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export async function buildPage(root, production) {
  const directory = production.assets?.directory
  if (!directory || existsSync(join(root, directory, 'index.html'))) return
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build-ui.mjs')])
}
