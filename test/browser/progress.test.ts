/** What a reader sees while documents come in: how far that is, after an interruption too, and whether `auto` still measures itself. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Corpus, Job } from '../../src/client/client'
import { faults } from './faults'
import { adminKey, api, closeBrowser, looks, visit as open, signIn, type Visit } from './visit'

const [look] = looks
const CORPUS = 'coming'
const MANY = 500 // documents: they take some seconds
const BATCH = 250 // documents of one request
const ENOUGH = 10_000 // tokens: for a part of one

const note = (n: number) => ({
  id: `note-${n}`,
  title: `Note ${n}`,
  text: Array.from(
    { length: 12 },
    (_, i) => `Keeper ${(n * 7 + i) % 90} of the northern weir counted ${n + i} herons on day ${i} of year ${n}.`,
  ).join(' '),
})

async function putMany(from: number, count = MANY): Promise<string[]> {
  const jobs: string[] = []
  for (let at = from; at < from + count; at += BATCH) {
    const upserts = Array.from({ length: Math.min(BATCH, from + count - at) }, (_, i) => note(at + i))
    const { job } = await api('POST', `/v1/corpora/${CORPUS}/documents:batch`, { upserts })
    jobs.push(String(job))
  }
  return jobs
}

async function view<T>(path: string): Promise<T> {
  return (await api('GET', `/v1/corpora/${CORPUS}${path}`)) as unknown as T
}

async function ended(jobs: readonly string[]): Promise<void> {
  for (const job of jobs)
    await expect.poll(async () => (await api('GET', `/v1/corpora/${CORPUS}/jobs/${job}?wait=20`)).status).toBe('succeeded')
}

/** Keeps every state of the list of work from now on, in this page: a bar moves faster than a test looks. */
async function keepStates(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const kept: string[] = []
    Object.assign(window, { kept })
    new MutationObserver(() => {
      for (const bar of document.querySelectorAll('.jobs [role=status]')) if (!kept.includes(bar.textContent)) kept.push(bar.textContent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { readonly kept: readonly string[] }).kept)
}

const numberBefore = (words: string, text: string): number =>
  Number(new RegExp(`([\\d,]+) of [\\d,]+ ${words}`).exec(text)?.[1]?.replaceAll(',', '') ?? Number.NaN)

afterAll(closeBrowser)

describe('while documents come in', () => {
  let visitor: Visit
  beforeAll(async () => {
    if (!look) throw new Error('there is a look')
    visitor = await open({ ...look, name: CORPUS })
    await api('PUT', `/v1/corpora/${CORPUS}`, {})
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W130] the bar counts documents, chunks and embedded texts, each of all, with the rate and the time left', async () => {
    const { page, go, picture } = visitor
    await go(`c/${CORPUS}`)
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
    const jobs = await putMany(0)
    await page.reload()
    const states = await keepStates(page)
    await page.getByRole('progressbar', { name: 'Progress' }).first().waitFor()
    await picture('1-bar')
    await ended(jobs)
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
    const seen = (await states()).filter((one) => one !== 'queued')
    const counted = seen.filter((one) => /of 250 documents, [\d,]+ of [\d,]+ chunks, [\d,]+ of [\d,]+ texts embedded/.test(one))
    expect(counted, seen.join('\n')).not.toEqual([])
    expect(
      counted.some((one) => /(texts|chunks) a second/.test(one)),
      seen.join('\n'),
    ).toBe(true)
    expect(
      counted.some((one) => / left$/.test(one)),
      seen.join('\n'),
    ).toBe(true)
    expect(await faults(page)).toEqual([])
  })

  it('[W130] the corpus is marked as tuning while auto measures itself, beside the last job too, and no longer when it is done', async () => {
    const { page, go, picture } = visitor
    const jobs = await putMany(MANY)
    await go('')
    await go(`c/${CORPUS}`)
    const mark = page.locator('.head .status[data-status=tuning]')
    await mark.waitFor()
    expect(await page.locator('.head [title]').getAttribute('title')).toContain('auto measures which of its channels to trust')
    await picture('2-tuning')
    await ended(jobs)
    await expect.poll(async () => (await api('GET', `/v1/corpora/${CORPUS}`)).tuning).toBe(false)
    await mark.waitFor({ state: 'detached' })
    const { trace } = await api('POST', `/v1/corpora/${CORPUS}/search`, { query: 'Who counted herons?', trace: true })
    expect(trace).toMatchObject({ tuning: false, calibration: { passages: expect.any(Number) } })
  })

  it('[W130] after an interruption the bar goes on from what is done, at the first look', async () => {
    const { page, go, picture } = visitor
    const { usage } = await view<Pick<Corpus, 'usage'>>('')
    await api('PUT', `/v1/corpora/${CORPUS}`, { budget: { tokens: usage.in + usage.out + usage.embedded + ENOUGH } })
    const [job = ''] = await putMany(2 * MANY, BATCH)
    await expect.poll(async () => (await view<Job>(`/jobs/${job}`)).status).toBe('paused_budget')
    const { texts } = (await view<Job>(`/jobs/${job}`)).progress
    expect(texts?.done).toBeGreaterThan(0)
    await go('')
    await go(`c/${CORPUS}`)
    await page
      .getByRole('button', { name: /paused: budget/ })
      .first()
      .waitFor()
    await picture('3-paused')
    const states = await keepStates(page)
    await go('')
    await api('PUT', `/v1/corpora/${CORPUS}`, { budget: null })
    await go(`c/${CORPUS}`)
    await ended([job])
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
    const embedded = (await states()).map((one) => numberBefore('texts', one)).filter((one) => one >= 0)
    expect(embedded.length, (await states()).join('\n')).toBeGreaterThan(0)
    expect(Math.min(...embedded)).toBeGreaterThanOrEqual(texts?.done ?? 0)
  })

  it('[W12] nothing was asked of any other server, nothing was thrown', () => {
    expect(visitor.complaints).toEqual([])
  })
})
