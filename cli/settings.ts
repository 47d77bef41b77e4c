/** Where Loam is, with which key, and which corpus: named on the command line, in the environment, or remembered by `loam init`, in that order. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from './command'
import { misuse } from './failure'

const LOCAL = 'http://127.0.0.1:8787'
const LOCAL_KEY = 'local-development-key' // what `loam start` takes on 127.0.0.1

export interface Settings {
  readonly url: string
  readonly key?: string | undefined
  readonly corpus?: string | undefined
}

const placeOf = (env: Environment): string => join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'loam', 'config.json')

function recall(env: Environment): Partial<Settings> {
  try {
    return JSON.parse(readFileSync(placeOf(env), 'utf8')) as Partial<Settings>
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
  if (!URL.canParse(url)) throw misuse(`"${url}" is not a valid address`)
  // The remembered key belongs to the remembered place; it is never sent to another.
  const own = remembered.url === url ? remembered.key : undefined
  const local = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname) ? LOCAL_KEY : undefined
  return { url, key: values.key ?? (env.LOAM_KEY || own || local), corpus: values.corpus ?? (env.LOAM_CORPUS || remembered.corpus) }
}
