/** A deployment against a pretended account: what exists is kept, what is missing is made in the right order, secrets stay secret. */
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { plan, printed } from '../../../scripts/lib/deploy-plan.mjs'
import { carryOut } from '../../../scripts/lib/deploy-steps.mjs'

const repository = join(import.meta.dirname, '../../..')

interface Account {
  databases: { name: string; uuid: string }[]
  indexes: { name: string; config: { dimensions: number } }[]
  metadata: { propertyName: string; type: string }[]
  queues: string[]
  secrets: string[]
  deployed: number
}

let account: Account
let done: string[]
let inputs: string[]
let said: string[]
let folder: string

beforeEach(() => {
  account = { databases: [], indexes: [], metadata: [], queues: [], secrets: [], deployed: 0 }
  done = []
  inputs = []
  said = []
  folder = mkdtempSync(join(tmpdir(), 'loam-deploy-'))
  copyFileSync(join(repository, 'wrangler.toml'), join(folder, 'wrangler.toml'))
})

const ok = (out = '') => ({ code: 0, out, all: out, ms: 0 })
const no = (all: string) => ({ code: 1, out: '', all, ms: 0 })

/** Wrangler, as far as a deployment talks to it. */
async function wrangler(_tool: string, args: string[], { input = '' }: { input?: string } = {}) {
  if (input) inputs.push(input)
  const [a, b, c = ''] = args
  switch (`${a} ${b}`) {
    case 'd1 list':
      return ok(JSON.stringify(account.databases))
    case 'vectorize list':
      return ok(`a notice\n${JSON.stringify(account.indexes)}`)
    case 'vectorize list-metadata-index':
      return ok(JSON.stringify(account.metadata))
    case 'secret list':
      return account.deployed ? ok(JSON.stringify(account.secrets.map((name) => ({ name, type: 'secret_text' })))) : no('no such worker')
  }
  done.push(args.filter((arg) => !arg.startsWith('--')).join(' '))
  if (a === 'd1' && b === 'create') account.databases.push({ name: c, uuid: `${c}-uuid` })
  if (a === 'vectorize' && b === 'create') account.indexes.push({ name: c, config: { dimensions: Number(args[3]?.split('=')[1]) } })
  if (b === 'create-metadata-index') account.metadata.push({ propertyName: args[3]?.split('=')[1] ?? '', type: '' })
  if (a === 'queues' && account.queues.includes(c)) return no('Queue already exists [code: 11009]')
  if (a === 'queues') account.queues.push(c)
  if (a === 'deploy') account.deployed += 1
  if (a === 'deploy') return ok('Uploaded loam\n  https://loam.someone.workers.dev\n')
  if (a === 'secret') account.secrets.push(...Object.keys(JSON.parse(input)))
  return ok()
}

const deploy = (env: Record<string, string> = {}): Promise<void> =>
  carryOut(folder, plan(repository), { call: wrangler, say: (line) => said.push(line), env })

it('[L40] the plan names everything a deployment makes, metadata indexes before any vector', () => {
  const kinds = plan(repository).map((step) => `${step.kind} ${step.property ?? step.name}`)
  expect(kinds).toEqual([
    'd1 loam',
    'd1 loam-data-0',
    'vectorize loam',
    'metadata-index kind',
    'metadata-index layer',
    'queue loam-outbound-dead',
    'queue loam-outbound',
    'migrations loam',
    'migrations loam-data-0',
    'secret ADMIN_KEY',
    'secret MASTER_KEY',
    'worker loam',
  ])
  expect(printed(plan(repository))).toMatch('1024 dimensions, cosine')
})

it('[L41] an empty account gets all of it in that order, and the configuration gets the database id', async () => {
  await deploy()
  expect(done).toEqual([
    'whoami',
    'd1 create loam',
    'd1 create loam-data-0',
    'vectorize create loam',
    'vectorize create-metadata-index loam',
    'vectorize create-metadata-index loam',
    'queues create loam-outbound-dead',
    'queues create loam-outbound',
    'd1 migrations apply DB -c wrangler.deploy.json',
    'd1 migrations apply DATA_0 -c wrangler.deploy.json',
    'deploy -c wrangler.deploy.json',
    'secret bulk -c wrangler.deploy.json',
  ])
  const config = JSON.parse(readFileSync(join(folder, 'wrangler.deploy.json'), 'utf8'))
  expect([config.d1_databases[0].database_id, config.name, config.ai.binding]).toEqual(['loam-uuid', 'loam', 'AI'])
  expect(config.d1_databases[1].database_id).toBe('loam-data-0-uuid')
})

it('[L45] a database named in the configuration is used, and nobody is asked for a list', async () => {
  const [first, ...rest] = plan(repository)
  await carryOut(folder, [{ ...first, id: 'd1-mine' }, ...rest], { call: wrangler, say: (line) => said.push(line), env: {} })
  expect(JSON.parse(readFileSync(join(folder, 'wrangler.deploy.json'), 'utf8')).d1_databases[0].database_id).toBe('d1-mine')
  expect([account.databases.map((one) => one.name), said[0]]).toEqual([['loam-data-0'], 'd1              loam: named in wrangler.toml'])
})

it('[L46] it ends with the address; what a newcomer meets is told with the way out of it', async () => {
  await deploy({ ADMIN_KEY: 'given' })
  expect(said.at(-1)).toContain('Loam is at https://loam.someone.workers.dev')
  const refused = async (tool: string, args: string[], how?: { input?: string }) =>
    args[1] === 'create-metadata-index' ? no('Authentication error [code: 10000]') : wrangler(tool, args, how)
  account.metadata = []
  const failing = carryOut(folder, plan(repository), { call: refused, say: () => undefined, env: {} })
  await expect(failing).rejects.toThrow(/the permissions it needs/)
})

it('[L47] a clone has what the deploy button asks for: secrets by example, a word on each, a build and a deployment', () => {
  const { cloudflare, scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  const example = readFileSync(join(repository, '.dev.vars.example'), 'utf8')
  const secrets = plan(repository).flatMap(({ kind, name }) => (kind === 'secret' ? [name] : []))
  expect([...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name)).toEqual(secrets)
  expect(Object.keys(cloudflare.bindings)).toEqual(expect.arrayContaining([...secrets, 'DB', 'VECTORIZE', 'OUTBOUND']))
  expect([scripts.build, scripts.deploy]).toEqual(['node scripts/build-ui.mjs', 'node scripts/deploy.mjs'])
})

it('[L42] a second deployment makes nothing again and keeps the secrets', async () => {
  await deploy()
  done = []
  inputs = []
  await deploy()
  expect(done.filter((line) => /create(?! loam-outbound)|secret/.test(line))).toEqual([])
  expect(inputs).toEqual([])
  expect(account.deployed).toBe(2)
})

it('[L43] secrets go by standard input; only an admin key made here is shown, once', async () => {
  await deploy({ MASTER_KEY: 'given-master' })
  const [sent = '{}'] = inputs
  const { ADMIN_KEY, MASTER_KEY } = JSON.parse(sent)
  expect(MASTER_KEY).toBe('given-master')
  expect(`${done.join()}${said.join()}`).not.toMatch('given-master')
  expect(said.filter((line) => line.includes(ADMIN_KEY)).length).toBe(1)
  said = []
  await deploy()
  expect(said.join()).not.toMatch('shown this once')
})

it('[L44] an index of other dimensions is refused, not overwritten', async () => {
  account.indexes.push({ name: 'loam', config: { dimensions: 768 } })
  await expect(deploy()).rejects.toThrow('the index loam has 768 dimensions, the model 1024')
  expect(account.deployed).toBe(0)
})
