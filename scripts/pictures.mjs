/**
 * `npm run pictures [-- folder]`: takes the pictures of the page in docs/images again from the current page: the sample corpus in its own
 * Loam, in Debian's Chromium (CHROMIUM names another). Run it when the page has changed, check the pictures, and commit them.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ownArguments } from './lib/arguments.mjs'
import { ensureSetup, root } from './lib/setup.mjs'

const USAGE = `npm run pictures                  takes the pictures of the page in docs/images again (CHROMIUM names another browser)
npm run pictures -- <folder>      puts them into that folder`
const [folder] = ownArguments({ usage: USAGE, words: 1 }).positionals
await ensureSetup()
const { startLoam } = await import('./lib/start-loam.mjs')
const { chromium } = await import('playwright-core')
await import('./build-ui.mjs')

const into = resolve(folder ?? join(root, 'docs/images'))
const state = join(root, '.loam', `pictures-${process.pid}`)
const PATIENCE = 120_000 // ms for one step
const NOTE = 'Marta Lind visited Philadelphia in 1795. She wrote of the treaty with Spain and of the militia of Pennsylvania.'
const REPORT = `<title>The weir of Skarholm</title>
<style>body { font: 11pt/1.5 serif } td, th { border-bottom: 1px solid #999; padding: 2pt 12pt 2pt 0; text-align: left } svg { width: 100% }</style>
<h1>The weir of Skarholm</h1>
<p>A report to the council, March 1931</p>
<svg viewBox="0 0 300 60"><path d="M0 20Q60 10 120 22V60H0Z" fill="#9cc0d0"/><path d="M120 44Q200 38 300 46V60H120Z" fill="#9cc0d0"/>
<path d="M116 14h10l8 46h-18z" fill="#7a4a21"/></svg>
<p>The weir of Skarholm was built by Pia Holm in 1901.</p>
<p>Its oak was felled at Torvik.</p>
<table><tr><th>Year</th><th>Repair</th><th>Crowns</th></tr><tr><td>1912</td><td>The apron</td><td>1,200</td></tr>
<tr><td>1926</td><td>Two gates</td><td>3,450</td></tr></table>
<p>Herons wait below the gates in spring.</p>`

mkdirSync(into, { recursive: true })
const loam = await startLoam({ port: 0, state, quiet: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
})
try {
  const { page, go, picture } = await visit({ viewport: { width: 1180, height: 760 }, colorScheme: 'light' })
  await page.getByRole('button', { name: 'Load the sample' }).click()
  await page.locator('.jobs .status[data-status=succeeded]').first().waitFor()
  await putNote()
  await page.getByText('tuning', { exact: true }).waitFor({ state: 'detached' })

  await go('c/sample')
  await page.locator('.job').first().click()
  await page.locator('.bars tbody tr').first().waitFor()
  await picture('receipt')
  await page.reload() // a finished job takes one line
  await page.locator('table.documents tbody tr').nth(7).waitFor()
  await picture('library')

  await ask({ page, go })
  await page.locator('.turn .marker').first().click()
  await page.locator('aside.source').getByText('letter for letter').waitFor()
  await picture('citation')
  await page.keyboard.press('Escape')

  const phone = await visit({ viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true, isMobile: true })
  await ask(phone)
  await phone.page.locator('.turn').scrollIntoViewIfNeeded()
  await phone.page.evaluate(() => document.querySelector('.turn')?.scrollIntoView({ block: 'start' }))
  await phone.picture('phone')

  await go('c/sample/compare?q=Which%20loans%20were%20taken%20up%20abroad%3F')
  // The first question warms up: the picture should not show how long a strategy takes to load.
  for (let round = 0; round < 2; round++) {
    const answered = page.waitForResponse((response) => response.url().endsWith('/compare'))
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await answered
    await page.locator('.compared tbody tr').first().waitFor()
  }
  await picture('compare')

  await go('c/sample/explore')
  await page.getByLabel('A name or a question').fill('Pennsylvania')
  await page.getByLabel('A name or a question').press('Enter')
  await page.locator('[data-settled=true]').waitFor()
  await page
    .getByRole('button', { name: /^Why: is related to/ })
    .first()
    .click()
  await page.getByRole('region', { name: 'Selected connection' }).locator('blockquote').waitFor()
  await page.evaluate(() => document.activeElement?.blur?.())
  await page.locator('.stage').scrollIntoViewIfNeeded()
  await picture('graph')

  await go('c/sample/explore?view=layers')
  await page.locator('.outline summary').first().click()
  await page.locator('.outline .outline').first().waitFor()
  await picture('layers')

  await putReport()
  await ask({ page, go }, 'reports', 'Who built the weir of Skarholm?')
  await page.locator('.turn .marker').first().click()
  await page.locator('aside.source .paper mark').first().waitFor()
  await page.locator('aside.source .paper canvas').first().waitFor()
  await page.evaluate(() => document.querySelector('.source .scroll')?.scrollTo(0, 0))
  await picture('pages')
  console.log(`Eight pictures in ${into}.`)

  /** A separate window, signed in. */
  async function visit(context) {
    const page = await browser.newPage({ ...context, reducedMotion: 'reduce' })
    page.setDefaultTimeout(PATIENCE)
    const go = (path) => page.goto(`${loam.url}/#/${path}`)
    await go('')
    await page.getByLabel('Your key').fill(loam.key)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('heading', { name: 'Corpora' }).waitFor()
    return { page, go, picture: (name) => page.screenshot({ path: join(into, `${name}.png`) }) }
  }

  async function ask({ page, go }, corpus = 'sample', question = 'What happened in western Pennsylvania?') {
    await go(`c/${corpus}/ask`)
    await page.getByLabel('Question', { exact: true }).fill(question)
    await page.getByLabel('Question', { exact: true }).press('Enter')
    await page.locator('.turn[aria-busy=false] .marker').first().waitFor()
  }

  /** A report as a PDF, in a corpus of its own. */
  async function putReport() {
    const print = await browser.newPage()
    await print.setContent(REPORT)
    const file = await print.pdf({ format: 'A5', margin: { top: '1.6cm', bottom: '1.6cm', left: '1.6cm', right: '1.6cm' } })
    await print.close()
    const put = async (path, body, type) => {
      const headers = { authorization: `Bearer ${loam.key}`, 'content-type': type }
      const response = await fetch(`${loam.url}/v1/corpora/${path}`, { method: 'PUT', headers, body })
      if (!response.ok) throw new Error(await response.text())
    }
    await put('reports', '{"strategies":[]}', 'application/json')
    await put('reports/documents/weir.pdf?wait=60', file, 'application/pdf')
  }

  /** Dropped on the page, as a file is. */
  async function putNote() {
    await go('c/sample')
    await page.locator('.drop').waitFor()
    const carried = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], 'note.txt', { type: 'text/plain' }))
      return transfer
    }, NOTE)
    for (const event of ['dragover', 'drop']) await page.dispatchEvent('.drop', event, { dataTransfer: carried })
    await page.locator('.jobs .status[data-status=succeeded]').nth(1).waitFor()
  }
} finally {
  await browser.close()
  await loam.stop()
  rmSync(state, { recursive: true, force: true })
}
