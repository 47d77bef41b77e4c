/**
 * Secrets at rest: AES-GCM under a key derived from a master key (HKDF-SHA-256), bound to the name they are stored under. A row copied to
 * another hook does not open. Each states which key sealed it, so that we know what still has to be sealed again when the master key is
 * replaced (flows/reseal.ts). The secret itself is never logged, listed or put into an error.
 */
import { base64, bytesOfBase64 } from '../base64'
import type { Secrets } from '../ports/deliveries'

const IV = 12 // bytes, new for each secret
const ID = 6 // bytes of a key's id; the mark after it never occurs in base64
const MARK = '.'
const encoder = new TextEncoder()
const INFO = { sealing: encoder.encode('loam webhook secrets v1'), id: encoder.encode('loam master key id v1') }

export interface Vault {
  /** Ids of its keys: first the one that seals, then those that only open. */
  keys(): Promise<readonly string[]>
  seal(secret: string, name: string): Promise<string>
  /** Throws if none of its keys opens a text sealed under this name. */
  open(sealed: string, name: string): Promise<string>
}

interface Sealed {
  readonly sealed: string
}

/** The secrets that this key opens: another key may have been in use when the others were sealed. */
export async function openSecrets<T extends Sealed>(
  vault: Vault,
  secrets: readonly T[],
  name: string,
): Promise<readonly { readonly record: T; readonly secret: string }[]> {
  const tried = await Promise.allSettled(secrets.map((one) => vault.open(one.sealed, name)))
  return secrets.flatMap((record, i) => {
    const one = tried[i]
    return one?.status === 'fulfilled' ? [{ record, secret: one.value }] : []
  })
}

/** A secret that stays valid next to a new one until `until` at most, sealed like the new one; one that does not open is unusable. */
export async function sealOverlapping(
  vault: Vault,
  secrets: Secrets,
  { name, until }: { name: string; until: number },
): Promise<{ readonly sealed: string; readonly until: number }[]> {
  const known = await openSecrets(vault, secrets, name)
  return Promise.all(
    known.map(async ({ record, secret }) => {
      return { sealed: await vault.seal(secret, name), until: Math.min(record.until ?? until, until) }
    }),
  )
}

export interface Resealed {
  /** Without those whose overlap has ended. */
  readonly secrets: Secrets
  /** How many were sealed again, and how many no key opens: the latter stay unchanged. */
  readonly changed: number
  readonly unreadable: number
}

/** The same secrets, sealed under the current key. */
export async function resealSecrets(vault: Vault, secrets: Secrets, { name, now }: { name: string; now: number }): Promise<Resealed> {
  const [current = ''] = await vault.keys()
  const living = secrets.filter(({ until }) => until === null || until > now)
  const renewed = await Promise.all(
    living.map(async (one) => {
      if (idOf(one.sealed) === current) return { one, is: 'current' }
      const [found] = await openSecrets(vault, [one], name)
      return found ? { one: { ...one, sealed: await vault.seal(found.secret, name) }, is: 'changed' } : { one, is: 'unreadable' }
    }),
  )
  const count = (which: string): number => renewed.filter(({ is }) => is === which).length
  return {
    secrets: renewed.map(({ one }) => one),
    changed: count('changed') + (secrets.length - living.length),
    unreadable: count('unreadable'),
  }
}

interface Key {
  readonly id: string
  readonly key: CryptoKey
}

export interface MasterKeys {
  readonly MASTER_KEY?: string
  /** Seals in place of MASTER_KEY while one replaces the other, where the old one may be unknown. */
  readonly MASTER_KEY_NEXT?: string
  /** Older keys that still open, one per line. */
  readonly MASTER_KEY_PREVIOUS?: string
}

/** The keys of a deployment; the first seals. */
export function masterKeys({ MASTER_KEY = '', MASTER_KEY_NEXT = '', MASTER_KEY_PREVIOUS = '' }: MasterKeys): readonly string[] {
  return [...new Set([MASTER_KEY_NEXT, MASTER_KEY, ...MASTER_KEY_PREVIOUS.split(/\r?\n/)].filter((key) => key !== ''))]
}

/** The first key seals, all of them open. Null: no master key is configured, so no secret can be stored. */
export function vault(...masterKeys: readonly string[]): Vault | null {
  if (masterKeys.every((key) => key === '')) return null
  let derived: Promise<readonly Key[]> | undefined
  const keys = (): Promise<readonly Key[]> => {
    derived ??= Promise.all(masterKeys.map(keyOf))
    return derived
  }
  return {
    keys: async () => (await keys()).map(({ id }) => id),
    async seal(secret, name) {
      const [current] = await keys()
      if (!current) throw new Error('no key')
      const iv = crypto.getRandomValues(new Uint8Array(IV))
      const additionalData = encoder.encode(name)
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, current.key, encoder.encode(secret))
      return `${current.id}${MARK}${base64(new Uint8Array([...iv, ...new Uint8Array(sealed)]))}`
    },
    async open(sealed, name) {
      const id = idOf(sealed)
      const bytes = bytesOfBase64(id === null ? sealed : sealed.slice(id.length + MARK.length)) ?? new Uint8Array()
      const [iv, text] = [bytes.slice(0, IV), bytes.slice(IV)]
      // A secret sealed before keys had ids may belong to any key.
      const tried = (await keys()).filter((one) => id === null || one.id === id)
      const additionalData = encoder.encode(name)
      return Promise.any(
        tried.map(async ({ key }) =>
          new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, text)),
        ),
      )
    },
  }
}

/** Null: it was sealed before keys had ids. */
function idOf(sealed: string): string | null {
  const at = sealed.indexOf(MARK)
  return at < 0 ? null : sealed.slice(0, at)
}

async function keyOf(masterKey: string): Promise<Key> {
  const base = await crypto.subtle.importKey('raw', encoder.encode(masterKey), 'HKDF', false, ['deriveKey', 'deriveBits'])
  const from = (info: BufferSource) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info })
  const [key, id] = await Promise.all([
    crypto.subtle.deriveKey(from(INFO.sealing), base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    crypto.subtle.deriveBits(from(INFO.id), base, ID * 8),
  ])
  return { id: base64(new Uint8Array(id)), key }
}
