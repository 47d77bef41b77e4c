/** Who calls: how keys are created, kept (as a hash) and recognised (in constant time). */
import type { DailyLimits, Scope } from '../contract/keys'
import type { CorpusRecord } from '../ports/catalogue'
import type { KeyRecord } from '../ports/keys'
import type { Caches } from './caches'
import type { Wired } from './wired'

export interface Principal {
  readonly id: string
  /** The bearer key itself: what stored answers are encrypted with. Never logged. */
  readonly bearer: string
  readonly scopes: ReadonlySet<Scope>
  /** Uids by name. Null: all corpora, including future ones. */
  readonly corpora: ReadonlyMap<string, string> | null
  /** Milliseconds since the epoch. Null: it does not expire. */
  readonly expires: number | null
  /** Whom its bearer speaks for. */
  readonly principals: readonly string[]
  /** May a request with it say on whose behalf it asks? */
  readonly accessChoose: boolean
  /** What the key may use in a day. Absent: no limits. */
  readonly limits?: DailyLimits
}

const FORM = /^loam_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/
const USE_NOTED = 15 * 60_000 // ms between two notes of one key's use: a row written each time
const encoder = new TextEncoder()

export interface Minted {
  readonly id: string
  readonly key: string
  readonly hash: string
}

/** 256 random bits after an id to look it up by. */
export async function newKey(id = hex(crypto.getRandomValues(new Uint8Array(8)))): Promise<Minted> {
  const secret = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
  const key = `loam_${id}_${secret.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
  return { id, key, hash: hex(await sha256(key)) }
}

/** `digest`: of the bearer key. Null: unknown. `expired`: known, but expired. */
export async function recognise(bearer: string, digest: Uint8Array, world: Wired, caches: Caches): Promise<Principal | 'expired' | null> {
  if (world.adminKey !== '' && alike(digest, await sha256(world.adminKey))) {
    return { id: 'admin', bearer, scopes: new Set(['admin']), corpora: null, expires: null, principals: [], accessChoose: true }
  }
  const id = FORM.exec(bearer)?.[1]
  if (id === undefined) return null
  const now = world.now()
  const held = caches.keys.held(id, now)
  // A key that does not match what is remembered may be the new secret of a key rotated elsewhere.
  const record = held && opens(held, digest, now) ? held : await caches.keys.anew(id, now, () => world.keys.key(id))
  if (!record || !opens(record, digest, now)) return null
  if (record.expires !== null && record.expires <= now) return 'expired'
  noteUse(record, world, caches)
  return principalOf(record, bearer)
}

function opens({ hash, previous }: KeyRecord, digest: Uint8Array, now: number): boolean {
  const good = [hash, ...previous.filter(({ until }) => until > now).map((one) => one.hash)]
  return good.map((one) => alike(digest, bytesOf(one))).includes(true)
}

/** Runs beside the request, which does not wait for it. */
function noteUse({ id, used }: KeyRecord, world: Wired, { uses }: Caches): void {
  const now = world.now()
  if (now - Math.max(used ?? 0, uses.last(id)) < USE_NOTED) return
  uses.note(id, now)
  world.later(world.keys.noteUse(id, now, now - USE_NOTED).catch(() => undefined))
}

function principalOf(record: KeyRecord, bearer: string): Principal {
  const corpora = record.corpora && new Map(record.corpora.map(({ name, uid }) => [name, uid]))
  const { id, expires, principals, accessChoose, limits } = record
  return { id, bearer, scopes: new Set(record.scopes), corpora, expires, principals, accessChoose, ...(limits ? { limits } : {}) }
}

/** Admin may do everything; otherwise a scope must be named. */
export function hasScope(principal: Principal, ...scopes: readonly Scope[]): boolean {
  return principal.scopes.has('admin') || scopes.some((scope) => principal.scopes.has(scope))
}

export function hasCorpus(principal: Principal, { name, uid }: Pick<CorpusRecord, 'name' | 'uid'>): boolean {
  return principal.corpora === null || principal.corpora.get(name) === uid
}

/** Does the key name this corpus? Compared by uid. */
export function hasCorpusNamed(principal: Principal, name: string): boolean {
  return principal.corpora?.has(name) ?? true
}

/** The uids a list may show; null: of all. */
export function visibleUids(principal: Principal | null): readonly string[] | null {
  return principal ? principal.corpora && [...principal.corpora.values()] : []
}

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}

/** Compares every byte, whatever the first ones are. */
function alike(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length
  for (const [i, byte] of a.entries()) difference |= byte ^ (b[i] ?? 0)
  return difference === 0
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
