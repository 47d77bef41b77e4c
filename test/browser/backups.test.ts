/** A backup by the page: taken under Usage, restored from its file on the list of corpora. */
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

afterAll(closeWindows)

describe.each(looks.filter(({ name }) => /desktop-light|phone-dark/.test(name)))('$name', (look) => {
  const corpus = `backed-up-${look.name}`
  let visitor: Visit
  const settled = async (answer: Record<string, never>) => api('GET', `/v1/corpora/${corpus}/jobs/${String(answer.job)}?wait=60`)

  beforeAll(async () => {
    visitor = await visit({ ...look, name: corpus })
    await api('PUT', `/v1/corpora/${corpus}`, { strategies: [] })
    const upserts = ['heron', 'gull'].map((id) => ({ id, text: `The ${id} stands on the pier of Port Ellis.` }))
    await settled(await api('POST', `/v1/corpora/${corpus}/documents:batch`, { upserts }))
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[J926] is taken, and restored with what was deleted since left deleted', async () => {
    const { page, go, picture } = visitor
    await go(`c/${corpus}/usage`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('listitem').filter({ hasText: 'A backup, to restore' }).getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${corpus}.backup.jsonl`)
    const file = join(tmpdir(), `${corpus}.backup.jsonl`)
    await download.saveAs(file)
    expect(await readFile(file, 'utf8')).toMatch(/^\{"type":"backup",[\s\S]*\n\{"type":"end",[^\n]*\}\n$/)
    await settled(await api('DELETE', `/v1/corpora/${corpus}/documents/gull`))
    await go('')
    await page.getByLabel(/^A file from Download/).setInputFiles(file)
    const form = page.locator('form').filter({ has: page.getByRole('heading', { name: 'Restore a backup' }) })
    await form.getByLabel('Under the name').waitFor()
    expect(await form.getByLabel('Under the name').inputValue()).toBe(`${corpus}-2`)
    expect(await form.getByRole('checkbox').isChecked()).toBe(true)
    expect(await form.innerText()).toContain('stays deleted')
    expect(await faults(page)).toEqual([])
    await form.scrollIntoViewIfNeeded()
    await picture('1-form')
    await form.getByRole('button', { name: 'Restore' }).click()
    await form.getByText(/is back/).waitFor()
    await picture('2-back')
    await expect
      .poll(async () => (await api('GET', `/v1/corpora/${corpus}-2/documents`).catch(() => ({ data: [] as never }))).data)
      .toMatchObject([{ document: 'heron' }])
  })

  it('[J926] what is no backup is refused before anything is made; an unknown origin is said', async () => {
    visitor.provokes(`422 /v1/corpora/gone-${look.name}:restore`)
    const { page, go } = visitor
    await go('')
    const input = page.getByLabel(/^A file from Download/)
    await input.setInputFiles({ name: 'notes.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from('{"id":"a","text":"b"}\n') })
    await page.getByRole('alert').getByText('notes.jsonl is not a Loam backup').waitFor()
    const file = join(tmpdir(), `${corpus}.backup.jsonl`)
    const other = `gone-${look.name}`
    await writeFile(`${file}.other`, (await readFile(file, 'utf8')).replace(`"corpus":"${corpus}"`, `"corpus":"${other}"`))
    await input.setInputFiles(`${file}.other`)
    await page.getByText(`“${other}” is not here`).waitFor()
    // Its digest is not that of its lines any more.
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('alert').getByText('This is not a part of a backup').waitFor()
  })

  it('[W12][W2100] nothing was asked of any other server, no policy was broken, nothing was thrown, no error reported', () => {
    expect(visitor.complaints).toEqual([])
  })
})
