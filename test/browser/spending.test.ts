/** What a corpus has cost and would cost, and how it fares. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { estimate } from '../../src/flows/estimate'
import { faults } from './faults'
import { files } from './texts'
import { adminKey, api, closeWindows, drop, looks, signIn, type Visit, visit } from './visit'

/** As the server answers where a text model is set: there is none beside these tests. */
const MODELS = {
  embedding: { id: '@cf/baai/bge-m3', dimensions: 1024, window: 512 },
  text: { id: '@cf/zai-org/glm-4.7-flash', window: 128_000 },
}

const UNWELL = {
  version: 3,
  head: null,
  last_tend: 1_750_000_000_000,
  nodes: { at: 1_750_000_000_000, seen: 40, orphans: 0, stale: 3, size: { mean: 3, max: 5 }, degree: { mean: 2, max: 4 } },
  drift: { size: 0, degree: 0, churn: 0.35 },
  quality: {
    at: 1_750_000_000_000,
    measures: [
      { strategy: 'archrag', measure: 'modularity', lost: 0.02, bound: 0.1 },
      { strategy: 'archrag', measure: 'likeness', lost: 0.13, bound: 0.1 },
    ],
  },
  owed: { texts: 7, retry_at: 1_750_000_000_000 },
  quarantined: 2,
  quarantine_reasons: { empty: 2 },
  outdated: 12,
  names: 'outdated',
  ontology: { mode: 'strict', read: 5, types: { dropped: 4, outside: 0 }, relations: { dropped: 2, outside: 0 } },
  replies: { extract: { form: 'short', full: { asked: 20, used: 9, cut: 3 }, short: { asked: 4, used: 4 } } },
  retries: { waiting: 1, given_up: 1, next_at: 1_750_000_600_000 },
  outbox: { entries: 12, versions_behind: 1 },
  sinks: {
    index: { fault: { code: 40012, at: 1_750_000_000_000, tries: 3 }, missing: 2, foreign: 1, refused: 4, delay_ms: 31_400 },
    model: { fault: null, missing: 0, foreign: 0 },
    next_sweep_at: null,
    swept_at: null,
  },
  storage: { bytes: 7e9, limit: 8e9, share: 0.875 },
  probes: { count: 4, k: 10, tolerance: 0.02, recall: { hybrid: 1, erarag: 0.75 }, at: 1_750_000_000_000 },
  gate: { at: 1_750_000_000_000, job: 'j_1', kind: 'rebuild', promoted: false, k: 10, tolerance: 0.02, recall: {} },
  pending: false,
}

const SOON = { timeout: 20_000 } // work of the server's, on a busy machine

afterAll(closeWindows)

