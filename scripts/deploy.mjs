/**
 * `npm run deploy`: prints what Loam needs in your Cloudflare account, and creates it. Idempotent: what exists is kept. `-- --plan` only
 * prints the plan and its costs, without an account; `--domain docs.example.com` gives it your own address; `--sampling 0.1` logs a tenth
 * of the requests; `--rotate-master-key` replaces the key that seals secrets; `--json` prints each step as JSON; `--planned` does not print
 * the plan again.
 */
import { ownArguments } from './lib/arguments.mjs'
import { ensureSetup, root } from './lib/setup.mjs'

const USAGE = `npm run deploy                                  creates in your Cloudflare account what Loam needs; what exists is kept
npm run deploy -- --plan                        only shows that, and what a month costs
npm run deploy -- --domain docs.example.com     your own host name, in a zone of the account
npm run deploy -- --sampling 0.1                the share of requests that are logged
npm run deploy -- --rotate-master-key           replaces the key that seals secrets; needs ADMIN_KEY
npm run deploy -- --json                        each step as JSON
npm run deploy -- --planned                     does not show the plan again`
const flag = { type: /** @type {const} */ ('boolean'), default: false }
const text = { type: /** @type {const} */ ('string') }
const { values } = ownArguments({
  usage: USAGE,
  options: { plan: flag, json: flag, planned: flag, 'rotate-master-key': flag, domain: text, sampling: text },
})
await ensureSetup()
const { plan, printed } = await import('./lib/deploy-plan.mjs')

const HEADING = 'Your account will have the following; what already exists is kept:'
try {
  const { json, domain, sampling } = values
  const options = { ...(domain === undefined ? {} : { domain }), ...(sampling === undefined ? {} : { sampling }) }
  const steps = plan(root, options)
  if (values.plan) {
    const { monthly } = await import('./lib/deploy-costs.mjs')
    const costs = await monthly(steps)
    console.log(json ? JSON.stringify({ steps, costs: costs.data }) : `${HEADING}\n\n${printed(steps)}\n\n${costs.text}`)
  } else {
    const { carryOut } = await import('./lib/deploy-steps.mjs')
    const { rotateMasterKey } = await import('./lib/deploy-rotation.mjs')
    if (!json && !values.planned) console.log(`${HEADING}\n\n${printed(steps)}\n`)
    if (values['rotate-master-key']) await rotateMasterKey(root, steps, { json, options })
    else await carryOut(root, steps, { json, options })
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
