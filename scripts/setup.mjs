/** `npm run setup`: dependencies as the lock file says, and Node 22. Every other command does this by itself when it has to. */
import { ownArguments } from './lib/arguments.mjs'
import { ensureSetup } from './lib/setup.mjs'

ownArguments({ usage: 'npm run setup      installs the dependencies and Node 22; other commands do this by themselves' })
await ensureSetup()
