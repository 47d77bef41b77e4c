/**
 * What runs GGUF files: node-llama-cpp, which no other command needs. It is installed next to the models when the first of them should run,
 * from the lock files in engine/, without its install scripts: it comes compiled, and is never compiled here.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readJson } from '../packages.mjs'
import { alone, lockOf, npm } from '../setup.mjs'

/**
 * A lock file for each platform. A binary only works with the library of its own version, and those for macOS and Windows are one version
 * older.
 */
const LOCKS = {
  'linux-x64': 'linux',
  'linux-arm64': 'linux',
  'darwin-arm64': 'mac-windows',
  'darwin-x64': 'mac-windows',
  'win32-x64': 'mac-windows',
  'win32-arm64': 'mac-windows',
}
const DONE = 'installed.json' // written last
const HERE = `${process.platform}-${process.arch}`

/**
 * @param {string} folder of all models
 * @param {{ say?: (text: string) => void, platform?: string, install?: (folder: string) => void }} [options]
 * @returns {Promise<string>} where node-llama-cpp is installed
 */
export async function ensureEngine(folder, { say = () => {}, platform = HERE, install = installed } = {}) {
  if (!Object.hasOwn(LOCKS, platform)) {
    throw new Error(
      `node-llama-cpp is locked for ${Object.keys(LOCKS).join(', ')}; this is ${platform}. Run an OpenAI-compatible server (Ollama, llama.cpp) and name it: LOCAL_MODEL_URL=http://127.0.0.1:11434/v1`,
    )
  }
  const locked = fileURLToPath(new URL(`engine/${LOCKS[platform]}`, import.meta.url))
  const version = readJson(join(locked, 'package.json')).dependencies['node-llama-cpp']
  const lock = readFileSync(join(locked, 'package-lock.json'), 'utf8')
  const place = join(folder, `engine-${version}`)
  const isDone = () => existsSync(join(place, DONE)) && readFileSync(join(place, DONE), 'utf8') === lock
  if (!isDone()) {
    mkdirSync(folder, { recursive: true })
    await alone(lockOf(place), async () => {
      if (isDone()) return
      say(`Installing node-llama-cpp ${version} into ${place} (once; 85 MB) …`)
      rmSync(place, { recursive: true, force: true })
      mkdirSync(place, { recursive: true })
      for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(locked, file), join(place, file))
      install(place)
      writeFileSync(join(place, DONE), lock)
    })
  }
  return join(place, 'node_modules/node-llama-cpp')
}

function installed(place) {
  npm(['ci', '--ignore-scripts'], place)
}
