/** Conversations kept on the server, and how the parts for who watches over a deployment look at every width. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

const QUESTION = 'When does the lighthouse of Norhaven open?'
const SOON = { timeout: 20_000 }
const middle = { name: 'middle-light', context: { viewport: { width: 1024, height: 800 }, colorScheme: 'light' as const } }
const wide = { name: 'wide-dark', context: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const } }

afterAll(closeWindows)

describe.each([...looks.filter(({ name }) => /desktop-light|phone/.test(name)), middle, wide])('$name', (look) => {
  const corpus = `kept-${look.name}`
  let visitor: Visit

  beforeAll(async () => {
    visitor = await visit({ ...look, name: corpus })
    await api('PUT', `/v1/corpora/${corpus}`, { audit: { questions: 'full' }, settings: { answers: { seconds: 600 } } })
    await api('PUT', `/v1/corpora/${corpus}/documents/times?wait=30`, {
      text: 'The lighthouse of Norhaven opens at nine. Otto Brandt keeps it.',
    })
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W954] a question is kept where one asks for it, gone on with after a reload, renamed and deleted; by default none is', async () => {
    const { page, go, picture } = visitor
    const ask = async (question: string) => {
      await page.getByLabel('Question', { exact: true }).fill(question)
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      await page.getByRole('heading', { name: question, level: 2 }).waitFor()
      await expect.poll(() => page.locator('.turn[aria-busy=true]').count(), SOON).toBe(0)
    }
    await go(`c/${corpus}/ask`)
    await ask('Who keeps the lighthouse?')
    const list = page.getByText('Kept conversations')
    await list.click()
    await page.getByText('None yet.').waitFor()
    await page.getByLabel('Keep on the server').check()
    await ask(QUESTION)
    const opened = page.getByRole('button', { name: QUESTION, exact: true })
    await opened.waitFor()
    await ask('And who keeps it?')
    expect(await faults(page)).toEqual([])
    await picture('1-kept')
    await page.reload()
    await list.click()
    await opened.click()
    await page.getByRole('heading', { name: 'And who keeps it?', level: 2 }).waitFor()
    // The tab still shows what was asked in it, till the kept conversation takes its place.
    await expect.poll(() => page.getByRole('heading', { level: 2, name: 'Who keeps the lighthouse?', exact: true }).count(), SOON).toBe(0)
    expect(await page.getByLabel('Keep on the server').isChecked()).toBe(true)
    await page.getByRole('button', { name: `Rename ${QUESTION}` }).click()
    await page.getByLabel('Title').fill('Opening times')
    await page.getByLabel('Title').press('Enter')
    await page.getByRole('button', { name: 'Opening times', exact: true }).waitFor()
    const kept = await api('GET', `/v1/corpora/${corpus}/conversations`)
    expect(kept).toMatchObject({ data: [{ title: 'Opening times', turns: 2 }] })
    await page.getByRole('button', { name: 'Delete Opening times' }).click()
    await page.getByRole('button', { name: 'Yes, delete Opening times' }).click()
    await page.getByText('None yet.').waitFor()
    expect(visitor.complaints).toEqual([])
  })

  it('[W954] usage, keys and connections are whole and readable at this width', async () => {
    const { page, go, picture } = visitor
    await go(`c/${corpus}/usage`)
    await page.getByRole('heading', { name: 'Questions' }).waitFor()
    expect(await faults(page)).toEqual([])
    await picture('2-usage')
    await page.screenshot({ path: `${process.env.LOAM_SCREENSHOTS}/${corpus}-2-usage-whole.png`, fullPage: true })
    await go('keys')
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.screenshot({ path: `${process.env.LOAM_SCREENSHOTS}/${corpus}-3-keys-whole.png`, fullPage: true })
    await go(`c/${corpus}/connections`)
    await page.getByRole('heading', { name: 'Alerts' }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.screenshot({ path: `${process.env.LOAM_SCREENSHOTS}/${corpus}-4-connections-whole.png`, fullPage: true })
    expect(visitor.complaints).toEqual([])
  })
})
