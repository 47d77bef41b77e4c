/** The static files: the web page, built if it is not there yet, and the encoder. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyEncoder } from '../copy-encoder.mjs'
import { alone, lockOf } from './setup.mjs'

export async function buildPage(root, production) {
  const directory = production.assets?.directory
  if (!directory) return
  // Two processes that start at the same time do not build into each other's folder.
  await alone(lockOf(join(root, directory)), async () => {
    if (!existsSync(join(root, directory, 'index.html'))) await promisify(execFile)(process.execPath, [join(root, 'scripts/build-ui.mjs')])
    copyEncoder()
  })
}
