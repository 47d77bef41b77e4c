/** The pages of a PDF whose file is kept, as they look on paper. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { CHINESE, cornerOf, inkUnderMarks, putPdf, SCRIPTED, TURNED, WEIR, withFile } from './paper'
import { adminKey, api, closeWindows, looks, signIn, sourceOf, type Visit, visit } from './visit'

afterAll(closeWindows)

describe.each(looks.filter(({ name }) => name === 'desktop-light' || name === 'phone-dark'))('a document with its file, $name', (look) => {
  const corpus = `paper-${look.name}`
  let visitor: Visit
  let text: string
  const at = (quote: string) => `c/${corpus}/d/weir.pdf?start=${text.indexOf(quote)}&end=${text.indexOf(quote) + quote.length}`
  const paper = (number: number) => visitor.page.getByRole('region', { name: `Page ${number}`, exact: true })
  const status = () => visitor.page.locator('.turner [role=status]').innerText()

  beforeAll(async () => {
    visitor = await visit(look)
    await api('PUT', `/v1/corpora/${corpus}`, { strategies: [] })
    text = await putPdf(corpus, 'weir.pdf', WEIR)
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W2130] opens at the page of the quote, drawn, with the quote marked where it stands', async () => {
    const { page, go, picture, complaints } = visitor
    await go(at('wait by the watermill\nuntil'))
    await expect.poll(() => paper(2).locator('mark').allInnerTexts()).toEqual(['wait by the water-', 'mill until'])
    await paper(2).locator('canvas').waitFor()
    expect(await paper(2).evaluate(inkUnderMarks)).toEqual([true, true])
    const { corner, sharpness } = await paper(2).locator('canvas').evaluate(cornerOf)
    expect(corner).toEqual([255, 255, 255, 255])
    expect(sharpness).toBeCloseTo(1, 1)
    expect(await paper(2).locator('mark').first().evaluate(isInView)).toBe(true)
    expect([await status(), await paper(1).count()]).toEqual([expect.stringContaining('of 12'), 0])
    await picture('paper')
    expect([await faults(page), complaints]).toEqual([[], []])
  })

  it('[W2130] any page can be chosen by its number, and turned by keyboard; Text shows the text', async () => {
    const { page } = visitor
    await page.getByLabel('Page', { exact: true }).fill('7')
    await page.keyboard.press('Enter')
    await paper(7).getByText('This is page 7.').waitFor()
    expect(await page.locator('.paper').count()).toBe(1)
    await page.getByRole('button', { name: 'Next page' }).focus()
    await page.keyboard.press('Enter')
    await paper(8).getByText('This is page 8.').waitFor()
    await page.getByLabel('Page', { exact: true }).fill('99')
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('Page', { exact: true }).inputValue()).toBe('8')
    await page.getByRole('button', { name: 'To the quote, on page 2' }).click()
    await paper(2).locator('mark').first().waitFor()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.locator('.sheet').first().waitFor()
    expect(await page.locator('.paper').count()).toBe(0)
    await page.getByRole('button', { name: 'Pages', exact: true }).click()
    await paper(2).locator('mark').first().waitFor()
  })

  it('[W2132] a quote over two pages is marked on both', async () => {
    await visitor.go(at('Owls begin to hunt\n\nwhen it is dark'))
    for (const [number, words] of [
      [2, 'Owls begin to hunt'],
      [3, 'when it is dark'],
    ] as const)
      await expect.poll(() => paper(number).locator('mark').allInnerTexts()).toEqual([words])
  })

  it('[W2130] turning quickly ends at the last page that was asked for, and closing it gives its memory back', async () => {
    const { page, go, complaints } = visitor
    await go(`c/${corpus}/d/weir.pdf`)
    await paper(1).locator('canvas').waitFor()
    for (let i = 0; i < 8; i++) await page.getByRole('button', { name: 'Next page' }).click()
    await paper(9).getByText('This is page 9.').waitFor()
    await paper(9).locator('canvas').waitFor()
    expect([await page.locator('.paper').count(), await page.locator('.paper canvas').count(), page.workers().length]).toEqual([1, 1, 1])
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await expect.poll(() => page.workers().length).toBe(0)
    expect(complaints).toEqual([])
  })

  it('[W2133] a page that lies on its side has its words, and the mark, where they are drawn', async () => {
    const { go } = visitor
    const turned = await putPdf(corpus, 'turned.pdf', TURNED)
    const quote = 'herons sleep standing'
    await go(`c/${corpus}/d/turned.pdf?start=${turned.indexOf(quote)}&end=${turned.indexOf(quote) + quote.length}`)
    await expect.poll(() => paper(1).locator('mark').allInnerTexts()).toEqual([quote])
    await paper(1).locator('canvas').waitFor()
    expect(await paper(1).evaluate(inkUnderMarks)).toEqual([true])
    await visitor.picture('paper-turned')
  })

  it('[W2160] whose text was corrected says that its pages were not', async () => {
    const corrected = visitor.page.getByText('the pages show what the file says')
    expect(await corrected.count()).toBe(0)
    await putPdf(corpus, 'corrected.pdf', WEIR)
    const path = `/v1/corpora/${corpus}/documents/corrected.pdf/chunks`
    const { data } = (await api('GET', path)) as unknown as { data: { chunk: string; text: string }[] }
    await api('PATCH', `${path}/${data[0]?.chunk}?wait=60`, { text: data[0]?.text.replace('of oak', 'of elm') })
    await visitor.go(`c/${corpus}/d/corrected.pdf`)
    await corrected.waitFor()
    await expect.poll(() => paper(1).locator('.words').innerText()).toContain('of oak')
  })

  it('[W2130] stands beside an answer, at what it cites', async () => {
    const { page, go, picture, complaints } = visitor
    await go(`c/${corpus}/ask`)
    await page.getByLabel('Question', { exact: true }).fill('Who built the weir of Skarholm?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.locator('.turn[aria-busy=false] .answer .marker').first().click()
    const source = sourceOf(page)
    await source.getByText('letter for letter').waitFor()
    await source.locator('.paper canvas').waitFor()
    await expect.poll(async () => (await source.locator('mark').allInnerTexts()).join(' ')).toContain('Pia Holm')
    await picture('paper-source')
    expect([await faults(page), complaints]).toEqual([[], []])
    await page.keyboard.press('Escape')
    await source.waitFor({ state: 'detached' })
  })
})

describe('a document whose file', () => {
  const corpus = 'paper-trouble'
  const path = `/v1/corpora/${corpus}/documents`
  let visitor: Visit
  beforeAll(async () => {
    const [look] = looks
    if (!look) throw new Error('there is a look')
    visitor = await visit({ ...look, name: 'paper-trouble' })
    await api('PUT', `/v1/corpora/${corpus}`, { strategies: [] })
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  /** Opens it, and returns what the page says about it. */
  async function said(document: string, words: string): Promise<string> {
    const { page, go } = visitor
    await api('PUT', `${path}/${document}?wait=60`, { text: 'The herons wait by the weir.', outline: [{ start: 0, page: 1 }] })
    await go(`c/${corpus}/d/${document}?start=4&end=10`)
    await page.locator('.passage mark', { hasText: 'herons' }).waitFor()
    await page.getByRole('alert').filter({ hasText: words }).waitFor()
    expect(await page.getByRole('button', { name: 'Text', exact: true }).getAttribute('aria-pressed')).toBe('true')
    return page.getByRole('alert').innerText()
  }

  it('[W2134] is gone or damaged is shown as text, with the reason', async () => {
    visitor.provokes(`404 ${path}/gone.pdf/file`)
    await withFile(visitor, 'gone.pdf')
    await withFile(visitor, 'damaged.pdf', 'no PDF at all')
    expect(await said('gone.pdf', 'no longer kept')).toBe('The file is no longer kept. This is its text.')
    expect(await said('damaged.pdf', 'damaged')).toBe('The file is damaged. This is its text.')
    expect([await faults(visitor.page), visitor.complaints]).toEqual([[], []])
  })

  it('[W2134] cannot be fetched now is shown as pages once the server can be reached again', async () => {
    const { page, provokes, complaints } = visitor
    provokes(`ERR_FAILED ${path}/late.pdf/file`)
    let isAway = true
    await withFile(visitor, 'late.pdf', Buffer.from(WEIR))
    await page.route('**/late.pdf/file', (route) => (isAway ? route.abort() : route.fallback()))
    expect(await said('late.pdf', 'cannot be reached')).toContain('This is its text.')
    isAway = false
    await page.getByRole('region', { name: 'Page 1', exact: true }).getByText('The weir of Skarholm.').waitFor()
    // The text that was put here is another than the file's.
    await page.getByText('The quote could not be located on this page; it is marked under Text.').waitFor()
    expect(complaints).toEqual([])
  })

  it('[W2135] holds a script and a link is drawn without them', async () => {
    const { page, go, complaints } = visitor
    await putPdf(corpus, 'scripted.pdf', SCRIPTED)
    await go(`c/${corpus}/d/scripted.pdf`)
    await page.locator('.paper canvas').waitFor()
    const words = page.locator('.paper .words')
    await words.getByText('A page with a link.').click()
    expect([await words.locator('a, [href], iframe, script').count(), page.context().pages().length, complaints]).toEqual([0, 1, []])
    expect(page.url()).toContain('scripted.pdf')
  })

  it('[W2135] is drawn fetches for that, when it is opened, from this server alone; one without a file fetches none of it', async () => {
    const { page, go } = visitor
    const own = await visit({ ...(looks[0] ?? { name: '', context: {} }), name: 'paper-own' })
    const asked: string[] = []
    own.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await api('PUT', `${path}/plain.txt?wait=60`, { text: 'Owls hunt at night.' })
    await putPdf(corpus, 'weir.pdf', WEIR)
    await signIn(own, adminKey)
    await own.go(`c/${corpus}/d/plain.txt`)
    await own.page.getByText('Owls hunt at night.').waitFor()
    const draws = (one: string) => /^\/pdf\/|file-pages/.test(one)
    expect(asked.filter(draws)).toEqual([])
    await own.go(`c/${corpus}/d/weir.pdf`)
    await own.page.locator('.paper canvas').waitFor()
    expect(asked.filter(draws).map((one) => one.replace(/[\d.]+\d|-\w+\.js/g, '…'))).toEqual(
      expect.arrayContaining(['/chunks/file-pages…', '/pdf/…/worker.mjs', '/pdf/…/fonts/LiberationSans-Regular.ttf']),
    )
    await api('PUT', `${path}/chinese.pdf?wait=60`, { text: '中文', outline: [{ start: 0, page: 1 }] })
    await withFile(own, 'chinese.pdf', Buffer.from(CHINESE))
    await own.go(`c/${corpus}/d/chinese.pdf?start=0&end=2`)
    await own.page.locator('.paper mark', { hasText: '中文' }).waitFor()
    expect(asked.some((one) => one.endsWith('/cmaps/UniGB-UCS2-H.bcmap'))).toBe(true)
    expect(own.complaints).toEqual([])
    const folder = asked.find((one) => one.startsWith('/pdf/'))?.replace(/[^/]+$/, '') ?? ''
    await go('')
    for (const unpacks of ['openjpeg', 'jbig2'])
      expect(await page.evaluate(`import('${folder}unpack/${unpacks}_nowasm_fallback.js').then((all) => typeof all.default)`)).toBe(
        'function',
      )
    await own.close()
  })
})

const isInView = (one: Element): boolean => {
  const { top, bottom } = one.getBoundingClientRect()
  return top > 0 && bottom < innerHeight
}
