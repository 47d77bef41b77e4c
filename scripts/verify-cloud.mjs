/**
 * `npm run verify:cloud -- <url> <admin key>`: takes its own corpus through everything a deployment promises, prints what held, how long it
 * took and what it cost, and leaves nothing behind. Under five minutes, for less than a cent of models. Exit code 1: something failed.
 */
import { join } from 'node:path'
import { ownArguments } from './lib/arguments.mjs'
import { ensureSetup, root } from './lib/setup.mjs'

const USAGE =
  'npm run verify:cloud -- <url> <admin key> [--json]      checks a deployment with a corpus of its own; LOAM_KEY may hold the key'
ownArguments({ usage: USAGE, words: 2, options: { json: { type: 'boolean' } } })
await ensureSetup()
process.argv.splice(2, 0, join(root, 'scripts/verify-cloud/run.ts'))
await import('./run-ts.mjs')
