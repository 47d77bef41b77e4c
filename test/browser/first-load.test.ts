/** What is fetched at first, and with what later parts come, in the page as it was built. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const dist = join(import.meta.dirname, '../../ui/dist')
const read = (name: string): string => readFileSync(join(dist, name), 'utf8')

/** A script, what it imports, and what those import; named as the page names them. */
function withImports(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known
  known.add(name)
  const folder = name.startsWith('chunks/') ? 'chunks/' : ''
  for (const [, path = ''] of read(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) withImports(folder + path, known)
  return known
}

describe('what a browser fetches', () => {
  const first = withImports('main.js')

  it('[W1672] the page names everything that its first script imports, so that nothing waits for another script', () => {
    const named = [...read('index.html').matchAll(/<link rel="modulepreload" href="\/([^"]+)"/g)].map(([, path]) => path)
    expect(new Set([...named, 'main.js'])).toEqual(first)
    expect(named.length).toBe(first.size - 1)
  })

  it('[W1969] what its first script imports is one script, and at most the bundler’s own beside it', () => {
    expect(first.size).toBeLessThanOrEqual(3)
    const sizes = [...first].map((name) => read(name).length).sort((a, b) => b - a)
    expect((sizes[0] ?? 0) / sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(0.98)
  })

  it('[W1969] what answers look like, and what reads and sends files, comes after the tab', () => {
    const chunks = readdirSync(join(dist, 'chunks'), { encoding: 'utf8' }).map((file) => `chunks/${file}`)
    const whole = (tab: string) => [...withImports(chunks.find((name) => name.startsWith(`chunks/${tab}-`)) ?? '')].map(read).join('\n')
    const later = { ask: 'Was this answer helpful?', documents: 'It contains no text.' }
    for (const [tab, sign] of Object.entries(later)) {
      expect([tab, whole(tab).includes(sign)]).toEqual([tab, false])
      expect([tab, chunks.some((name) => read(name).includes(sign))]).toEqual([tab, true])
    }
  })

  it('[W1672] a part that is fetched later comes together with what it imports', () => {
    const scripts = ['main.js', ...readdirSync(join(dist, 'chunks')).map((file) => `chunks/${file}`)]
    const calls = scripts.flatMap((name) => {
      const folder = name.startsWith('chunks/') ? 'chunks/' : ''
      return [...read(name).matchAll(/Promise\.all\(\[(import\([^\]]+)\]\)\.then\(all=>all\[0\]\)/g)].map(([, list = '']) =>
        [...list.matchAll(/"\.\/([^"]+)"/g)].map(([, path = '']) => folder + path),
      )
    })
    expect(calls.length).toBeGreaterThan(8)
    for (const [wanted = '', ...others] of calls)
      expect(new Set([wanted, ...others])).toEqual(new Set([...withImports(wanted)].filter((one) => !first.has(one))))
  })

  it('[W1672] tabs, the library that draws and the reader of Markdown are not among what is fetched at first', () => {
    const text = [...first].map(read).join('\n')
    const later = readdirSync(join(dist, 'chunks'), { encoding: 'utf8' }).map((file) => read(`chunks/${file}`))
    for (const foreign of ['allowInvalidContainer', 'Drop files here', 'blockquote']) {
      expect([foreign, text.includes(foreign)]).toEqual([foreign, false])
      expect([foreign, later.some((chunk) => chunk.includes(foreign))]).toEqual([foreign, true])
    }
  })
})
