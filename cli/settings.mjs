/** Where Loam is, with which key, and which corpus: said on the command line, in the environment, or remembered by `loam init`, in that order. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { clientOf, listed } from './client.mjs'
import { Failure, misuse } from './failure.mjs'

const LOCAL = 'http://127.0.0.1:8787'
const LOCAL_KEY = 'local-development-key' // what `loam dev` takes on 127.0.0.1

const placeOf = (env) => join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'loam', 'config.json')

function remembered(env) {
  try {
    return JSON.parse(readFileSync(placeOf(env), 'utf8'))
  } catch {
    return {}
  }
}

/** Readable by its owner only: it holds the key. */
export function remember(env, settings) {
  const path = placeOf(env)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  chmodSync(path, 0o600)
  return path
}

export function settingsOf({ values, env }) {
  const kept = remembered(env)
  const url = values.url ?? (env.LOAM_URL || kept.url || LOCAL)
  if (!URL.canParse(url)) throw misuse(`"${url}" is no address`)
  // The remembered key belongs to the remembered place; it is never sent to another.
  const own = kept.url === url ? kept.key : undefined
  const local = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname) ? LOCAL_KEY : undefined
  return { url, key: values.key ?? (env.LOAM_KEY || own || local), corpus: values.corpus ?? (env.LOAM_CORPUS || kept.corpus) }
}

/** `--as`: every request asks for these principals. */
export function connected(given) {
  const settings = settingsOf(given)
  return { ...settings, client: clientOf({ ...settings, as: given.values.as }) }
}

/** The corpus named, or the only one there is. */
export async function chosen({ client, corpus }) {
  if (corpus) return corpus
  const names = []
  for await (const one of listed(client, '/v1/corpora')) names.push(one.corpus)
  if (names.length === 1) return names[0]
  throw new Failure(
    names.length === 0
      ? 'there is no corpus yet; `loam init <corpus>` makes one'
      : `which corpus? --corpus ${names.slice(0, 20).join(' | ')}`,
    {
      exit: 2,
    },
  )
}
