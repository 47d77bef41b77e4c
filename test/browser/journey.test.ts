/** One visitor's way through the page, once for each size and light: every step begins where the one before ended. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { files } from './texts'
import { closeWindows, drop, keyFor, looks, signIn, sourceOf, type Visit, visit } from './visit'

afterAll(closeWindows)

describe.each(looks)('$name', (look) => {
  const corpus = `isle-${look.name}`
  const at = (rest = '') => `c/${corpus}${rest}`
  let visitor: Visit

  beforeAll(async () => {
    visitor = await visit(look)
    await visitor.page.addInitScript(noteLayouts)
  })
  afterAll(() => visitor.close())

  it('[W1] a first visit asks for a key and refuses a wrong one', async () => {
    visitor.provokes('401 /v1/corpora')
    const { page, go, picture } = visitor
    await go('')
    expect(await page.getByLabel('Your key').inputValue()).toBe('local-development-key')
    await page.getByLabel('Your key').fill('nonsense')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('valid key')
    expect(await faults(page)).toEqual([])
    await picture('1-door')
  })

  it('[W2] where there is nothing yet, the page says how to begin', async () => {
    const { page, picture } = visitor
    // Those of the other sizes and lights are there: this visitor sees none before making one.
    await page.route(/\/v1\/corpora(\?|$)/, (route) => route.fulfill({ json: { data: [], next_cursor: null } }))
    await signIn(visitor, await keyFor(corpus))
    await page.getByRole('heading', { name: 'No corpus yet' }).waitFor()
    expect(await page.getByRole('button', { name: 'Load the sample' }).count()).toBe(1)
    await page.getByText('The same from a terminal').click()
    expect(await page.getByRole('region', { name: 'Command' }).innerText()).toContain('curl -X PUT')
    expect(await faults(page)).toEqual([])
    await picture('2-empty')
  })

  it('[W3] a corpus is made', async () => {
    const { page } = visitor
    await page.unroute(/\/v1\/corpora(\?|$)/)
    await page.getByLabel('Name', { exact: true }).fill(corpus)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
    expect(await faults(page)).toEqual([])
  })

  it('[W1546] an empty corpus leads through: drop, watch, ask', async () => {
    const { page } = visitor
    const steps = page.getByRole('region', { name: 'Three steps to the first answer' })
    expect(await steps.locator('[data-done=true]').count()).toBe(0)
    expect(await steps.locator('[aria-current=step]').innerText()).toContain('Drop files')
  })

  it('[W4] files are dropped, their job is followed, and the receipt shows what it touched', async () => {
    const { page, picture } = visitor
    await drop(page, files)
    await page.getByRole('link', { name: 'lighthouse' }).waitFor()
    await expect.poll(() => page.locator('.list .status[data-status=ready]').count()).toBe(3)
    await expect.poll(() => page.locator('.jobs .status[data-status=succeeded]').count()).toBe(2)
    await page.locator('.job').last().click()
    const bars = await page.locator('.bars tbody tr').allInnerTexts()
    expect(bars.find((row) => row.startsWith('documents'))).toMatch(/\d of 3/)
    expect(await faults(page)).toEqual([])
    await picture('3-documents')
  })

  it('[W1862] at every width a row says what can be done to its document in whole words', async () => {
    const { page } = visitor
    const heights = await page.getByRole('button', { name: /^Delete / }).evaluateAll((all) => all.map((one) => one.clientHeight))
    expect(heights.length).toBe(3)
    expect(Math.max(...heights)).toBeLessThan(48)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })

  it('[W1546] the steps tick themselves, the last where a question was asked', async () => {
    const { page, go } = visitor
    const steps = page.getByRole('region', { name: 'Three steps to the first answer' })
    await expect.poll(() => steps.locator('[data-done=true]').count()).toBe(2)
    await steps.getByRole('link', { name: 'Ask a question' }).click()
    await page.getByLabel('Question', { exact: true }).fill('Who gave away the log?')
    await page.getByLabel('Question', { exact: true }).press('Enter')
    await page.locator('.turn[aria-busy=false]').waitFor()
    await go(at())
    await expect.poll(() => steps.locator('[data-done=true]').count()).toBe(3)
    expect(await faults(page)).toEqual([])
    await go(at('/ask'))
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.locator('.turn').waitFor({ state: 'detached' })
  })

  it('[W1863] what went well before this visit takes one line, and opens', async () => {
    const { page, go } = visitor
    await go(at())
    await page.reload()
    const work = page.getByRole('region', { name: 'Latest work' })
    await work.waitFor()
    expect(await page.locator('.bars').isVisible()).toBe(false)
    await work.getByRole('heading', { name: 'Latest work' }).click()
    await page.locator('.bars').waitFor()
    expect(await faults(page)).toEqual([])
  })

  it('[W1337] questions are suggested about names that what is found for them says', async () => {
    const { page, go } = visitor
    await go(at('/ask'))
    const suggested = page.getByRole('button', { name: /^What is said about / })
    await suggested.first().waitFor()
    const names = (await suggested.allInnerTexts()).map((text) => text.slice('What is said about '.length, -1))
    expect(names.every((name) => files.some(({ text }) => text.includes(name)))).toBe(true)
    await suggested.first().click()
    expect(await page.getByLabel('Question', { exact: true }).inputValue()).toBe(`What is said about ${names[0]}?`)
  })

  it('[W5] an answer streams in with citations', async () => {
    const { page, go, picture } = visitor
    await go(at('/ask'))
    await page.getByLabel('Question', { exact: true }).fill('Who rebuilt the harbour wall of Skarholm?')
    await page.getByLabel('Question', { exact: true }).press('Enter')
    await page.locator('.citations li').first().waitFor()
    expect(await page.locator('.answer').innerText()).toContain('Marta Lind')
    expect(await faults(page)).toEqual([])
    await picture('4-answer')
  })

  it('[W5] a citation opens its passage with the quote marked, letter for letter', async () => {
    const { page, picture } = visitor
    await page.locator('.answer .marker').first().click()
    const source = sourceOf(page)
    await source.getByText('The quote is here, letter for letter.').waitFor()
    const marked = await source.locator('mark').innerText()
    expect(files.some(({ text }) => text.includes(marked))).toBe(true)
    expect(await page.locator('.answer').innerText()).toContain(marked.slice(0, 40))
    expect(await faults(page)).toEqual([])
    await picture('5-citation')
    await page.keyboard.press('Escape')
    await source.waitFor({ state: 'detached' })
  })

  it('[W5] strategies are compared with their time and cost', async () => {
    const { page, picture } = visitor
    await page.getByRole('link', { name: 'Compare strategies' }).click()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByRole('table').waitFor()
    const rows = await page.locator('.compared tbody tr').allInnerTexts()
    expect(rows.length).toBeGreaterThanOrEqual(2)
    expect(rows.every((row) => / ms| s/.test(row) && row.includes('$'))).toBe(true)
    expect(await page.locator('.beside .card').count()).toBe(rows.length)
    expect(await faults(page)).toEqual([])
    await picture('6-compare')
  })

  it('[W8] the graph around an answer is drawn, and the list beside it holds the same nodes', async () => {
    const { page, go, picture } = visitor
    await go(at('/ask'))
    await page.getByRole('link', { name: 'See it in the graph' }).click()
    await page.locator('[data-settled=true]').waitFor()
    const nodes = Number(/(\d+) nodes/.exec(await page.locator('.legend').innerText())?.[1])
    expect(await page.locator('.nodes li').count()).toBe(nodes)
    await page.getByRole('button', { name: 'name: Marta Lind' }).click()
    const details = page.getByRole('region', { name: 'Selected node' })
    expect(await details.innerText()).toContain('mentioned in')
    await page.locator('[data-settled=true]').waitFor()
    expect(await faults(page)).toEqual([])
    await picture('7-graph')
    await details.getByRole('button', { name: 'Start from here' }).click()
    await expect.poll(() => page.locator('.tools').innerText()).toContain('Around “Marta Lind”')
  })

  it('[W1540] the graph starts from a name or a question, and draws nothing before', async () => {
    const { page, go } = visitor
    await go(at('/explore'))
    await page.locator('a.chip', { hasText: 'Skarholm' }).first().waitFor()
    expect(await page.locator('.stage').count()).toBe(0)
    expect(await faults(page)).toEqual([])
    const field = page.getByLabel('A name or a question')
    await field.fill('Who drew the map of the reefs?')
    await field.press('Enter')
    await page.getByText('Around the question “Who drew the map of the reefs?”').waitFor()
    await page.locator('[data-settled=true]').waitFor()
    expect(await page.locator('.nodes').innerText()).toContain('Marta Lind')
    await field.fill('marta lind')
    await field.press('Enter')
    await page.getByText('Around “Marta Lind”').waitFor()
    await page.locator('[data-settled=true]').waitFor()
    expect(await page.locator('.nodes [data-kind=chunk]').count()).toBe(0)
  })

  it('[W1542] a node opens where it stands; kinds are taken away and brought back', async () => {
    const { page, picture } = visitor
    const list = page.locator('.nodes')
    const before = await list.locator('li').count()
    // By keyboard: what the drawing does at a click.
    await list.locator('[data-kind=document]').first().focus()
    const [grown] = await Promise.all([nextLayout(visitor), page.keyboard.press('Enter')])
    await expect.poll(() => list.locator('li').count()).toBeGreaterThan(before)
    expect(grown.stayed).toBe(before)
    expect(grown.moved).toEqual([])
    await page.locator('[data-settled=true]').waitFor()
    await picture('10-opened')
    const documents = page.getByRole('group', { name: 'Kinds that are drawn' }).getByRole('button', { name: /^documents? / })
    await documents.click()
    expect(await documents.getAttribute('aria-pressed')).toBe('false')
    expect(await list.locator('[data-kind=document]').count()).toBe(0)
    expect(await faults(page)).toEqual([])
    await documents.click()
    expect(await list.locator('[data-kind=document]').count()).toBeGreaterThan(0)
  })

  it('[W1543] a connection shows its sentence, which opens in its document', async () => {
    const { page, picture } = visitor
    await page.getByRole('button', { name: 'name: Marta Lind' }).click()
    await page
      .getByRole('region', { name: 'Selected node' })
      .getByRole('button', { name: /^Why: (mentioned in|is related to)/ })
      .first()
      .click()
    const connection = page.getByRole('region', { name: 'Selected connection' })
    await connection.locator('blockquote').waitFor()
    expect(await connection.locator('blockquote').innerText()).toContain('Marta Lind')
    expect(await faults(page)).toEqual([])
    await picture('11-connection')
    await connection.getByRole('button', { name: 'Read in place' }).click()
    await sourceOf(page).getByText('The quote is here, letter for letter.').waitFor()
    await page.keyboard.press('Escape')
  })

  it.each([
    ['layers', 'layers', /No layers yet|Open a heading to see what it summarises/],
    ['communities', 'communities', /No communities yet|Communities\n|Topics\n/],
    ['entities', 'entities', /Marta Lind/],
  ])('[W8] %s are listed', async (_, view, shown) => {
    const { page, go } = visitor
    await go(at(`/explore?view=${view}`))
    await expect.poll(() => page.locator('main').innerText()).toMatch(shown)
    expect(await faults(page)).toEqual([])
  })

  it('[W8][W1967] texts are classified, one by one and from a file, and the tree shows why', async () => {
    const { page, go, picture } = visitor
    await go(at('/labels'))
    await page.getByRole('button', { name: 'Switch it on' }).click()
    for (const [label, example] of [
      ['sea', 'The storm broke the harbour wall and the lighthouse went dark.'],
      ['trade', 'Salted herring was sold by the barrel to merchants in Riga.'],
    ] as const) {
      await page.getByLabel('Name', { exact: true }).fill(label)
      await page.getByLabel('Examples, one per line').fill(example)
      await page.getByRole('button', { name: 'Save label' }).click()
      await page.getByRole('button', { name: `Delete ${label}` }).waitFor()
    }
    await page.getByLabel('Text', { exact: true }).fill('Merchants bought herring by the barrel.')
    await page.getByRole('button', { name: 'Classify', exact: true }).click()
    await expect.poll(() => page.locator('.verdict').innerText()).toContain('trade')
    expect(await page.getByRole('img', { name: /Keywords that lead to labels.*herring/ }).count()).toBe(1)
    const table = 'who,message\nAna,"The storm took the lighthouse, and the wall."\nJon,Herring is sold by the barrel.\n'
    await page.getByLabel(/^A table \(CSV/).setInputFiles({ name: 'letters.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
    await expect.poll(() => page.locator('#texts-column').inputValue()).toBe('1')
    await page.getByRole('button', { name: 'Classify all' }).click()
    await page.getByText('2 of 2 texts classified').waitFor()
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as CSV' }).click()])
    expect(saved.suggestedFilename()).toBe('letters-labels.csv')
    const lines = readFileSync(await saved.path(), 'utf8').split('\r\n')
    expect(lines[0]).toBe('who,message,label,confidence')
    expect(lines[1]).toMatch(/^Ana,"The storm took the lighthouse, and the wall.",sea,[01]\.\d+$/)
    expect(lines[2]).toMatch(/^Jon,Herring is sold by the barrel.,trade,[01]\.\d+$/)
    expect(await faults(page)).toEqual([])
    await picture('8-labels')
  })

  it('[W18] usage is shown and a budget is kept', async () => {
    const { page, go, picture } = visitor
    await go(at('/usage'))
    await page.getByLabel('Tokens').fill('1000000')
    await page.locator('form', { hasText: 'Budget' }).getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.locator('main').innerText()).toContain('of 1,000,000')
    expect(await faults(page)).toEqual([])
    await picture('9-usage')
  })

  it('[W12][W2100] nothing was asked of any other server, no policy was broken, nothing was thrown, no error reported', () => {
    expect(visitor.complaints).toEqual([])
  })
})

interface Layout {
  /** How many nodes were to stay where they were, and those that did not. */
  readonly stayed: number
  readonly moved: readonly number[]
}

