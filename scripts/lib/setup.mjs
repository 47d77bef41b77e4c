/**
 * Makes a fresh clone ready: dependencies installed as package-lock.json says, and Node 22 from node_modules even where only
 * Node 20 is there. Imports nothing but Node, because it runs before anything is installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

const NODE = 22 // what wrangler and vitest need
const PATIENCE = 600_000 // ms to wait for another run's installation

/** Call first in every script; returns only under a new enough Node with all dependencies there. */
export async function ensureSetup() {
  await ensureInstalled()
  if (Number(process.versions.node.split('.')[0]) >= NODE) return
  const bundled = join(root, 'node_modules/.bin/node')
  if (!existsSync(bundled))
    throw new Error(`Loam needs Node ${NODE}; this is ${process.versions.node} and npm has no Node for this platform`)
  process.exit(await again(bundled))
}

/** All dependencies there, under whichever Node. */
export async function ensureInstalled() {
  if (!installed(root)) await alone(lockOf(root), () => installed(root) || install())
}

/** Whether node_modules holds what the lock file asks for; optional packages of other platforms may be missing. */
export function installed(folder) {
  const wanted = packagesOf(join(folder, 'package-lock.json'))
  const there = packagesOf(join(folder, 'node_modules/.package-lock.json'))
  if (!wanted || !there) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    const found = there[path]
    return found ? found.version === entry.version : entry.optional === true || entry.devOptional === true
  })
}

function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

function install() {
  console.error('Installing dependencies (once; about 15 seconds) …')
  const began = Date.now()
  const viaNpm = process.env.npm_execpath?.endsWith('.js') // npm ran this script: use the same npm
  const [command, first] = viaNpm ? [process.execPath, [process.env.npm_execpath]] : ['npm', []]
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stdout, stderr } = spawnSync(command, [...first, ...flags], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ci failed\n${stdout ?? ''}${stderr ?? ''}`)
  console.error(`Installed in ${((Date.now() - began) / 1000).toFixed(1)} s.`)
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
