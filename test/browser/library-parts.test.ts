/** Files that are larger than a document may be, and what can be done about a file on its way; what a document's page says of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Loam } from '../../src/client/client'
import { namesIn } from '../../ui/src/library/names-in'
import { divideTable } from '../../ui/src/library/parts'
import { adminKey, api, closeWindows, drop, looks, signIn, url, type Visit, visit } from './visit'

const [look] = looks

afterAll(closeWindows)

describe('a table in parts', () => {
  const lines = (table: string): readonly string[] => table.split('\n').filter(Boolean)

  it('[W1673] is divided between rows, its first row repeated, and no row is lost or doubled', () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `Heron ${i},"weir, ${i}",${i}`)
    const parts = divideTable(['Bird,Place,Count', ...rows, ''].join('\n'))
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.map((part) => lines(part)[0])).toEqual(parts.map(() => 'Bird,Place,Count'))
    expect(parts.flatMap((part) => lines(part).slice(1))).toEqual(rows)
  })

  it('[W1673] a line break in quotes ends no row, and a first row of numbers names no columns', () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `${i},"a note\nof two lines ${i}"\n`)
    const parts = divideTable(rows.join(''))
    expect(parts.join('')).toBe(rows.join(''))
    expect(parts.every((part) => /^\d+,"a note\n/.test(part) && part.endsWith('"\n'))).toBe(true)
  })

  it('[W1673] one that is small stays whole, one without rows has no parts', () => {
    expect(divideTable('Bird,Legs\nOwl,2\n')).toEqual(['Bird,Legs\nOwl,2\n'])
    expect(divideTable('')).toEqual([])
  })
})

describe('names of a document', () => {
  it('[W1675] each stands once, those of most chunks first', () => {
    const of = (...names: string[]) => ({ entities: names.map((name) => ({ id: name, name })) })
    expect(namesIn([of('Riga', 'Berg'), of('Riga'), of()]).map(({ name, chunks }) => [name, chunks])).toEqual([
      ['Riga', 2],
      ['Berg', 1],
    ])
  })
})

describe('files on their way', () => {
  let visitor: Visit
  beforeAll(async () => {
    if (!look) throw new Error('there is a look')
    visitor = await visit({ ...look, name: 'library-parts' })
    await api('PUT', '/v1/corpora/way', { strategies: [] })
    await signIn(visitor, adminKey)
    await visitor.go('c/way')
    await visitor.page.locator('.drop').waitFor()
  })
  afterAll(() => visitor.close())

  const row = (name: string) =>
    visitor.page.getByRole('list', { name: 'Files', exact: true }).getByRole('listitem').filter({ hasText: name })
  const open = () => visitor.page.locator('details.files').evaluate((part) => part.setAttribute('open', ''))

  it('[W1673] a long text becomes parts, and what an earlier drop of it left is deleted', async () => {
    const { page, picture } = visitor
    const text = (paragraphs: number) => 'Marta Lind counts herons by the weir.\n\n'.repeat(paragraphs)
    await drop(page, [{ name: 'long.txt', type: 'text/plain', text: text(45_000) }]) // 1.7 MB
    await row('long.txt#part-4').waitFor()
    await picture('parts')
    await page.getByText('4 files: 4 done').waitFor()
    const ids = async () => (await new Loam({ url, key: adminKey }).corpus('way').page({})).data.map(({ document }) => document)
    expect(await ids()).toEqual([1, 2, 3, 4].map((n) => `long.txt#part-${n}`))
    await drop(page, [{ name: 'long.txt', type: 'text/plain', text: text(12_000) }]) // 0.5 MB: one document
    await expect.poll(ids, { timeout: 60_000 }).toEqual(['long.txt'])
  })

  it('[W1673] what cannot be divided is refused beside its name before it is sent, with what to do', async () => {
    const { page } = visitor
    await page.evaluate(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(17 * 1024 * 1024)], 'scan.pdf', { type: 'application/pdf' }))
      document.querySelector('.drop')?.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: transfer }))
    })
    const why = page.getByRole('alert').filter({ hasText: 'scan.pdf' })
    await why.waitFor()
    expect(await why.innerText()).toMatch(/at most 16 MiB; `loam ingest` reads a larger one/)
  })

  it('[W1990] what can be pressed beside the field stays where it is while files come, are refused and are done', async () => {
    const { page } = visitor
    const places = async () => {
      const all = await page.locator('.drop, fieldset.allowed > details > summary').all()
      return Promise.all(all.map(async (one) => Math.round((await one.boundingBox())?.y ?? -1)))
    }
    const held: (() => void)[] = []
    await page.reload()
    await page.getByText('Paste text').waitFor()
    const before = await places()
    expect(before.length).toBe(3)
    await page.route('**/documents/still*.html**', (route) => void held.push(() => void route.continue()))
    await drop(page, [
      { name: 'still.html', type: 'text/html', text: '<p>The heron stands still.</p>' },
      { name: 'still.exe', type: 'application/x-msdownload', text: 'MZ\u0000\u0001' },
    ])
    await row('still.html').getByText('sending').waitFor()
    expect(await places()).toEqual(before)
    await expect.poll(() => held.length).toBe(1)
    for (const release of held) release()
    await page.getByText('1 file: 1 done').waitFor()
    await page.getByRole('alert').filter({ hasText: 'still.exe' }).waitFor()
    expect(await places()).toEqual(before)
    await page.unroute('**/documents/still*.html**')
  })

  it('[W1674] one that waits is not sent, one that is being sent is broken off, and both can be tried again', async () => {
    const { page } = visitor
    const held: (() => void)[] = []
    await page.route('**/documents/slow*.html**', (route) => void held.push(() => void route.abort().catch(() => undefined)))
    await drop(
      page,
      [1, 2].map((n) => ({ name: `slow${n}.html`, type: 'text/html', text: `<p>Heron number ${n} waits.</p>` })),
    )
    await page.getByRole('button', { name: 'Cancel: slow2.html' }).click()
    await page.getByRole('button', { name: 'Cancel: slow1.html' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'slow1.html' })
    await alert.waitFor()
    expect(await alert.innerText()).toContain('slow1.html: It was stopped while it was being sent, and may have arrived.')
    expect(await alert.innerText()).toContain('slow2.html: It was not sent.')
    await page.unroute('**/documents/slow*.html**')
    for (const release of held) release()
    await page.getByRole('button', { name: 'Try all 2 again' }).click()
    await page.getByText('2 files: 2 done').waitFor()
  })

  it('[W1674] one that is being indexed is cancelled, one whose job failed is tried again, beside its name', async () => {
    const { page, complaints } = visitor
    const [asked, state]: [string[], { status: string; error?: string }] = [[], { status: 'running' }]
    await page.route('**/v1/corpora/way/jobs/j_*', async (route) => {
      const { pathname } = new URL(route.request().url())
      const action = /:(cancel|retry)$/.exec(pathname)?.[1]
      if (action) {
        asked.push(action)
        Object.assign(state, action === 'cancel' ? { status: 'cancelled' } : { status: 'succeeded', error: undefined })
        return route.fulfill({ status: 200, json: { job: 'j_x', status: state.status } })
      }
      const response = await route.fetch()
      return route.fulfill({ response, json: { ...(await response.json()), ...state } })
    })
    await drop(page, [{ name: 'tern.html', type: 'text/html', text: '<p>A tern is here.</p>' }])
    await row('tern.html')
      .getByText(/^(indexing|embedding)/)
      .waitFor() // before, the button breaks off the sending
    await page.getByRole('button', { name: 'Cancel: tern.html' }).click()
    await row('tern.html').getByText('cancelled: the rest was not indexed').waitFor()
    Object.assign(state, { status: 'failed', error: 'down' })
    await drop(page, [{ name: 'gull.html', type: 'text/html', text: '<p>A gull is here.</p>' }])
    await row('gull.html').getByText('failed: the model could not be reached').waitFor()
    await page.getByRole('button', { name: 'Try again: gull.html' }).click()
    await page.getByText('1 file: 1 done').waitFor()
    await open()
    await row('gull.html').getByText('indexed').waitFor()
    expect(asked).toEqual(['cancel', 'retry'])
    await page.unroute('**/v1/corpora/way/jobs/j_*')
    expect(complaints).toEqual([])
  })

  it('[W1675] a document’s page lists the names in it, which lead into the graph, and what was done to it', async () => {
    const { page, go, picture } = visitor
    const { job } = await api('PUT', '/v1/corpora/way/documents/letter.md', { text: '# Letter\n\nMarta Lind met Anders Berg in Riga.' })
    await api('GET', `/v1/corpora/way/jobs/${job}?wait=30`)
    await api('PATCH', '/v1/corpora/way/documents/letter.md', { active: false })
    await go('c/way/d/letter.md')
    await page.getByText('Names mentioned').click()
    const name = page.getByRole('list', { name: 'Names in this document' }).getByRole('link', { name: /^Marta Lind/ })
    expect(await name.getAttribute('href')).toMatch(/^#\/c\/way\/explore\?node=e_/)
    await page.getByText('History', { exact: true }).click()
    const entries = page.getByRole('list', { name: /^What was done to this document/ }).getByRole('listitem')
    await entries.first().waitFor()
    await picture('document')
    expect((await entries.allInnerTexts()).map((text) => text.replace(/^.*?: /, ''))).toEqual([
      'switched on or off over the API, key admin',
      'stored over the API, key admin',
    ])
  })

  it('[W1675] a key that may not see the audit log is told so', async () => {
    const { key } = await api('POST', '/v1/keys', { name: 'reader of way', scopes: ['read'], corpora: ['way'] })
    if (!look) throw new Error('there is a look')
    const reader = await visit({ ...look, name: 'library-reader' })
    await reader.go('')
    await reader.page.getByLabel('Your key').fill(String(key))
    await reader.page.getByRole('button', { name: 'Open', exact: true }).click()
    await reader.page.getByRole('heading', { name: 'Corpora' }).waitFor()
    await reader.go('c/way/d/letter.md')
    await reader.page.getByText('History', { exact: true }).click()
    await reader.page.getByText('The audit log, which administrators see, says who changed it.').waitFor()
    expect(reader.complaints).toEqual([])
    await reader.close()
  })
})
