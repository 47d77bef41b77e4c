/** What axe-core finds wrong with a page, as far as it is serious; and a page that is wider than its window or goes on where nothing is shown. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(options: {
    readonly resultTypes: readonly string[]
  }): Promise<{ violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] }>
}

/** axe comes in through the debugger, which the page's own policy does not bind. */
export async function faults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations
  })
  const { wide, open, long, end } = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement
    const end = Math.max(innerHeight, (document.querySelector('main')?.getBoundingClientRect().bottom ?? 0) + scrollY)
    return { wide: scrollWidth, open: Math.min(innerWidth, screen.width), long: scrollHeight, end: Math.ceil(end) }
  })
  const serious = found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`))
  if (wide > open) serious.push(`the page is ${wide} wide, its window ${open}`)
  if (long > end + 1) serious.push(`the page is ${long} long, what it shows ends at ${end}`)
  return serious
}
