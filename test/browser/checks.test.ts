/** What can be checked: receipts and their chain, probes and what they find, names taken for one thing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { files } from './texts'
import { adminKey, api, closeWindows, drop, looks, signIn, type Visit, visit } from './visit'

const SOON = { timeout: 90_000 } // work of the server's, on a busy machine

const WEIGHED = {
  version: 3,
  head: null,
  last_tend: 1_750_000_000_000,
  nodes: null,
  drift: null,
  quality: null,
  owed: { texts: 0, retry_at: null },
  quarantined: 0,
  outbox: { entries: 0, versions_behind: 0 },
  probes: { count: 1, k: 10, tolerance: 0.02, recall: { erarag: 1, archrag: 0.5 }, at: 1_750_000_000_000 },
  gate: {
    at: 1_750_000_000_000,
    job: 'j_1',
    kind: 'rebuild',
    promoted: false,
    k: 10,
    tolerance: 0.02,
    recall: { erarag: { before: 1, after: 0.75 } },
  },
  pending: false,
}

const FIRST = { recall: 1, rank: 1 }
const FOUND = {
  last: { at: 1_750_000_000_000, found: { erarag: FIRST, archrag: { recall: 0, rank: null } } },
  gate: {
    at: 1_750_000_000_000,
    job: 'j_1',
    kind: 'rebuild',
    found: { erarag: { before: FIRST, after: { recall: 0.5, rank: 4 } }, archrag: { before: FIRST, after: FIRST } },
  },
}

afterAll(closeWindows)

describe.each(looks.filter(({ name }) => /desktop-light|phone-dark/.test(name)))('$name', (look) => {
  const corpus = `checked-${look.name}`
  const at = (rest: string) => `c/${corpus}/${rest}`
  let visitor: Visit
  const part = (name: string) => visitor.page.getByRole('region', { name, exact: true })

  beforeAll(async () => {
    visitor = await visit({ ...look, name: corpus })
    await api('PUT', `/v1/corpora/${corpus}`, { strategies: ['erarag', 'archrag'] })
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W54] where nothing has happened yet, receipts say where they come from', async () => {
    const { page, go } = visitor
    await go(at('checks'))
    await page.getByRole('heading', { name: 'No receipts yet' }).waitFor()
    expect(await faults(page)).toEqual([])
  })

  it('[W4] what is dropped again unchanged is recognised, and leaves no receipt', async () => {
    const { page, go } = visitor
    await go(`c/${corpus}`)
    const [first, second] = files
    if (!first || !second) throw new Error('there are files')
    for (const [n, file] of [first, second].entries()) {
      await drop(page, [file])
      await expect.poll(() => page.locator('.list .status[data-status=ready]').count(), SOON).toBe(n + 1)
    }
    const { version } = await api('GET', `/v1/corpora/${corpus}`)
    await drop(page, [first, second])
    await page.getByText('2 documents were already here, letter for letter').waitFor()
    expect((await api('GET', `/v1/corpora/${corpus}`)).version).toBe(version)
    expect(await faults(page)).toEqual([])
  })

  it('[W54] a document leads to the receipt of the change that made it visible', async () => {
    const { page, go, picture } = visitor
    await go(at('d/harbour.txt'))
    await page.getByText(/^Searchable since version \d+$/).click()
    await page.getByText(/touched 1 document, 1 chunk/).waitFor()
    expect(await faults(page)).toEqual([])
    await picture('1-document')
    await page.getByRole('link', { name: 'Its receipt' }).click()
    const open = page.locator('details[open]')
    await open.getByRole('table', { name: /touched/ }).waitFor()
    expect(await open.innerText()).toMatch(/^Version \d+ added/)
    expect(await page.locator('details[open] code').count()).toBe(3)
  })

  it('[V915] a document’s page lists its chunks: where each stands, who read it, and whom it mentions', async () => {
    const { page, go, picture } = visitor
    await go(at('d/harbour.txt'))
    await page.getByText('Chunks', { exact: true }).click()
    const chunks = page.getByRole('list', { name: 'Chunks, in the order of the text' })
    await chunks.getByText('read by rules').first().waitFor()
    await chunks.getByRole('link', { name: 'Marta Lind' }).first().waitFor()
    expect(await faults(page)).toEqual([])
    await picture('2-chunks')
    await chunks.getByRole('link', { name: '1', exact: true }).click()
    await page.locator('mark').waitFor()
    expect(await page.locator('mark').innerText()).toMatch(/^The harbour of Skarholm/)
  })

  it('[W53] a deletion says that nothing is left and leads to its receipt; the document’s old address says where to look', async () => {
    visitor.provokes(`404 /v1/corpora/${corpus}/documents/lighthouse.md`)
    const { page, go, picture } = visitor
    await go(`c/${corpus}`)
    await page.getByRole('button', { name: 'Delete lighthouse' }).click()
    await page.getByRole('link', { name: 'lighthouse', exact: true }).waitFor({ state: 'detached' })
    const told = page.locator('.notice')
    await expect.poll(() => told.innerText(), SOON).toContain('“lighthouse.md” is forgotten')
    await told.getByRole('link', { name: 'The receipt' }).click()
    await expect
      .poll(() => page.locator('details[open]').innerText(), SOON)
      .toMatch(/Version \d+ forgotten.*no text of the document was left/s)
    await go(at('d/lighthouse.md'))
    await page.getByRole('heading', { name: 'This document is not here' }).waitFor()
    await page.getByRole('link', { name: 'receipts', exact: true }).click()
    await part('Receipts').waitFor()
    expect(await faults(page)).toEqual([])
    await picture('2-receipts')
  })

  it('[W54] the chain is worked out in the page; a hash noted earlier is found, and what was altered on the way is reported', async () => {
    const { page, picture } = visitor
    const chain = part('The chain')
    await chain.getByRole('button', { name: 'Check the chain' }).click()
    await chain.getByText(/✓ \d+ receipts follow from one another/).waitFor()
    const { data } = (await api('GET', `/v1/corpora/${corpus}/receipts`)) as unknown as { data: { hash: string; at: number }[] }
    expect(await chain.locator('p.row code').innerText()).toBe(data.at(-1)?.hash)
    await chain.getByLabel(/hash you noted/).fill(data[0]?.hash ?? '')
    await chain.getByRole('button', { name: 'Check the chain' }).click()
    await chain.getByText('The hash you noted is that of version 1').waitFor()
    await picture('3-chain')
    await chain.getByLabel(/hash you noted/).fill('a'.repeat(64))
    await page.route('**/receipts?*', (route) =>
      route.fulfill({ json: { data: data.map((one, i) => (i === 1 ? { ...one, at: one.at + 1 } : one)), next_cursor: null } }),
    )
    await chain.getByRole('button', { name: 'Check the chain' }).click()
    await chain.getByText('The receipt of version 2 does not follow from the one before it.').waitFor()
    await chain.getByText('No receipt has the hash you noted').waitFor()
    expect(await faults(page)).toEqual([])
    await page.unroute('**/receipts?*')
  })

  it('[W55] probes are pinned from what a question finds or from an answer, listed, and removed', async () => {
    const { page, go, picture } = visitor
    await go(at('ask'))
    await page.getByLabel('Question', { exact: true }).fill('Who rebuilt the harbour wall of Skarholm?')
    await page.getByLabel('Question', { exact: true }).press('Enter')
    await page.getByRole('link', { name: 'Pin as a probe' }).click()
    const probes = part('Probes')
    await probes.locator('.hint').waitFor()
    expect(await probes.getByLabel('harbour.txt').isChecked()).toBe(true)
    await probes.getByRole('button', { name: 'Pin it' }).click()
    await probes.getByRole('button', { name: 'Remove Who rebuilt the harbour wall of Skarholm?' }).waitFor()
    await probes.getByLabel('Question', { exact: true }).fill('Who drew the map?')
    await probes.getByRole('button', { name: 'Pin it' }).click()
    await probes.getByText('Choose at least one document').waitFor()
    await probes.getByRole('button', { name: 'See what it finds now' }).click()
    await probes.getByLabel('harbour.txt').waitFor()
    await probes.getByRole('button', { name: 'Pin it' }).click()
    await expect.poll(() => probes.locator('.linked > li').count(), SOON).toBe(2)
    await part('How strict')
      .getByLabel(/percent/)
      .fill('5')
    await part('How strict').getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await api('GET', `/v1/corpora/${corpus}/probes`)).tolerance, SOON).toBe(0.05)
    expect(await faults(page)).toEqual([])
    await picture('4-probes')
    await probes.getByRole('button', { name: 'Remove Who drew the map?' }).click()
    await expect.poll(() => probes.locator('.linked > li').count(), SOON).toBe(1)
    const { probes: left } = await api('GET', `/v1/corpora/${corpus}/probes`)
    expect(left).toMatchObject([{ query: 'Who rebuilt the harbour wall of Skarholm?', expect: ['harbour.txt'] }])
  })

  it('[W55] a probe pinned elsewhere in the same moment stays beside the one that is pinned here', async () => {
    visitor.provokes(`412 /v1/corpora/${corpus}/probes`)
    const { page, go } = visitor
    await go(at('checks?view=probes'))
    const probes = part('Probes')
    await probes.locator('.linked > li').first().waitFor()
    let others = 0
    await page.route('**/probes', async (route) => {
      // Somebody is quicker, once.
      if (route.request().method() === 'PUT' && others++ === 0) {
        const there = (await api('GET', `/v1/corpora/${corpus}/probes`)) as unknown as { probes: { query: string; expect: string[] }[] }
        const pinned = there.probes.map(({ query, expect }) => ({ query, expect })) // what was found of them is read, not sent
        const more = { query: 'Who lit the lamp?', expect: ['harbour.txt'] }
        await api('PUT', `/v1/corpora/${corpus}/probes`, { probes: [...pinned, more] })
      }
      await route.continue()
    })
    await probes.getByLabel('Question', { exact: true }).fill('Who drew the map?')
    await probes.getByLabel(/Another document/).fill('harbour.txt')
    await probes.getByRole('button', { name: 'Pin it' }).click()
    await expect.poll(() => probes.locator('.linked > li').count(), SOON).toBe(3)
    await page.unroute('**/probes')
    for (const query of ['Who lit the lamp?', 'Who drew the map?']) {
      await probes.getByRole('button', { name: `Remove ${query}` }).click()
      await probes.getByRole('button', { name: `Remove ${query}` }).waitFor({ state: 'detached' })
    }
    expect([others >= 2, await faults(page)]).toEqual([true, []])
  })

  it('[W55] what the probes found last is shown, and what the last gate said of a change', async () => {
    const { page, go, picture } = visitor
    const unasked = { ...WEIGHED, probes: { ...WEIGHED.probes, recall: {}, at: null }, gate: null } // the schedule may have come by
    await page.route('**/health', (route) => route.fulfill({ json: unasked }))
    await go(at('checks?view=probes'))
    await page.reload()
    const measured = part('Last measurement')
    await measured.getByText('They have not been asked yet').waitFor()
    await page.unroute('**/health')
    await page.route('**/health', (route) => route.fulfill({ json: WEIGHED }))
    await page.reload()
    await measured.getByText('The last rebuild was refused').waitFor()
    expect(await measured.getByRole('table').first().innerText()).toMatch(/erarag\s+100%\s+archrag\s+50%/)
    expect(await measured.getByRole('table').last().innerText()).toMatch(/erarag\s+100%\s+75%/)
    expect(await faults(page)).toEqual([])
    await measured.scrollIntoViewIfNeeded()
    await picture('5-measured')
    await page.unroute('**/health')
  })

  it('[W55] each probe says what every strategy found of it last, and what the last change would have moved', async () => {
    const { page, picture } = visitor
    const pinned = (await api('GET', `/v1/corpora/${corpus}/probes`)) as unknown as { probes: object[] }
    await page.route('**/probes', (route) => route.fulfill({ json: { ...pinned, probes: [{ ...pinned.probes[0], ...FOUND }] } }))
    await page.reload()
    const found = part('Probes').getByRole('list', { name: 'Found last' })
    await found.waitFor()
    expect(await found.innerText()).toMatch(/erarag place 1\s+archrag not found/)
    await part('Probes').getByText('At the last rebuild: erarag place 1 before, place 4, 50% of them after').waitFor()
    expect(await faults(page)).toEqual([])
    await picture('7-found')
    await page.unroute('**/probes')
  })

  it('[W57] people decide about entities, every decision is listed, and each is undone', async () => {
    const { page, go, picture } = visitor
    await go(at('explore?view=names'))
    const decisions = part('Decisions people made')
    await decisions.locator('.hint').waitFor()
    await page.getByLabel('This entity').fill('Nobody at all')
    await page.getByLabel('is the same as').fill('Skarholm')
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText('No entity is called “Nobody at all”').waitFor()
    await page.getByLabel('This entity').fill('Marta Lind')
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await decisions.getByRole('button', { name: /^Undo: Marta Lind is Skarholm/ }).click()
    await decisions.locator('.hint').waitFor()
    await page.getByLabel('This entity').fill('Marta Lind')
    await page.getByLabel('What to change').selectOption('rename')
    await page.getByLabel('is called').fill('M. Lind')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await decisions.getByText('Marta Lind is called M. Lind').waitFor()
    expect(await faults(page)).toEqual([])
    await picture('6-names')
    await decisions.getByRole('button', { name: /^Undo/ }).click()
    await decisions.locator('.hint').waitFor()
    const adding = part('Add an entity')
    await adding.getByLabel('Its name, as texts say it').fill('granite')
    await adding.getByLabel('What it is').fill('stone')
    await adding.getByRole('button', { name: 'Add', exact: true }).click()
    await decisions.getByText('granite is an entity').waitFor()
    await decisions.getByRole('button', { name: /^Undo/ }).click()
    await decisions.locator('.hint').waitFor()
  })

  it('[W57] entities of one name are told apart in lists, in the graph and where names are merged', async () => {
    const { page, go, picture } = visitor
    const namesakes = `namesakes-${look.name}`
    const base = `/v1/corpora/${namesakes}`
    await api('PUT', base, { strategies: ['archrag'] })
    const upserts = [
      ['p', 'Mercury (planet)', 'The planet nearest the Sun. Its orbit takes 88 days, and probes have seen craters on it.'],
      ['g', 'Mercury (mythology)', 'Roman god of merchants and thieves, son of Maia, who guided souls with winged sandals.'],
    ].map(([id, title, text]) => ({ id, title, text }))
    const { job } = await api('POST', `${base}/documents:batch`, { upserts })
    await expect.poll(async () => (await api('GET', `${base}/jobs/${job}?wait=10`)).status, SOON).toBe('succeeded')
    await go(`c/${namesakes}/explore?view=entities`)
    await page.getByRole('link', { name: 'Mercury · Mercury (mythology)' }).waitFor()
    expect(await faults(page)).toEqual([])
    await picture('8-namesakes')
    await page.getByRole('link', { name: 'Mercury · Mercury (planet)' }).click()
    await page
      .locator('.nodes')
      .getByRole('button', { name: /Mercury · Mercury \(planet\)/ })
      .waitFor()
    await go(`c/${namesakes}/explore?view=names`)
    await page.getByLabel('This entity').fill('Mercury')
    await page.getByLabel('is the same as').fill('Mercury · Mercury (planet)')
    await page.getByRole('button', { name: 'Merge', exact: true }).click() // before the suggestions have come
    await page.getByText('Several entities are called “Mercury”').waitFor()
    await expect.poll(() => page.locator('#merge-one-names option[value="Mercury · Mercury (mythology)"]').count(), SOON).toBe(1)
    expect(await faults(page)).toEqual([])
  })

  it('[W54] a reader sees receipts, and that probes are for writers', async () => {
    const { page, go } = visitor
    const { key } = await api('POST', '/v1/keys', { name: 'reader', scopes: ['read'], corpora: [corpus] })
    await page.evaluate((entered) => sessionStorage.setItem('loam-key', entered), String(key))
    await go(at('checks?view=probes'))
    await page.reload()
    await page.getByRole('heading', { name: 'Probes need the right to write' }).waitFor()
    await page.getByRole('link', { name: 'Receipts' }).click()
    await part('Receipts').locator('summary').first().waitFor()
  })

  it('[W33] no page is wider than its window, or goes on where nothing is shown', async () => {
    const { page, go } = visitor
    for (const place of ['', 'ask', 'compare', 'explore', 'labels', 'connections', 'usage']) {
      await go(at(place))
      await page.locator('h1, .empty h2').first().waitFor({ state: 'attached' })
      expect([place, await faults(page)]).toEqual([place, []])
    }
  })

  it('[W12][W2100] nothing was asked of any other server, no policy was broken, nothing was thrown, no error reported', () => {
    expect(visitor.complaints).toEqual([])
  })
})
