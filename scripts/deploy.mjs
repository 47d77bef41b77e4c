/**
 * `npm run deploy`: says what Loam needs in your Cloudflare account, and makes it. Idempotent: what exists is kept. `-- --plan` only says
 * it and what it costs, without an account; `--domain docs.example.com` gives it an address of your own; `--sampling 0.1` logs a tenth of
 * the requests; `--rotate-master-key` replaces the key that seals secrets; `--json` says each step as JSON; `--planned` does not say the plan again.
 */
import { parseArgs } from 'node:util'
import { ensureSetup, root } from './lib/setup.mjs'

await ensureSetup()
const { plan, printed } = await import('./lib/deploy-plan.mjs')

const flag = { type: 'boolean', default: false }
try {
  const { values } = parseArgs({
    options: { plan: flag, json: flag, planned: flag, 'rotate-master-key': flag, domain: { type: 'string' }, sampling: { type: 'string' } },
  })
  const { json, domain, sampling } = values
  const options = { ...(domain === undefined ? {} : { domain }), ...(sampling === undefined ? {} : { sampling }) }
  const steps = plan(root, options)
  if (values.plan) {
    const { monthly } = await import('./lib/deploy-costs.mjs')
    const costs = await monthly(steps)
    console.log(json ? JSON.stringify({ steps, costs: costs.data }) : `${printed(steps)}\n\n${costs.text}`)
  } else {
    const { carryOut } = await import('./lib/deploy-steps.mjs')
    const { rotateMasterKey } = await import('./lib/deploy-rotation.mjs')
    if (!json && !values.planned) console.log(`What the account will have; what is there is kept:\n\n${printed(steps)}\n`)
    if (values['rotate-master-key']) await rotateMasterKey(root, steps, { json, options })
    else await carryOut(root, steps, { json, options })
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
