/** `npm run setup`: dependencies as in the lock file, and Node 22. Every other command does this automatically when necessary. */
import { ownArguments } from './lib/arguments.mjs'
import { ensureSetup } from './lib/setup.mjs'

ownArguments({ usage: 'npm run setup      installs the dependencies and Node 22; other commands do this by themselves' })
await ensureSetup()
