/** What is asked of the service before the page itself has arrived, and that nobody asks for it again. */
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adminKey, api, closeWindows, looks, signIn, url, type Visit, visit } from './visit'

const NAME = 'early'
const LABELLED = 'early-labelled'
let visitor: Visit

beforeAll(async () => {
  await api('PUT', `/v1/corpora/${NAME}`, {})
  await api('PUT', `/v1/corpora/${LABELLED}`, { strategies: ['gorag'] })
  await api('PUT', `/v1/corpora/${NAME}/documents/riga?wait=30`, { title: 'Riga', text: 'Marta Lind visited Riga in 1795.' })
  // Until it has been measured its version changes, and what changed is read anew.
  await vi.waitUntil(async () => !(await api('GET', `/v1/corpora/${NAME}`)).tuning, { timeout: 90_000, interval: 1000 })
  visitor = await visit(looks[0] ?? { name: 'early', context: {} })
  await signIn(visitor, adminKey)
}, 120_000)

afterAll(async () => {
  await visitor?.close()
  await closeWindows()
})

const THERE = `/v1/corpora/${NAME}`

describe('what an address asks for', () => {
  it.each([
    ['', '.card.link', ['/v1/keys/self', '/v1/corpora?deleted=true']],
    [`c/${NAME}`, 'table.documents tbody tr', ['/v1/keys/self', THERE, `${THERE}/documents`, `${THERE}/jobs?limit=5`]],
    [`c/${NAME}/ask`, '#question', ['/v1/keys/self', THERE]],
    [`c/${NAME}/explore`, '.chips', ['/v1/keys/self', THERE, `${THERE}/entities?sort=mentions&limit=100`, `${THERE}/documents?limit=200`]],
    [`c/${NAME}/labels`, '.empty', ['/v1/keys/self', THERE]],
    [`c/${LABELLED}/labels`, '.empty', ['/v1/keys/self', `/v1/corpora/${LABELLED}`, `/v1/corpora/${LABELLED}/labels?limit=200`]],
    [
      `c/${NAME}/connections`,
      '.log tbody tr',
      ['/v1/keys/self', THERE, ...['sources?limit=200', 'hooks?limit=100', 'endpoints', 'alerts'].map((call) => `${THERE}/${call}`)],
    ],
    [`c/${NAME}/usage`, '.pairs', ['/v1/keys/self', THERE, `${THERE}/usage?limit=200`]],
    [`c/${NAME}/d/riga`, '.passage', ['/v1/keys/self', THERE, `${THERE}/documents/riga`]],
  ])('[W1860] is on its way before the page is there, and asked for once: #/%s', async (path, sign, wanted) => {
    const { page, complaints } = visitor
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const calls: string[] = []
    const note = (request: Request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/v1/')) calls.push(pathname + search)
    }
    await page.goto('about:blank')
    page.on('request', note)
    await page.route('**/main.js', async (route) => {
      await held
      await route.continue()
    })
    try {
      await page.goto(`${url}/#/${path}`, { waitUntil: 'commit' })
      await expect.poll(() => calls.toSorted()).toEqual(wanted.toSorted())
      release()
      await page.locator(sign).first().waitFor()
      const again = wanted.filter((call) => calls.filter((one) => one === call).length !== 1)
      expect([again, complaints]).toEqual([[], []])
    } finally {
      release()
      page.off('request', note)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })

  it('[W1860] with another key than the one that asked, it is asked for anew', async () => {
    const { page } = visitor
    await page.goto(`${url}/#/c/${NAME}`)
    await page.locator('table.documents tbody tr').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.reload({ waitUntil: 'commit' })
    await page.getByLabel('Your key').fill(adminKey)
    const asked = page.waitForRequest((request) => request.url().endsWith(`/v1/corpora/${NAME}/documents`))
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    expect((await asked).headers().authorization).toBe(`Bearer ${adminKey}`)
  })
})

describe('a part that cannot be fetched', () => {
  const chunks = /\/chunks\//
  it.each([
    ['because Loam was deployed anew: the page offers to reload', true, 'Reload'],
    ['because the server is away: it can be tried again', false, 'Try again'],
  ])('[W1951] %s', async (_, isAnew, button) => {
    const fresh = await visit(looks[0] ?? { name: 'early', context: {} })
    const { page } = fresh
    await signIn(fresh, adminKey)
    await fresh.go(`c/${NAME}`)
    await page.locator('table.documents tbody tr').first().waitFor()
    await page.route(chunks, (route) => route.fulfill({ status: 404 }))
    if (isAnew)
      await page.route(`${url}/`, (route) => route.fulfill({ body: '<!doctype html><title>Loam</title>', contentType: 'text/html' }))
    await page.getByRole('link', { name: 'Checks', exact: true }).click()
    await page.getByRole('button', { name: button, exact: true }).waitFor()
    expect(await page.getByText('Loam has been updated').count()).toBe(isAnew ? 1 : 0)
    await page.unrouteAll()
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('heading', { name: 'Receipts', exact: true }).waitFor()
    await fresh.close()
  })
})
