/** Who is signed in, and which account everything goes into. Chosen once, before anything is created, and passed to every call. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsed, Refused, refusedBy } from './deploy-wrangler.mjs'

/** Where a deployment records its account and databases, next to the unchanged wrangler.toml. */
export const FILE = 'wrangler.deploy.json'

/** What an earlier deployment of this folder recorded. @returns {Record<string, any>} */
export function noted(root) {
  const path = join(root, FILE)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/**
 * @param {ReturnType<typeof import('./deploy-wrangler.mjs').wranglerIn>} wrangler
 * @param {{given?: string, before?: string}} known `given`: the account that was named; `before`: the one deployed to earlier
 * @returns {Promise<string>} the account's id
 */
export async function accountOf(wrangler, { given, before }) {
  const accounts = await visible(wrangler, given)
  const listed = accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n')
  if (given === undefined && accounts.length === 0)
    throw new Refused(
      'The token sees no account. Name yours: CLOUDFLARE_ACCOUNT_ID=… npm run deploy (its id is in the address of the dashboard).',
    )
  const wanted = given ?? before
  if (wanted !== undefined && accounts.length > 0 && !accounts.some(({ id }) => id === wanted))
    throw new Refused(
      given === undefined
        ? `This folder was deployed to the account ${before}, and you are signed in to another. Sign in there (npx wrangler login), or delete ${FILE} to make a second deployment here:\n${listed}`
        : `The account ${given} is not among those you may use. Set CLOUDFLARE_ACCOUNT_ID to one of these, or sign in as somebody who may use it:\n${listed}`,
    )
  if (given !== undefined && before !== undefined && given !== before)
    throw new Refused(
      `This folder was deployed to the account ${before}, and ${given} was named. Name that one, or delete ${FILE} to make a second deployment.`,
    )
  if (wanted !== undefined) return wanted
  if (accounts.length > 1)
    throw new Refused(`You may use more than one account. Say which: CLOUDFLARE_ACCOUNT_ID=… npm run deploy\n${listed}`)
  return accounts[0].id
}

/** A token that may not list accounts is good enough if an account is named: the first step will show whether it works. */
async function visible(wrangler, given) {
  const { code, out, all } = await wrangler.attempt(['whoami', '--json'])
  if (/"loggedIn":\s*false|not (logged in|authenticated)/i.test(all))
    throw new Refused('Not signed in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN (docs/deploy.md, “Signing in”).')
  if (code === 0) return parsed(out, ['whoami']).accounts ?? []
  if (given !== undefined && /\[code: (10000|9106|9109)\]|retrieve account IDs/.test(all)) return []
  throw refusedBy(['whoami'], all)
}
