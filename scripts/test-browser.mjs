/**
 * `npm run test:browser [-- vitest arguments]`: tests the page in Debian's Chromium, against its own Loam. Builds the page, checks its
 * types, starts the server on a free port, and keeps screenshots in `.loam/screenshots`. CHROMIUM names another browser.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { helpIfAsked } from './lib/arguments.mjs'
import { ensureSetup, root } from './lib/setup.mjs'
import { types } from './lib/types.mjs'

helpIfAsked(`npm run test:browser                              tests the page in Chromium (CHROMIUM names another browser)
npm run test:browser -- <arguments of vitest>     such as: test/browser/access.test.ts`)
await ensureSetup()
const { freePort } = await import('./lib/ports.mjs')

const LONGEST = 20 // minutes; about five on two cores

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const browser = process.env.CHROMIUM || PLACES.find((path) => existsSync(path))
if (!browser) {
  console.error('No browser found. On Debian: apt-get install chromium. Elsewhere: CHROMIUM=/path/to/chromium npm run test:browser')
  process.exit(1)
}

const port = await freePort()
const state = join(root, '.loam', `browser-${process.pid}`)
const screenshots = join(root, '.loam', 'screenshots')
mkdirSync(screenshots, { recursive: true })
// Set before anything that starts children copies the environment.
const told = {
  LOAM_URL: `http://127.0.0.1:${port}`,
  LOAM_KEY: 'key-of-the-browser-tests',
  LOAM_SCREENSHOTS: screenshots,
  CHROMIUM: browser,
}
Object.assign(process.env, told)
const { run } = await import('./lib/commands.mjs')
const { startLoam } = await import('./lib/start-loam.mjs')

await import('./build-ui.mjs')
const wrong = (await run('tsc', types('ui', 'page'))) || (await run('tsc', types('tsconfig.node.json', 'node')))
if (wrong) process.exit(wrong)

// Embeddings without a separate process: the page is tested, not the model. Everything it fetches and calls is on this machine.
const env = { ...process.env, LOCAL_MODEL_URL: 'hash', ADMIN_KEY: told.LOAM_KEY, OUTBOUND_TARGETS: 'anywhere' }
const loam = await startLoam({ port, state, quiet: true, env })
let failed = 1
try {
  failed = await run('vitest', ['run', '--project', 'browser', ...process.argv.slice(2)], { minutes: LONGEST })
} finally {
  await loam.stop()
  rmSync(state, { recursive: true, force: true })
}
process.exit(failed)
