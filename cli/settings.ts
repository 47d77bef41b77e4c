/** Where Loam is, with which key, and which corpus: named on the command line, in the environment, or remembered by `loam init`, in that order. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from './command'
import { misuse } from './failure'

const LOCAL = 'http://127.0.0.1:8787'
const LOCAL_KEY = 'local-development-key' // the key that `loam start` accepts on 127.0.0.1

export interface Settings {
  readonly url: string
  readonly key?: string | undefined
  readonly corpus?: string | undefined
}

const placeOf = (env: Environment): string => join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'loam', 'config.json')

function recall(env: Environment): Partial<Settings> {
  try {
    const found = Object.entries((JSON.parse(readFileSync(placeOf(env), 'utf8')) ?? {}) as object)
    return Object.fromEntries(found.filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}

/** Readable by its owner only: it holds the key. */
export function remember(env: Environment, settings: Settings): string {
  const path = placeOf(env)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  chmodSync(path, 0o600)
  return path
}

export interface Given {
  readonly values: Partial<Settings>
  readonly env: Environment
}

export function settingsOf({ values, env }: Given): Settings {
  const remembered = recall(env)
  const url = values.url ?? (env.LOAM_URL || remembered.url || LOCAL)
  requireAddress(url)
  // The remembered key belongs to the remembered address; it is never sent to another.
  const own = remembered.url === url ? remembered.key : undefined
  const local = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname) ? LOCAL_KEY : undefined
  const key = (values.key ?? (env.LOAM_KEY || own || local))?.trim()
  if (key !== undefined) requireSendable(key, 'the key')
  return { url, key, corpus: values.corpus ?? (env.LOAM_CORPUS || remembered.corpus) }
}

/** `https://…`, with a path where Loam is behind one. */
function requireAddress(url: string): void {
  const { protocol, username, password, search, hash } = URL.canParse(url) ? new URL(url) : ({} as Partial<URL>)
  if (protocol === undefined) throw misuse(`"${url}" is not a valid address`)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw misuse(`"${url}" is not a valid address: it begins with neither https:// nor http://`)
  if (username || password) throw misuse('an address holds no name and no password; the key has its own place: --key or LOAM_KEY')
  if (search || hash) throw misuse(`"${url}" is not a valid address: it ends before ? and #`)
}

/** As a header's value. */
export function requireSendable(value: string, what: string): void {
  if (/[^\x20-\x7e]/.test(value)) throw misuse(`${what} has characters that cannot be sent: only ASCII, and no line breaks`)
}
