/** A document by the pages of its file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageAt, pagesOf } from '../../ui/src/text/pages'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

afterAll(closeWindows)

describe('pages of a text', () => {
  it('[W1676] go on until the next begins; a heading on a page begins no other', () => {
    const outline = [
      { start: 0, page: 6 },
      { start: 4, page: 6, heading: 'Owls', level: 1 },
      { start: 10, page: 7 },
    ]
    expect(pagesOf(outline, 30)).toEqual([
      { page: 6, start: 0, end: 10 },
      { page: 7, start: 10, end: 30 },
    ])
    expect([0, 9, 10, 29].map((place) => pageAt(pagesOf(outline, 30), place))).toEqual([0, 0, 1, 1])
    expect([pagesOf([], 5), pagesOf([{ start: 0, heading: 'A', level: 1 }], 5), pageAt([], 3)]).toEqual([[], [], 0])
  })
})

describe.each(looks.filter(({ name }) => name === 'desktop-light' || name === 'phone-dark'))('a document with pages, $name', (look) => {
  const corpus = `pages-${look.name}`
  const texts = Array.from(
    { length: 30 },
    (_, i) => `On page ${i + 1} ${i + 1} herons wait by the weir.\n\n${'The water is low. '.repeat(40)}`,
  )
  const startOf = (page: number) => texts.slice(0, page - 1).join('\n\n').length + (page > 1 ? 2 : 0)
  let visitor: Visit
  beforeAll(async () => {
    visitor = await visit(look)
    await api('PUT', `/v1/corpora/${corpus}`, { strategies: [] })
    const outline = texts.map((_, i) => ({ start: startOf(i + 1), page: i + 1 }))
    const { job } = await api('PUT', `/v1/corpora/${corpus}/documents/weir.pdf`, { title: 'The weir', text: texts.join('\n\n'), outline })
    await api('GET', `/v1/corpora/${corpus}/jobs/${job}?wait=60`)
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W1676] opens at the page of the quote, and any other can be chosen', async () => {
    const { page, go, picture, complaints } = visitor
    await go(`c/${corpus}`) // a second attempt opens the document anew
    await page.getByRole('link', { name: 'The weir' }).waitFor()
    const start = startOf(17)
    await go(`c/${corpus}/d/weir.pdf?start=${start}&end=${start + 45}`)
    const mark = page.getByRole('region', { name: 'Page 17', exact: true }).locator('mark')
    await mark.waitFor()
    await expect
      .poll(() => mark.evaluate((one) => one.getBoundingClientRect().top > 0 && one.getBoundingClientRect().top < innerHeight))
      .toBe(true)
    await picture('pages')
    expect(await page.locator('.sheet').count()).toBe(5)
    await page.getByLabel('Page', { exact: true }).selectOption('3')
    await page.getByRole('region', { name: 'Page 3', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Later pages' }).click()
    await page.getByRole('region', { name: 'Page 15', exact: true }).waitFor()
    await page.getByRole('button', { name: 'As written' }).click()
    await page.locator('.sheet').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'As written' }).click()
    await page.locator('.sheet').first().waitFor()
    expect(complaints).toEqual([])
  })

  it('[W2250] the mark stays in view while the page above it grows or scrolls by itself, until the reader scrolls', async () => {
    const { page, go } = visitor
    await go(`c/${corpus}`)
    await page.getByRole('link', { name: 'The weir' }).waitFor()
    const start = startOf(17)
    await go(`c/${corpus}/d/weir.pdf?start=${start}&end=${start + 45}`)
    const mark = page.getByRole('region', { name: 'Page 17', exact: true }).locator('mark')
    await mark.waitFor()
    const isInView = () =>
      mark.evaluate((one) => {
        const { top } = one.getBoundingClientRect()
        return top > 0 && top < innerHeight
      })
    await page.evaluate(async () => {
      const block = document.createElement('div')
      block.style.height = '4000px'
      document.documentElement.style.setProperty('overflow-anchor', 'none') // as in browsers that do not anchor what is in view
      document.querySelector('.facts')?.append(block)
      scrollTo(0, 0)
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    })
    expect(await isInView()).toBe(true)
    await page.mouse.wheel(0, -100)
    await page.evaluate(async () => {
      scrollTo(0, 0)
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    })
    expect(await isInView()).toBe(false)
  })

  it('[W1676] a quote over two pages is marked on both', async () => {
    const { page, go } = visitor
    const start = startOf(5)
    await go(`c/${corpus}/d/weir.pdf?start=${start - 20}&end=${start + 10}`)
    for (const name of ['Page 4', 'Page 5']) await page.getByRole('region', { name, exact: true }).locator('mark').waitFor()
  })
})
