/**
 * The state folder of one local Loam: databases, logs, the embedding cache, and secrets created once. One process at a time, and one
 * embedding model (plus the previous one if it is named), because vectors of two models cannot be compared.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { portIsFree } from './ports.mjs'
import { alive } from './setup.mjs'

const PATIENCE = 10_000 // ms for the runtime of a killed owner to end

/**
 * `newKey`: create another master key if the state's own is lost. `rotate`: create another, while the old one still opens until everything
 * is sealed again.
 */
export function openState(root, name, { newKey = false, rotate = false } = {}) {
  const folder = resolve(root, name)
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const running = join(folder, 'running.json')
  const other = readJson(running)
  if (other && other.pid !== process.pid && alive(other.pid)) {
    throw new Error(
      `Loam already runs with this state (${other.url ?? `process ${other.pid}`}). For a second one: LOAM_STATE=.loam-2 PORT=8788 npm start`,
    )
  }
  refuseLostKey(folder, newKey)
  writeFileSync(running, JSON.stringify({ pid: process.pid }))
  const secrets = join(folder, 'secrets.json')
  if (rotate) replaceKey(secrets)
  return {
    folder,
    path: (...parts) => join(folder, ...parts),
    masterKey: secretOf(secrets, 'MASTER_KEY'),
    /** One per line: keys under which something may still be sealed. */
    olderKeys: readJson(secrets).MASTER_KEY_PREVIOUS ?? '',
    forgetOlderKeys: () => keep(secrets, { ...readJson(secrets), MASTER_KEY_PREVIOUS: undefined }),
    /** Created when first needed. */
    adminKey: () => secretOf(secrets, 'ADMIN_KEY'),
    announce: (known) => writeFileSync(running, JSON.stringify({ pid: process.pid, ...known })),
    /** The runtime of a killed owner ends by itself within moments; two must never write to one state. */
    async left() {
      const port = Number(new URL(other?.url ?? 'http://nowhere').port)
      const until = Date.now() + PATIENCE
      while (port && other.host && alive(other.host) && !(await portIsFree(port))) {
        if (Date.now() > until) throw new Error(`The runtime of an earlier Loam (process ${other.host}) still uses ${folder}.`)
        await sleep(20)
      }
    },
    /** An empty folder. */
    folderFor(name) {
      rmSync(join(folder, name), { recursive: true, force: true })
      mkdirSync(join(folder, name), { recursive: true })
      return join(folder, name)
    },
    close: () => rmSync(running, { force: true }),
    /** `previous`: older corpora are also served with it, so the state may have been made with it. */
    keepModel(embedding, previous) {
      const path = join(folder, 'embedding.json')
      const kept = readJson(path)
      const isOf = (one) => one !== undefined && kept.model === one.model && kept.dimensions === one.dimensions
      if (!kept || isOf(previous)) return writeFileSync(path, JSON.stringify(embedding))
      if (isOf(embedding)) return
      throw new Error(
        `The state in ${folder} was made with ${kept.model} (${kept.dimensions} dimensions), not ${embedding.model} (${embedding.dimensions}). To use both: LOCAL_PREVIOUS_EMBEDDING_MODEL=${kept.model}. Or use another LOAM_STATE, or delete that folder.`,
      )
    },
  }
}

/** A used state that has lost its key is not silently given another: secrets sealed under the old key would not open, and restoring the file would not help secrets sealed later. */
function refuseLostKey(folder, newKey) {
  const path = join(folder, 'secrets.json')
  if (newKey || !existsSync(join(folder, 'embedding.json')) || readJson(path)?.MASTER_KEY) return
  const why = existsSync(path) ? 'cannot be read' : 'is missing'
  throw new Error(
    `${path} ${why}. It holds the MASTER_KEY under which the secrets of webhooks were sealed. Put it back; or LOAM_NEW_MASTER_KEY=1 npm start makes another key, and webhooks and endpoints must then be rotated.`,
  )
}

function secretOf(path, name) {
  const kept = readJson(path) ?? {}
  keep(path, kept[name] ? kept : { ...kept, [name]: newSecret() })
  return readJson(path)[name]
}

/** If there is none yet, the first one is as good as another. */
function replaceKey(path) {
  const { MASTER_KEY: old, MASTER_KEY_PREVIOUS: older, ...others } = readJson(path) ?? {}
  if (old) keep(path, { ...others, MASTER_KEY: newSecret(), MASTER_KEY_PREVIOUS: [old, older].filter(Boolean).join('\n') })
}

const newSecret = () => randomBytes(32).toString('base64url')

/** Completely or not at all: a half-written master key is lost. */
function keep(path, secrets) {
  writeFileSync(`${path}.new`, JSON.stringify(secrets), { mode: 0o600 })
  renameSync(`${path}.new`, path)
  chmodSync(path, 0o600)
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
