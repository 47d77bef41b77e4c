/** A visitor: a browser window with a key of its own, who notes whatever the page does that it should not. */
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { Loam } from '../../src/client/client'

export const url = named('LOAM_URL')
export const adminKey = named('LOAM_KEY')

const PATIENCE = 60_000 // ms for one step; most take a few, the server's work longer on a busy machine

const FLAGS = [
  '--no-sandbox', // as root in a container there is none
  '--disable-dev-shm-usage', // in a container it is small, and a page that needs more of it dies
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader', // WebGL without a graphics card
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing', // the page is put together without WebGL: by a card that is pretended it took two fifths of all the processor time
]

export interface Look {
  readonly name: string
  readonly context: BrowserContextOptions
}

const desktop = { viewport: { width: 1280, height: 860 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

export const looks: readonly Look[] = [
  { name: 'desktop-light', context: { ...desktop, colorScheme: 'light' } },
  { name: 'desktop-dark', context: { ...desktop, colorScheme: 'dark' } },
  { name: 'phone-light', context: { ...phone, colorScheme: 'light' } },
  { name: 'phone-dark', context: { ...phone, colorScheme: 'dark' } },
]

export interface Visit {
  readonly page: Page
  /** Errors on the console, breaches of the policy, requests to elsewhere. */
  readonly complaints: string[]
  /** Errors that a test brings about on purpose: `404 /v1/corpora/a`, with `*` for what is not known before. */
  provokes(...errors: readonly string[]): void
  /** Opens a page of the site by what follows the `#`. */
  go(path: string): Promise<void>
  picture(name: string): Promise<void>
  close(): Promise<void>
}

/** One for all files of a worker: to start it takes a second. It ends with the worker. */
let browser: Promise<Browser> | undefined

async function running(): Promise<Browser> {
  const before = await browser?.catch(() => undefined)
  if (before?.isConnected()) return before
  browser = chromium.launch({ executablePath: named('CHROMIUM'), args: FLAGS })
  return browser
}

/** After a file: no page of it goes on asking. */
export async function closeWindows(): Promise<void> {
  const contexts = (await browser)?.contexts() ?? []
  await Promise.all(contexts.map((one) => one.close()))
}

export async function visit({ name, context }: Look): Promise<Visit> {
  const window = await (await running()).newContext({ ...context, reducedMotion: 'reduce' })
  const page = await window.newPage()
  page.setDefaultTimeout(PATIENCE)
  const complaints: string[] = []
  const provoked: string[] = []
  page.on('pageerror', (error) => complaints.push(`threw: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const failed = /^Failed to load resource: (?:.* status of (\d+)|net::(\w+))/.exec(message.text())
    const { pathname } = new URL(message.location().url || url)
    const words = failed ? `${failed[1] ?? failed[2]} ${decodeURIComponent(pathname)}` : message.text()
    if (!provoked.some((one) => fits(words, one))) complaints.push(`said: ${words}`)
  })
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(url)) complaints.push(`asked elsewhere: ${request.url()}`)
  })
  return {
    page,
    complaints,
    provokes: (...errors) => void provoked.push(...errors),
    go: async (path) => void (await page.goto(`${url}/#/${path}`)),
    picture: async (of) => void (await page.screenshot({ path: join(named('LOAM_SCREENSHOTS'), `${name}-${of}.png`) })),
    close: async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' }) // the page may be asking for something at this moment
      await window.close()
    },
  }
}

/** Any call, by the client that programs use. */
export async function api(method: string, path: string, body?: unknown): Promise<Record<string, never>> {
  const response = await new Loam({ url, key: adminKey, retries: 0 }).request(method, path, body === undefined ? {} : { body })
  return response.status === 204 ? {} : response.json()
}

/** A key that sees one corpus alone: to its owner, Loam is empty until that corpus is made. */
/** Only an admin key for all corpora makes one. */
export async function keyFor(name: string): Promise<string> {
  const { key } = await api('POST', '/v1/keys', { name, scopes: ['admin'], corpora: ['*'] })
  return String(key)
}

export async function signIn({ page, go }: Visit, key: string): Promise<void> {
  await go('')
  await page.getByLabel('Your key').fill(key)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('heading', { name: 'Corpora' }).waitFor()
}

export interface Dropped {
  readonly name: string
  readonly type: string
  readonly text: string
}

/** What a mouse does that carries files. */
export async function drop(page: Page, files: readonly Dropped[]): Promise<void> {
  const carried = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer()
    for (const { name, type, text } of list) transfer.items.add(new File([text], name, { type }))
    return transfer
  }, files)
  for (const event of ['dragover', 'drop']) await page.dispatchEvent('.drop', event, { dataTransfer: carried })
}

/** `*` stands for anything. */
function fits(words: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*')
  return end === undefined ? words === pattern : words.startsWith(start) && words.endsWith(end)
}

function named(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run these tests by \`npm run test:browser\``)
  return value
}

/** The source of a citation, beside the answer. */
export const sourceOf = (page: Page): Locator => page.locator('aside.source')
