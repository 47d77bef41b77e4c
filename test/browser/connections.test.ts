/** What a corpus is connected to: pages it follows, systems that send to it, systems that it notifies. */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { type Outside, outside } from './outside'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

afterAll(closeWindows)

describe.each(looks.filter(({ name }) => /desktop-light|phone-dark/.test(name)))('$name', (look) => {
  const corpus = `linked-${look.name}`
  let visitor: Visit
  let world: Outside

  beforeAll(async () => {
    world = await outside()
    visitor = await visit({ ...look, name: `linked-${look.name}` })
    await api('PUT', `/v1/corpora/${corpus}`, {})
    await signIn(visitor, adminKey)
    await visitor.go(`c/${corpus}/connections`)
  })
  afterAll(async () => {
    await visitor.close()
    await world.close()
  })
  const part = (name: string) => visitor.page.getByRole('region', { name, exact: true })

  it('[W14] where nothing is connected yet, each part says what it is for', async () => {
    const { page, picture } = visitor
    await expect.poll(() => page.locator('.hint').count()).toBe(3)
    expect(await faults(page)).toEqual([])
    await picture('1-empty')
  })

  it('[W14] a page is followed: fetched at once, its failures shown with their reason, fetched again on request, removed', async () => {
    visitor.provokes(`422 /v1/corpora/${corpus}/sources`)
    const { page, picture } = visitor
    const sources = part('Sources')
    await sources.getByLabel('Page', { exact: true }).fill('ftp://example.org/x')
    await sources.getByRole('button', { name: 'Follow the page' }).click()
    await sources.getByRole('alert').waitFor()
    await sources.getByLabel('Page', { exact: true }).fill(`${world.url}/tides`)
    await sources.getByRole('button', { name: 'Follow the page' }).click()
    await expect.poll(() => sources.innerText(), { timeout: 90_000 }).toContain(', changed')
    world.answers.page = 503
    await sources.getByRole('button', { name: /^Fetch now/ }).click()
    await expect.poll(() => sources.innerText(), { timeout: 90_000 }).toContain('The last look failed: answered 503. The document is kept.')
    expect(await faults(page)).toEqual([])
    await picture('2-source')
    await sources.getByRole('link', { name: `${world.url}/tides` }).click()
    await expect.poll(() => page.locator('.passage').innerText()).toContain('forty centimetres')
    await page.goBack()
    await sources.getByRole('button', { name: /^Remove / }).click()
    await sources.getByRole('button', { name: 'Keep its document' }).click()
    await sources.locator('.hint').waitFor()
  })

  it('[W14][W1547][W1964] a webhook is made by preset, its secret shown once and tried, and what is sent with it signed is taken in and listed', async () => {
    visitor.provokes('422 /v1/hooks/*')
    const { page, picture } = visitor
    const hooks = part('Webhooks in')
    await visitor.go(`c/${corpus}/connections`)
    await hooks.getByText('Its events do not look like').click()
    await hooks.getByLabel('Id', { exact: true }).fill('/page/id')
    await hooks.getByLabel('Text', { exact: true }).fill('/page/body')
    await hooks.getByRole('button', { name: 'Create a webhook' }).click()
    await hooks.locator('.notice').waitFor()
    const [address = '', secret = ''] = await hooks.locator('.notice code').allInnerTexts()
    expect(secret).toMatch(/^whsec_/)
    expect(await hooks.locator('.notice').innerText()).not.toContain('old secret')
    expect(await faults(page)).toEqual([])
    await hooks.getByRole('button', { name: 'Send a test' }).click()
    await hooks.getByText('Accepted: the signature is genuine.').waitFor()
    await hooks.scrollIntoViewIfNeeded()
    await picture('3-webhook')
    const body = JSON.stringify({ page: { id: 'log', body: 'Anders Falk counted nine ships.' } })
    const sent = await signed(address, secret, body)
    expect(sent.status).toBe(202)
    await hooks.getByRole('button', { name: `New secret for ${address}` }).click()
    await hooks.getByText('The old secret works for another day.').waitFor()
    await page.reload()
    await hooks.getByText(address).waitFor()
    expect(await page.getByText(secret).count()).toBe(0)
    await hooks.getByText('Last deliveries').click()
    await hooks.getByText(/ · brought log · /).waitFor()
    const remove = hooks.getByRole('button', { name: `Remove ${address}` })
    await remove.click()
    await hooks.locator('.hint').waitFor()
    expect(await faults(page)).toEqual([])
    expect((await signed(address, secret, body)).status).toBeLessThan(300) // it still takes events
    await page.getByRole('button', { name: /^Undo: Webhook/ }).click()
    await remove.click()
    await page.reload() // what is left is sent on the way out
    await hooks.locator('.hint').waitFor()
    expect((await signed(address, secret, body)).status).toBe(404)
  })

  it('[W1910] a webhook removed as the page is left is not shown by a list that was read before, and is shown again where the removal did not arrive', async () => {
    const { page } = visitor
    const hooks = part('Webhooks in')
    const { url: address = '' } = await api('POST', `/v1/corpora/${corpus}/hooks`, { preset: 'standard' })
    await page.reload()
    const json = await api('GET', `/v1/corpora/${corpus}/hooks`)
    await page.route(/hooks(\?|$)/, (route) => route.fulfill({ json }))
    await hooks.getByRole('button', { name: `Remove ${address}` }).click()
    await page.reload()
    await hooks.locator('.hint').waitFor()
    await hooks.getByText(address).waitFor() // as if the removal had not arrived
    await page.unrouteAll()
    await page.reload()
    await hooks.locator('.hint').waitFor()
  })

  it('[W1997] a Slack channel is followed with a bot token', async () => {
    visitor.provokes(`422 /v1/corpora/${corpus}/sources`)
    const { page } = visitor
    await visitor.go('')
    await visitor.go(`c/${corpus}/connections`)
    const sources = part('Sources')
    await sources.getByLabel('Follow', { exact: true }).selectOption('slack')
    expect(await sources.getByLabel('Include only').count()).toBe(0)
    await sources.getByLabel('Link of the channel').fill('https://slack.com/archives/general')
    await sources.getByLabel('Bot token').fill('xoxb-of-the-bot')
    await sources.getByLabel('Check', { exact: true }).selectOption('30d')
    expect(await sources.getByLabel('Bot token').getAttribute('type')).toBe('password')
    await sources.getByRole('button', { name: 'Follow the channel' }).click()
    expect(await sources.getByRole('alert').innerText()).toContain('the id of a channel')
    expect(await faults(page)).toEqual([])
    const url = 'https://slack.com/archives/C0123456789'
    await sources.getByLabel('Link of the channel').fill(url)
    await sources.getByRole('button', { name: 'Follow the channel' }).click()
    await sources.getByText(url).first().waitFor()
    const { data: followed = [] } = await api('GET', `/v1/corpora/${corpus}/sources`)
    expect(followed).toMatchObject([{ kind: 'slack', credential: 'set' }])
    for (const one of followed) await api('DELETE', `/v1/corpora/${corpus}/sources/${Object(one).source}`)
  })

  it('[W1970] a Notion workspace is followed with the secret of its integration', async () => {
    const { page, picture } = visitor
    await visitor.go('')
    await visitor.go(`c/${corpus}/connections`)
    const sources = part('Sources')
    await sources.getByLabel('Follow', { exact: true }).selectOption('notion')
    expect(await sources.getByLabel('Include only').count()).toBe(0)
    await sources.getByLabel('Address', { exact: true }).fill('https://www.notion.so/reeds')
    await sources.getByLabel('Secret of the integration').fill('ntn_of_the_integration')
    await sources.getByLabel('Documents at most').fill('50')
    await sources.getByLabel('Check', { exact: true }).selectOption('30d')
    expect(await sources.getByLabel('Secret of the integration').getAttribute('type')).toBe('password')
    await sources.getByRole('button', { name: 'Follow the workspace' }).click()
    expect(await sources.getByRole('alert').innerText()).toContain('or the address of a database or page')
    expect(await faults(page)).toEqual([])
    await picture('4-notion')
    await sources.getByLabel('Address', { exact: true }).fill('https://www.notion.so')
    await sources.getByRole('button', { name: 'Follow the workspace' }).click()
    await sources.getByText('https://www.notion.so').first().waitFor()
    const { data: followed = [] } = await api('GET', `/v1/corpora/${corpus}/sources`)
    expect(followed).toMatchObject([{ kind: 'notion', max_items: 50, credential: 'set' }])
    for (const one of followed) await api('DELETE', `/v1/corpora/${corpus}/sources/${Object(one).source}`)
  })

  it('[W785] a webhook of GitHub names the repository that a push fetches', async () => {
    const { page, picture } = visitor
    await api('POST', `/v1/corpora/${corpus}/sources`, { kind: 'github', url: 'https://github.com/owner/name', every: '30d' })
    await visitor.go('')
    await visitor.go(`c/${corpus}/connections`)
    const hooks = part('Webhooks in')
    await hooks.getByLabel('Who sends').selectOption('github')
    await hooks.getByLabel('What a push brings').selectOption({ label: 'fetches https://github.com/owner/name at once' })
    expect(await faults(page)).toEqual([])
    await hooks.scrollIntoViewIfNeeded()
    await picture('5-push')
    await hooks.getByRole('button', { name: 'Create a webhook' }).click()
    await hooks.locator('.notice').waitFor()
    const hook = await api('GET', `/v1/corpora/${corpus}/hooks`)
    expect(hook.data).toMatchObject([{ preset: 'github', source: expect.stringMatching(/^src_/) }])
    await hooks.getByText('A push fetches').waitFor()
    await hooks.getByRole('button', { name: /^Remove / }).click()
    await hooks.locator('.hint').waitFor()
  })

  it('[W14] an endpoint is sent events; what it did not acknowledge is listed and sent again', async () => {
    const { page, picture } = visitor
    const endpoints = part('Webhooks out')
    await visitor.go(`c/${corpus}/connections`)
    await endpoints.getByLabel('Address to send to').fill(`${world.url}/told`)
    await endpoints.getByLabel('document.ready').check()
    await endpoints.getByRole('button', { name: 'Add an endpoint' }).click()
    await expect.poll(() => endpoints.locator('.notice code').innerText()).toMatch(/^whsec_/)
    const { job } = await api('PUT', `/v1/corpora/${corpus}/documents/ship`, { text: 'The tenth ship came at night.' })
    await api('GET', `/v1/corpora/${corpus}/jobs/${job}?wait=30`)
    await expect.poll(() => dead(corpus), { timeout: 90_000 }).toBe(1)
    await page.reload()
    await expect.poll(() => endpoints.innerText()).toContain('1 event could not be delivered')
    expect(await endpoints.innerText()).toContain('answered 410')
    expect(await faults(page)).toEqual([])
    await endpoints.scrollIntoViewIfNeeded()
    await picture('4-endpoint')
    world.answers.receiver = 200
    await endpoints.getByRole('button', { name: /^Send again: document.ready/ }).click()
    await expect.poll(() => endpoints.locator('.status[data-status=delivered]').count(), { timeout: 90_000 }).toBe(1)
    expect(world.heard).toEqual(['document.ready'])
    await endpoints.getByRole('button', { name: /^Remove / }).click()
    await endpoints.locator('.hint').waitFor()
  })

  it('[W14] a reader sees that this is for writers', async () => {
    const { page, go } = visitor
    const { key } = await api('POST', '/v1/keys', { name: 'reader', scopes: ['read'], corpora: [corpus] })
    await page.evaluate((entered) => sessionStorage.setItem('loam-key', entered), String(key))
    await page.reload()
    await go(`c/${corpus}/connections`)
    await page.getByRole('heading', { name: 'Connections need the right to write' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('[W12][W2100] nothing was asked of any other server, no policy was broken, nothing was thrown, no error reported', () => {
    expect(visitor.complaints).toEqual([])
  })
})

function signed(address: string, secret: string, body: string): Promise<Response> {
  const now = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
    'content-type': 'application/json',
  }
  return fetch(address, { method: 'POST', headers, body })
}

async function dead(corpus: string): Promise<number> {
  const all = await api('GET', `/v1/corpora/${corpus}/endpoints`)
  const endpoints: readonly { endpoint: string }[] = all.data ?? []
  const deliveries = await api('GET', `/v1/corpora/${corpus}/endpoints/${endpoints[0]?.endpoint}/deliveries?status=dead`)
  const rows: readonly unknown[] = deliveries.data ?? []
  return rows.length
}
