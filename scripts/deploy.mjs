/**
 * `npm run deploy`: says what Loam needs in your Cloudflare account, and makes it. Idempotent: what exists is kept. `-- --plan` only says
 * it, without an account; `-- --json` says each step as JSON; `-- --planned` does not say it again.
 */
import { ensureSetup } from './lib/setup.mjs'

await ensureSetup()
const { plan, printed } = await import('./lib/deploy-plan.mjs')
const { root } = await import('./lib/setup.mjs')
const steps = plan(root)

const given = new Set(process.argv.slice(2))
const json = given.has('--json')

if (given.has('--plan')) {
  console.log(json ? JSON.stringify(steps) : printed(steps))
} else {
  const { carryOut } = await import('./lib/deploy-steps.mjs')
  if (!json && !given.has('--planned')) console.log(`What the account will have; what is there is kept:\n\n${printed(steps)}\n`)
  try {
    await carryOut(root, steps, { json })
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
