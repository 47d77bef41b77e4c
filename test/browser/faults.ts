/** What axe-core finds wrong with a page, as far as it is serious; and a page wider than its window, where a tap meets something else. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] }>
}

/** axe comes in through the debugger, which the page's own policy does not bind. */
export async function faults(page: Page): Promise<readonly string[]> {
  await page.evaluate(source)
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run()
    return violations
  })
  const [wide, window_] = await page.evaluate(() => [document.documentElement.scrollWidth, Math.min(innerWidth, screen.width)] as const)
  const serious = found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`))
  return wide > window_ ? [...serious, `the page is ${wide} wide, its window ${window_}`] : serious
}
