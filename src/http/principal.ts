/** Who calls: keys as they are made, kept (a hash) and recognised (in constant time). */
import type { KeyRecord, Scope } from '../catalogue-ports'
import type { Caches } from './caches'
import type { Wired } from './context'

export interface Principal {
  readonly id: string
  /** The bearer key itself: what stored answers are encrypted with. Never logged. */
  readonly bearer: string
  readonly scopes: ReadonlySet<Scope>
  /** Null: all corpora, also those to come. */
  readonly corpora: ReadonlySet<string> | null
}

const FORM = /^loam_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/
const encoder = new TextEncoder()

export interface Minted {
  readonly id: string
  readonly key: string
  readonly hash: string
}

/** 256 random bits behind an id to look it up by. */
export async function newKey(): Promise<Minted> {
  const id = hex(crypto.getRandomValues(new Uint8Array(8)))
  const secret = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
  const key = `loam_${id}_${secret.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
  return { id, key, hash: hex(await sha256(key)) }
}

/** Null: nobody we know. */
export async function recognise(bearer: string, world: Wired, caches: Caches): Promise<Principal | null> {
  const digest = await sha256(bearer)
  if (world.adminKey !== '' && alike(digest, await sha256(world.adminKey))) {
    return { id: 'admin', bearer, scopes: new Set(['admin']), corpora: null }
  }
  const id = FORM.exec(bearer)?.[1]
  if (id === undefined) return null
  const record = await caches.keys.of(id, world.now(), () => world.catalogue.key(id))
  return record && alike(digest, bytesOf(record.hash)) ? principalOf(record, bearer) : null
}

function principalOf(record: KeyRecord, bearer: string): Principal {
  const corpora = record.corpora.includes('*') ? null : new Set(record.corpora)
  return { id: record.id, bearer, scopes: new Set(record.scopes), corpora }
}

/** Admin may do everything; otherwise a scope must be named. */
export function may(principal: Principal, ...scopes: readonly Scope[]): boolean {
  return principal.scopes.has('admin') || scopes.some((scope) => principal.scopes.has(scope))
}

export function sees(principal: Principal, corpus: string): boolean {
  return principal.corpora === null || principal.corpora.has(corpus)
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}

/** Looks at every byte, whatever the first ones say. */
function alike(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length
  for (const [i, byte] of a.entries()) difference |= byte ^ (b[i] ?? 0)
  return difference === 0
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
