/** A document that is put again: what its new version changed, where a person looks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

afterAll(closeWindows)

describe.each(looks.filter(({ name }) => /desktop-light|phone-dark/.test(name)))('$name', (look) => {
  const corpus = `changed-${look.name}`
  const at = (rest: string) => `c/${corpus}/${rest}`
  const fare = (thalers: number) => `Herons wait at the pond. The ferry to Norhaven costs ${thalers} thalers. Dogs are free.`
  let visitor: Visit

  beforeAll(async () => {
    visitor = await visit({ ...look, name: corpus })
    await api('PUT', `/v1/corpora/${corpus}`, { settings: { earlier: { days: 30 }, chunk_tokens: 200, chunk_overlap: 0 } })
    for (const thalers of [30, 40])
      await api('PUT', `/v1/corpora/${corpus}/documents/prices?wait=30`, { text: fare(thalers), title: 'Prices' })
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[D1613] a document’s page says what new versions changed, and leads to where the statement stands now; Usage says it of all', async () => {
    const { page, go, picture } = visitor
    await go(at('d/prices'))
    await page.getByText('What new versions changed', { exact: true }).click()
    const changes = page.getByRole('list', { name: 'Changes, latest first' })
    expect(await changes.locator('del').innerText()).toBe('The ferry to Norhaven costs 30 thalers.')
    expect(await faults(page)).toEqual([])
    await picture('changes')
    await changes.getByRole('link', { name: 'The ferry to Norhaven costs 40 thalers.' }).click()
    await page.locator('mark').waitFor()
    expect(await page.locator('mark').innerText()).toBe('The ferry to Norhaven costs 40 thalers.')
    await go(at('usage'))
    await page.getByText('Recent changes', { exact: true }).click()
    await changes.getByRole('link', { name: 'Prices' }).click()
    await page.getByRole('heading', { name: 'Prices' }).waitFor()
  })

  it('[D1617] a chunk is corrected where it is listed: the document says so, and shows the corrected text', async () => {
    const { page, go, picture } = visitor
    await go(at('d/prices'))
    await page.getByText('Chunks', { exact: true }).click()
    await page.getByRole('button', { name: 'Correct chunk 1' }).click()
    const field = page.getByRole('textbox', { name: 'Text of chunk 1' })
    expect(await field.inputValue()).toBe(fare(40))
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await field.fill(fare(45))
    expect(await faults(page)).toEqual([])
    await picture('correct')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('corrected', { exact: true }).waitFor()
    await page.getByText('costs 45 thalers').first().waitFor()
    await expect.poll(() => page.getByText('costs 40 thalers').count()).toBe(0)
    const { text, corrected } = await api('GET', `/v1/corpora/${corpus}/documents/prices`)
    expect([text, corrected]).toEqual([fare(45), true])
  })

  it('[D1830] more changes are read from where the last page ended, none of them twice', async () => {
    const { page, go } = visitor
    const many = (n: number) =>
      Array.from({ length: 25 }, (_, i) => `The ferry to Harbour ${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[i]} costs ${i + n} thalers.`)
    for (const n of [30, 70]) await api('PUT', `/v1/corpora/${corpus}/documents/harbours?wait=30`, { text: many(n).join(' ') })
    const asked: (string | null)[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.endsWith('/documents/harbours/changes')) asked.push(url.searchParams.get('cursor'))
    })
    await go(at('d/harbours'))
    await page.getByRole('heading', { name: 'harbours' }).waitFor()
    await page.getByText('What new versions changed', { exact: true }).click()
    await page.getByRole('button', { name: 'More changes' }).click()
    const changes = page.getByRole('list', { name: 'Changes, latest first' }).getByRole('listitem')
    await changes.nth(24).waitFor()
    expect([await changes.count(), asked.length, asked[0], asked[1] !== null]).toEqual([25, 2, null, true])
    expect(new Set(await changes.locator('del').allInnerTexts()).size).toBe(25)
  })

  it('[W1912] more chunks are read from where the last page ended, none of them twice; a corrected one leaves as many on the page', async () => {
    const { page, go } = visitor
    const text = Array.from({ length: 50 }, (_, i) => `Herons wait at pond ${i}. `.repeat(25)).join('\n\n')
    await api('PUT', `/v1/corpora/${corpus}/documents/ponds?wait=60`, { text })
    await expect.poll(async () => (await api('GET', `/v1/corpora/${corpus}/documents/ponds`)).status, { timeout: 120_000 }).toBe('ready')
    // Until the corpus has been measured its version moves on, and what is shown is read anew.
    await expect.poll(async () => (await api('GET', `/v1/corpora/${corpus}`)).tuning, { timeout: 120_000, interval: 1000 }).toBeFalsy()
    const asked: (string | null)[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.endsWith('/documents/ponds/chunks')) asked.push(url.searchParams.get('cursor'))
    })
    await go(at('d/ponds'))
    await page.getByRole('heading', { name: 'ponds' }).waitFor()
    await page.getByText('Chunks', { exact: true }).click()
    const chunks = page.getByRole('list', { name: 'Chunks, in the order of the text' }).getByRole('listitem')
    await chunks.nth(19).waitFor()
    const before = asked.length
    await page.getByRole('button', { name: 'More chunks' }).click()
    await chunks.nth(39).waitFor()
    expect([await chunks.count(), asked.length - before, asked.at(-1) !== null]).toEqual([40, 1, true])
    const starts = await chunks.locator('p:first-child > a:first-child').allInnerTexts()
    expect(new Set(starts).size).toBe(starts.length)
    await page.getByRole('button', { name: 'Correct chunk 30', exact: true }).click()
    const field = page.getByRole('textbox', { name: 'Text of chunk 30' })
    await field.fill((await field.inputValue()).replaceAll('Herons wait', 'Egrets rest'))
    await page.getByRole('button', { name: 'Save' }).click()
    await chunks.getByText('Egrets rest').first().waitFor()
    expect(await chunks.count()).toBe(40)
  })
})