/** Inside the page: what the layout was told to keep in its place, and whether it did. */
function noteLayouts(): void {
  const Plain = window.Worker
  window.Worker = class extends Plain {
    #order: { start?: Float32Array; fixed?: Uint8Array } = {}
    constructor(address: string | URL, options?: WorkerOptions) {
      super(address, options)
      this.addEventListener('message', ({ data }: MessageEvent<{ positions?: Float32Array; done?: boolean }>) => {
        const { start, fixed } = this.#order
        const { positions, done } = data
        if (!done || !start || !fixed || !positions) return
        const kept = [...fixed.keys()].filter((node) => fixed[node] === 1)
        const moved = kept.filter((node) => [2 * node, 2 * node + 1].some((at) => start[at] !== positions[at]))
        Object.assign(window, { layout: { stayed: kept.length, moved } })
      })
    }
    override postMessage(message: { start?: Float32Array; fixed?: Uint8Array }): void {
      this.#order = message
      super.postMessage(message)
    }
  }
}

/** The next that keeps something in its place. */
async function nextLayout({ page }: Visit): Promise<Layout> {
  await page.evaluate(() => Object.assign(window, { layout: null }))
  const found = await page.waitForFunction(() => (window as unknown as { layout: Layout | null }).layout)
  return (await found.jsonValue()) as Layout
}
