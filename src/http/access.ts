/**
 * Decides who may pass: 401 without a valid key, 404 for a corpus the key may not see, 403 if it sees the corpus but lacks the scope.
 * A corpus that the caller may not see costs the same catalogue read as one that does not exist, and gets the same answer.
 */

import { createMiddleware } from 'hono/factory'
import type { Scope } from '../contract/keys'
import type { CorpusRecord } from '../ports/catalogue'
import { networkOf } from './attempts'
import { enterRead } from './audit-reads'
import type { Ctx, Http } from './context'
import { refuseDivided } from './divided'
import { countRequest } from './key-limits'
import { nameOf } from './path'
import { hasCorpus, hasCorpusNamed, hasScope, hex, type Principal, recognise, sha256 } from './principal'
import { notFound, Problem } from './problem'
import { checkQuery } from './query'

const MAX_KEY_LENGTH = 512 // characters; an admin key may have any form
export const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/
const MINUTE = 60 // seconds, the limiters' period
const NO_UID = '' // for a caller whose key does not name the corpus

export const noKey = (): Problem => new Problem('unauthorized', 'Send a valid key as `Authorization: Bearer <key>`.')
const expired = (): Problem => new Problem('unauthorized', 'This key has expired.')
export const noScope = (scopes: readonly Scope[]): Problem => new Problem('forbidden', `This key lacks the scope ${scopes.join(' or ')}.`)

/** A key that is sent must be valid, even if none is needed. */
export const identify = createMiddleware<Http>(async (c, next) => {
  const principal = await callerOf(c)
  c.set('principal', principal)
  if (principal) await countRequest(c, principal)
  await next()
})

async function callerOf(c: Ctx): Promise<Principal | null> {
  const header = c.req.header('authorization')
  if (header === undefined) return null
  const { world, caches } = { world: c.get('world'), caches: c.get('caches') }
  const { attempts } = caches
  const address = addressOf(c)
  const bearer = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
  const digest = await sha256(bearer)
  const wait = address === null ? 0 : attempts.wait(address, hex(digest), world.now())
  if (wait > 0) throw tooManyFailures(wait)
  const known = bearer !== '' && bearer.length <= MAX_KEY_LENGTH ? await recognise(bearer, digest, world, caches) : null
  if (known === null || known === 'expired') {
    if (address !== null && !(await mayFail(c, address))) throw tooManyFailures(MINUTE)
    throw known === null ? noKey() : expired()
  }
  if (address !== null) attempts.succeeded(address, hex(digest))
  return known
}

const tooManyFailures = (seconds: number): Problem =>
  new Problem('rate_limited', 'Too many invalid keys came from this address.', { retryAfter: seconds })

/** Another key from this address has failed: may it try one more? */
async function mayFail(c: Ctx, address: string): Promise<boolean> {
  const { attempts } = c.get('caches')
  const { limitFailed, now } = c.get('world')
  if (!attempts.failed(address, now())) return true // this caller is still told why; the next one is not looked up
  if (await limitFailed(address)) return true
  attempts.block(address, now())
  return false
}

/** The address that the caller is counted under. Null: the request does not say where it comes from; on the platform it always does. */
export function addressOf(c: Ctx): string | null {
  const address = c.req.header('cf-connecting-ip')
  return address === undefined ? null : networkOf(address)
}

/** For requests that are not about a particular corpus. */
export const requireKey = createMiddleware<Http>(async (c, next) => {
  requirePrincipal(c)
  await next()
})

function requirePrincipal(c: Ctx): Principal {
  const principal = c.get('principal')
  if (!principal) throw noKey()
  checkQuery(c)
  return principal
}

/** For requests about keys: the corpora of an admin key say how far it reaches. */
export const requireAdmin = createMiddleware<Http>(async (c, next) => {
  const principal = c.get('principal')
  if (!principal) throw noKey()
  if (!hasScope(principal, 'admin')) throw noScope(['admin'])
  checkQuery(c)
  await next()
})

/** For requests about the whole deployment: requires an admin key for all corpora. */
export const requireDeploymentAdmin = createMiddleware<Http>(async (c, next) => {
  const principal = requirePrincipal(c)
  if (!hasScope(principal, 'admin') || principal.corpora !== null) throw noScope(['admin'])
  await next()
})

/** For requests about the corpora that a key may read. */
export const requireReader = createMiddleware<Http>(async (c, next) => {
  if (!hasScope(requirePrincipal(c), 'read')) throw noScope(['read'])
  await next()
})

/** For requests about one key: requires that key itself, or an admin key. */
export const requireKeyItself = createMiddleware<Http>(async (c, next) => {
  const principal = requirePrincipal(c)
  if (principal.id !== nameOf(c, 'key') && !hasScope(principal, 'admin')) throw noScope(['admin'])
  await next()
})

/**
 * Without a right to the name, the caller does not learn whether it is taken. A key for certain corpora can change these, but create
 * none.
 */
export const requireCorpusMaker = createMiddleware<Http>(async (c, next) => {
  const name = nameOf(c, 'corpus')
  const principal = requirePrincipal(c)
  if (!hasCorpusNamed(principal, name)) throw notFound('corpus')
  if (!hasScope(principal, 'admin')) throw noScope(['admin'])
  if (!NAME.test(name)) {
    const errors = [{ path: 'corpus', message: 'up to 63 characters of a-z, 0-9 and -, beginning with a letter or digit' }]
    throw new Problem('invalid', 'A corpus cannot have this name.', { errors })
  }
  await next()
})

