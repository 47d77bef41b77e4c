/**
 * `npm run demo`: the main job on real documents (demo/run.ts), against its own Loam on a free port with its own state folder. Exits with 0
 * in under three minutes.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ownArguments } from './lib/arguments.mjs'
import { ensureSetup, root } from './lib/setup.mjs'

ownArguments({
  usage: 'npm run demo      loads real documents into a Loam of its own, asks them and prints what it cost; takes under three minutes',
})
await ensureSetup({ toStart: true })
const { startLoam } = await import('./lib/start-loam.mjs')

const state = join(root, '.loam', `demo-${process.pid}`)
const began = Date.now()
const loam = await startLoam({ port: 0, state, quiet: true })
try {
  process.argv.splice(2, Number.POSITIVE_INFINITY, join(root, 'scripts/demo/run.ts'), loam.url, loam.key, String(began))
  await import('./run-ts.mjs')
} finally {
  await loam.stop()
  rmSync(state, { recursive: true, force: true })
}
