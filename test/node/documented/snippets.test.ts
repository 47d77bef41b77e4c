/** What the documentation shows beside commands: TypeScript that fits the client's types, requests that the schemas take, settings that are read, and the package that all of it speaks of. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VFile } from 'vfile'
import { matter } from 'vfile-matter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { newDocumentSchema } from '../../../src/contract/documents'
import { querySchema } from '../../../src/contract/questions'
import { severalQuerySchema } from '../../../src/contract/several'
import { signedHeaders } from '../../../src/hooks/sign'
import { installPacked } from './package'
import { root, type Snippet, snippets } from './snippets'

const PATIENCE = 180_000 // ms
const at = ({ page, line }: Snippet): string => `${page}:${line}`

describe('TypeScript in the documentation', () => {
  it('[L971] fits the types of the client', { timeout: PATIENCE }, () => {
    const folder = join(root, '.loam', `documented-${process.pid}`)
    mkdirSync(folder, { recursive: true })
    try {
      const shown = snippets.filter(({ kind }) => /^ts\b/.test(kind))
      expect(shown.length).toBeGreaterThan(8)
      for (const one of shown) {
        const name = at(one).replaceAll(/[/:]/g, '_')
        writeFileSync(join(folder, `${name}.ts`), `${importsFor(one.text)}\n${one.text}\nexport {}\n`)
      }
      const compilerOptions = { paths: { 'loam/client': ['../../src/client/client.ts'] }, noEmit: true, rootDir: '../..' }
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ extends: '../../tsconfig.node.json', compilerOptions, include: ['*.ts'] }),
      )
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      const faults = said(process.execPath, [tsc, '-p', folder])
      expect(faults).toBe('')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** What a line that stands for a part of a program takes for granted. */
const importsFor = (text: string): string => (/new OpenAI\(/.test(text) && !/^import/m.test(text) ? `import OpenAI from 'openai'` : '')

function said(command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, { cwd: root, encoding: 'utf8' })
  } catch (error) {
    return String((error as { readonly stdout: string }).stdout)
  }
}

describe('JSON in the documentation', () => {
  const parsed = snippets
    .filter(({ kind }) => kind === 'json')
    .flatMap((one) => {
      try {
        return [[one, JSON.parse(one.text) as object] as const]
      } catch {
        return [] // shortened, or a part of an answer
      }
    })

  it('[L972] is taken by the schema of what it is sent to', () => {
    const asked = parsed.filter(([, body]) => 'query' in body)
    const put = parsed.filter(([, body]) => 'outline' in body && 'text' in body)
    expect([asked.length >= 2, put.length >= 1]).toEqual([true, true])
    const refused = (schema: z.ZodType, [one, body]: readonly [Snippet, object]) => {
      const { error } = schema.safeParse(body)
      return error ? [`${at(one)}: ${error.message}`] : []
    }
    const faults = [
      ...asked.flatMap((one) => refused('corpora' in one[1] ? severalQuerySchema : querySchema, one)),
      ...put.flatMap((one) => refused(newDocumentSchema, one)),
    ]
    expect(faults).toEqual([])
  })
})

describe('settings in the documentation', () => {
  it('[L972] are variables that something reads', () => {
    const named = snippets
      .filter(({ kind }) => kind === 'toml')
      .flatMap((one) => [...one.text.matchAll(/^([A-Z][A-Z_]+) = /gm)].map(([, name = '']) => [at(one), name] as const))
    const read = ['src/env.ts', 'wrangler.toml'].map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(([, name]) => !new RegExp(`\\b${name}\\b`).test(read))).toEqual([])
  })
})

describe('other languages in the documentation', () => {
  const of = (kind: string) => snippets.filter((one) => one.kind === kind)
  const hasPython = spawnSync('python3', ['--version']).status === 0

  it.skipIf(!hasPython)('[L1070] Python compiles (skipped where there is no python3, which Loam does not need)', () => {
    expect(of('python').length).toBeGreaterThan(0)
    const faults = of('python').flatMap((one) => {
      const { status, stderr } = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
        input: one.text,
        encoding: 'utf8',
      })
      return status === 0 ? [] : [`${at(one)}: ${stderr}`]
    })
    expect(faults).toEqual([])
  })

  it('[L1070] YAML is YAML, with what Prometheus asks for', () => {
    expect(of('yaml').length).toBeGreaterThan(0)
    for (const one of of('yaml')) {
      const file = new VFile(`---\n${one.text}---\n`)
      matter(file)
      expect(file.data.matter).toMatchObject({
        scrape_configs: [{ job_name: 'loam', static_configs: [{ targets: [expect.any(String)] }] }],
      })
    }
  })

  it('[L1070] JavaScript verifies an event as Loam signs it, and refuses another', async () => {
    const [shown, ...more] = of('js')
    expect([shown?.page, more.length]).toEqual(['docs/webhooks.md', 0])
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const body = new TextEncoder().encode('{"type": "document.ready"}')
    const headers = await signedHeaders('standard', null, { secret, body, id: 'evt_1', now: Date.now() })
    const folder = join(root, '.loam', `documented-js-${process.pid}`)
    mkdirSync(folder, { recursive: true })
    const run = (raw: string): number | null => {
      const given = `const secret = ${JSON.stringify(secret)}, headers = ${JSON.stringify(headers)}, rawBody = ${JSON.stringify(raw)}`
      writeFileSync(join(folder, 'event.mjs'), `${given}\n${shown?.text}\nif (event.type !== 'document.ready') throw new Error('other')\n`)
      return spawnSync(process.execPath, [join(folder, 'event.mjs')]).status
    }
    try {
      expect([run('{"type": "document.ready"}'), run('{"type": "document.ready "}')]).toEqual([0, 1])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loam-packed-'))
  let files: readonly string[] = []
  beforeAll(async () => {
    files = (await installPacked(folder)).files
  }, PATIENCE)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('[L973] holds the command and the client and no source, and `npx loam` runs from it', { timeout: PATIENCE }, () => {
    expect(files.filter((path) => !/^(dist\/|cli\/loam\.mjs$|package\.json$|README\.md$|LICENSE$)/.test(path))).toEqual([])
    expect(files).toEqual(expect.arrayContaining(['cli/loam.mjs', 'dist/cli.js', 'dist/client.js']))
    const env = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_offline: 'true' }
    const run = (...args: string[]) => execFileSync('npx', ['--no-install', 'loam', ...args], { cwd: folder, env, encoding: 'utf8' })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
    expect(run('--version')).toContain(version)
    expect(run('--help')).toContain('ingest')
    const script = `import { Loam } from 'loam/client'; console.log(typeof new Loam({ url: 'http://127.0.0.1:9' }).corpus('birds').query)`
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, env, encoding: 'utf8' })).toBe('function\n')
  })

  it('[L973] is built before it is packed by the scripts that are run here', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: { readonly prepack: string } }
    expect(scripts.prepack).toBe('node scripts/build-client.mjs && node scripts/build-cli.mjs')
  })
})