/** For requests that would let a key with daily limits use more than these. */
export const requireUnlimitedKey = createMiddleware<Http>(async (c, next) => {
  if (c.get('principal')?.limits) throw new Problem('forbidden', 'A key with limits can neither create nor change keys.')
  await next()
})

/** The scope that this body requires, if the operation accepts several. Without a key, a public corpus can only be read. */
export function checkScope(c: Ctx, needed: Scope): void {
  const principal = c.get('principal')
  if (!(principal ? hasScope(principal, needed) : needed === 'read')) throw noScope([needed])
}

/**
 * While a corpus is restored to a moment, nobody is answered: its object may have woken in its earlier state and not know yet what
 * was forgotten since.
 */
const WHILE_SET_BACK: ReadonlySet<string> = new Set(['restoreCorpusTo', 'getRestoreTo', 'deleteCorpus', 'getCorpus'])

const comingBack = (): Problem =>
  new Problem('restoring', 'This corpus is being restored to a moment; see `GET …/restore-to`.', { retryAfter: 5 })

/**
 * For requests about an existing corpus: any one of the scopes is enough. Writes see the catalogue as it is, reads as it was seconds
 * ago.
 */
export function requireScope(...scopes: readonly [Scope, ...Scope[]]) {
  return createMiddleware<Http>(async (c, next) => {
    const record = await recordOf(c, scopes.includes('read'))
    await admit(c, record, scopes)
    if (record?.isRecovering && !WHILE_SET_BACK.has(c.get('operation')?.id ?? '')) throw comingBack()
    if (record) refuseDivided(c, record)
    if (record) c.set('corpus', record)
    checkQuery(c)
    if (record?.audit?.reads && scopes.includes('read')) await enterRead(c)
    await next()
  })
}

async function admit(c: Ctx, record: CorpusRecord | null, scopes: readonly Scope[]): Promise<void> {
  const principal = c.get('principal')
  if (!principal) await admitStranger(c, record, scopes)
  else if (!record || !(hasCorpus(principal, record) || record.public)) throw notFound('corpus')
  else if (!(record.public && scopes.includes('read')) && !(hasCorpus(principal, record) && hasScope(principal, ...scopes)))
    throw noScope(scopes)
}

/** A corpus that a body names, for callers who may read it. */
export function readableCorpus(c: Ctx, name: string): Promise<CorpusRecord> {
  return corpusFor(c, name, 'read')
}

/** A corpus other than the path's, for callers who have this right to it; refused as if the path had named it. */
export async function corpusFor(c: Ctx, name: string, scope: Scope): Promise<CorpusRecord> {
  const record = await recordOfName(c, name, scope === 'read')
  await admit(c, record, [scope])
  if (!record) throw notFound('corpus')
  if (record.isRecovering) throw comingBack()
  refuseDivided(c, record)
  return record
}

/** A public corpus may be read without a key, up to a rate. Strangers do not learn whether any other corpus exists. */
async function admitStranger(c: Ctx, record: CorpusRecord | null, scopes: readonly Scope[]): Promise<void> {
  if (!record?.public || !scopes.includes('read')) throw noKey()
  if (!(await c.get('world').limit(`${record.uid} ${addressOf(c) ?? 'unknown'}`))) {
    throw new Problem('rate_limited', 'Too many requests without a key. Send a key, or try again in a minute.', { retryAfter: MINUTE })
  }
}

/** Before the work of a request without a key that names its corpus in the body: limits its rate per address. */
export async function limitStranger(c: Ctx): Promise<void> {
  if (c.get('principal') || (await c.get('world').limit(`chat ${addressOf(c) ?? 'unknown'}`))) return
  throw new Problem('rate_limited', 'Too many requests without a key. Send a key, or try again in a minute.', { retryAfter: MINUTE })
}

/**
 * What is remembered is answered faster than what does not exist, and even while the catalogue is down; either difference would
 * reveal something. So what a caller sees only by key is remembered by its uid, and a name that the caller may not know is looked up
 * each time, unless its corpus is public.
 */
export function recordOf(c: Ctx, remembered: boolean): Promise<CorpusRecord | null> {
  return recordOfName(c, corpusName(c), remembered)
}

export async function recordOfName(c: Ctx, name: string, remembered: boolean): Promise<CorpusRecord | null> {
  if (!NAME.test(name)) return null
  const { catalogue, now } = c.get('world')
  const { corpora } = c.get('caches')
  const principal = c.get('principal')
  const look = remembered ? corpora.of : corpora.anew
  if (principal?.corpora === null) return look(name, now(), () => catalogue.corpus(name))
  const uid = principal?.corpora.get(name)
  if (uid !== undefined) return look(uid, now(), () => catalogue.corpus(name, uid))
  if (corpora.held(name, now())?.public === true) return look(name, now(), () => catalogue.corpus(name, NO_UID))
  return catalogue.corpus(name, NO_UID)
}

/** From `:corpus`, without the action that may follow it. */
export function corpusName(c: Ctx): string {
  return (c.req.param('corpus') ?? '').split(':')[0] ?? ''
}
