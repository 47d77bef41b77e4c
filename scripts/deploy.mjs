/**
 * `npm run deploy`: puts Loam into your Cloudflare account. Idempotent: what exists is kept. `-- --plan` only says what would be
 * there, without an account.
 */
import { ensureSetup } from './lib/setup.mjs'

await ensureSetup()
const { plan, printed } = await import('./lib/deploy-plan.mjs')
const { root } = await import('./lib/setup.mjs')
const steps = plan(root)

if (process.argv.includes('--plan')) {
  console.log(printed(steps))
} else {
  const { carryOut } = await import('./lib/deploy-steps.mjs')
  try {
    await carryOut(root, steps)
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
