/** Who may read what, and what keys may: given, shown and changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { adminKey, api, closeBrowser, drop, looks, signIn, type Visit, visit } from './visit'

afterAll(closeBrowser)

describe.each(looks.filter(({ name }) => /desktop-light|phone-dark/.test(name)))('$name', (look) => {
  const corpus = `guarded-${look.name}`
  const lent = `lent-${look.name}`
  let visitor: Visit
  const labelsOf = async (document: string, of = corpus): Promise<unknown> =>
    (await api('GET', `/v1/corpora/${of}/documents/${document}`)).access

  beforeAll(async () => {
    visitor = await visit({ ...look, name: corpus })
    await api('PUT', `/v1/corpora/${corpus}`, {})
    await api('PUT', `/v1/corpora/${lent}`, { default_access: ['group:staff'] })
    for (const of of [corpus, lent]) {
      const { job } = await api('PUT', `/v1/corpora/${of}/documents/pay`, { text: 'Anders Falk is paid on Fridays.' })
      await api('GET', `/v1/corpora/${of}/jobs/${job}?wait=30`)
    }
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W230] a document says who may read it', async () => {
    const { page, go } = visitor
    await go(`c/${corpus}/d/pay`)
    await page.getByText('Read by everyone who reads this corpus').waitFor()
    await go(`c/${lent}/d/pay`)
    await page.getByText('Read by group:staff, as the corpus says of documents without labels').waitFor()
  })

  it('[W231] labels are added by keyboard and taken away, each in force at the version that is named', async () => {
    const { page, go, picture } = visitor
    await go(`c/${corpus}/d/pay`)
    await page.getByText('Read by everyone').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Add labels').fill('group:finance, user:ana@example.org')
    await page.keyboard.press('Enter')
    await page.getByText(/In force since version \d+/).waitFor()
    expect(await labelsOf('pay')).toEqual(['group:finance', 'user:ana@example.org'])
    expect(await faults(page)).toEqual([])
    await picture('access')
    await page.getByRole('button', { name: 'Remove user:ana@example.org' }).click()
    await page.getByText('Without its last label it is read by everyone who reads this corpus.').waitFor()
    expect(await labelsOf('pay')).toEqual(['group:finance'])
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('document-labels')
    await page.getByRole('button', { name: 'Everyone who reads this corpus' }).click()
    await page.getByText('Read by everyone who reads this corpus').waitFor()
    expect(await labelsOf('pay')).toEqual([])
  })

  it('[W231] where the corpus lends labels, a document is opened to every reader of it', async () => {
    const { page, go } = visitor
    await go(`c/${lent}/d/pay`)
    await page.getByText('Read by group:staff').click()
    await page.getByRole('button', { name: 'Everyone who reads this corpus' }).click()
    await page.getByText('Read by everyone who reads this corpus').waitFor()
    expect(await labelsOf('pay', lent)).toEqual(['*'])
  })

  it('[W231] what is no label is refused where it is typed, and a key that may only read with the reason', async () => {
    const { page, go } = visitor
    await go(`c/${corpus}/d/pay`)
    await page.getByText('Read by everyone').click()
    await page.getByLabel('Add labels').fill('x'.repeat(201))
    await page.getByText('cannot be a label').waitFor()
    expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true)
    const { key } = await api('POST', '/v1/keys', { name: 'reads', scopes: ['read'], corpora: [corpus] })
    await page.evaluate((entered) => sessionStorage.setItem('loam-key', entered), String(key))
    await page.reload()
    await page.getByText('Read by everyone').click()
    await page.getByLabel('Add labels').fill('group:mine')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('Sign in with a key that may')
    expect(await labelsOf('pay')).toEqual([])
    await page.evaluate((entered) => sessionStorage.setItem('loam-key', entered), adminKey)
    await page.reload()
  })

  it('[W232] what is added is given labels, files and pages as well as a pasted text', async () => {
    const { page, go } = visitor
    await go(`c/${corpus}`)
    await page.getByText('What is added is read by everyone').click()
    await page.getByLabel('Labels', { exact: true }).fill('group:board, group:finance')
    await drop(page, [
      { name: 'one.txt', type: 'text/plain', text: 'Marta Lind drew a map.' },
      { name: 'two.txt', type: 'text/plain', text: 'The ferry is late.' },
      { name: 'page.html', type: 'text/html', text: '<title>Page</title><p>The mill is old.</p>' },
    ])
    for (const name of ['one', 'two', 'Page']) await page.getByRole('link', { name, exact: true }).waitFor()
    await page.getByText('Paste a text').click()
    await page.getByLabel('Title').fill('pasted')
    await page.getByLabel('Text', { exact: true }).fill('The harbour freezes.')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'pasted', exact: true }).waitFor()
    for (const id of ['one.txt', 'two.txt', 'page.html', 'pasted']) expect(await labelsOf(id)).toEqual(['group:board', 'group:finance'])
    expect(await faults(page)).toEqual([])
    await drop(page, [{ name: 'one.txt', type: 'text/plain', text: 'Marta Lind drew a map.' }])
    await page.getByText('the labels hold, and nothing was read or paid for again').waitFor()
  })

  it('[W12] nothing was asked of any other server, no policy was broken, nothing was thrown', () => {
    expect(visitor.complaints).toEqual([])
  })
})
