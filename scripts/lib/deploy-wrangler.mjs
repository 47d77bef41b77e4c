/** Calls of wrangler during a deployment: its output as data, and its refusals as sentences that say what to do. */
import { join } from 'node:path'
import { capture } from './commands.mjs'
import { root } from './setup.mjs'

const CACHE = join(root, 'node_modules/.cache/compiled') // wrangler is 17 MB of JavaScript, read again by every call

const AGAIN = 'What was created is kept. Run it again to continue from there.'

/** Common failures, by wrangler's own words; the first match counts. */
const REFUSALS = [
  [/connectivity issue|fetch failed|ECONN|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|other side closed|socket hang up|malformed response/i, 'Cloudflare could not be reached, or the connection was interrupted.'],
  [/Invalid API Token|\[code: (1000|6003|6111)\]/i, 'Cloudflare does not accept the API token: make a new one (docs/deploy.md, “Signing in”) and set CLOUDFLARE_API_TOKEN.'],
  [/\[code: (10000|9106|9109)\]|not authorized|permission/i, 'The API token may not do this; docs/deploy.md names the permissions it needs. Without a token: npx wrangler login.'],
  [/more than one account/i, 'Say which account: CLOUDFLARE_ACCOUNT_ID=… in front of the command.'],
  [/\[code: 100328\]|CPU limits are not supported/i, 'This needs the Workers Paid plan: dash.cloudflare.com → Workers & Pages → Plans.'],
  [/register a workers\.dev subdomain|have a workers\.dev subdomain/i, 'Open Workers & Pages in the dashboard once: it gives the account its workers.dev name.'],
  [/consumer_exists|\[code: 11004\]/i, 'Another Worker consumes the queue. Give Loam’s queues other names in wrangler.toml.'],
  [/maximum number of D1 databases|\[code: 7406\]/i, 'The account has no room for another D1 database: delete one, or ask for more.'],
  [
    /Argument: jurisdiction/,
    'This version of wrangler does not know that jurisdiction. Create the database in the dashboard and write its id into wrangler.toml.',
  ],
  [/required secrets have not been set/i, 'A secret that the Worker needs is missing from the account. Nothing was uploaded. If you have its value, set it in the environment.'],
] // biome-ignore format: one per line

/** A step that could not be done, in words for people. */
export class Refused extends Error {
  /** @param {string} sentence what to do @param {string} [said] wrangler's own words */
  constructor(sentence, said = '') {
    const words = cleaned(said)
    super(`${sentence}${words ? `\n\nwrangler said:\n${words.replace(/^/gm, '  ')}` : ''}`)
  }
}

/**
 * @param {{cwd: string, env?: Record<string, string | undefined>, call?: typeof capture}} world
 */
export function wranglerIn({ cwd, env = {}, call = capture }) {
  const attempt = (args, options = {}) => call('wrangler', args, { ...options, cwd, env: { NODE_COMPILE_CACHE: CACHE, ...env } })
  const run = async (args, options) => {
    const { code, out, all } = await attempt(args, options)
    if (code !== 0) throw refusedBy(args, all)
    return out
  }
  return { attempt, run, json: async (args) => parsed(await run(args), args) }
}

/** @param {readonly string[]} args @param {string} said */
export function refusedBy(args, said) {
  const known =
    REFUSALS.find(([pattern]) => pattern.test(said))?.[1] ?? `“wrangler ${args.filter((arg) => !arg.startsWith('-')).join(' ')}” failed.`
  return new Refused(`${known} ${AGAIN}`, said)
}

/** Some commands print a notice before their JSON. Any other output is an error: it must not be read as “nothing there”. */
export function parsed(out, args) {
  const from = out.search(/^[[{]/m)
  try {
    return JSON.parse(out.slice(from < 0 ? out.length : from))
  } catch {
    throw new Refused(`The answer to “wrangler ${args.join(' ')}” could not be read, so nothing was changed.`, out)
  }
}

/** Without colours, advertisements and the location of its log. */
function cleaned(said) {
  return said
    .replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/please open an issue|Logs were written to|^.{0,3}\s*If you think this is a bug/.test(line))
    .join('\n')
    .trim()
}
