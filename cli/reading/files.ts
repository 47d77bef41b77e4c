/** The files meant by what was typed: files, folders with everything readable in them, globs. In one order, none twice. */
import { statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { misuse } from '../failure'

export interface FoundFile {
  /** Absolute. */
  readonly path: string
  /** Typed as such, so that it is read whatever its ending. */
  readonly isNamed: boolean
}

export async function findFiles(given: readonly string[], cwd = process.cwd()): Promise<readonly FoundFile[]> {
  const { glob } = await import('tinyglobby')
  const found = new Map<string, FoundFile>()
  for (const one of given) {
    const path = resolve(cwd, one)
    const kind = statSync(path, { throwIfNoEntry: false })
    if (kind?.isFile()) {
      found.set(path, { path, isNamed: true })
      continue
    }
    if (kind && !kind.isDirectory()) throw misuse(`${one}: neither a file nor a folder`)
    const inside = kind
      ? await glob('**/*', { cwd: path, absolute: true, ignore: ['**/node_modules/**'] })
      : await glob(one, { cwd, absolute: true })
    if (inside.length === 0) throw misuse(`${one}: ${kind ? 'the folder is empty' : `no such file, folder or match${aside(one)}`}`)
    for (const file of inside.filter(isOrdinary)) if (!found.has(file)) found.set(file, { path: file, isNamed: false })
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Links are followed, and may lead to endless files (/dev/zero). Missing files are reported when they are read. */
function isOrdinary(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return true
  }
}

type Paths = readonly { readonly path: string }[]

/** Ids are paths as seen from one folder: the one named, the current one, or, if a file lies outside it, the one all files share. */
export function chooseBase(files: Paths, named?: string, cwd = process.cwd()): string {
  const holdsAll = (base: string): boolean => files.every(({ path }) => !isOutside(relative(base, path)))
  const base = named ? resolve(cwd, named) : holdsAll(cwd) ? cwd : sharedFolder(files.map(({ path }) => path))
  if (!holdsAll(base)) throw misuse(`--base ${named}: some files are outside it`)
  return base
}

const isOutside = (path: string): boolean => path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)

function sharedFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split(sep).slice(0, -1))
  const length = first.findIndex((part, at) => others.some((other) => other[at] !== part))
  return first.slice(0, length < 0 ? first.length : length).join(sep) || sep
}

export const idIn = (base: string, path: string): string => relative(base, path).split(sep).join('/')

/** Other tools expect the name of a collection first. */
function aside(word: string): string {
  return /^[a-z0-9][a-z0-9-]*$/.test(word) ? ` (a corpus is named by --corpus ${word})` : ''
}
