/**
 * Whether a host name may become the Worker's. Without a terminal, wrangler takes a name over from whatever it points to now, DNS records
 * and other Workers alike, without asking; so the API is asked first, with the question that wrangler itself asks at a terminal.
 */
import { Refused } from './deploy-wrangler.mjs'

const API = 'https://api.cloudflare.com/client/v4'

/**
 * @param {ReturnType<typeof import('./deploy-wrangler.mjs').wranglerIn>} wrangler
 * Throws if it is not free; a name that is already this Worker's is free.
 */
export async function requireFreeDomain(wrangler, { host, config, env, fetch = globalThis.fetch }) {
  const { token, key, email } = await wrangler.json(['auth', 'token', '--json'])
  const path = `/accounts/${config.account_id}/workers/scripts/${config.name}/domains/changeset?replace_state=true`
  const response = await fetch(`${env.CLOUDFLARE_API_BASE_URL ?? API}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : { 'x-auth-key': key, 'x-auth-email': email }),
    },
    body: JSON.stringify([{ hostname: host }]),
  }).catch(() => undefined)
  const { success, result, errors = [] } = (await response?.json().catch(() => undefined)) ?? {}
  if (!success)
    throw new Refused(
      `Could not find out whether ${host} is free, so it was left alone; everything else is deployed. Its zone has to be in this account, and the token needs Zone · Workers Routes · Edit. Run it again.`,
      errors.map((one) => `${one.message} [code: ${one.code}]`).join('\n'),
    )
  const { conflicting = [], updated = [] } = result
  if (conflicting.length > 0)
    throw new Refused(
      `${host} has DNS records already. They were left alone; everything else is deployed. Delete them, or choose another name, and run it again.`,
    )
  if (updated.some((one) => one.modified))
    throw new Refused(
      `${host} belongs to another Worker. It was left alone; everything else is deployed. Choose another name, or remove it there, and run it again.`,
    )
}
