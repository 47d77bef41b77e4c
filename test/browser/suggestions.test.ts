/** The questions that Ask suggests: asked before they are shown, in a corpus of any name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { files } from './texts'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

const [look] = looks
const CORPUS = 'sample' // the page's own sample has this name, but not these documents

afterAll(closeWindows)

describe('suggested questions', () => {
  let visitor: Visit
  let asked: { readonly query: string; readonly generator?: string; readonly cache?: boolean }[]
  const suggested = () => visitor.page.locator('.empty button')
  beforeAll(async () => {
    if (!look) throw new Error('there is a look')
    visitor = await visit({ ...look, name: 'suggestions' })
    await api('PUT', `/v1/corpora/${CORPUS}`, {})
    const upserts = files.map(({ name, text }) => ({ id: name, title: name, text }))
    const { job } = await api('POST', `/v1/corpora/${CORPUS}/documents:batch`, { upserts })
    await api('GET', `/v1/corpora/${CORPUS}/jobs/${job}?wait=30`)
    visitor.page.on('request', (request) => {
      if (request.url().endsWith('/query')) asked.push(request.postDataJSON())
    })
  })
  afterAll(() => visitor.close())

  it('[W2020] none is suggested where the corpus does not answer well', async () => {
    const { page, go } = visitor
    asked = []
    await page.route('**/query', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), answered: false } })
    })
    await signIn(visitor, adminKey)
    await go(`c/${CORPUS}/ask`)
    await expect.poll(() => page.evaluate((name) => sessionStorage.getItem(`loam-examples-${name}`), CORPUS)).toContain('"examples":[]')
    expect(await suggested().count()).toBe(0)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.length).toBeLessThanOrEqual(6)
    await page.unroute('**/query')
  })

  it('[W2020] [W1336] signing out forgets what was tried; each that is shown was asked, by quoting alone, and answered', async () => {
    const { page, go } = visitor
    asked = []
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(visitor, adminKey)
    await go(`c/${CORPUS}/ask`)
    await suggested().first().waitFor()
    const shown = await suggested().allInnerTexts()
    expect(shown.length).toBeLessThanOrEqual(3)
    expect(shown.filter((text) => !asked.some(({ query }) => query === text))).toEqual([])
    expect(asked.every(({ generator, cache }) => generator === 'extractive' && cache === false)).toBe(true)
    for (const query of shown) {
      const { answered, grounded } = await api('POST', `/v1/corpora/${CORPUS}/query`, { query, generator: 'extractive' })
      expect([query, answered, grounded]).toEqual([query, true, true])
    }
    expect(await faults(page)).toEqual([])
  })

  it('[W2020] what was tried is not tried again at the same version', async () => {
    const { page } = visitor
    const shown = await suggested().allInnerTexts()
    asked = []
    await page.reload()
    await suggested().first().waitFor()
    expect(await suggested().allInnerTexts()).toEqual(shown)
    expect(asked).toEqual([])
  })

  it('[W2024] a question and its quotes run in the direction of their script', async () => {
    const { page, go } = visitor
    const text = 'تأسست مكتبة الميناء سنة 1902. أسستها المهندسة ليلى حداد قرب المنارة.'
    await api('PUT', `/v1/corpora/${CORPUS}/documents/library?wait=30`, { title: 'مكتبة الميناء', text })
    await go(`c/${CORPUS}/ask`)
    await page.getByLabel('Question', { exact: true }).fill('متى تأسست مكتبة الميناء؟')
    await page.getByLabel('Question', { exact: true }).press('Enter')
    await page.locator('.turn[aria-busy=false] .citations li').first().waitFor()
    const directions = (of: string) => page.locator(of).evaluateAll((all) => all.map((one) => getComputedStyle(one).direction))
    expect(new Set([...(await directions('.turn h2')), ...(await directions('.citations button > [dir]'))])).toEqual(new Set(['rtl']))
  })

  it('[W2025] where answers cannot be rated, one sentence leads to what changes that', async () => {
    const { page } = visitor
    await page.locator('.turn').getByRole('link', { name: 'Usage and settings' }).click()
    await page.getByRole('heading', { name: 'Questions' }).waitFor()
    expect(page.url()).toContain(`#/c/${CORPUS}/usage`)
    expect(await faults(page)).toEqual([])
  })

  it('[W2026] [W2103] [W2104] [F2051] front matter is no heading, a row is quoted as words, and a title is said once', async () => {
    const { page, go } = visitor
    const table = '| Plan | Refund window |\n|---|---|\n| Free | none |\n| Pro | 30 days |'
    const written = 'Its <b>price</b> was set in H<sub>2</sub>O<br>and <i onclick="x">gold</i>, <b>or so.'
    const text = `---\ntitle: Plans\nauthor: Pia\ntags: [water, gold]\n---\n\n# Plans\n\n${table}\n\n${written}\n`
    await api('PUT', `/v1/corpora/${CORPUS}/documents/plans.md?wait=30`, { title: 'Plans', text })
    await go(`c/${CORPUS}/ask`)
    await page.getByLabel('Question', { exact: true }).fill('What is the refund window of the Pro plan?')
    await page.getByLabel('Question', { exact: true }).press('Enter')
    const turn = page.locator('.turn[aria-busy=false]', { hasText: 'refund window' })
    const card = turn.locator('.citations li').first()
    await card.waitFor()
    expect(await turn.locator('.answer').innerText()).not.toContain('|')
    expect(await card.innerText()).toContain('“Pro: 30 days”')
    expect((await card.innerText()).match(/Plans/g)).toEqual(['Plans'])
    await go(`c/${CORPUS}/d/plans.md`)
    await page.locator('.passage .properties').waitFor()
    const rows = page.locator('.passage .properties tr')
    expect(await rows.evaluateAll((all) => all.map((one) => [...one.children].map((cell) => cell.textContent)))).toEqual([
      ['title', 'Plans'],
      ['author', 'Pia'],
      ['tags', 'water, gold'],
    ])
    const paragraph = page.locator('.passage p', { hasText: 'Its price' })
    expect(await paragraph.evaluate((one) => [...one.children].map(({ tagName, textContent }) => [tagName, textContent]))).toEqual([
      ['B', 'price'],
      ['SUB', '2'],
      ['BR', ''],
    ])
    expect(await paragraph.innerText()).toContain('and <i onclick="x">gold</i>, <b>or so.')
    expect((await page.locator('.passage').getByRole('heading').allInnerTexts()).join()).toBe('Plans')
    expect(await faults(page)).toEqual([])
  })
})
