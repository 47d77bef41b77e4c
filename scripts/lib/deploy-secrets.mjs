/**
 * Secrets of the Worker: which exist, and those created for it. An existing one is never created again: a new MASTER_KEY would make every
 * sealed webhook secret unreadable. They are never logged and never put on a command line.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsed, Refused, refusedBy } from './deploy-wrangler.mjs'

/**
 * The names of the Worker's secrets; undefined if there is no such Worker. Any other failure stops the deployment.
 * @param {ReturnType<typeof import('./deploy-wrangler.mjs').wranglerIn>} wrangler
 * @param {{required: readonly string[], inBuild?: boolean}} known a Worker with none of `required` is not ours, unless Cloudflare's build made it
 * @returns {Promise<Set<string> | undefined>}
 */
export async function secretsOf(wrangler, worker, { required, inBuild = false }) {
  const args = ['secret', 'list', '--name', worker, '--format', 'json']
  const { code, out, all } = await wrangler.attempt(args)
  if (code !== 0 && /Worker "[^"]*" not found/.test(all)) return undefined
  if (code !== 0) throw refusedBy(args, all)
  const names = new Set(parsed(out, args).map((one) => one.name))
  if (required.length > 0 && !inBuild && !required.some((name) => names.has(name)))
    throw new Refused(
      `The account has a Worker ${worker} without ${required.join(' and ')}, so it is not a Loam, and nothing was changed. Give Loam another name in wrangler.toml. To replace that Worker: npx wrangler secret put ${required[0]} --name ${worker}, and run it again.`,
    )
  return names
}

/** From the environment, or else random. */
export function madeSecrets(names, env) {
  return Object.fromEntries(names.map((name) => [name, env[name] || randomBytes(32).toString('base64url')]))
}

/** For the duration of a call, in a file that only its owner can read; without secrets there is no file. */
export async function withFile(secrets, call) {
  if (Object.keys(secrets).length === 0) return call(undefined)
  const folder = mkdtempSync(join(tmpdir(), 'loam-secrets-')) // 0700
  const file = join(folder, 'secrets.json')
  try {
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
    return await call(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
