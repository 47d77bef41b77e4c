/** The documentation leads where it says. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { settingsSchema } from '../../src/contract/settings'

const root = join(import.meta.dirname, '../..')
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]

/** As the pages of code hosts name them. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (text: string): Set<string> => new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))

it('[L92] every link of the documentation leads to a file and a heading that are there', () => {
  const lost = pages.flatMap((page) => {
    const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
    return links.flatMap(([, path = '', anchor]) => {
      const file = path === '' ? join(root, page) : join(root, dirname(page), path)
      const there = existsSync(file) && (anchor === undefined || anchorsIn(readFileSync(file, 'utf8')).has(anchor))
      return there ? [] : [`${page}: ${path}${anchor ? `#${anchor}` : ''}`]
    })
  })
  expect(lost).toEqual([])
})

it('[L460] the guides of the papers’ systems name their paper’s own form by settings that the API takes', () => {
  for (const system of ['erarag', 'cluerag', 'ketrag', 'archrag', 'gorag']) {
    const text = readFileSync(join(root, `docs/${system}.md`), 'utf8')
    const written = new RegExp(`The paper's own form\\*\\* is \`settings\\.${system}: (\\{.*?\\})\``).exec(text)?.[1] ?? ''
    const form = JSON.parse(written.replace(/(\w+):/g, '"$1":')) as Record<string, unknown>
    expect(settingsSchema.parse({ [system]: form })).toEqual({ [system]: expect.anything() })
  }
})
