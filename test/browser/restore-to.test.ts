/** A corpus back to a moment, by the page. What the platform would answer is put in its place: a local machine remembers nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Recovery, RecoveryEstimate } from '../../src/client/client'
import { faults } from './faults'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

const STEPS = ['closing', 'setting_back', 'replaying'] as const

afterAll(closeWindows)

describe.each(looks.filter(({ name }) => /desktop-light|phone-dark/.test(name)))('$name', (look) => {
  const corpus = `then-${look.name}`
  let visitor: Visit
  let job: string
  const card = () => visitor.page.getByRole('region', { name: 'Restore to a moment' })
  const estimateOf = (time: string): RecoveryEstimate => ({
    corpus,
    status: 'estimate',
    time,
    version_then: 3,
    committed_at: time,
    version: 9,
    lost: { commits: 6, documents: 1204, actions: { 'document.put': 1204, 'document.delete': 2 } },
    kept: { deleted: 2, access: 1 },
    confirm: 'c0ffee',
  })
  /** The platform's answers: what it was sent, and how it is got on to the next step, of which `end` is the last. */
  const platform = async (end: 'restored' | 'refused') => {
    const { page } = visitor
    const sent: { time: string; confirm?: string }[] = []
    let at = -1 // it is not begun
    const state = (): Recovery => {
      const status = STEPS[at] ?? end
      const isOver = status === end
      const time = sent.at(-1)?.time ?? ''
      const versions = isOver ? { version_before: 9, version: 10 } : { version_before: null, version: null }
      return { corpus, status, id: 'r_1', time, replaying: status === 'replaying' ? 2 : 0, job: isOver ? job : null, ...versions }
    }
    await page.unrouteAll()
    await page.route(`**/v1/corpora/${corpus}:restore-to`, (route) => {
      const body = route.request().postDataJSON() as { time: string; confirm?: string }
      sent.push(body)
      if (body.confirm === undefined) return route.fulfill({ json: estimateOf(body.time) })
      at = 0
      return route.fulfill({ status: 202, json: state() })
    })
    await page.route(`**/v1/corpora/${corpus}/restore-to`, (route) => route.fulfill({ json: state() }))
    await page.route(`**/v1/corpora/${corpus}`, async (route) => {
      const now = () => (at >= 0 && state().status !== end ? { status: 'restoring', version: 0, counts: {} } : {})
      // The page may be closed while it asks.
      await route
        .fetch()
        .then(async (response) => route.fulfill({ json: { ...(await response.json()), ...now() } }))
        .catch(() => undefined)
    })
    return { sent, next: () => at++ }
  }

  beforeAll(async () => {
    visitor = await visit({ name: corpus, context: { ...look.context, timezoneId: 'America/New_York' } })
    await api('PUT', `/v1/corpora/${corpus}`, { strategies: [] })
    job = String((await api('PUT', `/v1/corpora/${corpus}/documents/heron`, { text: 'The heron stands on the pier.' })).job)
    await api('GET', `/v1/corpora/${corpus}/jobs/${job}?wait=60`)
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W939] where nothing is remembered, as here, that is said with what works instead, and the corpus goes on answering', async () => {
    visitor.provokes(`409 /v1/corpora/${corpus}:restore-to`, `422 /v1/corpora/${corpus}:restore-to`)
    const { go, picture } = visitor
    // A moment before the corpus was made is refused by the field, and the field has no fractions of a second.
    const { created_at: made } = await api('GET', `/v1/corpora/${corpus}`)
    await expect.poll(() => Date.now() - Date.parse(String(made))).toBeGreaterThan(2000)
    await go(`c/${corpus}/usage`)
    await card()
      .getByLabel(/^Moment, in your time zone/)
      .fill(inNewYork(new Date()))
    await card().getByRole('button', { name: 'Estimate' }).click()
    await card().getByText('only on Cloudflare are earlier states of a corpus kept').waitFor()
    expect(await card().getByRole('alert').count()).toBe(0)
    expect(await card().getByRole('button', { name: 'Restore it' }).count()).toBe(0)
    expect(await faults(visitor.page)).toEqual([])
    await card().scrollIntoViewIfNeeded()
    await picture('1-unavailable')
    expect((await api('GET', `/v1/corpora/${corpus}`)).status).toBe('settled')
    await card()
      .getByLabel(/^Moment, in your time zone/)
      .fill('2999-01-01T00:00:00')
    await card().getByRole('button', { name: 'Estimate' }).click()
    await card().getByRole('alert').getByText('is in the future').waitFor()
  })

  it('[W939] a moment in the visitor’s zone is shown in UTC and estimated; nothing is sent before yes is said on the page', async () => {
    const { page, picture } = visitor
    const { sent } = await platform('restored')
    await page.reload()
    const field = card().getByLabel('Moment, in your time zone (America/New_York)')
    const at = new Date()
    await field.fill(inNewYork(at))
    const time = `${at.toISOString().slice(0, 19)}.000Z`
    expect(await card().innerText()).toContain(`That is ${time.slice(0, 19).replace('T', ' ')} UTC.`)
    await card().getByRole('button', { name: 'Estimate' }).click()
    const question = card().getByRole('region', { name: `Restore “${corpus}” to` })
    await question.waitFor()
    const said = await question.innerText()
    for (const part of [
      'version 3 then',
      'it is 9 now',
      '6 versions',
      '1,204 documents',
      '2 deletions and 1 change of access',
      'document.delete 2',
    ])
      expect(said).toContain(part)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(`Restore “${corpus}” to`)
    expect(await faults(page)).toEqual([])
    await question.scrollIntoViewIfNeeded()
    await picture('2-question')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(sent).toEqual([{ time }])
  })

  it('[W940] while it is closed every tab says how far it is, also after a reload; then it is back and says as which version', async () => {
    const { page, go, picture } = visitor
    const { sent, next } = await platform('restored')
    await card().getByRole('button', { name: 'Estimate' }).click()
    await card().getByRole('button', { name: 'Restore it' }).click()
    const closed = page.getByRole('region', { name: /^Being restored/ })
    await closed.getByText('Closing the corpus').waitFor()
    expect(sent.map(({ confirm }) => confirm)).toEqual([undefined, 'c0ffee'])
    expect(sent[1]?.time).toBe(sent[0]?.time)
    expect(await faults(page)).toEqual([])
    await picture('3-closed')
    next()
    await page.reload()
    await closed.getByText('Restoring its storage').waitFor()
    next()
    await go(`c/${corpus}/ask`)
    await closed.getByText('Deleting again what was deleted since, 2 changes left').waitFor()
    next()
    await closed.waitFor({ state: 'detached' })
    await go(`c/${corpus}/usage`)
    await card().getByText('version 9 became 10').waitFor()
    await card().scrollIntoViewIfNeeded()
    await picture('4-back')
    expect(await faults(page)).toEqual([])
  })

  it('[W940] a platform that refuses is told of as that: the corpus is open as it was', async () => {
    const { page } = visitor
    const { next } = await platform('refused')
    await card().getByRole('button', { name: 'Estimate' }).click()
    await card().getByRole('button', { name: 'Restore it' }).click()
    await page.getByRole('region', { name: /^Being restored/ }).waitFor()
    for (let i = 0; i < STEPS.length; i++) next()
    await card().getByText('It is open again as it was, at version 10; nothing was lost.').waitFor()
    await page.unrouteAll()
  })

  it('[W12][W2100] nothing was asked of any other server, no policy was broken, nothing was thrown, no error reported', () => {
    expect(visitor.complaints).toEqual([])
  })
})

/** As a field for dates and times takes it. */
const inNewYork = (at: Date): string => at.toLocaleString('sv', { timeZone: 'America/New_York' }).replace(' ', 'T')