describe.each(looks.filter(({ name }) => /desktop-light|phone-dark/.test(name)))('$name', (look) => {
  const corpus = `spent-${look.name}`
  let visitor: Visit

  beforeAll(async () => {
    visitor = await visit({ ...look, name: corpus })
    await api('PUT', `/v1/corpora/${corpus}`, {})
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W18] where a text model reads, an estimate comes before documents are taken in, and nothing is sent unless that is agreed to', async () => {
    const { page, go, picture } = visitor
    await page.route('**/estimate', (route) => {
      const { documents } = route.request().postDataJSON() as { documents: { title: string; text: string }[] }
      return route.fulfill({
        json: estimate(documents, { ...defaultSettings, writer: true }, MODELS, { strategies: ['erarag', 'archrag'], measured: null }),
      })
    })
    await go(`c/${corpus}`)
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
    await drop(page, files)
    const question = page.getByRole('region', { name: 'Add 3 documents?' })
    await question.waitFor()
    const said = await question.innerText()
    expect(said).toMatch(/About \$\d.*, between \$\d.* and \$\d/)
    expect(said).toMatch(/Read by the text model\s+[1-9]/)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add 3 documents?')
    expect(await faults(page)).toEqual([])
    await picture('1-estimate')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    const { data } = await api('GET', `/v1/corpora/${corpus}/documents`)
    expect(data).toEqual([])
    await drop(page, files)
    await question.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('link', { name: 'lighthouse' }).waitFor()
    await expect.poll(() => page.locator('.list .status[data-status=ready]').count(), SOON).toBe(3)
  })

  it('[W18] what cannot be estimated is said, and sent all the same where that is agreed to', async () => {
    visitor.provokes(`503 /v1/corpora/${corpus}/estimate`)
    const { page } = visitor
    await page.route('**/estimate', (route) => route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'Not now.' } }))
    await drop(page, [{ name: 'gull.txt', type: 'text/plain', text: 'A gull sat on the harbour wall.' }])
    const question = page.getByRole('region', { name: 'Add 1 document?' })
    await expect.poll(() => question.innerText(), SOON).toContain('could not be estimated. Not now.')
    await question.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.locator('.list .status[data-status=ready]').count(), SOON).toBe(4)
    await page.unroute('**/estimate')
  })

  it('[W18] what was spent is shown by stage and by document, dearest first, beside the budget', async () => {
    const { page, go, picture } = visitor
    await api('PUT', `/v1/corpora/${corpus}`, { budget: { tokens: 2000 } })
    await go(`c/${corpus}/usage`)
    await page.reload() // the budget was set behind the page's back
    const spent = page.getByRole('region', { name: 'Used so far' })
    const dearest = spent.getByRole('table', { name: 'Most expensive documents' })
    await dearest.waitFor()
    expect(await spent.getByRole('table', { name: 'By stage' }).innerText()).toContain('embedding passages')
    const tokens = (await dearest.locator('.number').allInnerTexts()).map((text) =>
      Number(/([\d,]+) token/.exec(text)?.[1]?.replace(',', '')),
    )
    expect(tokens.length).toBe(4)
    expect(tokens).toEqual(tokens.toSorted((a, b) => b - a))
    expect(await page.locator('form', { hasText: 'Budget' }).locator('meter').count()).toBe(1)
    expect(await faults(page)).toEqual([])
    await picture('2-usage')
    await dearest.getByRole('link').first().click()
    await page.locator('.passage').waitFor()
  })

  it('[V919] guidance for the model that reads and the language of descriptions are set and shown', async () => {
    const { page, go, picture } = visitor
    await go(`c/${corpus}/usage`)
    const card = page.getByRole('region', { name: 'Guidance for reading' })
    await card.getByLabel('In your words').fill('Treat vessel names as ships.')
    await card.getByLabel('Descriptions in').selectOption({ label: 'German' })
    await card.getByRole('button', { name: 'Save' }).click()
    const kept = async () => ((await api('GET', `/v1/corpora/${corpus}`)) as { settings?: { extraction?: object } }).settings?.extraction
    await expect.poll(kept).toMatchObject({ guidance: 'Treat vessel names as ships.', language: 'de' })
    await page.reload()
    expect(await card.getByLabel('In your words').inputValue()).toBe('Treat vessel names as ships.')
    expect(await card.getByLabel('Descriptions in').inputValue()).toBe('de')
    await card.scrollIntoViewIfNeeded()
    expect(await faults(page)).toEqual([])
    await picture('3-guidance')
  })

  it('[W22][W2102] health is described in words: what is well and what is not, and what the probes find', async () => {
    const { page, go, picture } = visitor
    await go(`c/${corpus}/usage`)
    const health = page.getByRole('region', { name: 'Health' })
    await expect.poll(() => health.innerText(), SOON).toContain('No probes are pinned')
    expect(await health.innerText()).toMatch(
      /Quarantine\s+Every document was read completely\.\s+Texts waiting for a model\s+No text waits for a model\./,
    )
    await page.route('**/health', (route) => route.fulfill({ json: UNWELL }))
    await page.reload()
    await expect.poll(() => health.innerText(), SOON).toMatch(/Stale texts\s+Of 40 nodes, 3 are described by a text that is older/)
    const said = await health.innerText()
    for (const part of [
      'Only part of 2 documents could be read: the model’s reply was empty. A model will be asked about 1 chunk again. After six attempts, 1 chunk was given up.',
      'Of 20 replies to the full prompt, 9 could be used, and 3 were cut off. Of 4 replies to the short prompt, 4 could be used. Loam now sends this model the short prompt.',
      'A model has read 12 chunks with other prompts or another ontology',
      'found by the rules of an earlier release',
      '1 version behind; 12 entries',
      '35%',
      'The last rebuild was refused',
      'erarag, recall@10',
      '75%',
    ]) {
      expect(said).toContain(part)
    }
    expect(said).toMatch(
      /Vector index\s+It has been failing since .*\(3 attempts, code 40012\)\. So far Loam has added 2 missing and removed 1 surplus entries\. It refused 4 vectors\./,
    )
    expect(said).toMatch(
      /Database\s+It works without faults\.\s+Storage\s+The corpus uses 88% of its 8,000 MB\.\s+Delete what you no longer need/,
    )
    expect(said).toMatch(/7 texts could not be written because the model was unavailable; it is asked again \w/)
    expect(said).toMatch(
      /modularity of archrag is 2% below that of a consolidated graph.*\s+Quality\s+The likeness of archrag is 13% below .*\s+Consolidate, under Upkeep/,
    )
    const rows = health.locator('ul.found > li')
    for (const row of await rows.all()) {
      const words = (await row.locator(':scope > span').nth(1).innerText()).trim()
      expect(words).toMatch(/^[A-Z0-9].* .*\.$/s)
      if ((await row.locator('.status').getAttribute('data-status')) === 'partial')
        expect(await row.locator('p').innerText()).toMatch(/\.$/)
    }
    expect(await faults(page)).toEqual([])
    await health.scrollIntoViewIfNeeded()
    await picture('3-health')
  })

  it('[V612] says which embedding model the corpus has; where there is another, what a move costs, then how far it is, and it is called off', async () => {
    visitor.provokes(`404 /v1/corpora/${corpus}/jobs/j_77`)
    const { page, go, picture } = visitor
    const own = (await api('GET', `/v1/corpora/${corpus}`)) as unknown as { embedding_model: string }
    const card = page.getByRole('region', { name: 'Embedding model' })
    await go(`c/${corpus}/usage`)
    await page.reload()
    await card.getByText(own.embedding_model).waitFor()
    await card.getByText('The deployment has no other').waitFor()
    const { running } = (await api('GET', '/v1/models')) as unknown as { running: object[] }
    const other = { role: 'embedding_previous', model: 'another-model', runs_on: 'workers_ai', window: 512, dimensions: 768 }
    const models = (await api('GET', '/v1/models')) as object
    await page.route('**/v1/models', (route) => route.fulfill({ json: { ...models, running: [...running, other] } }))
    const estimate = {
      texts: 1240,
      tokens: 185_000,
      usd: 0.0222,
      neurons: 2018,
      seconds: 310,
      rewritten: { tokens: { in: 1, out: 1, embedded: 1 }, usd: 0.06 },
    }
    const state = {
      from: { model: own.embedding_model, dimensions: 256 },
      to: { model: 'another-model', dimensions: 768 },
      job: null as string | null,
      step: null as string | null,
      estimate,
      priced_on: '2026-11-01',
    }
    const asked: string[] = []
    await page.route('**/migration*', (route) => route.fulfill({ json: state }))
    await page.route('**:migrate', (route) => {
      asked.push(route.request().postData() ?? '')
      Object.assign(state, { job: 'j_77', step: 'fill' })
      return route.fulfill({ status: 202, json: { job: 'j_77' } })
    })
    const job = {
      job: 'j_77',
      kind: 'migrate',
      status: 'running',
      progress: { done: 1, total: 2, documents: { done: 0, total: 0 }, chunks: { done: 0, total: 0 }, texts: { done: 620, total: 1240 } },
      usage: { in: 0, out: 0, embedded: 0 },
    }
    await page.route('**/jobs/j_77*', (route) => route.fulfill({ json: job }))
    await page.route('**/jobs/j_77:cancel', (route) => {
      asked.push('cancel')
      Object.assign(state, { job: null, step: null })
      Object.assign(job, { status: 'cancelled' })
      return route.fulfill({ json: job })
    })
    await page.reload()
    await card.getByRole('button', { name: 'What a move to another-model would cost' }).click()
    await card.getByText(/^1,240 texts to embed, 185,000 tokens: about \$0\.02.*at most \$0\.06/).waitFor()
    expect(await faults(page)).toEqual([])
    await card.scrollIntoViewIfNeeded()
    await picture('move-offered')
    await card.getByRole('button', { name: 'Move it to another-model' }).click()
    await card.getByText('Moving to another-model. The new index is being filled.').waitFor()
    await card.getByText('620 of 1,240 texts embedded').waitFor()
    expect(await faults(page)).toEqual([])
    await picture('move-under-way')
    await card.getByRole('button', { name: 'Cancel the move' }).click()
    await card.getByRole('button', { name: 'What a move to another-model would cost' }).waitFor()
    expect(asked).toEqual([JSON.stringify({ embedding_model: 'another-model' }), 'cancel'])
    for (const path of ['**/v1/models', '**/migration*', '**:migrate', '**/jobs/j_77*', '**/jobs/j_77:cancel']) await page.unroute(path)
  })

  it('[W1548] cost by day is a plot and a table', async () => {
    const { page, go } = visitor
    const day = new Date().toISOString().slice(0, 10)
    const costs = [{ corpus, key: 'k_1', day, usd: 0.25, in: 1000, out: 200, embedded: 0 }]
    await page.route(/\/v1\/usage\?/, (route) => route.fulfill({ json: { costs } }))
    await go('')
    await go(`c/${corpus}/usage`)
    await page.getByRole('img', { name: '$0.25 in 30 days' }).waitFor()
    const days = page.getByRole('region', { name: 'The last 30 days' })
    await days.getByText('As a table').click()
    expect(await days.getByRole('row', { name: day }).innerText()).toMatch(/\$0\.25\s+1,200 tokens/)
    expect(await faults(page)).toEqual([])
    await page.unroute(/\/v1\/usage\?/)
  })

  it('[W12][W2100] nothing was asked of any other server, no policy was broken, nothing was thrown, no error reported', () => {
    expect(visitor.complaints).toEqual([])
  })
})
