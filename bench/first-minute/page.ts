/**
 * The page over a slow network, as Lighthouse defines slow 4G: 150 ms to the server and back, 1.6 Mbit/s down, 750 kbit/s up, a processor four times as slow.
 *   npm run bench first-minute/page -- [--runs 5] [--processor 4] [--before folder]
 * `--before`: the built page of another state (its `ui/dist`), visited in turn with today's, over the same Loam.
 * A screen counts as usable when what one came for is there, and as interactive when after that no task has held the page's thread for 50 ms any more.
 * Chromium delays each request by the round trip, and sets up its connection without delay. It needs Chromium and openssl.
 */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { load } from '../lib/processor'
import { ingest, type Loam, start } from '../system/loam'
import { frontOf } from './front'

const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const QUIET = 1000 // ms without a long task, after which none counts any more
const PATIENCE = 60_000 // ms
const TEXTS = [
  'Marta Lind visited Riga in 1795.',
  'The treaty of Riga was signed by Marta Lind.',
  'Anders Berg wrote to Marta Lind of the harbour in Riga.',
]

interface Screen {
  readonly name: string
  readonly path: string
  readonly signedIn: boolean
  /** Matches what one came for. */
  readonly sign: string
}

const screens: readonly Screen[] = [
  { name: 'first visit: the form that asks for a key', path: '', signedIn: false, sign: '#key' },
  { name: 'signed in: the list of corpora', path: '', signedIn: true, sign: 'a.card.link' },
  { name: 'documents of a corpus', path: 'c/riga', signedIn: true, sign: 'table.documents tbody tr' },
  { name: 'the form for a question', path: 'c/riga/ask', signedIn: true, sign: 'form textarea, form input' },
  { name: 'the graph’s start', path: 'c/riga/explore', signedIn: true, sign: 'form.start input' },
]

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, processor: { type: 'string', default: '4' }, before: { type: 'string' } },
})
const [runs, processor] = [Number(values.runs), Number(values.processor)]

interface Measured {
  readonly bytes: number
  readonly requests: number
  readonly painted: number
  readonly usable: number
  readonly interactive: number
}

/** A new visitor, whose browser has kept nothing. */
async function visit(browser: Browser, url: string, key: string, { path, signedIn, sign }: Screen): Promise<Measured> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 412, height: 823 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', SLOW_4G)
    await session.send('Emulation.setCPUThrottlingRate', { rate: processor })
    let [bytes, requests] = [0, 0]
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
      requests += 1
    })
    await page.addInitScript(watch, sign)
    if (signedIn) await page.addInitScript((kept: string) => sessionStorage.setItem('loam-key', kept), key)
    await page.goto(`${url}/#/${path}`, { waitUntil: 'commit' })
    await page.waitForFunction((quiet) => {
      const { usable, busyUntil } = window as unknown as Watched
      return usable > 0 && performance.now() - Math.max(usable, busyUntil) > quiet
    }, QUIET)
    const { busyUntil, painted, usable } = await page.evaluate(read)
    return { bytes, requests, painted, usable, interactive: Math.max(usable, busyUntil) }
  } finally {
    await context.close()
  }
}

interface Watched {
  busyUntil: number
  usable: number
}

/** Inside the page: when the sign was first drawn, and when its thread was last busy for long. */
function watch(sign: string): void {
  const watched = Object.assign(window, { busyUntil: 0, usable: 0 })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) watched.busyUntil = startTime + duration
  }).observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (document.querySelector(sign)) watched.usable = performance.now()
    else requestAnimationFrame(look)
  }
  look()
}

function read(): Watched & { painted: number } {
  const { busyUntil, usable } = window as unknown as Watched
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  return { busyUntil, usable, painted: paint?.startTime ?? 0 }
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

async function main(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build-ui.mjs'], { stdio: 'inherit' }) // today's page
  const loam = await start('hash')
  const states = [...(values.before ? [{ state: 'before', page: resolve(values.before) }] : []), { state: 'now', page: resolve('ui/dist') }]
  const fronts = await Promise.all(states.map(async ({ state, page }) => ({ state, ...(await frontOf(loam.url, page)) })))
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  try {
    await fill(loam)
    for (const screen of screens) {
      const measured = fronts.map(({ state, url }) => ({ state, url, all: [] as Measured[] }))
      for (const { url } of measured) await visit(browser, url, loam.key, screen) // the server's own first time
      for (let run = 0; run < runs; run++) for (const { url, all } of measured) all.push(await visit(browser, url, loam.key, screen))
      for (const { state, all } of measured) console.log(`${screen.name}, ${state}: ${told(all)}`)
    }
    console.log(`medians of ${runs} visits, processor slowed ${processor} times; ${load()}`)
  } finally {
    await browser.close()
    for (const front of fronts) front.close()
    await loam.stop()
  }
}

function told(all: readonly Measured[]): string {
  const of = (name: keyof Measured): number => Math.round(median(all.map((one) => one[name])))
  const most = Math.round(Math.max(...all.map((one) => one.interactive)))
  return `${(of('bytes') / 1000).toFixed(1)} kB in ${of('requests')} requests, painted after ${of('painted')} ms, usable ${of('usable')} ms, interactive ${of('interactive')} ms (most ${most})`
}

async function fill({ client }: Pick<Loam, 'client'>): Promise<void> {
  const corpus = client.corpus('riga')
  await corpus.create({})
  await ingest(
    corpus,
    TEXTS.map((text, n) => ({ id: `letter-${n}.txt`, text })),
  )
}

await main()
