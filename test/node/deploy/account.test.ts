/** Which account a deployment goes into, and what a token may not do: by the real wrangler, before anything is made. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { Account, repository } from './account'
import { forbidden } from './cloudflare-api'
import { Wrangler } from './wrangler'

let account: Account
const wrangler = new Wrangler()
afterAll(() => wrangler.stop())
beforeEach(async () => {
  account = await Account.open()
})
afterEach(() => account.close())

const only = ['queue']
it('[Y17] a stranger learns from the command itself how to sign in', async () => {
  const home = account.folder // no login is remembered there
  const nobody = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home }
  const script = spawnSync(process.execPath, [join(repository, 'scripts/deploy.mjs'), '--planned'], { env: nobody, encoding: 'utf8' })
  expect([script.status, script.stdout]).toEqual([1, ''])
  expect(script.stderr).toMatch('Not signed in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN')
})

it('[Y17] a token that is not one stops it', async () => {
  const { stopped } = await account.deploy({ wrangler, only, env: { CLOUDFLARE_API_TOKEN: 'bad' } })
  expect([stopped?.split('\n')[0], account.api.changes]).toEqual([expect.stringContaining('does not accept the API token'), []])
})

it('[Y17] of several accounts one has to be named; one that may not be used, or is not the one deployed to, is refused', async () => {
  const { api } = account
  await account.deploy({ wrangler, only: ['d1'] })
  api.changes = []
  api.accounts.push({ id: 'a2', name: 'Somebody else' })
  expect((await account.deploy({ wrangler, only, env: { CLOUDFLARE_ACCOUNT_ID: 'a2' } })).stopped).toMatch(
    'was deployed to the account a1, and a2 was named',
  )
  expect((await account.deploy({ wrangler, only, env: { CLOUDFLARE_ACCOUNT_ID: 'a9' } })).stopped).toMatch(
    /a9 is not among those you may use[\s\S]*a2 {2}Somebody else/,
  )
  api.accounts.shift()
  expect((await account.deploy({ wrangler, only })).stopped).toMatch('deployed to the account a1, and you are signed in to another')
  expect(api.changes).toEqual([])
})

it('[Y17] of several accounts none is guessed', async () => {
  account.api.accounts.push({ id: 'a2', name: 'Somebody else' })
  expect((await account.deploy({ wrangler, only })).stopped).toMatch(/more than one account[\s\S]*a1 {2}Somebody\n {2}a2/)
})

it.each([
  ['d1', 'POST', /\/d1\/database$/],
  ['vectorize', 'POST', /\/indexes$/],
  ['queue', 'GET', /\/queues$/],
])('[Y17] a token without a permission is answered with the page that names it: %s', async (kind, method, path) => {
  account.api.fault = (request) => (request.method === method && path.test(request.path) ? forbidden : undefined)
  const { stopped } = await account.deploy({ wrangler, only: [kind] })
  expect(stopped).toMatch(/may not do this; docs\/deploy\.md names the permissions[\s\S]*Run it again[\s\S]*\[code: 10000\]/)
})
