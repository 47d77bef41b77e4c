/** What an ordinary visit does not meet: hostile texts, strange names, no mouse, no key, refusals. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { adminKey, api, closeWindows, drop, looks, signIn, sourceOf, url, type Visit, visit } from './visit'

const [look] = looks
const STRANGE = 'a/b %2F#?ü💧 "x"'
const HOSTILE = '<img src=x onerror="document.title=\'owned\'"> The keeper was Anders Falk. <script>document.title="owned"</script>'

/** As an old program writes it. */
const LATIN =
  'Die großen Flüsse führen im Frühling viel Wasser. Über die Brücken gehen täglich Tausende. Die Müller hören das Rauschen der Mühlräder, und die Fischer flicken müde ihre Netze.'

afterAll(closeWindows)

describe('corners', () => {
  let visitor: Visit
  beforeAll(async () => {
    if (!look) throw new Error('there is a look')
    visitor = await visit({ ...look, name: 'corners' })
    await api('PUT', '/v1/corpora/corners', { public: true })
    const upserts = [{ id: STRANGE, title: '<b>bold</b>', text: HOSTILE, metadata: { note: '<i>x</i>' } }]
    const { job } = await api('POST', '/v1/corpora/corners/documents:batch', { upserts })
    await api('GET', `/v1/corpora/corners/jobs/${job}?wait=30`)
  })
  afterAll(() => visitor.close())

  it('[W31] a public corpus is read without a key', async () => {
    const { page, go } = visitor
    await go('')
    await page.getByText('Read a public corpus without a key').click()
    await page.getByLabel('Name of the corpus').fill('corners')
    await page.getByRole('button', { name: 'Read' }).click()
    await page.getByLabel('Question', { exact: true }).fill('Who was the keeper?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await expect.poll(() => page.locator('.answer').innerText()).toContain('Anders Falk')
    await go('')
    await page.getByText('The list of corpora needs a key').waitFor()
    await page.reload()
    await page.getByText('The list of corpora needs a key').waitFor()
    expect(visitor.complaints).toEqual([])
  })

  it('[W31] texts, titles and metadata are shown and never run; ids of any characters are links that work', async () => {
    const { page, go } = visitor
    await go('c/corners')
    await page.getByRole('link', { name: '<b>bold</b>' }).click()
    await expect.poll(() => page.locator('.passage').innerText()).toContain('<img src=x onerror=')
    expect(await page.locator('.reading').innerText()).toContain(STRANGE)
    expect(await page.title()).toBe('corners · Loam')
    expect(await page.locator('.passage img, .passage script, .reading b').count()).toBe(0)
  })

  it('[W1330] [W1331] a source stands beside its answer, as it is laid out, and nothing of it runs', async () => {
    const { page, go, picture } = visitor
    const text = [
      '# Harbour',
      'The **quay** of Skarholm was built by *Pia Holm* in 1901, see [the plan](https://example.org/plan) and [here](javascript:alert(1)).',
      '| year | ships |\n|---|---|\n| 1901 | 12 |',
      '<img src=x onerror="document.title=\'owned\'"> ![a map](https://example.org/map.png)',
    ].join('\n\n')
    await api('PUT', '/v1/corpora/corners/documents/quay.md?wait=30', { text })
    await go('c/corners/ask')
    await page.getByLabel('Question', { exact: true }).fill('Who built the quay of Skarholm?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.locator('.turn[aria-busy=false]', { hasText: 'Who built the quay' }).locator('.answer .marker').first().click()
    const source = sourceOf(page)
    await source.getByRole('heading', { name: 'Harbour' }).waitFor()
    await source.getByText('letter for letter').waitFor()
    expect(await source.locator('strong', { hasText: 'quay' }).count()).toBe(1)
    expect((await source.locator('mark').allInnerTexts()).join('')).toContain('Pia Holm')
    expect(await source.locator('td').allInnerTexts()).toEqual(['1901', '12'])
    expect(await source.locator('.passage a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      'https://example.org/plan',
    ])
    expect(await source.locator('img, script').count()).toBe(0)
    expect(await page.locator('.answer').last().isVisible()).toBe(true)
    expect([await page.title(), await faults(page)]).toEqual(['corners · Loam', []])
    await picture('source')
    await source.getByRole('button', { name: 'As written' }).click()
    await source.getByText('**quay**').waitFor()
    await page.keyboard.press('Escape')
    await source.waitFor({ state: 'detached' })
  })

  it('[W1333] [W1334] [W1336] under a refusal stands what comes nearest; a question is edited; both outlive a reload', async () => {
    const { page } = visitor
    await page.getByLabel('Question', { exact: true }).fill('Who won the world cup of football in Uruguay?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    const refused = page.locator('.turn[aria-busy=false]', { hasText: 'Who won the world cup' })
    await refused.getByText('Nothing here answers that.').waitFor()
    const nearest = refused.getByRole('region', { name: 'Nearest' }).getByRole('button').first()
    await nearest.click()
    await sourceOf(page).getByText('letter for letter').waitFor()
    await page.keyboard.press('Escape')
    await refused.getByRole('button', { name: 'Edit' }).click()
    expect(await page.getByLabel('Question', { exact: true }).inputValue()).toBe('Who won the world cup of football in Uruguay?')
    const before = await page.locator('.turn').count()
    await page.reload()
    await expect.poll(() => page.locator('.turn').count()).toBe(before)
    expect(await page.locator('.turn').last().innerText()).toContain('Nothing here answers that.')
  })

  it('[W1338] the first visit loads at most 150 kB', async () => {
    const own = await visit({ ...(look ?? { name: 'corners', context: {} }), name: 'size' })
    const sizes: Promise<number>[] = []
    own.page.on('response', (response) => {
      if (response.url().includes('/v1/')) return
      sizes.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize),
      )
    })
    await own.go('')
    await own.page.getByLabel('Your key').waitFor()
    const bytes = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0)
    expect(bytes).toBeGreaterThan(20_000)
    expect(bytes).toBeLessThan(150_000)
    await own.close()
  })

  it('[W3] a deleted corpus stands in the list with the time it goes for good, and comes back by its button', async () => {
    // By its name it is on the first page, however many other tests have made.
    await api('PUT', '/v1/corpora/a-regretted', { undelete_seconds: 3600 })
    await api('DELETE', '/v1/corpora/a-regretted')
    const own = await visit({ ...(look ?? { name: 'corners', context: {} }), name: 'regretted' })
    await signIn(own, adminKey)
    const { page, go } = own
    await go('')
    const card = page.locator('.card', { hasText: 'a-regretted' })
    await expect.poll(() => card.innerText()).toMatch(/deleted[\s\S]*Being deleted/)
    expect(await card.getByRole('link').count()).toBe(0)
    await own.picture('deleted')
    await card.getByRole('button', { name: 'Undelete' }).click()
    await page.getByRole('link', { name: /a-regretted/ }).waitFor()
    expect([own.complaints, (await api('GET', '/v1/corpora/a-regretted')).status]).toEqual([[], 'settled'])
    await own.close()
  })

  it('[W12] the policy lets neither foreign hosts in nor an inline script besides the page’s own first one', async () => {
    const page = await fetch(new URL('/', url))
    const policy = page.headers.get('content-security-policy') ?? ''
    const html = await page.text()
    expect(policy).toContain("default-src 'none'")
    const [inline = '', ...more] = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
    const hash = createHash('sha256').update(inline).digest('base64')
    expect([more, policy.match(/script-src ([^;]*)/)?.[1]]).toEqual([[], `'self' 'sha256-${hash}'`])
    expect(policy).not.toContain('unsafe')
  })

  it('[W33] everything up to an answer is done by keyboard alone', async () => {
    const { page, go } = visitor
    await go('c/corners/ask')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await go('')
    await page.getByLabel('Your key').focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(adminKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Corpora' }).waitFor()
    await tabTo(visitor, 'corners')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Ask', exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    await tabTo(visitor, 'Ask')
    await page.keyboard.press('Enter')
    await page.getByLabel('Question', { exact: true }).waitFor()
    expect(await page.locator('.turn').count()).toBe(0) // what was asked without the key is gone
    await tabTo(visitor, 'Question')
    await page.keyboard.type('Who was the keeper?')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.answer .marker').count()).toBeGreaterThan(0)
    await tabTo(visitor, 'Citation 1', { back: true })
    await page.keyboard.press('Enter')
    await sourceOf(page).getByText('letter for letter').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('marker')
  })

  it('[W4] what cannot be read is refused with its reason, the rest is taken', async () => {
    visitor.provokes('415 /v1/corpora/corners/documents/picture.png', '422 /v1/corpora/corners/documents/paper.pdf')
    const { page, go } = visitor
    await go('c/corners')
    await drop(page, [
      { name: 'picture.png', type: 'image/png', text: 'x' },
      { name: 'empty.txt', type: 'text/plain', text: '  ' },
      { name: 'paper.pdf', type: 'application/pdf', text: '%PDF-1.4' },
      { name: 'good.txt', type: 'text/plain', text: 'Marta Lind drew a map.' },
    ])
    await page.getByRole('link', { name: 'good', exact: true }).waitFor()
    const said = await page.getByRole('alert').innerText()
    expect(said).toContain('picture.png: A picture contains no text. No model here reads pictures')
    expect(said).toContain('It contains no text.')
    expect(said).toContain('paper.pdf: This PDF is broken')
  })

  it('[W1067][W1966] documents are searched, sorted and chosen; several are given to readers, switched off and deleted together', async () => {
    const { page, go, picture } = visitor
    await api('PUT', '/v1/corpora/shelf', {})
    const upserts = ['red.txt', 'blue.txt', 'green.md'].map((id, at) => ({ id, text: `The ${id} stands on shelf ${at}.` }))
    const { job } = await api('POST', '/v1/corpora/shelf/documents:batch', { upserts })
    await api('GET', `/v1/corpora/shelf/jobs/${job}?wait=30`)
    await go('c/shelf')
    const rows = page.locator('.documents tbody tr')
    const first = () => rows.first().locator('a').innerText()
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole('button', { name: 'Document', exact: true }).click()
    await expect.poll(first).toBe('red.txt')
    await page.getByLabel('Kind of file').selectOption('txt')
    await page.getByLabel('Search documents').fill('blue')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByText('1 of 3 documents').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByLabel('Choose red.txt').check()
    await page.getByLabel('Choose green.md').check()
    expect(await faults(page)).toEqual([])
    await picture('chosen')
    await page.getByText('Change who may read them').click()
    await page.getByLabel('Labels of 2 documents').fill('group:staff, group:press')
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: 'Set labels' }).click()
    await page.getByText('2 of 2 documents can be read by group:staff, group:press').waitFor()
    const accessOf = async (id: string) => (await api('GET', `/v1/corpora/shelf/documents/${id}`)).access
    expect([await accessOf('red.txt'), await accessOf('green.md'), await accessOf('blue.txt')]).toEqual([
      ['group:press', 'group:staff'],
      ['group:press', 'group:staff'],
      [],
    ])
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('2 of 2 documents are switched off').waitFor()
    expect((await api('GET', '/v1/corpora/shelf/documents/green.md')).active).toBe(false)
    await page.getByRole('button', { name: 'Delete the chosen' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Undo: 2 documents deleted' }).click()
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByLabel('Choose red.txt').check()
    await page.getByLabel('Choose green.md').check()
    await page.getByRole('button', { name: 'Delete the chosen' }).click()
    await expect.poll(() => page.locator('.notice').innerText(), { timeout: 30_000 }).toContain('2 documents are forgotten')
    await go('c/corners')
  })

  it('[W1068] each file of a drop shows how far it is; one in another encoding is read right', async () => {
    const { page, go } = visitor
    await go('c/shelf')
    await page.getByLabel('Files to add').setInputFiles([
      { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('The first book is about eels.') },
      { name: 'latin.txt', mimeType: 'text/plain', buffer: Buffer.from(LATIN, 'latin1') },
    ])
    await page.getByText('2 files: 2 done').waitFor()
    expect((await page.locator('.files li').allTextContents()).sort()).toEqual(['latin.txt indexed', 'one.txt indexed'])
    expect((await api('GET', '/v1/corpora/shelf/documents/latin.txt')).text).toContain('Flüsse')
    expect(await faults(page)).toEqual([])
    await go('c/corners')
  })

  it('[W1065] a deleted document can be called back; on leaving the page it is deleted at once', async () => {
    const { page, picture } = visitor
    const row = page.getByRole('link', { name: 'good', exact: true })
    await page.getByRole('button', { name: 'Delete good' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await page.getByRole('status', { name: 'Deleted' }).innerText()).toContain('“good.txt” deleted')
    expect(await faults(page)).toEqual([])
    await picture('undo')
    await page.getByRole('button', { name: 'Undo: “good.txt” deleted' }).click()
    await row.waitFor()
    expect((await api('GET', '/v1/corpora/corners/documents/good.txt')).document).toBe('good.txt')
    await page.getByRole('button', { name: 'Delete good' }).click()
    await page.reload()
    await expect
      .poll(() => api('GET', '/v1/corpora/corners/documents/good.txt').catch((error: Error & { status?: number }) => error.status), {
        timeout: 30_000,
      })
      .toBe(404)
  })

  it('[W234] [W1066] a key is shown once, replaced and revoked, each after a question in a dialog', async () => {
    const { page, go, picture } = visitor
    await go('keys')
    await page.getByLabel('What it is for').fill('a reader')
    await page.getByLabel(/^Corpora/).fill('corners')
    await page.getByLabel('Expires').selectOption('90')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await expect.poll(() => page.locator('.notice code').innerText()).toMatch(/^loam_/)
    await picture('keys')
    await page.getByRole('button', { name: 'Rotate a reader' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await expect.poll(() => page.locator('.notice code').count()).toBe(2)
    await page.getByRole('button', { name: 'Revoke a reader' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Revoke a reader' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke “a reader”?' })
    expect(await faults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke a reader' }).waitFor({ state: 'detached' })
  })

  it('[W1066] a corpus is deleted only once its name is typed', async () => {
    const { page, go } = visitor
    await api('PUT', '/v1/corpora/unwanted', {})
    await go('c/unwanted/usage')
    await page.getByText('Delete the corpus and everything in it').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the corpus “unwanted”?' })
    const goOn = dialog.getByRole('button', { name: 'Delete the corpus' })
    await dialog.getByLabel(/Type “unwanted”/).fill('unwante')
    expect(await goOn.isDisabled()).toBe(true)
    await dialog.getByLabel(/Type “unwanted”/).press('Enter')
    expect((await api('GET', '/v1/corpora/unwanted')).status).toBe('settled')
    await dialog.getByLabel(/Type “unwanted”/).fill('unwanted')
    await goOn.click()
    await expect
      .poll(() => api('GET', '/v1/corpora/unwanted').catch((error: Error & { status?: number }) => error.status), { timeout: 30_000 })
      .toBe(404)
  })

  it('[W2] the sample loads with one press and answers', async () => {
    const { page, go, picture } = visitor
    await api('PUT', '/v1/corpora/sampled', {})
    await go('c/sampled')
    await page.getByRole('button', { name: 'Load the sample' }).click()
    await expect.poll(() => page.locator('.list tbody tr').count(), { timeout: 90_000 }).toBe(7)
    await page.getByRole('table', { name: /What .* touched/ }).waitFor()
    await picture('sample')
    await go('c/sampled/explore?view=layers')
    await page.getByText('As a drawing').click()
    await page.locator('.icicle rect').first().waitFor()
    await picture('layers')
  })

  it('[W1545] layers are an outline of headings that open by keyboard, down to the texts', async () => {
    const { page } = visitor
    const outline = page.locator('.outline').first()
    const heading = outline.locator('summary').first()
    expect(await heading.innerText()).toMatch(/\w+ .*\d+ chunks?$/s)
    expect(await page.locator('main').innerText()).not.toMatch(/\b[smec]_[\w-]{22}/)
    await heading.focus()
    await page.keyboard.press('Enter')
    // Down the first branch.
    while ((await outline.locator('.leaves').count()) === 0) {
      await outline.locator('details:not([open]) > summary').first().focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => page.locator('.busy').count()).toBe(0)
    }
    expect(await outline.locator('.leaves a').first().innerText()).toContain('State of the Union')
    expect(await faults(page)).toEqual([])
  })

  it('[W1544] the whole corpus is shown as communities by size; without ArchRAG as topics, with what gives communities', async () => {
    const { page, go, picture } = visitor
    await go('c/sampled/explore?view=communities')
    await page.getByRole('heading', { name: 'Topics' }).waitFor()
    expect(await page.locator('main').innerText()).toContain('ArchRAG groups names that belong together')
    const sizes = async () =>
      (await page.locator('.outline > li > details > summary').allInnerTexts()).map((text) => Number(/([\d,]+) \w+$/.exec(text)?.[1]))
    expect(await sizes()).toEqual((await sizes()).toSorted((a, b) => b - a))
    await api('PUT', '/v1/corpora/communal', { strategies: ['archrag'] })
    const { job } = await api('PUT', '/v1/corpora/communal/documents/isle', {
      text: 'Marta Lind rebuilt the harbour of Skarholm. Anders Falk kept the lighthouse of Skarholm. Marta Lind and Anders Falk met in Riga.',
    })
    await expect
      .poll(async () => (await api('GET', `/v1/corpora/communal/jobs/${job}?wait=10`)).status, { timeout: 90_000 })
      .toBe('succeeded')
    await go('c/communal/explore?view=communities')
    await page.getByRole('heading', { name: 'Communities', exact: true }).waitFor()
    await page.locator('.outline summary').first().click()
    await page.locator('.outline a.chip').first().waitFor()
    expect(await faults(page)).toEqual([])
    await picture('communities')
  })

  it('[W1550] when the server is away the page says so, and reads what failed once it is back', async () => {
    visitor.provokes('ERR_CONNECTION_REFUSED /v1/corpora')
    const { page, go } = visitor
    await page.route(/\/(v1|healthz)/, (route) => route.abort('connectionrefused'))
    await go('')
    await page.getByText('The server cannot be reached. This page keeps trying').waitFor()
    expect(await faults(page)).toEqual([])
    await page.unroute(/\/(v1|healthz)/)
    await page.getByText('The server cannot be reached').first().waitFor({ state: 'detached' })
    await page.locator('.cards > li').first().waitFor() // other files make corpora too: which are on the first page is not known
  })

  it('[W33] light and dark can be chosen and are remembered', async () => {
    const { page } = visitor
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await ground()
    await page.getByRole('button', { name: /^Colours/ }).click()
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.reload()
    expect(await ground()).toBe(dark)
  })

  it('[W1] a key that is no longer accepted leads back to the door, with the reason', async () => {
    visitor.provokes('401 /v1/corpora', '401 /v1/corpora/corners')
    const { page, go } = visitor
    const { id, key } = await api('POST', '/v1/keys', { name: 'short', scopes: ['read'], corpora: ['*'] })
    await page.evaluate((entered) => sessionStorage.setItem('loam-key', entered), String(key))
    await page.reload()
    await api('DELETE', `/v1/keys/${id}`)
    await go('c/corners')
    await page.getByText('Your key is no longer accepted.').waitFor()
  })

  it('[W12][W2100] nothing was asked of any other server, no policy was broken, nothing was thrown, no error reported', () => {
    expect(visitor.complaints).toEqual([])
  })
})

/** Presses Tab until the element of this accessible name has the focus. */
async function tabTo({ page }: Visit, name: string, { back = false } = {}): Promise<void> {
  const wanted = (text: string) => text === name || text.startsWith(`${name}:`) || text.startsWith(`${name}\n`)
  for (let pressed = 0; pressed < 60; pressed++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null
      return element?.getAttribute('aria-label') ?? element?.labels?.[0]?.innerText.trim() ?? element?.innerText.trim() ?? ''
    })
    if (wanted(focused)) return
  }
  throw new Error(`Tab does not reach “${name}”`)
}
