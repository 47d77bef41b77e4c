/** The master key replaced: every kind of secret sealed again, interrupted anywhere, and nothing lost. */
import { describe, expect, it } from 'vitest'
import { resealUntil } from '../../../src/flows/reseal'
import { openSecrets, vault } from '../../../src/hooks/seal'
import type { Secrets } from '../../../src/ports/deliveries'
import type { ResealState, ResealStore } from '../../../src/ports/reseal'
import { type Deployment, deployment } from '../deletion/deployment'

const MINUTE = 60_000 // ms
const [OLD, NEW] = ['a-master-key', 'another-master-key']

interface Kept {
  readonly id: string
  readonly secrets: Secrets
}

/** All sealed secrets there are. */
function keptBy(world: Deployment): Kept[] {
  const dbs = [world.databases.DB, ...world.uids().map((uid) => world.objectRows(uid))]
  return dbs.flatMap((db, i) =>
    (db?.prepare(`SELECT id, secrets FROM ${i === 0 ? 'hook' : 'endpoint'} ORDER BY id`).all() ?? []).map(({ id, secrets }) => {
      return { id: String(id), secrets: JSON.parse(String(secrets)) as Secrets }
    }),
  )
}

/** What opens with this key alone, by whom it belongs to. */
async function openedWith(key: string, world: Deployment): Promise<{ [id: string]: string[] }> {
  const one = vault(key)
  if (!one) throw new Error('no key')
  const all = keptBy(world).map(async ({ id, secrets }) => [id, (await openSecrets(one, secrets, id)).map(({ secret }) => secret)] as const)
  return Object.fromEntries((await Promise.all(all)).filter(([, secrets]) => secrets.length > 0))
}

type Shown = { [id: string]: string[] }
interface Made {
  readonly hook: string
  readonly endpoint: string
  readonly secret: string
}

/** Two corpora with secrets of both kinds, one replaced and still good; one of the corpora is deleted and can be undeleted. */
async function filled(): Promise<{ world: Deployment; shown: Shown }> {
  const world = deployment()
  const shown: Shown = {}
  const call = async (method: string, at: string, body?: unknown): Promise<Made> => {
    const { status, body: said } = await world.send(method, `/v1/corpora/${at}`, body)
    expect([status < 300, method, at]).toEqual([true, method, at])
    return said
  }
  for (const name of ['here', 'gone']) {
    await call('PUT', name, { undelete_seconds: 3600 })
    for (let i = 0; i < 2; i++) {
      const { hook, secret } = await call('POST', `${name}/hooks`, { preset: 'standard' })
      const { endpoint, secret: other } = await call('POST', `${name}/endpoints`, { url: `https://example.org/${i}` })
      Object.assign(shown, { [hook]: [secret], [endpoint]: [other] })
    }
    const { hook, secret } = await call('POST', `${name}/hooks`, { preset: 'standard' })
    const { endpoint, secret: other } = await call('POST', `${name}/endpoints`, { url: 'https://example.org/rotated' })
    const renewed = [
      await call('POST', `${name}/hooks/${hook}:rotate`, { overlap: 3600 }),
      await call('POST', `${name}/endpoints/${endpoint}:rotate`, { overlap: 3600 }),
    ]
    Object.assign(shown, { [hook]: [renewed[0]?.secret, secret], [endpoint]: [renewed[1]?.secret, other] })
  }
  await call('DELETE', 'gone')
  return { world, shown }
}

/** As it was sealed before keys had ids. */
function withoutIds(world: Deployment): void {
  world.databases.DB?.prepare(`UPDATE hook SET secrets = replace(secrets, substr(secrets, instr(secrets, ':"') + 2, 9), '')`).run()
}

const replaced = { MASTER_KEY: NEW, MASTER_KEY_PREVIOUS: OLD }

/** A filled deployment whose new key has been met by everybody, to which `world.again()` returns; `count`: how many calls sealing it all takes. */
async function beforeSealing(): Promise<{ world: Deployment; shown: Shown; now: number; count: number }> {
  const { world, shown } = await filled()
  world.secrets = replaced
  await world.cron()
  const now = world.clock.ahead + MINUTE
  world.base()
  world.clock.ahead = now
  world.doom({ at: 0, how: 'before' })
  await world.cron()
  return { world, shown, now, count: world.calls.length }
}
const progress = async (world: Deployment) => (await world.send('GET', '/v1/master-key')).body as { [key: string]: unknown }

