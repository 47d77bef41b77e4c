/** A corpus in partitions, as somebody sees it who does not know what that is: nothing shown there is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

const SOON = { timeout: 90_000 } // work of the server's, on a busy machine
const upserts = [
  { id: 'mill', text: 'Bread is baked in the Old Mill on Tuesdays.' },
  { id: 'heron', text: 'The heron waits at the pond behind the Old Mill.' },
  { id: 'steel', text: 'Steel is an alloy of iron and carbon, says Anna Ferry.' },
  { id: 'salt', text: 'Salt lies in mines under the town, says Anna Ferry.' },
]

afterAll(closeWindows)

describe.each(looks.filter(({ name }) => /desktop-light|phone-dark/.test(name)))('$name', (look) => {
  const corpus = `divided-${look.name}`
  const at = (rest: string) => `c/${corpus}/${rest}`
  let visitor: Visit

  beforeAll(async () => {
    visitor = await visit({ ...look, name: corpus })
    await api('PUT', `/v1/corpora/${corpus}`, { partitions: 3 })
    const { job } = await api('POST', `/v1/corpora/${corpus}/documents:batch`, { upserts })
    await api('GET', `/v1/corpora/${corpus}/jobs/${String(job)}?wait=30`)
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[P2318] shows the receipts of the partition that is chosen, and checks the chains of all', async () => {
    const { page, go } = visitor
    await go(at('checks'))
    const choice = page.getByLabel('Partition')
    await choice.waitFor()
    const versions = (await choice.locator('option').allTextContents()).map((text) => /version (\d+)/.exec(text)?.[1])
    expect(versions.length).toBe(3)
    const filled = versions.flatMap((version, n) => (version === '0' ? [] : [n]))
    expect(filled.length).toBeGreaterThan(1)
    const asked: string[] = []
    page.on('request', (request) => void (/\/receipts\?/.test(request.url()) && asked.push(request.url())))
    for (const n of filled.slice().reverse()) {
      await choice.selectOption(String(n))
      await expect.poll(() => asked.some((one) => one.includes(`partition=${n}`)), SOON).toBe(true)
      await expect.poll(() => page.locator('ul.receipts > li').count(), SOON).toBeGreaterThan(0)
      await expect.poll(() => page.locator('ul.receipts').innerText(), SOON).toContain('document')
    }
    await page.getByRole('button', { name: 'Check the chain' }).click()
    await expect.poll(() => page.locator('.notice').allInnerTexts(), SOON).toContainEqual(expect.stringContaining('✓'))
    expect(await page.locator('.failure').count()).toBe(0)
  })

  it('[P2319] offers nothing that is refused', async () => {
    const { page, go, complaints } = visitor
    const paths = [
      '',
      'ask',
      'compare',
      'explore',
      'explore?view=layers',
      'explore?view=communities',
      'explore?view=entities',
      'explore?view=names',
      'labels',
      'connections',
      'checks?view=probes',
      'usage',
    ]
    const found: string[] = []
    for (const path of paths) {
      await go(at(path))
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(500) // what the page asks for after its first answers
      for (const text of await page.locator('.failure').allInnerTexts()) found.push(`${path}: ${text}`)
      for (const one of complaints.splice(0)) found.push(`${path}: ${one}`)
    }
    expect(found).toEqual([])
    await go(at('explore'))
    expect(await page.getByRole('navigation', { name: 'Ways to look' }).getByRole('link').allInnerTexts()).toEqual([
      'Graph',
      'Entities',
      'Names',
    ])
    await go(at('usage'))
    await page.getByRole('region', { name: 'Embedding model' }).getByText('The deployment has no other model.').waitFor()
    const switches = page.getByRole('group', { name: 'Switched on' }).getByRole('checkbox')
    expect(await switches.count()).toBe(1)
    await page.getByRole('checkbox', { name: /^erarag/ }).check()
    await page.locator('form', { has: switches }).getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await api('GET', `/v1/corpora/${corpus}`)).strategies, SOON).toEqual(['erarag'])
    await page.waitForTimeout(500)
    expect([await page.locator('.failure').allInnerTexts(), complaints]).toEqual([[], []])
  })

  it('[P2430] shows the segments of all partitions as layers, once EraRAG is switched on', async () => {
    const { page, go, complaints } = visitor
    const notes = Array.from({ length: 60 }, (_, n) => ({
      id: `note-${n}`,
      text: `Weir ${n} was opened on day ${n}, and keeper ${n % 7} wrote it down.`,
    }))
    const { job } = await api('POST', `/v1/corpora/${corpus}/documents:batch`, { upserts: notes })
    await api('GET', `/v1/corpora/${corpus}/jobs/${String(job)}?wait=30`)
    await go(at('explore'))
    expect(await page.getByRole('navigation', { name: 'Ways to look' }).getByRole('link').allInnerTexts()).toEqual([
      'Graph',
      'Layers',
      'Entities',
      'Names',
    ])
    await go(at('explore?view=layers'))
    await page.getByText(/EraRAG: [6-9] segments in 1 layer, 64 chunks below/).waitFor(SOON)
    expect([await page.locator('.failure').allInnerTexts(), complaints.splice(0)]).toEqual([[], []])
  })

  it('[W2464] changes the number of partitions, once it is confirmed what that means', async () => {
    const { page, go, complaints } = visitor
    const documents = async () => JSON.stringify((await api('GET', `/v1/corpora/${corpus}`)).counts).match(/"documents":\d+/)?.[0]
    const before = await documents()
    await go(at('usage'))
    const number = page.getByLabel(/^Partitions/)
    const divide = page.getByRole('button', { name: 'Divide', exact: true })
    expect([await number.inputValue(), await divide.isDisabled()]).toEqual(['3', true])
    await number.fill('2')
    await divide.click()
    const question = page.getByRole('dialog')
    await question.getByText('nothing is embedded again').waitFor()
    // [P2486]
    expect(await question.innerText()).toMatch(/[1-9]\d* documents: [1-9][\d,]* to [1-9][\d,]* rows of the database are written/)
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect((await api('GET', `/v1/corpora/${corpus}`)).partitions).toBe(3)
    await divide.click()
    await question.getByRole('button', { name: 'Divide' }).click()
    await page.getByText('3 to 2 partitions').waitFor(SOON)
    await expect.poll(async () => (await api('GET', `/v1/corpora/${corpus}`)).partitions, SOON).toBe(2)
    await go(at('usage'))
    await page.reload()
    await expect.poll(() => page.getByLabel(/^Partitions/).inputValue(), SOON).toBe('2')
    expect([await documents(), before]).toEqual([before, expect.stringMatching(/[1-9]/)])
    expect([await page.locator('.failure').allInnerTexts(), complaints.splice(0)]).toEqual([[], []])
  })

  it('[W2464] divides a corpus that has no partitions, once it is confirmed which strategies end with it', async () => {
    const { page, go, complaints } = visitor
    const grown = `grown-${look.name}`
    await api('PUT', `/v1/corpora/${grown}`, { strategies: ['erarag', 'cluerag', 'ketrag'] })
    const { job } = await api('POST', `/v1/corpora/${grown}/documents:batch`, { upserts })
    await api('GET', `/v1/corpora/${grown}/jobs/${String(job)}?wait=30`)
    await go(`c/${grown}/usage`)
    const number = page.getByLabel(/^Partitions/)
    await number.fill('2')
    await page.getByRole('button', { name: 'Divide', exact: true }).click()
    const question = page.getByRole('dialog')
    await question.getByText('partitions do not offer them: cluerag, ketrag').waitFor()
    await question.getByRole('button', { name: 'Divide' }).click()
    await page.getByText('2 partitions').first().waitFor(SOON)
    await expect.poll(async () => (await api('GET', `/v1/corpora/${grown}`)).partitions, SOON).toBe(2)
    await expect.poll(async () => (await api('GET', `/v1/corpora/${grown}`)).strategies, SOON).toEqual(['erarag'])
    expect([await page.locator('.failure').allInnerTexts(), complaints.splice(0)]).toEqual([[], []])
  })
})
