/**
 * What runs GGUF files: node-llama-cpp, which no other command needs. It is installed beside the models when the first of them is to run, by the
 * lock file in engine/, without its install scripts: it comes compiled, and is never compiled here.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readJson } from '../packages.mjs'
import { alone, lockOf, npm } from '../setup.mjs'

const LOCKED = fileURLToPath(new URL('engine', import.meta.url))
const PLATFORMS = new Set(['linux-x64', 'linux-arm64'])
const DONE = 'installed.json' // written last

export const engineVersion = () => readJson(join(LOCKED, 'package.json')).dependencies['node-llama-cpp']

/**
 * @param {string} folder of all models
 * @param {{ say?: (text: string) => void, platform?: string, install?: (folder: string) => void }} [options]
 * @returns {Promise<string>} where node-llama-cpp lies
 */
export async function ensureEngine(folder, { say = () => {}, platform = `${process.platform}-${process.arch}`, install = installed } = {}) {
  if (!PLATFORMS.has(platform)) {
    throw new Error(
      `node-llama-cpp is locked for ${[...PLATFORMS].join(' and ')}; this is ${platform}. Run an OpenAI-compatible server (Ollama, llama.cpp) and name it: LOCAL_MODEL_URL=http://127.0.0.1:11434/v1`,
    )
  }
  const place = join(folder, `engine-${engineVersion()}`)
  const isDone = () => existsSync(join(place, DONE)) && readFileSync(join(place, DONE), 'utf8') === lockText()
  if (!isDone()) {
    mkdirSync(folder, { recursive: true })
    await alone(lockOf(place), async () => {
      if (isDone()) return
      say(`Installing node-llama-cpp ${engineVersion()} into ${place} (once; 85 MB) …`)
      rmSync(place, { recursive: true, force: true })
      mkdirSync(place, { recursive: true })
      for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(LOCKED, file), join(place, file))
      install(place)
      writeFileSync(join(place, DONE), lockText())
    })
  }
  return join(place, 'node_modules/node-llama-cpp')
}

const lockText = () => readFileSync(join(LOCKED, 'package-lock.json'), 'utf8')

function installed(place) {
  npm(['ci', '--ignore-scripts'], place)
}
