/** Which files are meant by what was typed: files, folders with all that can be read in them, globs. In one order, none twice. */
import { statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { misuse } from '../failure.mjs'

/** @returns {Promise<{path: string, named: boolean}[]>} absolute paths; `named`: typed as such, so it is read whatever its ending */
export async function filesOf(given, cwd = process.cwd()) {
  const { glob } = await import('tinyglobby')
  const found = new Map()
  for (const one of given) {
    const path = resolve(cwd, one)
    const kind = statSync(path, { throwIfNoEntry: false })
    if (kind?.isFile()) {
      found.set(path, { path, named: true })
      continue
    }
    const inside = kind?.isDirectory()
      ? await glob('**/*', { cwd: path, absolute: true, ignore: ['**/node_modules/**'] })
      : await glob(one, { cwd, absolute: true })
    if (inside.length === 0) throw misuse(`${one}: there is ${kind ? 'nothing in it' : 'no such file, folder or match'}`)
    for (const file of inside) if (!found.has(file)) found.set(file, { path: file, named: false })
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Ids are paths as seen from one folder: the one named, the current one, or, if a file lies outside it, the one all files share. */
export function baseOf(files, named, cwd = process.cwd()) {
  const inside = (base) => files.every(({ path }) => !outside(relative(base, path)))
  const base = named ? resolve(cwd, named) : inside(cwd) ? cwd : shared(files.map(({ path }) => path))
  if (!inside(base)) throw misuse(`--base ${named}: not every file is inside`)
  return base
}

const outside = (path) => path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)

function shared(paths) {
  const [first, ...others] = paths.map((path) => path.split(sep).slice(0, -1))
  const length = first.findIndex((part, at) => others.some((other) => other[at] !== part))
  return first.slice(0, length < 0 ? first.length : length).join(sep) || sep
}

export const idIn = (base, path) => relative(base, path).split(sep).join('/')
