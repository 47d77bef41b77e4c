/** What a reader sees while documents come in: how far that is, after an interruption too, and whether `auto` still measures itself. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job } from '../../src/client/client'
import { faults } from './faults'
import { adminKey, api, closeWindows, looks, visit as open, signIn, type Visit } from './visit'

const [look] = looks
const CORPUS = 'coming'
const TUNED = 'tuned'
const MEASURED = 150_000 // ms at most until `auto` has measured itself, on a busy machine

const note = (n: number) => ({
  id: `note-${n}`,
  title: `Note ${n}`,
  text: Array.from(
    { length: 12 },
    (_, i) => `Keeper ${(n * 7 + i) % 90} of the northern weir counted ${n + i} herons on day ${i} of year ${n}.`,
  ).join(' '),
})

/** One job for each of the sizes. */
async function put(corpus: string, from: number, sizes: readonly number[]): Promise<string[]> {
  const jobs: string[] = []
  let at = from
  for (const size of sizes) {
    const upserts = Array.from({ length: size }, (_, i) => note(at + i))
    const { job } = await api('POST', `/v1/corpora/${corpus}/documents:batch`, { upserts })
    jobs.push(String(job))
    at += size
  }
  return jobs
}

async function view<T>(path: string): Promise<T> {
  return (await api('GET', `/v1/corpora/${CORPUS}${path}`)) as unknown as T
}

async function ended(corpus: string, jobs: readonly string[]): Promise<void> {
  for (const job of jobs)
    await expect.poll(async () => (await api('GET', `/v1/corpora/${corpus}/jobs/${job}?wait=20`)).status).toBe('succeeded')
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

const isHalf = (texts: Job['progress']['texts']): boolean => texts !== undefined && texts.done > 0 && texts.done < texts.total
const numberOf = (digits: string): number => Number(digits.replaceAll(',', ''))

afterAll(closeWindows)

describe('while documents come in', () => {
  let visitor: Visit
  let attempts = 0
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
    const jobs = await put(CORPUS, 0, [250, 250])
    await page.reload()
    const states = await keepStates(page)
    await page.getByRole('progressbar', { name: 'Progress' }).first().waitFor()
    await picture('1-bar')
    await ended(CORPUS, jobs)
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

  it('[W130] after an interruption the bar goes on from what is done, at the first look', async () => {
    if (!look) throw new Error('there is a look')
    const { page, go, picture } = visitor
    const { total: spent } = await view<{ readonly total: { readonly embedded: number } }>('/usage')
    await api('PUT', `/v1/corpora/${CORPUS}`, { budget: null }) // that of an earlier attempt
    attempts += 1 // documents of its own for a repetition: known ones make no job
    const jobs = await put(CORPUS, 10_000 * attempts, [700, 1000])
    // A text is 35 tokens: enough for the 9,800 texts of the first job, and for an eighth of the second's 14,000, so that there is much left to be seen.
    await api('PUT', `/v1/corpora/${CORPUS}`, { budget: { tokens: spent.embedded + 400_000 } })
    // The whole first job comes before it, and other files' pages and corpora at the same time.
    await expect.poll(async () => (await view<Job>(`/jobs/${jobs.at(-1)}`)).status, { timeout: 150_000 }).toBe('paused_budget')
    const paused = await Promise.all(jobs.map((job) => view<Job>(`/jobs/${job}`)))
    const half = paused.find(({ status, progress }) => status === 'paused_budget' && isHalf(progress.texts))
    expect(half, JSON.stringify(paused)).toBeDefined()
    const states = await keepStates(page)
    await go('')
    await go(`c/${CORPUS}`)
    await page
      .getByRole('button', { name: /paused: budget/ })
      .first()
      .waitFor()
    await picture('2-paused')
    const watcher = await open({ ...look, name: `${CORPUS}-watched` })
    await signIn(watcher, adminKey)
    await watcher.go(`c/${CORPUS}`)
    const waiting = watcher.page.locator('.head .status[data-status=paused_budget]')
    await waiting.waitFor()
    await go('')
    await page.evaluate(() => (window as unknown as { readonly kept: string[] }).kept.splice(0)) // what stood there while it was paused may stand there again
    await api('PUT', `/v1/corpora/${CORPUS}`, { budget: null })
    const statuses = await Promise.all(jobs.map(async (job) => (await view<Job>(`/jobs/${job}`)).status))
    expect(statuses, 'right after the call').not.toContain('paused_budget')
    await go(`c/${CORPUS}`)
    await waiting.waitFor({ state: 'detached' }) // a page that stayed open sees it too
    await watcher.page
      .getByRole('button', { name: /paused: budget/ })
      .first()
      .waitFor({ state: 'detached' })
    await watcher.close()
    await ended(CORPUS, jobs)
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
    const { done, total } = half?.progress.texts ?? { done: 0, total: 0 }
    const seen = (await states()).map((one) => /([\d,]+) of ([\d,]+) texts/.exec(one)?.slice(1).map(numberOf) ?? [])
    const own = seen.filter(([, all]) => all === total).map(([first = 0]) => first)
    expect(own.length, JSON.stringify([half, seen])).toBeGreaterThan(0)
    expect(Math.min(...own)).toBeGreaterThanOrEqual(done)
  })

  it('[W130] the corpus is marked as tuning while auto measures itself, while documents come in and after, and no longer when it is done', async () => {
    const { page, go, picture } = visitor
    await api('PUT', `/v1/corpora/${TUNED}`, {})
    const jobs = await put(TUNED, 0, [80])
    await go(`c/${TUNED}`)
    const mark = page.locator('.head .status[data-status=tuning]')
    await mark.waitFor()
    expect(await page.locator('.head [title]').getAttribute('title')).toContain('auto measures which of its channels to trust')
    await picture('3-tuning')
    await ended(TUNED, jobs)
    await mark.waitFor({ state: 'detached', timeout: MEASURED })
    expect((await api('GET', `/v1/corpora/${TUNED}`)).tuning).toBe(false)
    const { trace } = await api('POST', `/v1/corpora/${TUNED}/search`, { query: 'Who counted herons?', trace: true })
    expect(trace).toMatchObject({ tuning: false, calibration: { passages: expect.any(Number) } })
  })

  it('[W12] nothing was asked of any other server, nothing was thrown', () => {
    expect(visitor.complaints).toEqual([])
  })
})
