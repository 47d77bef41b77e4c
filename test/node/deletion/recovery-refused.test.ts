/** The platform will not set a corpus's storage back, once it is closed. */
import { describe, expect, it, vi } from 'vitest'
import { type Deployment, deployment } from './deployment'

const AT = '/v1/corpora/manuals'
const MINUTE = 60_000 // ms

interface Said {
  readonly status: string
  readonly version: number
  readonly version_before: number
  readonly confirm: string
}

const call = async (world: Deployment, method: string, at: string, body?: unknown): Promise<Said> => {
  const { status, body: said } = await world.send(method, `${AT}${at}`, body)
  expect([status < 300, method, at, said]).toEqual([true, method, at, said])
  return said as Said
}

/** A corpus in which a document was deleted since the moment, and its being set back to it begun. */
async function begun(setsBack: Deployment['setsBack']) {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const world = deployment()
  world.remembers = true
  await call(world, 'PUT', '', { strategies: [] })
  const upserts = ['a', 'b'].map((id) => ({ id, text: `A heron waits at pier ${id}.` }))
  await call(world, 'POST', '/documents:batch', { upserts })
  await world.ring()
  const [uid = ''] = world.uids()
  world.clock.ahead += MINUTE
  world.remember(uid)
  const time = new Date(Date.now()).toISOString()
  world.clock.ahead += MINUTE
  await call(world, 'DELETE', '/documents/b')
  await world.ring()
  const { confirm, version } = await call(world, 'POST', ':restore-to', { time })
  world.setsBack = setsBack
  expect((await call(world, 'POST', ':restore-to', { time, confirm })).status).toBe('closing')
  return { world, uid, time, version }
}

async function look(world: Deployment): Promise<Said> {
  world.clock.ahead += 5000
  return call(world, 'GET', '/restore-to').catch(() => call(world, 'GET', '/restore-to'))
}

async function ended(world: Deployment): Promise<Said> {
  for (let i = 0; i < 40; i++) {
    const said = await look(world)
    if (said.status === 'restored' || said.status === 'refused') return said
    const { status, body } = await world.send('POST', `${AT}/search`, { query: 'heron', strategy: 'keyword' })
    expect([status, (body as { code: string }).code]).toEqual([409, 'restoring'])
  }
  return expect.fail('it does not end')
}

const documents = async (world: Deployment): Promise<readonly string[]> =>
  ((await call(world, 'GET', '/documents')) as unknown as { data: { document: string }[] }).data.map(({ document }) => document)

describe('a corpus that the platform will not set back', () => {
  it('[J937] is asked for again for a minute, and is then open as it was, under a higher version; it says refused', async () => {
    const { world, uid, version } = await begun('no')
    const lines = () => [...(world.object(uid) as unknown as { lines(): Iterable<string> }).lines()].sort()
    const was = lines()
    const began = world.clock.ahead
    const said = await ended(world)
    expect(world.clock.ahead - began).toBeGreaterThan(80_000)
    expect(said).toMatchObject({ status: 'refused', version_before: version, version: version + 1, job: null })
    expect(lines()).toEqual(was)
    expect(await documents(world)).toEqual(['a'])
    expect((await call(world, 'GET', '')).version).toBe(version + 1)
    const { data } = (await call(world, 'GET', '/audit?limit=50')) as unknown as { data: { action: string; outcome: string }[] }
    expect(data.filter(({ action }) => action === 'corpus.restore').map(({ outcome }) => outcome)).toContain('refused')
    // It lives on, no part of what was kept for it is left, and another life of it is the same.
    await call(world, 'PUT', '/documents/c', { text: 'A gull.' })
    await world.ring()
    expect(await documents(world)).toEqual(['a', 'c'])
    const { prepare } = world.databases.DB as { prepare(sql: string): { all(): unknown[] } }
    expect(prepare.call(world.databases.DB, 'SELECT * FROM recovery_part').all()).toEqual([])
    world.restart()
    expect(await documents(world)).toEqual(['a', 'c'])
    expect((await look(world)).status).toBe('refused')
  })

  it('[J937] and may be set back later, when the platform does it', async () => {
    const { world, time } = await begun('no')
    await ended(world)
    world.setsBack = 'yes'
    const { confirm } = await call(world, 'POST', ':restore-to', { time })
    await call(world, 'POST', ':restore-to', { time, confirm })
    expect((await ended(world)).status).toBe('restored')
    await world.ring()
    expect(await documents(world)).toEqual(['a'])
  })

  it('[J938] a refusal that was none is found out before anything is answered: what was deleted since stays deleted', async () => {
    const { world, version } = await begun('unsaid')
    const said = await ended(world)
    expect(said.status).toBe('restored')
    expect(said.version).toBeGreaterThan(version)
    await world.ring()
    expect(await documents(world)).toEqual(['a'])
  })
})
