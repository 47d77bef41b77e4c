/**
 * Replaces the master key, in an order in which nothing is lost: the new key next to the old one, every secret sealed again, the new key in
 * the old one's place, the old key removed. The old key need not be known. The new one is kept in a file until then: after an interruption,
 * the next run continues with it.
 */
import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { carryOut } from './deploy-steps.mjs'
import { Refused } from './deploy-wrangler.mjs'

const FILE = '.master-key-next'
const BETWEEN = 5_000 // ms between two checks while nothing can be done yet
const MAX_WAIT = 3_600_000 // ms

/**
 * @param {string} root
 * @param {readonly Record<string, any>[]} steps of deploy-plan.mjs
 * @param {Parameters<typeof carryOut>[2] & {fetch?: typeof fetch, pause?: (ms: number) => Promise<unknown>}} world as for carryOut
 */
export async function rotateMasterKey(root, steps, { fetch: ask = fetch, pause = sleep, ...world }) {
  const { say = console.log, env = process.env } = world
  if (!env.ADMIN_KEY) throw new Refused('Set ADMIN_KEY: the deployment needs it to report whether all secrets are sealed again.')
  const file = join(root, FILE)
  const next = keptIn(file) ?? env.MASTER_KEY_NEXT ?? randomBytes(32).toString('base64url')
  const isBegun = keptIn(file) !== undefined || Boolean(env.MASTER_KEY_NEXT)
  const keep = () => writeFileSync(file, next, { mode: 0o600 })
  const begun = await carryOut(root, steps, { ...world, rotation: { secrets: { MASTER_KEY_NEXT: next }, isBegun, keep } })
  const url = env.LOAM_URL || begun.url
  if (!url) throw new Refused('Set LOAM_URL: where the deployment is.')
  await resealed({ ask, pause, say }, { url, key: env.ADMIN_KEY, id: idOf(next) })
  const worker = steps.filter(({ kind }) => kind === 'd1' || kind === 'worker') // every upload includes the ids of the databases
  const ended = await carryOut(root, worker, { ...world, rotation: { secrets: { MASTER_KEY: next }, isBegun: true, keep } })
  await ended.removeSecret('MASTER_KEY_NEXT')
  rmSync(file)
  say('\nThe master key is replaced; the old one opens nothing any more.')
}

/** Page by page, until the deployment with this key reports that nothing is left. */
async function resealed({ ask, pause, say }, { url, key, id }) {
  let last = ''
  for (let waited = 0; waited < MAX_WAIT; waited += BETWEEN) {
    const found = await page({ ask, url, key })
    const isOurs = found?.key === id // an instance of the previous version may answer for some seconds
    if (isOurs && found.status === 'done') return finished(found)
    const line = !isOurs
      ? 'waiting for the new version'
      : found.status === 'settling'
        ? 'waiting until every instance has the new key'
        : soFar(found)
    if (line !== last) say(`master key: ${line}`)
    last = line
    if (!isOurs || found.status === 'settling') await pause(BETWEEN)
    else waited -= BETWEEN
  }
  throw new Refused(
    'Not all secrets could be sealed again within an hour: an object does not answer. Both keys are in place and webhooks work. Run it again.',
  )
}

const soFar = ({ resealed, left }) => `${resealed} secrets sealed again; to check: ${left.webhooks} webhooks, ${left.corpora} corpora`

function finished({ unreadable }) {
  if (unreadable === 0) return
  throw new Refused(
    `${unreadable} secrets open under neither key, so the old one stays. Set the key they were sealed under (MASTER_KEY_PREVIOUS), or rotate their webhooks and endpoints (:rotate); then run it again.`,
  )
}

async function page({ ask, url, key }) {
  try {
    const response = await ask(new URL('/v1/master-key:reseal', url), { method: 'POST', headers: { authorization: `Bearer ${key}` } })
    if (response.status === 401 || response.status === 403) throw new Refused('ADMIN_KEY is not the admin key of the deployment.')
    return response.ok ? await response.json() : undefined
  } catch (error) {
    if (error instanceof Refused) throw error
    return undefined // it may be reachable next time
  }
}

/** The key's id, as the Worker computes it (src/hooks/seal.ts). */
export function idOf(masterKey) {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'loam master key id v1', 6)).toString('base64')
}

function keptIn(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined
}
