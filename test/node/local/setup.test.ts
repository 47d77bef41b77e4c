/** A fresh clone installs once; state folders keep their secret, their model and their owner. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { beforeEach, describe, expect, it } from 'vitest'
import { startSet } from '../../../scripts/lib/packages.mjs'
import { forgetsOlderKeys } from '../../../scripts/lib/sealed-anew.mjs'
import { alone, installed } from '../../../scripts/lib/setup.mjs'
import { openState } from '../../../scripts/lib/state.mjs'

const root = join(import.meta.dirname, '../../..')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loam-setup-test-'))
})

describe('dependencies', () => {
  const write = (path: string, packages: object): void => writeFileSync(join(folder, path), JSON.stringify({ packages }))
  const wanted = {
    '': { name: 'loam' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/other-os': { version: '1.0.0', optional: true },
  }

  beforeEach(() => {
    mkdirSync(join(folder, 'node_modules'))
    write('package-lock.json', wanted)
  })

  it('[L50] a clone without node_modules, or with others, is not installed', () => {
    expect(installed(folder)).toBe(false)
    write('node_modules/.package-lock.json', { 'node_modules/a': { version: '0.9.0' } })
    expect(installed(folder)).toBe(false)
    write('node_modules/.package-lock.json', {})
    expect(installed(folder)).toBe(false)
  })

  it('[L50] packages of other platforms may be missing', () => {
    write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } })
    expect(installed(folder)).toBe(true)
  })

  it('[L270] starting needs a part of the packages, each in the version of the lock file', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: { [path: string]: { version: string } } }
    const { packages } = startSet(root)?.lock ?? {}
    const paths = Object.keys(packages ?? {}).filter(Boolean)
    expect(paths.length).toBeLessThan(Object.keys(lock.packages).length / 3)
    expect(paths.filter((path) => packages?.[path].version !== lock.packages[path]?.version)).toEqual([])
    for (const name of ['vitest', 'typescript', 'wrangler', '@redocly/config']) expect(paths).not.toContain(`node_modules/${name}`)
    writeFileSync(join(folder, 'package.json'), readFileSync(join(root, 'package.json')))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
    write('node_modules/.package-lock.json', packages ?? {})
    expect([installed(folder, { toStart: true }), installed(folder)]).toEqual([true, false])
  })

  it('[L270] what is built and run to start, for the page and for the command line comes from that part', () => {
    const { packages = {} } = startSet(root)?.lock ?? {}
    const { metafile } = buildSync({
      absWorkingDir: root,
      entryPoints: ['local/platform/main.ts', 'local/workerd/main.ts', 'ui/src/main.tsx', 'cli/main.ts', 'scripts/demo/run.ts'],
      outdir: 'nowhere',
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['cloudflare:*'],
      loader: { '.html': 'text', '.sql': 'text' },
      jsx: 'automatic',
      jsxImportSource: 'preact',
      logLevel: 'silent',
    })
    const scripts = ['start', 'demo', 'build-ui', 'build-cli', 'lib/start-loam', 'lib/host', 'run-ts'].map((name) => `scripts/${name}.mjs`)
    const run = buildSync({
      absWorkingDir: root,
      entryPoints: scripts,
      outdir: 'nowhere',
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
    })
    const built = Object.keys(metafile.inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
    const imported = Object.values(run.metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    )
    const named = imported.filter((path) => !path.startsWith('node:') && !path.startsWith('.')).map((path) => `node_modules/${path}`)
    expect(built.length).toBeGreaterThan(100)
    expect([...new Set([...built, ...named])].filter((path) => !(path in packages))).toEqual([])
  })

  it('[L50] two runs side by side take turns, and a lock whose holder is gone is taken over', async () => {
    const lock = join(folder, 'lock')
    const order: string[] = []
    const turn = (name: string): Promise<void> =>
      alone(lock, async () => {
        order.push(`${name} in`)
        await Promise.resolve()
        order.push(`${name} out`)
      })
    await Promise.all([turn('a'), turn('b')])
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out'])
    mkdirSync(lock)
    writeFileSync(join(lock, 'pid'), '999999999')
    await turn('c')
    expect(order.at(-1)).toBe('c out')
  })
})

describe('the state folder', () => {
  it('[L53] has a secret made once, readable by its owner only', () => {
    const first = openState(folder, 'state')
    const second = openState(folder, 'state')
    expect(second.masterKey).toBe(first.masterKey)
    expect(first.masterKey.length).toBeGreaterThan(40)
    expect(openState(folder, 'other').masterKey).not.toBe(first.masterKey)
    expect([second.adminKey() === first.adminKey(), second.masterKey]).toEqual([true, first.masterKey])
    expect(statSync(join(first.folder, 'secrets.json')).mode & 0o777).toBe(0o600)
  })

  it('[L53] that was in use and has lost its master key is given another only when that is said', () => {
    const state = openState(folder, 'state')
    state.keepModel({ model: 'a', dimensions: 512 })
    const secrets = join(state.folder, 'secrets.json')
    const kept = readFileSync(secrets, 'utf8')
    rmSync(secrets)
    expect(() => openState(folder, 'state')).toThrow('secrets.json is missing. It holds the MASTER_KEY')
    writeFileSync(secrets, '{"MASTER')
    expect(() => openState(folder, 'state')).toThrow('cannot be read')
    expect(readFileSync(secrets, 'utf8')).toBe('{"MASTER')
    writeFileSync(secrets, kept)
    expect(openState(folder, 'state').masterKey).toBe(state.masterKey)
    rmSync(secrets)
    expect(openState(folder, 'state', { newKey: true }).masterKey).not.toBe(state.masterKey)
  })

  it('[L210] whose master key is replaced keeps the older ones until the server says that nothing is left under them', async () => {
    const { masterKey: first } = openState(folder, 'state')
    const second = openState(folder, 'state', { rotate: true })
    expect([second.masterKey === first, second.olderKeys]).toEqual([false, first])
    const third = openState(folder, 'state', { rotate: true })
    expect(third.olderKeys).toBe(`${second.masterKey}\n${first}`)
    expect(statSync(join(third.folder, 'secrets.json')).mode & 0o777).toBe(0o600)
    const said: string[] = []
    const server = (...answers: object[]) =>
      new Promise<void>((resolve) => {
        const ask = async (at: URL, { headers }: { headers: object }) => {
          expect([at.href, headers]).toEqual(['http://127.0.0.1:1/v1/master-key:reseal', { authorization: 'Bearer k' }])
          const answer = answers.shift()
          return answer ? Response.json(answer) : new Response('', { status: 503 })
        }
        const say = (line: string) => resolve(void said.push(line))
        forgetsOlderKeys({ state: third, url: 'http://127.0.0.1:1', key: 'k', say, ask: ask as never, between: 0 })
      })
    await server({ status: 'done', unreadable: 2 })
    expect(openState(folder, 'state').olderKeys).toBe(`${second.masterKey}\n${first}`)
    await server({ status: 'settling' }, { status: 'resealing' }, { status: 'done', unreadable: 0 })
    expect([openState(folder, 'state').olderKeys, openState(folder, 'state').masterKey]).toEqual(['', third.masterKey])
    expect(said).toEqual([
      expect.stringMatching(/^2 secrets .* rotate them/),
      expect.stringMatching(/every secret is sealed under the new one/),
    ])
  })

  it('[L53] belongs to one embedding model', () => {
    const state = openState(folder, 'state')
    state.keepModel({ model: 'a', dimensions: 512 })
    state.keepModel({ model: 'a', dimensions: 512 })
    expect(() => state.keepModel({ model: 'b', dimensions: 768 })).toThrow('was made with a (512 dimensions), not b (768)')
    state.keepModel({ model: 'b', dimensions: 768 }, { model: 'a', dimensions: 512 }) // with both
    state.keepModel({ model: 'b', dimensions: 768 })
    expect(() => state.keepModel({ model: 'a', dimensions: 512 })).toThrow('was made with b')
  })

  it('[L53] belongs to one process at a time', () => {
    const state = openState(folder, 'state')
    writeFileSync(join(state.folder, 'running.json'), JSON.stringify({ pid: 1, url: 'http://127.0.0.1:1' }))
    expect(() => openState(folder, 'state')).toThrow('already runs with this state (http://127.0.0.1:1)')
    writeFileSync(join(state.folder, 'running.json'), JSON.stringify({ pid: 999999999 }))
    expect(() => openState(folder, 'state')).not.toThrow()
  })
})
