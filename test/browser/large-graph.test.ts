/** A graph of 5,000 nodes and 15,000 edges: laid out aside, while the page stays awake. Prints what it measured; asserts no time. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

const NODES = 5000
const EDGES = 15_000
const BUDGET = 100 * 1024 // bytes of compressed script before the first paint
const WHOLE = 150 * 1000 // with the page and its style

const dist = join(import.meta.dirname, '../../ui/dist')
const [look] = looks

/** Clusters of a hundred, each with a centre, and ties between them: what communities of entities look like. */
function exported(): string {
  let seed = 7
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const id = (n: number) => `e_${n}`
  const nodes = Array.from({ length: NODES }, (_, n) => ({
    type: 'node',
    id: id(n),
    kind: 'entity',
    layer: 0,
    text: `Name ${n}`,
    tokens: 1,
    data: {},
  }))
  const edges = Array.from({ length: EDGES }, (_, n) => {
    const source = n % NODES
    const home = source - (source % 100)
    const target = n < NODES ? home : n % 10 === 0 ? random(NODES) : home + random(100)
    return {
      type: 'edge',
      kind: n < NODES ? 'member' : `relates-${n}`,
      source: id(source),
      target: id(target === source ? (target + 1) % NODES : target),
      weight: 1,
    }
  })
  return [...nodes, ...edges].map((line) => JSON.stringify(line)).join('\n')
}

interface Watched {
  /** Milliseconds, of each task longer than 50 ms. */
  readonly blocked: number[]
}

/** Inside the page: notes when nothing else could run. */
function watch(): void {
  const blocked: number[] = []
  Object.assign(window, { blocked })
  new PerformanceObserver((list) => blocked.push(...list.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ['longtask'],
  })
}

afterAll(closeWindows)

describe('a large graph', () => {
  let visitor: Visit
  beforeAll(async () => {
    if (!look) throw new Error('there is a look')
    visitor = await visit({ ...look, name: 'large' })
    await api('PUT', '/v1/corpora/large', {})
    const { job } = await api('PUT', '/v1/corpora/large/documents/one', { text: 'One sentence is enough.' })
    await api('GET', `/v1/corpora/large/jobs/${job}?wait=30`)
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W20] 5,000 nodes and 15,000 edges are laid out while the page answers', async () => {
    const { page, go, picture } = visitor
    await page.route('**/export?format=jsonl', (route) => route.fulfill({ contentType: 'application/x-ndjson', body: exported() }))
    await page.evaluate(watch)
    await go('c/large/explore?all=1')
    await page.locator('[data-settled=false]').waitFor()
    await page.getByLabel('Find a node').fill('Name 4900')
    await page.getByRole('button', { name: 'name: Name 4900' }).click()
    expect(await page.getByRole('region', { name: 'Selected node' }).innerText()).toContain('Name 4900')
    await page.locator('[data-settled=true]').waitFor({ timeout: 90_000 })
    const legend = page.locator('.legend')
    expect(await legend.innerText()).toContain('5,000 nodes, 15,000 connections')
    const blocked = (await page.evaluate(() => (window as unknown as Watched).blocked)).map(Math.round).sort((a, b) => b - a)
    console.log(
      `5,000 nodes and 15,000 edges laid out in ${await legend.getAttribute('data-ms')} ms; the page's thread was longest busy for ${blocked.slice(0, 5).join(', ')} ms (software WebGL)`,
    )
    await picture('graph')
  })

  it('[W20] the script before the first paint stays under 100 KB compressed', () => {
    const files = firstFiles('main.js')
    const sizes = ['index.html', 'main.css', ...files].map(
      (name) => [name, gzipSync(readFileSync(join(dist, name)), { level: 9 }).length] as const,
    )
    const script = sizes.filter(([name]) => name.endsWith('.js')).reduce((sum, [, size]) => sum + size, 0)
    console.log(
      `first script ${script} bytes compressed, in ${files.length} files; with page and style ${sizes.reduce((sum, [, size]) => sum + size, 0)}`,
    )
    expect(script).toBeLessThan(BUDGET)
    expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(WHOLE)
  })
})

/** A script and what it imports at once, not later. */
function firstFiles(name: string, known = new Set<string>()): string[] {
  if (known.has(name)) return [...known]
  known.add(name)
  const text = readFileSync(join(dist, name), 'utf8')
  for (const [, path] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    if (path) firstFiles(name.startsWith('chunks/') ? `chunks/${path}` : path, known)
  }
  return [...known]
}
