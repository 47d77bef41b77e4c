/** Who may read what, and what keys may: given, shown and changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { type Outside, outside } from './outside'
import { adminKey, api, closeWindows, drop, looks, signIn, type Visit, visit } from './visit'

afterAll(closeWindows)

describe.each(looks.filter(({ name }) => /desktop-light|phone-dark/.test(name)))('$name', (look) => {
  const corpus = `guarded-${look.name}`
  const lent = `lent-${look.name}`
  let visitor: Visit
  let world: Outside
  const labelsOf = async (document: string, of = corpus): Promise<unknown> =>
    (await api('GET', `/v1/corpora/${of}/documents/${document}`)).access

  const keyNamed = async (name: string): Promise<Record<string, unknown> | undefined> => {
    const { data } = (await api('GET', '/v1/keys?limit=200')) as { readonly data?: readonly Record<string, unknown>[] }
    return data?.find((one) => one.name === name)
  }

  beforeAll(async () => {
    world = await outside()
    visitor = await visit({ ...look, name: corpus })
    await api('PUT', `/v1/corpora/${corpus}`, {})
    await api('PUT', `/v1/corpora/${lent}`, { default_access: ['group:staff'] })
    for (const of of [corpus, lent]) {
      const { job } = await api('PUT', `/v1/corpora/${of}/documents/pay`, { text: 'Anders Falk is paid on Fridays.' })
      await api('GET', `/v1/corpora/${of}/jobs/${job}?wait=30`)
    }
    await signIn(visitor, adminKey)
  })
  afterAll(async () => {
    await visitor.close()
    await world.close()
  })

  it('[W231] a document says who may read it', async () => {
    const { page, go } = visitor
    await go(`c/${corpus}/d/pay`)
    await page.getByText(/^Read by everyone who reads this corpus/).waitFor()
    await go(`c/${lent}/d/pay`)
    await page.getByText('Read by group:staff, the corpus’s default for documents without labels').waitFor()
  })

  it('[P1915] pages of documents on which all are others’ are passed over, some at a time, and the corpus does not count as empty', async () => {
    const { page, go } = visitor
    const asked: (string | null)[] = []
    const list = new RegExp(`/v1/corpora/${corpus}/documents(\\?|$)`)
    await page.route(list, (route) => {
      const url = new URL(route.request().url())
      const cursor = url.searchParams.get('cursor')
      asked.push(cursor)
      const nth = Number(cursor ?? 0)
      if (nth < 7) return route.fulfill({ json: { data: [], next_cursor: String(nth + 1) } })
      return route.continue({ url: url.origin + url.pathname })
    })
    await go(`c/${corpus}`)
    await page.getByText('None among those looked through so far.').waitFor()
    expect([asked, await page.getByText('No documents yet').count()]).toEqual([[null, '1', '2', '3', '4'], 0])
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('link', { name: 'pay', exact: true }).waitFor()
    expect(asked.slice(5)).toEqual(['5', '6', '7'])
    await page.unroute(list)
  })

  it('[W231] a document that comes from a page that is followed says which labels that gives it', async () => {
    const { page, go } = visitor
    const source = { url: `${world.url}/tides`, document: 'tides', every: '1d', access: ['group:harbour'] }
    await api('POST', `/v1/corpora/${corpus}/sources`, source)
    await expect.poll(() => labelsOf('tides').catch(() => null)).toEqual(['group:harbour'])
    await go(`c/${corpus}/d/tides`)
    await page.getByText('Read by group:harbour').click()
    await page.getByText(/a followed page, which gives it group:harbour/).waitFor()
  })

  it('[W231] labels are added by keyboard and taken away, each in force at the version that is named', async () => {
    const { page, go, picture } = visitor
    await go(`c/${corpus}/d/pay`)
    await page.getByText(/^Read by everyone/).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Add labels').fill('group:finance, user:ana@example.org')
    await page.keyboard.press('Enter')
    await page.getByText(/In effect since version \d+/).waitFor()
    expect(await labelsOf('pay')).toEqual(['group:finance', 'user:ana@example.org'])
    expect(await faults(page)).toEqual([])
    await picture('access')
    await page.getByRole('button', { name: 'Remove user:ana@example.org' }).click()
    await page.getByText('Without its last label it is read by everyone who reads this corpus.').waitFor()
    expect(await labelsOf('pay')).toEqual(['group:finance'])
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('document-labels')
    await page.getByRole('button', { name: 'Everyone who reads this corpus' }).click()
    await page.getByText(/^Read by everyone who reads this corpus/).waitFor()
    expect(await labelsOf('pay')).toEqual([])
  })

  it('[W231] where the corpus lends labels, a document is opened to every reader of it', async () => {
    const { page, go } = visitor
    await go(`c/${lent}/d/pay`)
    await page.getByText('Read by group:staff').click()
    await page.getByRole('button', { name: 'Everyone who reads this corpus' }).click()
    await page.getByText(/^Read by everyone who reads this corpus/).waitFor()
    expect(await labelsOf('pay', lent)).toEqual(['*'])
  })

  it('[W231] what is no label is refused where it is typed, and a key that may only read with the reason', async () => {
    const { page, go } = visitor
    await go(`c/${corpus}/d/pay`)
    await page.getByText(/^Read by everyone/).click()
    await page.getByLabel('Add labels').fill('x'.repeat(201))
    await page.getByText('cannot be a label').waitFor()
    expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true)
    const { key } = await api('POST', '/v1/keys', { name: 'reads', scopes: ['read'], corpora: [corpus] })
    await page.evaluate((entered) => sessionStorage.setItem('loam-key', entered), String(key))
    await page.reload()
    await page.getByText(/^Read by everyone/).click()
    await page.getByText('Your key may only read here').filter({ visible: true }).waitFor() // the language's is folded away
    expect(await page.getByLabel('Add labels').isDisabled()).toBe(true)
    expect(await labelsOf('pay')).toEqual([])
    await page.evaluate((entered) => sessionStorage.setItem('loam-key', entered), adminKey)
    await page.reload()
  })

  it('[W231] what is added is given labels, files and pages as well as a pasted text', async () => {
    const { page, go } = visitor
    await go(`c/${corpus}`)
    await page.reload() // what was typed before is gone
    await page.getByText('New documents can be read by everyone').click()
    await page.getByLabel('Labels', { exact: true }).fill('group:board, group:finance')
    await drop(page, [
      { name: 'one.txt', type: 'text/plain', text: 'Marta Lind drew a map.' },
      { name: 'two.txt', type: 'text/plain', text: 'The ferry is late.' },
      { name: 'page.html', type: 'text/html', text: '<title>Page</title><p>The mill is old.</p>' },
    ])
    for (const name of ['one', 'two', 'Page']) await page.getByRole('link', { name, exact: true }).waitFor()
    await page.getByText('Paste text').click()
    await page.getByLabel('Title').fill('pasted')
    await page.getByLabel('Text', { exact: true }).fill('The harbour freezes.')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'pasted', exact: true }).waitFor()
    for (const id of ['one.txt', 'two.txt', 'page.html', 'pasted']) expect(await labelsOf(id)).toEqual(['group:board', 'group:finance'])
    expect(await faults(page)).toEqual([])
    await drop(page, [{ name: 'one.txt', type: 'text/plain', text: 'Marta Lind drew a map.' }])
    await page.getByText('the labels apply, and nothing was read or paid for again').waitFor()
  })

  it('[W234] a key is made with its rights, whom it speaks for, its last day and its limits', async () => {
    const { page, go } = visitor
    await go('keys')
    await page.getByLabel('What it is for').fill(`a shop ${look.name}`)
    await page.getByLabel(/may ask on behalf of others/).check()
    await page.getByLabel(/^Corpora/).fill(`${corpus}, ${lent}`)
    await page.getByLabel('Speaks for').fill('group:finance, user:ana@example.org')
    await page.getByLabel('Expires').selectOption('until')
    await page.getByLabel('Last day').fill('2099-12-31')
    await page.getByLabel('Requests a day').fill('3')
    await page.getByLabel('Tokens a day').fill('5000')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await expect.poll(() => page.locator('.notice code').innerText()).toMatch(/^loam_/)
    const made = await keyNamed(`a shop ${look.name}`)
    expect(made).toMatchObject({
      scopes: ['read'],
      corpora: expect.arrayContaining([corpus, lent]),
      principals: ['group:finance', 'user:ana@example.org'],
      access_choose: true,
      limits: { requests_a_day: 3, tokens_a_day: 5000 },
      expires_at: '2100-01-01T00:00:00.000Z',
    })
  })

  it('[W234] what a key has used of its day stands beside its limits, and these are changed there', async () => {
    const { page, go, picture } = visitor
    const secret = await page.locator('.notice code').innerText()
    for (let asked = 0; asked < 2; asked++) {
      await fetch(new URL(`/v1/corpora/${corpus}/documents`, page.url()), { headers: { authorization: `Bearer ${secret}` } })
    }
    await page.reload()
    const card = page.getByRole('listitem').filter({ hasText: `a shop ${look.name}` })
    await card.getByText('2 of 3 requests (67%)').waitFor()
    await card.getByText('0 of 5,000 tokens (0%)').waitFor()
    const limits = card.getByRole('button', { name: /^Limits/ })
    await limits.focus()
    await page.keyboard.press('Enter')
    await card.getByLabel('Requests a day').fill('40')
    await card.getByLabel('Tokens a day').fill('')
    expect(await faults(page)).toEqual([])
    await card.scrollIntoViewIfNeeded()
    await picture('limits')
    await page.keyboard.press('Enter')
    await card.getByText('2 of 40 requests (5%)').waitFor()
    expect((await keyNamed(`a shop ${look.name}`))?.limits).toEqual({ requests_a_day: 40 })
    await expect.poll(() => limits.getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => limits.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true)
    await page.evaluate((entered) => sessionStorage.setItem('loam-key', entered), secret)
    await go('keys')
    await page.reload()
    await page
      .getByRole('region', { name: 'Your key' })
      .getByText(/of 40 requests/)
      .waitFor()
    await page.evaluate((entered) => sessionStorage.setItem('loam-key', entered), adminKey)
    await page.reload()
  })

  const asKey = async (secret: string) => {
    await visitor.page.evaluate((entered) => sessionStorage.setItem('loam-key', entered), secret)
    await visitor.page.reload()
  }

  it('[W250] a corpus is told who reads its documents without labels', async () => {
    const { page, go, picture } = visitor
    await go(`c/${lent}/usage`)
    const readers = page.locator('form', { has: page.getByRole('heading', { name: 'Readers' }) })
    await readers.getByText('Documents without labels are read by group:staff').waitFor()
    await readers.getByLabel('Default labels').fill('group:staff, group:board')
    expect(await faults(page)).toEqual([])
    await picture('default-access')
    await readers.getByRole('button', { name: 'Save' }).click()
    const lends = async () => (await api('GET', `/v1/corpora/${lent}`)).default_access
    await expect.poll(lends).toEqual(['group:board', 'group:staff'])
    await readers.getByLabel('Documents without labels').selectOption('nobody')
    await readers.getByRole('button', { name: 'Save' }).click()
    await expect.poll(lends).toEqual([])
    await readers.getByLabel('Documents without labels').selectOption('everyone')
    await readers.getByRole('button', { name: 'Save' }).click()
    await expect.poll(lends).toBeNull()
  })

  it('[W251] a page that is followed and a webhook are given the labels of what they bring, and show them', async () => {
    const { page, go } = visitor
    await go(`c/${corpus}/connections`)
    const sources = page.getByRole('region', { name: 'Sources', exact: true })
    await sources.getByLabel('Page', { exact: true }).fill(`${world.url}/tides?labelled`)
    await sources.getByLabel('Who may read its document').fill('group:pilots')
    await sources.getByRole('button', { name: 'Follow the page' }).click()
    await sources.getByText('Its document is read by group:pilots').waitFor()
    const hooks = page.getByRole('region', { name: 'Webhooks in', exact: true })
    await hooks.getByLabel('Who sends').selectOption('github')
    await hooks.getByLabel('Who may read its documents').fill('group:makers, user:ana@example.org')
    await hooks.getByRole('button', { name: 'Create a webhook' }).click()
    await hooks.getByText('Its documents can be read by group:makersuser:ana@example.org').waitFor()
    expect(await faults(page)).toEqual([])
    const { data } = (await api('GET', `/v1/corpora/${corpus}/hooks`)) as { readonly data?: readonly Record<string, unknown>[] }
    expect(data?.[0]?.access).toEqual(['group:makers', 'user:ana@example.org'])
  })

  it('[W252] a key that may choose asks for somebody, and sees what they see until that is ended', async () => {
    const { page, go, picture } = visitor
    await api('PATCH', `/v1/corpora/${corpus}/documents/pay`, { access: ['group:finance'] })
    const { key } = await api('POST', '/v1/keys', { name: 'front', scopes: ['read'], corpora: [corpus], access_choose: true })
    await go(`c/${corpus}`)
    await asKey(String(key))
    const pay = page.getByRole('link', { name: 'pay', exact: true })
    await page.getByText('See as somebody else').click()
    await expect.poll(() => pay.count()).toBe(0)
    await page.getByLabel('Ask as').fill('group:finance')
    await page.getByRole('button', { name: 'Ask as them' }).click()
    await page.getByText('You see what group:finance may read.').waitFor()
    await pay.waitFor()
    expect(await faults(page)).toEqual([])
    await picture('asked-as')
    await page.getByRole('link', { name: 'Ask', exact: true }).click()
    await page.getByPlaceholder('Ask a question').fill('When is Anders Falk paid?')
    await page.keyboard.press('Enter')
    await page.locator('.turns').getByText('on Fridays').first().waitFor()
    await page.getByRole('button', { name: 'Stop asking as them' }).click()
    await expect.poll(() => page.locator('.turns').innerText()).toBe('')
    await asKey(adminKey)
  })

  it('[W253] a reader’s page says what the key may not do, and asks for none of it', async () => {
    const { page, go, picture } = visitor
    const { key } = await api('POST', '/v1/keys', { name: 'reader', scopes: ['read'], corpora: [corpus] })
    await go(`c/${corpus}`)
    await asKey(String(key))
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await page.getByText('Your key may only read here').waitFor()
    expect(await page.getByRole('button', { name: 'choose files' }).isDisabled()).toBe(true)
    expect(await faults(page)).toEqual([])
    await picture('reader')
    await drop(page, [{ name: 'no.txt', type: 'text/plain', text: 'Not taken.' }])
    await go(`c/${corpus}/usage`)
    await page.getByText('sign in with an administrator’s key').first().waitFor()
    expect(await page.getByLabel('Tokens', { exact: true }).isDisabled()).toBe(true)
    await go(`c/${corpus}/connections`)
    await page.getByText('Connections need the right to write').waitFor()
    await go('keys')
    await page.getByText('sign in with an administrator’s key').waitFor()
    expect(await page.getByRole('button', { name: 'Create a key' }).count()).toBe(0)
    await go(`c/${corpus}/checks`)
    await page.getByText('For those who may read all of it').waitFor()
    expect(refused).toEqual([])
    await asKey(adminKey)
  })

  it('[W12][W2100] nothing was asked of any other server, no policy was broken, nothing was thrown, no error reported', () => {
    expect(visitor.complaints).toEqual([])
  })
})
