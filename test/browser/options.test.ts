/** A question with everything it can be asked with: the panel, saved filters, counts that narrow, several corpora, links, the switch of a document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { adminKey, api, closeWindows, drop, looks, signIn, sourceOf, type Visit, visit } from './visit'

const CORPUS = 'ferries'
const OTHER = 'lakes'
const QUESTION = 'What does the ferry to Norhaven cost?'

afterAll(closeWindows)

async function put(corpus: string, id: string, document: object): Promise<void> {
  const { job } = await api('PUT', `/v1/corpora/${corpus}/documents/${id}`, document)
  await api('GET', `/v1/corpora/${corpus}/jobs/${job}?wait=30`)
}

describe('options of a question', () => {
  let visitor: Visit
  beforeAll(async () => {
    const [look] = looks
    if (!look) throw new Error('there is a look')
    visitor = await visit({ ...look, name: 'options' })
    for (const name of [CORPUS, OTHER]) await api('PUT', `/v1/corpora/${name}`, { strategies: [] })
    const text = (price: number) => `The ferry to Norhaven costs ${price} thalers. It leaves at noon from the old pier.`
    await put(CORPUS, 'prices-2022', { text: text(30), published_at: '2022-03-01', metadata: { year: 2022, lang: 'en' } })
    await put(CORPUS, 'prices-2024', { text: text(40), published_at: '2024-03-01', metadata: { year: 2024, lang: 'en' } })
    await put(CORPUS, 'atlas', { text: 'The lake of Norhaven is 84 metres deep.', metadata: { kind: 'atlas' } })
    await put(CORPUS, 'guide', { text: 'The lake of Norhaven is 97 metres deep.', metadata: { kind: 'guide' } })
    await put(OTHER, 'quay', { text: 'The quay of Norhaven was built by Ida Berg, who also drew the lake.' })
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  const chip = (text: string) => visitor.page.locator('.asking .chip', { hasText: text })
  const ask = async (question: string) => {
    const { page } = visitor
    const before = await page.locator('.turn').count()
    await page.getByLabel('Question', { exact: true }).fill(question)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.locator('.turn[aria-busy=false]').nth(before).waitFor()
    return page.locator('.turn').last()
  }
  const panel = () => visitor.page.getByRole('region', { name: 'Options' })
  const options = () => visitor.page.getByRole('button', { name: /^Options/ })

  it('[W850] the panel is shut at first, opens and shuts by keyboard, and says what was replaced', async () => {
    const { page, go, picture } = visitor
    await go(`c/${CORPUS}/ask`)
    expect(await panel().count()).toBe(0)
    const turn = await ask(QUESTION)
    await turn.getByText('A newer document contradicts an older one:').waitFor()
    expect(await turn.innerText()).toContain('30 thalers')
    await picture('1-superseded')
    await options().focus()
    await page.keyboard.press('Enter')
    await panel().getByLabel('Pieces of evidence').waitFor()
    expect(await faults(page)).toEqual([])
    await picture('2-panel')
    await page.keyboard.press('Escape')
    expect(await panel().count()).toBe(0)
    expect(await options().evaluate((one) => one === document.activeElement)).toBe(true)
  })

  it('[W850] documents that contradict each other are shown beside the answer, and each opens in place', async () => {
    const { page } = visitor
    const turn = await ask('How deep is the lake of Norhaven?')
    const notice = turn.locator('.notice', { hasText: 'The documents contradict each other' })
    await notice.getByRole('button', { name: /97 metres/ }).click()
    await sourceOf(page).getByText('letter for letter').waitFor()
    expect(await sourceOf(page).locator('mark').innerText()).toContain('97 metres')
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('[W850] a filter, a period and the rest reach the question, and stand beside the shut panel', async () => {
    const { page, picture } = visitor
    await options().click()
    await panel().getByLabel('Key', { exact: true }).fill('year')
    await panel().getByLabel('Value', { exact: true }).fill('2022')
    await page.keyboard.press('Enter')
    await panel().getByLabel('Published until').fill('2023-01-01')
    await panel().getByLabel('Freshness').fill('0.5')
    await panel().getByLabel('A piece is a').selectOption('chunk')
    await panel().getByLabel('Most per document').fill('1')
    await panel().getByLabel('Diversity').fill('0.3')
    await panel().getByLabel('Key to boost').fill('lang')
    await panel().getByLabel('Value to boost').fill('en')
    await page.keyboard.press('Enter')
    await picture('3-chosen-open')
    await options().click()
    for (const text of [
      'year = 2022',
      'until 2023-01-01',
      'freshness 0.5',
      'whole chunks',
      'at most 1 per document',
      'diversity 0.3',
      'lang = en × 2',
    ])
      await chip(text).waitFor()
    expect(await options().innerText()).toBe('Options (7)')
    const sent = page.waitForRequest((request) => request.url().endsWith('/query'))
    const turn = await ask(QUESTION)
    expect((await sent).postDataJSON()).toMatchObject({
      filters: { metadata: { year: ['2022', 2022] } },
      until: '2023-01-01',
      freshness: 0.5,
      options: { granularity: 'chunk', diversity: 0.3, max_per_document: 1 },
      boosts: [{ metadata: { lang: ['en'] }, factor: 2 }],
    })
    expect(await turn.innerText()).toContain('30 thalers')
    expect(await turn.innerText()).not.toContain('40 thalers')
    expect(await faults(page)).toEqual([])
    await picture('4-chosen')
  })

  it('[W850] the choice is there after a reload, in the link to the question, and gone when it is taken away or one signs out', async () => {
    const { page, go } = visitor
    await page.evaluate(() => {
      const kept = { text: '' }
      const writeText = async (text: string) => {
        kept.text = text
      }
      Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
      Object.assign(globalThis, { kept })
    })
    await page.locator('.turn').last().getByRole('button', { name: 'Copy link' }).click()
    const address = await page.evaluate(() => (globalThis as unknown as { kept: { text: string } }).kept.text)
    await page.reload()
    await chip('year = 2022').waitFor()
    await chip('year = 2022').click()
    await chip('until 2023-01-01').click()
    await page.reload()
    await chip('freshness 0.5').waitFor()
    expect(await chip('year = 2022').count()).toBe(0)
    // Followed on the page itself, and from another.
    await page.goto(address)
    await chip('year = 2022').waitFor()
    expect(await page.getByLabel('Question', { exact: true }).inputValue()).toBe(QUESTION)
    await go('')
    await page.goto(address)
    await chip('year = 2022').waitFor()
    expect(await page.getByLabel('Question', { exact: true }).inputValue()).toBe(QUESTION)
    await options().click()
    await page.getByRole('button', { name: 'Defaults' }).click()
    await options().click()
    expect(await page.locator('.asking .chip').count()).toBe(0)
    expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('loam-options')))).toEqual([])
  })

  it('[W963] a question can be looked up with what a text model makes of it; where there is none, that is said', async () => {
    visitor.provokes('422 /v1/corpora/ferries/query')
    const { page, go, picture } = visitor
    await go(`c/${CORPUS}/ask`)
    await page.reload()
    await options().click()
    await panel().getByLabel('Look up').selectOption('decompose')
    await picture('7-expand')
    await options().click()
    await chip('with its parts').waitFor()
    const sent = page.waitForRequest((request) => request.url().endsWith('/query'))
    const turn = await ask(QUESTION)
    expect((await sent).postDataJSON()).toMatchObject({ options: { expand: 'decompose' } })
    expect(await turn.innerText()).toContain('needs a text model')
    await chip('with its parts').click()
    expect(await (await ask(QUESTION)).innerText()).toContain('40 thalers')
  })

  it('[W852] what is found is counted, and a click narrows', async () => {
    const { page, go, picture } = visitor
    await go(`c/${CORPUS}/ask`)
    await page.reload()
    await options().click()
    await panel().getByLabel('Key of the metadata').fill('year')
    await page.keyboard.press('Enter')
    const turn = await ask(QUESTION)
    await turn.getByRole('group', { name: 'year' }).getByRole('button', { name: /2024/ }).waitFor()
    await picture('5-facets')
    const before = await page.locator('.turn').count()
    await turn.getByRole('button', { name: /2022/ }).click()
    await page.locator('.turn[aria-busy=false]').nth(before).waitFor()
    const narrowed = page.locator('.turn').last()
    expect(await narrowed.innerText()).toContain('30 thalers')
    expect(await narrowed.innerText()).not.toContain('40 thalers')
    await panel().locator('.chip', { hasText: 'year = 2022' }).waitFor()
    expect(await faults(page)).toEqual([])
  })

  it('[W851] the present filter is saved, called, renamed and deleted', async () => {
    const { page, picture } = visitor
    await panel().getByLabel('Save this filter as').fill('old prices')
    await panel().getByRole('button', { name: 'Save', exact: true }).click()
    await panel().getByText('“old prices” is saved.').waitFor()
    const { data } = await api('GET', `/v1/corpora/${CORPUS}/filters`)
    expect(data).toMatchObject([{ filter: 'old prices', metadata: { year: ['2022', 2022] } }])
    await panel().locator('.chip', { hasText: 'year = 2022' }).click()
    await panel().getByRole('button', { name: 'Rename old prices' }).click()
    await panel().getByLabel('New name of old prices').fill('prices of 2022')
    await panel().getByLabel('New name of old prices').press('Enter')
    await panel()
      .getByRole('checkbox', { name: /^prices of 2022/ })
      .check()
    await picture('6-saved')
    const turn = await ask(QUESTION)
    expect(await turn.innerText()).toContain('30 thalers')
    expect(await turn.innerText()).not.toContain('40 thalers')
    await panel().getByRole('button', { name: 'Delete prices of 2022' }).click()
    await page.getByRole('status', { name: 'Deleted' }).getByText('Filter “prices of 2022” deleted').waitFor()
    expect(
      await panel()
        .getByRole('checkbox', { name: /^prices of 2022/ })
        .count(),
    ).toBe(0)
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: 'Defaults' }).click()
  })

  it('[W853] several corpora answer one question, and a piece opens in its own', async () => {
    const { page, picture } = visitor
    await panel().getByLabel(OTHER).check()
    await options().click()
    await chip(`with ${OTHER}`).waitFor()
    const turn = await ask('Who built the quay of Norhaven?')
    expect(await turn.locator('.citations').innerText()).toContain(OTHER)
    await turn.locator('.citations button').first().click()
    const source = sourceOf(page)
    await source.getByText('letter for letter').waitFor()
    expect(await source.getByRole('link', { name: 'Open the document' }).getAttribute('href')).toContain(`c/${OTHER}/d/quay`)
    await picture('7-several')
    await page.keyboard.press('Escape')
    expect(await faults(page)).toEqual([])
    await chip(`with ${OTHER}`).click()
  })

  it('[W850] a document is switched off and takes no part, and on again', async () => {
    const { page, go } = visitor
    await go(`c/${CORPUS}`)
    await page.getByLabel('prices-2024 takes part in questions').uncheck()
    await page.getByText('“prices-2024” is switched off since version').waitFor()
    await go(`c/${CORPUS}/ask`)
    const without = await ask(QUESTION)
    expect(await without.innerText()).not.toContain('40 thalers')
    await go(`c/${CORPUS}/d/prices-2024`)
    await page.locator('.status[data-status=off]').waitFor()
    await go(`c/${CORPUS}`)
    await page.getByLabel('prices-2024 takes part in questions').check()
    await page.getByText('“prices-2024” is switched on since version').waitFor()
    await go(`c/${CORPUS}/ask`)
    expect(await (await ask(QUESTION)).innerText()).toContain('40 thalers')
  })

  it('[W784] whether pictures are described is set under Usage; one that is dropped where they are not says what would do it', async () => {
    visitor.provokes('415 /v1/corpora/ferries/documents/pond.png')
    const { page, go, picture } = visitor
    await go(`c/${CORPUS}/usage`)
    await page.getByLabel(/Have a model read and describe them/).check()
    await expect.poll(async () => (await api('GET', `/v1/corpora/${CORPUS}`)).settings).toMatchObject({ pictures: { describe: true } })
    await picture('pictures')
    await page.getByLabel(/Keep PDFs beside their text/).uncheck() // [H2136]
    await expect.poll(async () => (await api('GET', `/v1/corpora/${CORPUS}`)).settings).toMatchObject({ files: { keep: false } })
    await go(`c/${CORPUS}`)
    await drop(page, [{ name: 'pond.png', type: 'image/png', text: 'picture' }])
    await page
      .getByText(/No model here reads pictures/)
      .first()
      .waitFor()
  })

  it('[W1971] whether recordings are transcribed is set under Usage; one that is dropped where they are not says what would do it', async () => {
    visitor.provokes('415 /v1/corpora/ferries/documents/talk.mp3', '415 /v1/corpora/ferries/documents/meeting.mp4')
    const { page, go } = visitor
    await go(`c/${CORPUS}/usage`)
    await page.getByLabel(/Have a model transcribe recordings/).check()
    await expect
      .poll(async () => (await api('GET', `/v1/corpora/${CORPUS}`)).settings)
      .toMatchObject({ recordings: { transcribe: true }, pictures: { describe: true } })
    await go(`c/${CORPUS}`)
    await drop(page, [{ name: 'talk.mp3', type: 'audio/mpeg', text: 'ID3' }])
    await page
      .getByText(/No model here transcribes recordings/)
      .first()
      .waitFor()
  })

  it('[W2000] a video is taken like a recording, and says the same where none is transcribed', async () => {
    const { page, go } = visitor
    await go(`c/${CORPUS}`)
    await drop(page, [{ name: 'meeting.mp4', type: 'video/mp4', text: '\0\0\0\x08ftyp' }])
    await page
      .getByText(/A video contains no text\. No model here transcribes recordings/)
      .first()
      .waitFor()
    expect(await page.locator('input[type=file]').first().getAttribute('accept')).toContain('.mp4,.m4v,.mov,.webm,.mkv')
  })

  it('[W854] how long answers are kept is set under Usage; one that was given before says so and is asked anew', async () => {
    const { page, go, picture } = visitor
    // The filter deleted above can be called back for eight seconds; when it goes, kept answers go with it (F853).
    await expect.poll(async () => (await api('GET', `/v1/corpora/${CORPUS}/filters`)).data, { timeout: 20_000 }).toEqual([])
    await go(`c/${CORPUS}/usage`)
    await page.getByLabel('Keep an answer').selectOption('3600')
    await expect.poll(async () => (await api('GET', `/v1/corpora/${CORPUS}`)).settings).toMatchObject({ answers: { seconds: 3600 } })
    await go(`c/${CORPUS}/ask`)
    await page.getByRole('button', { name: 'Start over' }).click()
    await ask(QUESTION)
    await page.getByRole('button', { name: 'Start over' }).click()
    const again = await ask(QUESTION)
    await again.getByText('answered before').waitFor()
    expect(await again.innerText()).toContain('40 thalers')
    expect(await faults(page)).toEqual([])
    await picture('8-kept')
    await again.getByRole('button', { name: 'Ask again' }).click()
    await page.locator('.turn[aria-busy=false]').nth(1).waitFor()
    expect(await page.locator('.turn').last().innerText()).not.toContain('answered before')
    await go(`c/${CORPUS}/usage`)
    await page.getByText('1 question answered this way').waitFor()
    expect(await faults(page)).toEqual([])
    await picture('9-usage')
  })

  it('[W969] documents are filtered and counted by their language, which is corrected on their page', async () => {
    const { page, go, picture } = visitor
    await api('PUT', '/v1/corpora/inseln', { strategies: [] })
    await put('inseln', 'haus', {
      text: 'Das Haus am Hafen von Norhaven wurde von Ida Berg gebaut, und es hat ein grünes Dach aus Kupfer.',
    })
    await put('inseln', 'house', { text: 'The house at the harbour of Norhaven was built by Ida Berg, and it has a green roof of copper.' })
    await go('c/inseln/ask')
    await options().click()
    await panel().getByRole('checkbox', { name: 'language', exact: true }).check()
    const both = await ask('Norhaven Ida Berg')
    await both
      .getByRole('group', { name: 'language' })
      .getByRole('button', { name: /English/ })
      .waitFor()
    const before = await page.locator('.turn').count()
    await both
      .getByRole('group', { name: 'language' })
      .getByRole('button', { name: /German/ })
      .click()
    await page.locator('.turn[aria-busy=false]').nth(before).waitFor()
    await panel().locator('.chip', { hasText: 'German' }).click()
    await panel().getByLabel('Only documents in this language').selectOption('en')
    await picture('6-languages')
    const sent = page.waitForRequest((request) => request.url().endsWith('/query'))
    await options().click()
    await chip('in English').waitFor()
    await ask('Norhaven Ida Berg')
    expect((await sent).postDataJSON()).toMatchObject({ filters: { language: ['en'] }, facets: ['@language'] })
    expect(await faults(page)).toEqual([])
    await go('c/inseln/d/house')
    await page.getByText('In English').click()
    await page.getByLabel('Language', { exact: true }).selectOption('nl')
    await page.getByText('Indexed again.').waitFor()
    await page.getByText('In Dutch').waitFor()
    await picture('7-language-corrected')
    expect(await faults(page)).toEqual([])
    await go('c/inseln/usage')
    await page.getByRole('button', { name: 'Detect languages' }).click()
    await page.waitForURL(/#\/c\/inseln$/)
    await page.locator('.jobs .job', { hasText: 'languages' }).locator('.status[data-status=succeeded]').waitFor()
    expect(await faults(page)).toEqual([])
  })

  it('[W12][W2100] nothing was asked of any other server, no policy was broken, nothing was thrown, no error reported', () => {
    expect(visitor.complaints).toEqual([])
  })
})
