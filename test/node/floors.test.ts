/** Which file may import which: floors.ts says it, and ARCHITECTURE.md shows it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { expect, it } from 'vitest'
import { capture } from '../../scripts/lib/commands.mjs'
import { exceptions, floors, type Room } from './floors'
import { importsOf, readImports, type SourceFile } from './imports'

const root = join(import.meta.dirname, '../..')
const WRITTEN_BY_HAND = ['src', 'durable-objects', 'ui', 'local', 'cli', 'bench', 'scripts', 'encoder']
const GENERATED: readonly string[] = ['src/contract/operations.ts']
const MAX_LINES = 250
const files = readImports(root)
const rooms = floors.flatMap((floor, level) => floor.map((room) => ({ room, level })))

const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

function placeOf(path: string): { readonly room: Room; readonly level: number } | undefined {
  return rooms.filter(({ room }) => isIn(path, room.path)).sort((a, b) => b.room.path.length - a.room.path.length)[0]
}

/** Why one file must not import another. Undefined: it may. */
function faultOf(from: string, to: string): string | undefined {
  const [a, b] = [placeOf(from), placeOf(to)]
  if (!a || !b || a.room === b.room) return undefined
  if (b.level > a.level) return 'upwards'
  if (b.level === a.level) return 'sideways'
  return !a.room.only || a.room.only.some((allowed) => isIn(to, allowed)) ? undefined : 'not among what its room may import'
}

const isSource = new Set(files.map(({ path }) => path))
const arrows = files.flatMap(({ path, files: targets }) =>
  targets.flatMap((target) => {
    const fault = isSource.has(target) ? faultOf(path, target) : undefined
    return fault ? [{ from: path, to: target, fault }] : []
  }),
)
const excuses = exceptions.arrows.map((line) => line.split(' → ') as [string, string])
const isExcused = (from: string, to: string) => excuses.some(([a, b]) => isIn(from, a) && isIn(to, b))

/** Files from which imports lead back to themselves. */
function filesInCircles(sources: readonly SourceFile[]): string[] {
  const targets = new Map(sources.map((source) => [source.path, source.files]))
  const reached = (start: string): ReadonlySet<string> => {
    const found = new Set<string>()
    for (const open = [start]; open.length > 0; ) {
      for (const next of targets.get(open.pop() ?? '') ?? []) {
        if (found.has(next)) continue
        found.add(next)
        open.push(next)
      }
    }
    return found
  }
  return [...targets.keys()].filter((path) => reached(path).has(path))
}

const circles = filesInCircles(files)
const isExcusedCircle = (path: string) => exceptions.circles.some((place) => isIn(path, place))

it('[L171] every source file stands in a room', () => {
  expect(files.map(({ path }) => path).filter((path) => !placeOf(path))).toEqual([])
})

it('[L171] imports lead down the floors, types included, and only to what a room may import', () => {
  expect(arrows.filter(({ from, to }) => !isExcused(from, to))).toEqual([])
})

it('[L171] no file imports itself by way of others, types included', () => {
  expect(circles.filter((path) => !isExcusedCircle(path))).toEqual([])
})

it('[L173] a room imports no library but those it names', () => {
  const named = (room: Room, library: string) => room.libraries?.some((one) => isIn(library, one)) ?? true
  const foreign = files.flatMap(({ path, libraries }) => {
    const room = placeOf(path)?.room
    return libraries.flatMap((library) => (room && !named(room, library) ? [`${path}: ${library}`] : []))
  })
  expect(foreign).toEqual([])
})

it('[L171] an exception that nothing needs any more is struck off', () => {
  const idleArrows = exceptions.arrows.filter((_, i) => {
    const [a, b] = excuses[i] ?? ['', '']
    return !arrows.some(({ from, to }) => isIn(from, a) && isIn(to, b))
  })
  const idleCircles = exceptions.circles.filter((place) => !circles.some((path) => isIn(path, place)))
  expect([...idleArrows, ...idleCircles]).toEqual([])
})

it('[S2170] what the command line runs uses nothing that Node 20 lacks', () => {
  const newer =
    /(?:Map|Object)\.groupBy\(|Promise\.(?:withResolvers|try)\(|Array\.fromAsync\(|\.(?:keys|values|entries)\(\)\s*\.(?:map|filter|some|every|flatMap|toArray|find|reduce|take|drop)\(/
  const places = ['cli', 'src/client', 'src/reading', 'src/core/text']
  const own = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...places], { cwd: root, encoding: 'utf8' })
  const paths = own.split('\n').filter((path) => path.endsWith('.ts') && existsSync(join(root, path)))
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.filter((path) => newer.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
})

it('[S251] no file written by hand is longer than 250 lines', () => {
  const written = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...WRITTEN_BY_HAND], {
    cwd: root,
    encoding: 'utf8',
  })
  const long = written
    .split('\n')
    .filter((path) => /\.(ts|tsx|mts|js|mjs|css|html)$/.test(path) && existsSync(join(root, path)))
    .filter((path) => !GENERATED.includes(path) && readFileSync(join(root, path), 'utf8').split('\n').length - 1 > MAX_LINES)
  expect(long).toEqual([])
})

it('[L171] ARCHITECTURE.md shows the floors as they are', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith('Floors\n')) ?? ''
  const shown = [...section.matchAll(/^\d+\. ([^:\n]*)/gm)].map(([, line = '']) => [...line.matchAll(/`([^`]+)`/g)].map(([, path]) => path))
  expect(shown).toEqual(floors.map((floor) => floor.map(({ path }) => path)))
})

it('[L171] an import of a type counts, however it is written', () => {
  const source = `
    import type { A } from './a'
    import { type B } from './b'
    export type { C } from './c'
    export * from './d'
    type E = import('./e').E
    const f = () => import('./f')
  `
  expect([...importsOf('x.ts', source)].sort()).toEqual(['./a', './b', './c', './d', './e', './f'])
})

it.each([
  ['a file from outside', "import type { Message } from '../ports/models'\nexport type Kept = Message", /TS6059/],
  ['a library that is not on its list', "import { Hono } from 'hono'\nexport const app = new Hono()", /TS2305/],
  ['what only Node has', "import { readFileSync } from 'node:fs'\nexport const read = readFileSync", /TS2305/],
  ['what only a platform has', "export const answer = fetch('https://example.com')", /TS2304/],
])('[L173] the core does not compile with %s', async (_, source, fault) => {
  const folder = join(root, 'src/core')
  const name = `wall-${process.pid}`
  const config = join(folder, `${name}.json`)
  const file = join(folder, `${name}.ts`)
  try {
    writeFileSync(file, source)
    writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', include: [`./${name}.ts`] }))
    const { code, all } = await capture('tsc', ['-p', config])
    expect(all).toMatch(fault)
    expect(code).not.toBe(0)
  } finally {
    rmSync(file, { force: true })
    rmSync(config, { force: true })
  }
})

it('[L173] the Worker holds one copy of a library, however many import it', () => {
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ['src/http/app.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  // The same file in two module formats: `zod/index.js` and `zod/index.cjs`.
  const names = Object.keys(metafile.inputs).filter((name) => name.includes('node_modules/'))
  const twice = names.filter((name) => name.endsWith('.cjs') && names.includes(name.replace(/cjs$/, 'js')))
  expect(twice).toEqual([])
})
