/**
 * The state folder of one local Loam: databases, generated configuration, logs, the embedding cache, and a secret made once.
 * One process at a time, and one embedding model for ever, because vectors of two models cannot be compared.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { alive } from './setup.mjs'

export function openState(root, name) {
  const folder = resolve(root, name)
  for (const part of ['config', 'logs']) mkdirSync(join(folder, part), { recursive: true })
  const running = join(folder, 'running.json')
  const other = readJson(running)
  if (other && other.pid !== process.pid && alive(other.pid)) {
    throw new Error(
      `Loam already runs with this state (${other.url ?? `process ${other.pid}`}). For a second one: LOAM_STATE=.loam-2 PORT=8788 npm start`,
    )
  }
  writeFileSync(running, JSON.stringify({ pid: process.pid }))
  return {
    folder,
    path: (...parts) => join(folder, ...parts),
    masterKey: secretOf(join(folder, 'secrets.json')),
    announce: (url) => writeFileSync(running, JSON.stringify({ pid: process.pid, url })),
    close: () => rmSync(running, { force: true }),
    /** Readable by its owner only: it holds the secrets. */
    write(file, value) {
      const path = join(folder, 'config', file)
      writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
      return path
    },
    /** A module in a folder of its own, because the runtime looks around its entry for others. */
    module(name, text) {
      mkdirSync(join(folder, 'build', name), { recursive: true })
      const path = join(folder, 'build', name, 'index.js')
      writeFileSync(path, text)
      return path
    },
    keepModel(embedding) {
      const path = join(folder, 'embedding.json')
      const kept = readJson(path)
      if (!kept) return writeFileSync(path, JSON.stringify(embedding))
      if (kept.model === embedding.model && kept.dimensions === embedding.dimensions) return
      throw new Error(
        `The state in ${folder} was made with ${kept.model} (${kept.dimensions} dimensions), not ${embedding.model} (${embedding.dimensions}). Use another LOAM_STATE, or delete that folder.`,
      )
    },
  }
}

function secretOf(path) {
  if (!existsSync(path)) writeFileSync(path, JSON.stringify({ MASTER_KEY: randomBytes(32).toString('base64url') }))
  chmodSync(path, 0o600)
  return readJson(path).MASTER_KEY
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
