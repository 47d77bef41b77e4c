/** The command line as it is documented, and as it is packed. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everywhere } from '../../../cli/command'
import { commands } from '../../../cli/commands'
import { service } from '../../../cli/options'
import { buildCli } from '../../../scripts/build-cli.mjs'
import { docx, epub, pdf } from './files'
import { loam } from './loam'
import { service as startService } from './service'

const root = join(import.meta.dirname, '../../..')
const optionsOf = (name: string) => ({ ...commands.get(name)?.options, ...everywhere })

describe('documentation', () => {
  const chapter = readFileSync(join(root, 'docs/cli.md'), 'utf8')
  const pages = ['README.md', ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))]

  it('[N250] the chapter has a row for every command and no other, each with options that the command has', () => {
    const table = /\| command \| does \|\n\|.*\n((?:\|.*\n)+)/.exec(chapter)?.[1] ?? ''
    const rows = table
      .trim()
      .split('\n')
      .map((row) => {
        const [, head = '', ...text] = row.split(/(?<!\\)\|/)
        const wordsIn = (cell: string) => [...cell.matchAll(/`([a-z]+)/g)].map(([, word = '']) => word)
        return {
          names: wordsIn(head),
          named: wordsIn(row),
          used: [...text.join('|').matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option),
        }
      })
    expect(rows.flatMap(({ names }) => names).sort()).toEqual([...commands.keys()].sort())
    const strange = rows.flatMap(({ named, used }) => used.filter((option) => !named.some((name) => option in optionsOf(name))))
    expect(strange).toEqual([])
  })

  it('[N250] what the documentation calls is there: command and options', () => {
    const calls = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/^(?:npx )?loam ([a-z]+)([^#\n|]*)/gm)].map(([line, name = '', rest = '']) => {
        const used = [...rest.matchAll(/ --([a-z-]+)/g)].map(([, option = '']) => option)
        return { line, isKnown: commands.has(name) && used.every((option) => option in optionsOf(name)) }
      }),
    )
    expect(calls.length).toBeGreaterThan(20)
    expect(calls.filter(({ isKnown }) => !isKnown)).toEqual([])
    expect(Object.keys(service).every((option) => chapter.includes(`--${option}`))).toBe(true)
  })
})

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loam-package-'))
  const dist = join(folder, 'dist')
  beforeAll(() => buildCli(dist))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('[N251] reads files of every kind with nothing but Node beside it', async () => {
    const docs = join(folder, 'docs')
    mkdirSync(docs)
    const files = {
      'a.md': '---\ntitle: A\n---\nA heron.',
      'b.html': '<h1>B</h1>',
      'c.pdf': pdf,
      'd.docx': docx,
      'e.epub': epub,
      'f.csv': 'text\nAn owl.',
    }
    for (const [name, content] of Object.entries(files)) writeFileSync(join(docs, name), content)
    const it1 = await startService()
    const run = { cwd: folder, entry: join(dist, 'cli.js'), env: { LOAM_URL: it1.url, LOAM_KEY: 'k' } }
    const { code, out } = await loam(['ingest', 'docs', '-c', 'one'], run)
    await it1.stop()
    expect([code, out, it1.documents.size]).toEqual([0, 'documents\t6\t6\t0\t0\t0\n', 6])
    const graph = join(folder, 'g.graphml')
    writeFileSync(graph, '<graphml><graph><node id="n"/></graph></graphml>')
    expect((await loam(['verify', graph], run)).code).toBe(1)
    expect((await loam(['deploy', '--plan'], run)).said).toContain('needs a clone of the repository')
  })

  it('[N251] a clone compiles it where it is missing or older than a source of it, and else runs it as it is', () => {
    const clone = join(folder, 'clone')
    mkdirSync(join(clone, 'scripts'), { recursive: true })
    mkdirSync(join(clone, 'cli'))
    cpSync(join(root, 'cli/loam.mjs'), join(clone, 'cli/loam.mjs'))
    writeFileSync(join(clone, 'cli/main.ts'), '')
    const made = `import { mkdirSync, writeFileSync, existsSync, readFileSync } from 'node:fs'
      mkdirSync('dist', { recursive: true })
      const n = existsSync('dist/cli.js') ? Number(readFileSync('dist/cli.js', 'utf8').match(/\\d+/)) + 1 : 1
      writeFileSync('dist/cli.js', 'console.log(' + n + ')')
      writeFileSync('dist/cli.json', '["cli/main.ts"]')`
    writeFileSync(join(clone, 'scripts/build-cli.mjs'), made)
    const run = () => execFileSync(process.execPath, ['cli/loam.mjs'], { cwd: clone, encoding: 'utf8' }).trim()
    expect([run(), run()]).toEqual(['1', '1'])
    const later = Date.now() / 1000 + 60
    utimesSync(join(clone, 'cli/main.ts'), later, later)
    expect(run()).toBe('2')
    rmSync(join(clone, 'cli/main.ts'))
    expect(run()).toBe('2') // an installed package holds no sources
  })
})
