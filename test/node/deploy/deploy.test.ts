/** Deployments by the real wrangler into a pretended account: what exists is kept, what is missing is made in order, what fails says what to do. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { idOf } from '../../../scripts/lib/deploy-rotation.mjs'
import { vault } from '../../../src/hooks/seal'
import { Account } from './account'
import { type Fault, forbidden } from './cloudflare-api'
import { Wrangler } from './wrangler'

let account: Account
const wrangler = new Wrangler()
afterAll(() => wrangler.stop())
beforeEach(async () => {
  account = await Account.open()
  vi.stubEnv('TMPDIR', account.folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  account.close()
})

const on =
  (method: string, path: RegExp, what: ReturnType<Fault>): Fault =>
  (request) =>
    request.method === method && path.test(request.path) ? what : undefined
const unavailable = { status: 500, code: 10013, message: 'An unknown error has occurred' }
const key = /ADMIN_KEY \(shown this once, keep it\): (\S+)/
const leftovers = (): string[] => readdirSync(account.folder).filter((name) => name.startsWith('loam-secrets-'))

describe('into an empty account, and again', () => {
  it('[Y10] [Y11] [Y13] gets all of it in order, with its secrets; a second deployment makes nothing again and replaces nothing', async () => {
    const { api } = account
    const first = await account.deploy({ wrangler, env: { MASTER_KEY: 'given-master' } })
    expect(first.stopped).toBe(undefined)
    const made = api.changes.filter((change) => !change.includes('/assets') && !change.endsWith('/query'))
    expect(made.slice(0, -4)).toEqual([
      ...[...api.databases.values()].map(() => 'POST /d1/database'),
      'POST /vectorize/v2/indexes',
      'POST /vectorize/v2/indexes/loam/metadata_index/create',
      'POST /vectorize/v2/indexes/loam/metadata_index/create',
      'POST /queues',
      'POST /queues',
      'PUT /workers/scripts/loam',
    ])
    expect([...made.slice(-4)].sort()).toEqual([
      'POST /queues/loam-outbound/consumers',
      'POST /workers/scripts/loam/subdomain',
      'PUT /workers/scripts/loam/schedules',
      'PUT /workflows/loam-ingest',
    ])
    expect(api.indexes.get('loam')).toMatchObject({
      config: { dimensions: 1024, metric: 'cosine' },
      metadata: [
        { propertyName: 'kind', indexType: 'string' },
        { propertyName: 'layer', indexType: 'number' },
      ],
    })
    for (const { sql } of api.databases.values()) expect(sql.prepare('SELECT count(*) AS n FROM d1_migrations').get()?.n).toBeGreaterThan(0)
    const bound = account.noted().d1_databases.map(({ database_id }) => database_id)
    expect([...api.databases.keys()].sort()).toEqual([...bound].sort())

    const secrets = Object.fromEntries(api.scripts.all.get('loam')?.secrets ?? [])
    expect(secrets.MASTER_KEY).toBe('given-master')
    const said = first.said.join('\n')
    expect([key.exec(said)?.[1], said.includes('given-master'), leftovers()]).toEqual([secrets.ADMIN_KEY, false, []])
    expect(said).toContain('Loam is at https://loam.somebody.workers.dev')

    api.changes = []
    const second = await account.deploy({ wrangler })
    expect([second.stopped, key.test(second.said.join())]).toEqual([undefined, false])
    expect(api.changes.filter((change) => /^POST \/(d1|vectorize|queues)|secrets/.test(change))).toEqual([])
    expect(Object.fromEntries(api.scripts.all.get('loam')?.secrets ?? [])).toEqual(secrets)
    const kept = (api.scripts.all.get('loam')?.uploads ?? []).map(({ bindings }) =>
      bindings.flatMap(({ name, type }) => (name in secrets ? [`${type} ${name}`] : [])),
    )
    expect(kept).toEqual([
      ['secret_text ADMIN_KEY', 'secret_text MASTER_KEY'],
      ['inherit ADMIN_KEY', 'inherit MASTER_KEY'],
    ])
  })

  it('[Y11] the network lost at one request after another: each run goes on from there, and nothing is made twice', async () => {
    const { api } = account
    const lost = { d1: '/d1/database', vectorize: '/indexes', 'metadata-index': '/metadata_index/create', queue: '/queues' }
    for (const [kind, path] of Object.entries(lost)) {
      // Done, but the answer never came.
      api.fault = on('POST', new RegExp(`${path}$`), 'cut after')
      const { stopped } = await account.deploy({ wrangler, only: [kind] })
      expect(stopped).toMatch(/could not be reached, or the connection was interrupted\. What was created is kept\. Run it again/)
    }
    api.fault = () => undefined
    const { stopped } = await account.deploy({ wrangler, only: Object.keys(lost) })
    expect(stopped).toBe(undefined)
    const names = [...api.databases.values()].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(api.indexes.get('loam')?.metadata.map(({ propertyName }) => propertyName)).toEqual(['kind', 'layer'])
    expect([...api.queues.keys()].sort()).toEqual(['loam-outbound', 'loam-outbound-dead'])
  })

  it('[Y13] after a connection that breaks during the upload the admin key is shown all the same, and the next run keeps it', async () => {
    const { api } = account
    const only = ['d1', 'queue', 'secret', 'worker']
    api.fault = on('PUT', /workflows/, 'cut after')
    const { stopped = '' } = await account.deploy({ wrangler, only })
    expect(key.exec(stopped)?.[1]).toBe(api.scripts.all.get('loam')?.secrets.get('ADMIN_KEY'))
    api.fault = () => undefined
    const { said, stopped: again } = await account.deploy({ wrangler, only })
    expect([again, said.filter((line) => /^secret/.test(line))]).toEqual([
      undefined,
      ['secret          ADMIN_KEY: there', 'secret          MASTER_KEY: there'],
    ])
  })
})

describe('what is there already', () => {
  it.each([
    ['an error of the API', unavailable],
    ['no permission', forbidden],
    ['a lost connection', 'cut'],
  ] as const)('[Y15] secrets that cannot be listed stop the deployment before anything is made: %s', async (_, fault) => {
    account.api.scripts.add('loam', { ADMIN_KEY: 'a', MASTER_KEY: 'm' })
    account.api.fault = on('GET', /\/secrets$/, fault)
    const { said, stopped } = await account.deploy({ wrangler })
    expect([said, account.api.changes]).toEqual([[], []])
    expect(stopped).toMatch(/Run it again/)
  })

  it('[Y15] an index of other dimensions or another metric is refused, not replaced', async () => {
    const { api } = account
    for (const [dimensions, metric] of [[768, 'cosine'] as const, [1024, 'euclidean'] as const]) {
      api.indexes.set('loam', { name: 'loam', config: { dimensions, metric }, metadata: [], vectors: 0 })
      const { stopped } = await account.deploy({ wrangler, only: ['vectorize'] })
      expect(stopped).toMatch(`has ${dimensions} dimensions and the metric ${metric}; the model needs 1024 and cosine`)
    }
    expect(api.changes).toEqual([])
  })

  it('[Y15] a metadata index that is missing beside vectors is made, and says that corpora have to be rebuilt; one of another type is refused', async () => {
    const { api } = account
    const metadata = [{ propertyName: 'kind', indexType: 'string' }]
    api.indexes.set('loam', { name: 'loam', config: { dimensions: 1024, metric: 'cosine' }, metadata, vectors: 7 })
    const { said } = await account.deploy({ wrangler, only: ['metadata-index'] })
    expect(said.slice(0, 2)).toEqual([
      'metadata-index  loam: kind there',
      'metadata-index  loam: layer created; the 7 vectors written before it are not in it: POST /v1/corpora/<corpus>:rebuild for each corpus',
    ])
    metadata[0] = { propertyName: 'kind', indexType: 'number' }
    expect((await account.deploy({ wrangler, only: ['metadata-index'] })).stopped).toMatch('kind of loam is of type number, not string')
  })

  it('[Y15] a Worker, a database, a workflow of the same name that are not ours are left alone', async () => {
    const { api } = account
    api.scripts.add('loam', { SOMETHING: 'else' })
    expect((await account.deploy({ wrangler })).stopped).toMatch(
      'a Worker loam without ADMIN_KEY and MASTER_KEY, so it is not a Loam, and nothing was changed',
    )
    api.scripts.all.delete('loam')
    api.workflows.set('loam-ingest', 'farm')
    expect((await account.deploy({ wrangler })).stopped).toMatch('The workflow loam-ingest belongs to the Worker farm')
    const id = api.addDatabase('loam')
    api.databases.get(id)?.sql.exec('CREATE TABLE fields (a)')
    expect((await account.deploy({ wrangler, only: ['d1'] })).stopped).toMatch("a database loam that is not Loam's (it holds fields)")
    expect(api.changes).toEqual([])
  })

  it('[Y10] a database named in wrangler.toml is used, and refused where the account does not have it', async () => {
    const { api } = account
    const id = api.addDatabase('mine')
    account.edit((toml) => toml.replace(/database_id = "0[^"]*"/, `database_id = "${id}"`))
    const { said } = await account.deploy({ wrangler, only: ['d1'] })
    expect([said[0], account.noted().d1_databases[0]?.database_id]).toEqual(['d1              loam: named in wrangler.toml', id])
    api.databases.delete(id)
    expect((await account.deploy({ wrangler, only: ['d1'] })).stopped).toMatch('Is this the right account?')
  })

  it('[Y10] a database bound for a jurisdiction is made there, or not at all', async () => {
    const { api } = account
    const one = (place: string): string =>
      `[[d1_databases]]\nbinding = "DATA_${place}_0"\ndatabase_name = "loam-${place}"\ndatabase_id = "00000000-0000-0000-0000-000000000000"\n\n`
    account.edit((toml) => toml.replace('[durable_objects]', `${one('EU')}${one('MARS')}[durable_objects]`))
    const { stopped } = await account.deploy({ wrangler, only: ['d1'] })
    expect(stopped).toMatch('This version of wrangler does not know that jurisdiction')
    expect([...api.placed]).toEqual([['loam-EU', 'eu']])
    expect([...api.databases.values()].map(({ name }) => name)).not.toContain('loam-MARS')
  })

  it('[Y3] [Y15] a domain is connected where it is free, beside the workers.dev address, and left alone where it leads elsewhere', async () => {
    const { api } = account
    const loam = api.scripts.add('loam', { ADMIN_KEY: 'a', MASTER_KEY: 'm' })
    for (const name of ['loam-outbound', 'loam-outbound-dead']) api.addQueue(name)
    const how = { wrangler, only: ['d1', 'domain'], options: { domain: 'docs.example.com', sampling: '0.1' } }
    api.scripts.takenHosts.add('docs.example.com')
    expect((await account.deploy(how)).stopped).toMatch('docs.example.com has DNS records already. They were left alone')
    api.scripts.takenHosts.clear()
    api.scripts.othersHosts.add('docs.example.com')
    expect((await account.deploy(how)).stopped).toMatch('docs.example.com belongs to another Worker. It was left alone')
    api.scripts.othersHosts.clear()
    api.fault = on('POST', /changeset$/, 'cut')
    expect((await account.deploy(how)).stopped).toMatch('Could not find out whether docs.example.com is free')
    expect(loam.domains).toEqual([])
    api.fault = () => undefined
    const { said, stopped } = await account.deploy(how)
    expect([stopped, loam.domains, loam.subdomain]).toEqual([undefined, ['docs.example.com'], true])
    expect(said.join('\n')).toContain('Loam is at https://docs.example.com')
    expect(account.noted().routes).toEqual([{ pattern: 'docs.example.com', custom_domain: true }])
    expect(account.noted().observability.head_sampling_rate).toBe(0.1)
  })
})

describe('the master key replaced', () => {
  const only = ['d1', 'queue', 'worker']
  const secretsNow = () => Object.fromEntries(account.api.scripts.all.get('loam')?.secrets ?? [])
  const kept = () => join(account.folder, '.master-key-next')

  /** A deployment that seals a page at each request; `left` of them, and what no key opens. */
  function service({ left = 2, unreadable = 0 } = {}) {
    const seen: object[] = []
    let pages = left
    const answer = async (_: unknown, { headers = {} }: RequestInit = {}) => {
      const { MASTER_KEY: old = '', MASTER_KEY_NEXT: next = old, ADMIN_KEY } = secretsNow()
      seen.push(secretsNow())
      if ((headers as { authorization: string }).authorization !== `Bearer ${ADMIN_KEY}`) return new Response('', { status: 401 })
      if (seen.length === 1) return Response.json({ key: idOf(old), status: 'done', unreadable: 0 }) // the version before
      const status = seen.length === 2 ? 'settling' : pages-- > 0 ? 'resealing' : 'done'
      return Response.json({ key: idOf(next), status, unreadable, resealed: 3, left: { webhooks: 1, corpora: pages } })
    }
    return { seen, answer: answer as typeof fetch }
  }

  it('[Y210] the new key stands beside the old one until nothing is left under that, then in its place; neither is printed', async () => {
    account.api.scripts.add('loam', { ADMIN_KEY: 'a', MASTER_KEY: 'old' })
    const { seen, answer } = service()
    const { said, stopped } = await account.rotate(answer, { wrangler, only })
    expect(stopped).toBe(undefined)
    const { MASTER_KEY: next = '', ...others } = secretsNow()
    expect([others, next.length > 40, existsSync(kept())]).toEqual([{ ADMIN_KEY: 'a' }, true, false])
    expect(seen).toEqual(seen.map(() => ({ ADMIN_KEY: 'a', MASTER_KEY: 'old', MASTER_KEY_NEXT: next })))
    expect([seen.length, said.join().includes(next)]).toEqual([5, false])
    expect(said.filter((line) => line.startsWith('master key'))).toEqual([
      'master key: waiting for the new version',
      'master key: waiting until every instance has the new key',
      'master key: 3 secrets sealed again; to check: 1 webhooks, 1 corpora',
      'master key: 3 secrets sealed again; to check: 1 webhooks, 0 corpora',
    ])
    expect(await vault(next)?.keys()).toEqual([idOf(next)])
  })

  it('[Y211] whatever stops it, the next run goes on with the same new key, and the old one stays until it can go', async () => {
    account.api.scripts.add('loam', { ADMIN_KEY: 'a', MASTER_KEY: 'old' })
    const sad = await account.rotate(service({ left: 0, unreadable: 2 }).answer, { wrangler, only })
    expect(sad.stopped).toMatch(/^2 secrets open under neither key, so the old one stays/)
    const next = readFileSync(kept(), 'utf8')
    const both = { ADMIN_KEY: 'a', MASTER_KEY: 'old', MASTER_KEY_NEXT: next }
    expect(secretsNow()).toEqual(both)
    const deaf = await account.rotate(async () => Promise.reject(new Error('no network')), { wrangler, only })
    expect([deaf.stopped, secretsNow()]).toEqual([expect.stringMatching(/within an hour/), both])
    account.api.fault = on('DELETE', /secrets/, 'cut')
    const cut = await account.rotate(service().answer, { wrangler, only })
    expect([cut.stopped, secretsNow()]).toEqual([expect.stringMatching(/Run it again/), { ...both, MASTER_KEY: next }])
    account.api.fault = () => undefined
    const done = await account.rotate(service().answer, { wrangler, only })
    expect([done.stopped, secretsNow(), existsSync(kept())]).toEqual([undefined, { ADMIN_KEY: 'a', MASTER_KEY: next }, false])
  })

  it('[Y210] it is refused without the admin key, without a Worker, and where another machine has begun it; then nothing is changed', async () => {
    const refused = async (how: object = {}) => [
      (await account.rotate(service().answer, { wrangler, only, ...how })).stopped,
      existsSync(kept()),
      secretsNow(),
    ]
    expect(await refused({ env: { ADMIN_KEY: '' } })).toEqual([expect.stringMatching(/Set ADMIN_KEY/), false, {}])
    expect(await refused()).toEqual([expect.stringMatching(/no Worker yet/), false, {}])
    const begun = { ADMIN_KEY: 'a', MASTER_KEY: 'old', MASTER_KEY_NEXT: 'elsewhere' }
    account.api.scripts.add('loam', begun)
    expect(await refused()).toEqual([expect.stringMatching(/already being replaced/), false, begun])
    const { stopped } = await account.rotate(service().answer, { wrangler, only, env: { MASTER_KEY_NEXT: 'elsewhere' } })
    expect([stopped, secretsNow()]).toEqual([undefined, { ADMIN_KEY: 'a', MASTER_KEY: 'elsewhere' }])
  })
})
