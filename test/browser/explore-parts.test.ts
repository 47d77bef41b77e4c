/** Explore, where a layer is larger than what is read of it at first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

const ALL = 2300
const PAGE = 1000
const [look] = looks

afterAll(closeWindows)

describe('a large layer', () => {
  let visitor: Visit
  beforeAll(async () => {
    if (!look) throw new Error('there is a look')
    visitor = await visit({ ...look, name: 'parts' })
    await api('PUT', '/v1/corpora/parts', {})
    const { job } = await api('PUT', '/v1/corpora/parts/documents/one', { text: 'One sentence is enough.' })
    await api('GET', `/v1/corpora/parts/jobs/${job}?wait=30`)
    await signIn(visitor, adminKey)
    const node = (layer: number, n: number, members: readonly string[]) => ({
      id: `s_${layer}_${n}`,
      kind: 'summary',
      layer,
      text: `Segment ${n} of ${layer}.`,
      tokens: 4,
      data: { members, leaves: members.length },
    })
    const top = node(2, 0, ['s_1_0', 's_1_1', 's_1_2200'])
    await visitor.page.route('**/v1/corpora/parts/segments**', (route) => {
      const query = new URL(route.request().url()).searchParams
      const counts = [
        { layer: 1, count: ALL },
        { layer: 2, count: 1 },
      ]
      if (!query.has('layer')) return route.fulfill({ json: { layers: counts, version: 2 } })
      if (query.get('layer') === '2') return route.fulfill({ json: { data: [top], next_cursor: null, version: 2 } })
      const from = Number(query.get('cursor') ?? 0)
      const until = Math.min(ALL, from + PAGE)
      const data = Array.from({ length: until - from }, (_, i) => node(1, from + i, [`c_${from + i}`]))
      return route.fulfill({ json: { data, next_cursor: until < ALL ? String(until) : null, version: 2 } })
    })
  })
  afterAll(() => visitor.close())

  it('[W1671] Layers and Communities say how much of it is shown, and read more when asked', async () => {
    const { page, go, complaints, picture } = visitor
    for (const view of ['layers', 'communities']) {
      await go(`c/parts/explore?view=${view}`)
      const notice = page.getByText(/Not all .* are shown/)
      await notice.waitFor()
      expect(await notice.innerText()).toContain('the first 1,000 of 2,300 of layer 1')
      expect(await page.locator('.outline > li').first().innerText()).toContain('1 more not read')
      if (view === 'layers') await picture('cut')
      await page.getByRole('button', { name: 'Read 1,000 more' }).click()
      await page.getByText('the first 2,000 of 2,300 of layer 1').waitFor()
      await page.getByRole('button', { name: 'Read 1,000 more' }).click()
      await notice.waitFor({ state: 'detached' })
      expect(await page.locator('.outline > li').first().innerText()).not.toContain('not read')
    }
    expect(complaints).toEqual([])
  })

  it('[W2075] names to begin with, the list of entities and suggested questions start from what the most chunks mention', async () => {
    const { page, go, complaints } = visitor
    await api('PUT', '/v1/corpora/named', {})
    const people = ['Adam Abel', 'Bert Bell', 'Carl Coe']
    const upserts = people.map((name, i) => ({ id: `d${i}`, text: `${name} wrote to Zora Quill about the harbour.` }))
    const { job } = await api('POST', '/v1/corpora/named/documents:batch', { upserts })
    await api('GET', `/v1/corpora/named/jobs/${job}?wait=30`)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/named/entities')) asked.push(new URL(request.url()).searchParams.get('sort') ?? 'id')
    })
    await go('c/named/explore')
    await expect.poll(() => page.locator('.chips li').allInnerTexts()).toHaveLength(4)
    expect((await page.locator('.chips li').allInnerTexts())[0]).toContain('Zora Quill')
    await go('c/named/explore?view=entities')
    await page.locator('.names li').first().waitFor()
    expect(await page.locator('.names a').allInnerTexts()).toEqual(['Zora Quill', ...people])
    await go('c/named/ask')
    await page.locator('.empty button').first().waitFor()
    expect(await page.locator('.empty button').first().innerText()).toContain('Zora Quill')
    expect(new Set(asked)).toEqual(new Set(['mentions']))
    expect(complaints).toEqual([])
  })
})
