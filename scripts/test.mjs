/** `npm test [-- vitest arguments]`: every test, pure ones in Node and the rest inside workerd. Nothing reaches the network. */
import { helpIfAsked } from './lib/arguments.mjs'
import { ensureSetup } from './lib/setup.mjs'

// Takes some minutes on two cores. A hanging runtime stays silent forever: a reported failure is better.
const LONGEST = 30

helpIfAsked(`npm test                                  every test
npm test -- <arguments of vitest>         such as: --project node test/node/docs.test.ts -t D1`)
await ensureSetup()
const { run } = await import('./lib/commands.mjs')
process.exit(await run('vitest', ['run', ...process.argv.slice(2)], { minutes: LONGEST }))
