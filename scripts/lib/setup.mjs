/**
 * Prepares a fresh clone: dependencies installed as in package-lock.json, and Node 22 from node_modules even if only Node 20 is installed.
 * Imports no package, because it runs before anything is installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { holds, readJson, startSet } from './packages.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

const NODE = 22 // what wrangler and vitest need
const PATIENCE = 600_000 // ms to wait for another run's installation

/**
 * Call this first in every script; it returns only under a new enough Node with dependencies installed.
 * @param {{ toStart?: boolean }} [needs] `toStart`: what `npm start` needs is enough
 */
export async function ensureSetup(needs) {
  await ensureInstalled(needs)
  if (Number(process.versions.node.split('.')[0]) >= NODE) return
  const bundled = join(root, 'node_modules/.bin/node')
  if (!existsSync(bundled))
    throw new Error(`Loam needs Node ${NODE}; this is ${process.versions.node} and npm has no Node for this platform`)
  process.exit(await again(bundled))
}

/** Installs dependencies, under whichever Node is running. */
export async function ensureInstalled({ toStart = false } = {}) {
  if (!installed(root, { toStart })) await alone(lockOf(root), () => installed(root, { toStart }) || install(toStart))
}

/** Whether node_modules contains what the lock file asks for, or as much of it as starting needs. */
export function installed(folder, { toStart = false } = {}) {
  return holds(folder, (toStart ? startSet(folder)?.lock : readJson(join(folder, 'package-lock.json')))?.packages)
}

function install(toStart) {
  const modules = join(root, 'node_modules')
  const began = Date.now()
  if (toStart && !existsSync(modules)) {
    console.error('Installing what `npm start` needs, a sixth of all packages (once; 5 to 15 seconds where npm has them in its cache) …')
    installStartSet(modules)
  } else if (existsSync(join(modules, '.package-lock.json'))) {
    console.error('Installing the dependencies that are missing (once; about 15 seconds) …')
    npm(['install', '--no-save'], root) // existing packages stay: a server may be running from them
    if (!installed(root)) npm(['ci'], root)
  } else {
    console.error('Installing dependencies (once; about 15 seconds) …')
    npm(['ci'], root)
  }
  console.error(`Installed in ${((Date.now() - began) / 1000).toFixed(1)} s.`)
}

/** Installed in a separate folder, from a lock file that is a part of ours; then moved into place as a whole. */
function installStartSet(modules) {
  const aside = join(root, '.loam/install')
  const { manifest, lock } = startSet(root)
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  writeFileSync(join(aside, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(aside, 'package-lock.json'), JSON.stringify(lock))
  npm(['ci'], aside)
  renameSync(join(aside, 'node_modules'), modules)
  rmSync(aside, { recursive: true, force: true })
}

/** Without printing; its output is part of the error. */
export function npm(args, cwd) {
  const viaNpm = process.env.npm_execpath?.endsWith('.js') // npm ran this script: use the same npm
  const [command, first] = viaNpm ? [process.execPath, [process.env.npm_execpath]] : ['npm', []]
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stdout, stderr } = spawnSync(command, [...first, ...args, ...flags], { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${args[0]} failed\n${stdout ?? ''}${stderr ?? ''}`)
}

/** The same command under another Node; its exit code. */
function again(node) {
  const path = [dirname(node), process.env.PATH].join(delimiter)
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env: { ...process.env, PATH: path } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

/** Where the lock of a folder is. */
export function lockOf(folder) {
  return join(tmpdir(), `loam-setup-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)
}

/** One process at a time; a lock whose holder is gone is taken over. */
export async function alone(lock, work) {
  const until = Date.now() + PATIENCE
  while (!taken(lock)) {
    if (Date.now() > until) throw new Error(`another installation has not finished; if there is none, delete ${lock}`)
    await sleep(200)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function taken(lock) {
  try {
    mkdirSync(lock)
    writeFileSync(join(lock, 'pid'), String(process.pid))
    return true
  } catch {
    if (!alive(holder(lock))) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

function holder(lock) {
  try {
    return Number(readFileSync(join(lock, 'pid'), 'utf8'))
  } catch {
    return process.pid // just made, its pid not yet written: alive
  }
}

export function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
