/** `npm run setup`: dependencies as the lock file says, and Node 22. Every other command does this by itself when it has to. */
import { ensureSetup } from './lib/setup.mjs'

await ensureSetup()