/** Triggers until it says that it is done. */
async function resealed(world: Deployment): Promise<{ [key: string]: unknown }> {
  for (let i = 0; i < 20; i++) {
    await world.cron()
    const said = await progress(world)
    if (said.status === 'done') return said
    world.clock.ahead += MINUTE
  }
  throw new Error('not done after 20 triggers')
}

describe('another master key', () => {
  it('[V210] every secret of both kinds is sealed anew, those without a key id and of a deleted corpus too, and the old key can go', async () => {
    const { world, shown } = await filled()
    withoutIds(world)
    expect(await openedWith(OLD, world)).toEqual(shown)
    world.secrets = replaced
    await world.cron()
    expect(await progress(world)).toMatchObject({ status: 'settling', older_keys: 1, resealed: 0, left: { webhooks: 6, corpora: 2 } })
    expect(await openedWith(OLD, world)).toEqual(shown)
    world.clock.ahead += MINUTE
    const said = await resealed(world)
    expect(said).toMatchObject({ status: 'done', resealed: 16, unreadable: 0, left: { webhooks: 0, corpora: 0 } })
    expect([await openedWith(NEW, world), await openedWith(OLD, world)]).toEqual([shown, {}])
    world.secrets = { MASTER_KEY: NEW }
    expect(await progress(world)).toMatchObject({ status: 'done', older_keys: 0, key: said.key })
    world.doom({ at: 0, how: 'before' })
    await world.cron()
    expect(world.calls).not.toContain('object') // nothing is looked at again
  })

  it('[V210] what is sealed by a key that replaces an unknown one; then it takes its place', async () => {
    const { world, shown } = await filled()
    world.secrets = { MASTER_KEY: OLD, MASTER_KEY_NEXT: NEW }
    await resealed(world)
    expect(await openedWith(NEW, world)).toEqual(shown)
    for (const secrets of [{ MASTER_KEY: NEW, MASTER_KEY_NEXT: NEW }, { MASTER_KEY: NEW }]) {
      world.secrets = secrets
      expect(await progress(world)).toMatchObject({ status: 'done', older_keys: 0 })
    }
    const pinned = 'BwcHBwcHBwcHBwcH6yNnkwCdLJNjgDcDmEdFZcLPIoHwmVcS' // made by plain WebCrypto, with no key id
    expect(await vault(NEW, OLD)?.open(pinned, 'wh_1')).toBe('a-secret')
  })

  it('[V211] stopped before or after each call to a store, it goes on and nothing is lost', async () => {
    const { world, shown, now, count } = await beforeSealing()
    expect(count).toBeGreaterThan(20)
    for (const how of ['before', 'after', 'refused'] as const) {
      for (let at = 1; at <= count; at++) {
        world.again()
        world.clock.ahead = now
        world.doom({ at, how })
        await world.cron().catch(() => undefined)
        if (how === 'refused') world.doom({ at: 0, how })
        else world.restart()
        await resealed(world)
        expect([how, at, await openedWith(NEW, world), await openedWith(OLD, world)]).toEqual([how, at, shown, {}])
      }
    }
  }, 120_000)

  it('[V211] a secret that is rotated or removed meanwhile stays so, and nothing is left under the old key', async () => {
    const { world, shown, now, count } = await beforeSealing()
    const hook = Object.keys(shown).find((id) => id.startsWith('wh_') && shown[id]?.length === 1) ?? ''
    const endpoint = Object.keys(shown).find((id) => id.startsWith('ep_') && shown[id]?.length === 1) ?? ''
    const at = '/v1/corpora/here'
    for (let n = 1; n <= count; n++) {
      world.again()
      world.clock.ahead = now
      let fresh: Shown = {}
      world.between(n, async () => {
        const rotate = async (path: string) => ((await world.send('POST', `${at}/${path}:rotate`, { overlap: 600 })).body as Made).secret
        fresh = { [hook]: [await rotate(`hooks/${hook}`)], [endpoint]: [await rotate(`endpoints/${endpoint}`)] }
      })
      await world.cron()
      await resealed(world)
      const expected = {
        ...shown,
        [hook]: [...(fresh[hook] ?? []), ...(shown[hook] ?? [])],
        [endpoint]: [...(fresh[endpoint] ?? []), ...(shown[endpoint] ?? [])],
      }
      expect([n, await openedWith(NEW, world), await openedWith(OLD, world)]).toEqual([n, expected, {}])
    }
  }, 120_000)

  it('[V211] a run does ten pages: of 40 webhooks each, then of the endpoints of 20 corpora', async () => {
    const [webhooks, corpora] = [320, 100].map((count) => Array.from({ length: count }, (_, i) => `id-${1000 + i}`))
    const sealer = vault(NEW)
    if (!sealer) throw new Error('no key')
    let kept: ResealState | null = null
    const page = (all: readonly string[] = [], after: string, limit: number) => all.filter((id) => id > after).slice(0, limit)
    const pages: [string, number][] = []
    const looked = (kind: string, ids: readonly string[]) => {
      pages.push([kind, ids.length])
      return ids
    }
    const store: ResealStore = {
      state: async () => kept,
      advance: async (_, after) => {
        kept = after
        return true
      },
      webhooks: async (after, limit) => looked('webhooks', page(webhooks, after, limit)).map((id) => ({ id, secrets: [] })),
      replace: async () => true,
      corpora: async (after, limit) => looked('corpora', page(corpora, after, limit)),
      left: async () => ({ webhooks: 0, corpora: 0 }),
    }
    let now = 0
    const outbound = () => ({ endpointSecrets: async () => [], replaceSecrets: async () => true })
    const run = () => resealUntil({ vault: sealer, store, outbound, now: () => now }, Number.MAX_SAFE_INTEGER)
    await run()
    expect(pages).toEqual([]) // an instance may not have the new key yet
    now += MINUTE
    await run()
    expect(pages).toEqual([...Array(8).fill(['webhooks', 40]), ['webhooks', 0], ['corpora', 20]])
    await run()
    expect(pages.slice(10)).toEqual([...Array(4).fill(['corpora', 20]), ['corpora', 0]])
  })

  it('[V213] secrets that no key opens are counted and left alone, until the right older key is given', async () => {
    const { world, shown } = await filled()
    world.secrets = { MASTER_KEY: NEW, MASTER_KEY_PREVIOUS: 'a wrong one\nanother wrong one' }
    expect(await resealed(world)).toMatchObject({ older_keys: 2, resealed: 0, unreadable: 16 })
    expect(await openedWith(OLD, world)).toEqual(shown)
    world.secrets = { MASTER_KEY: NEW, MASTER_KEY_PREVIOUS: `a wrong one\n${OLD}` }
    expect(await resealed(world)).toMatchObject({ resealed: 16, unreadable: 0 })
    expect(await openedWith(NEW, world)).toEqual(shown)
  })

  it('[V211] it is done a page at a time on request, with an admin key of all corpora; what is made meanwhile is sealed by the new key', async () => {
    const { world } = await filled()
    world.secrets = replaced
    expect((await world.send('POST', '/v1/master-key:reseal')).body).toMatchObject({ status: 'settling' })
    await world.send('POST', '/v1/corpora/here/hooks', { preset: 'standard' })
    expect(Object.values(await openedWith(NEW, world)).flat().length).toBe(1)
    world.clock.ahead += MINUTE
    expect((await world.send('POST', '/v1/master-key:reseal')).body).toMatchObject({
      status: 'resealing',
      resealed: 8,
      left: { webhooks: 0, corpora: 2 },
    })
    expect((await world.send('POST', '/v1/master-key:reseal')).body).toMatchObject({ status: 'done', resealed: 16 })
    const { key } = (await world.send('POST', '/v1/keys', { name: 'n', scopes: ['admin'], corpora: ['here'] })).body as { key: string }
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ':reseal'],
    ] as const) {
      expect((await world.send(method, `/v1/master-key${path}`, undefined, key)).status).toBe(403)
      expect((await world.send(method, `/v1/master-key${path}`, undefined, 'no-key')).status).toBe(401)
    }
  })
})
