/**
 * Who may pass: 401 without a valid key, 404 for a corpus the key may not see, 403 where it sees the corpus but lacks the scope.
 * A corpus one may not see costs the same look into the catalogue as one that does not exist, and gets the same answer.
 */
import { createMiddleware } from 'hono/factory'
import type { CorpusRecord, Scope } from '../catalogue-ports'
import type { Ctx, Http } from './context'
import { may, type Principal, recognise, sees } from './principal'
import { Problem } from './problem'

const LONGEST_KEY = 512 // characters; an admin key may be of any form
export const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/
const MINUTE = 60 // seconds, the limiter's period

export const noKey = (): Problem => new Problem('unauthorized', 'Send a valid key as `Authorization: Bearer <key>`.')
export const noCorpus = (): Problem => new Problem('corpus_not_found', 'There is no such corpus.')
export const noScope = (scopes: readonly Scope[]): Problem => new Problem('forbidden', `This key lacks the scope ${scopes.join(' or ')}.`)

/** A key that is sent must be valid, also where none is needed. */
export const identify = createMiddleware<Http>(async (c, next) => {
  c.set('principal', await callerOf(c))
  await next()
})

async function callerOf(c: Ctx): Promise<Principal | null> {
  const header = c.req.header('authorization')
  if (header === undefined) return null
  const bearer = /^Bearer +(\S+) *$/i.exec(header)?.[1]
  if (bearer === undefined || bearer.length > LONGEST_KEY) throw noKey()
  const principal = await recognise(bearer, c.get('world'), c.get('caches'))
  if (!principal) throw noKey()
  return principal
}

/** For what is about no corpus in particular. */
export const signedIn = createMiddleware<Http>(async (c, next) => {
  if (!c.get('principal')) throw noKey()
  await next()
})

/** For what is about all corpora: an admin key that is not confined to some. */
export const wholeAdmin = createMiddleware<Http>(async (c, next) => {
  const principal = c.get('principal')
  if (!principal) throw noKey()
  if (!may(principal, 'admin') || principal.corpora !== null) throw noScope(['admin'])
  await next()
})

/** For what is about a corpus that exists: any of the scopes will do. Writes see the catalogue as it is, reads as it was seconds ago. */
export function within(...scopes: readonly [Scope, ...Scope[]]) {
  return createMiddleware<Http>(async (c, next) => {
    const principal = c.get('principal')
    const record = await recordOf(c, scopes.includes('read'))
    if (!principal) await asStranger(c, record, scopes)
    else if (!record || !(sees(principal, record.name) || record.public)) throw noCorpus()
    else if (!(record.public && scopes.includes('read')) && !(sees(principal, record.name) && may(principal, ...scopes)))
      throw noScope(scopes)
    if (record) c.set('corpus', record)
    await next()
  })
}

/** A public corpus may be read without a key, so often. Whether another one exists is not for strangers. */
async function asStranger(c: Ctx, record: CorpusRecord | null, scopes: readonly Scope[]): Promise<void> {
  if (!record?.public || !scopes.includes('read')) throw noKey()
  const caller = c.req.header('cf-connecting-ip') ?? 'unknown'
  if (!(await c.get('world').limit(`${record.uid} ${caller}`))) {
    throw new Problem('rate_limited', 'Too many requests without a key.', { retryAfter: MINUTE })
  }
}

/**
 * Is this a name the caller may not know of, unless its corpus is public? Then the catalogue is asked each time: what is remembered is
 * answered sooner than what does not exist, and also while the catalogue is down, and either difference would tell.
 */
function hidden(c: Ctx, name: string): boolean {
  const principal = c.get('principal')
  if (principal && sees(principal, name)) return false
  return c.get('caches').corpora.held(name, c.get('world').now())?.public !== true
}

export function recordOf(c: Ctx, remembered: boolean): Promise<CorpusRecord | null> {
  return recordOfName(c, corpusName(c), remembered)
}

export async function recordOfName(c: Ctx, name: string, remembered: boolean): Promise<CorpusRecord | null> {
  if (!NAME.test(name)) return null
  const { catalogue, now } = c.get('world')
  const { corpora } = c.get('caches')
  const ask = () => catalogue.corpus(name)
  if (hidden(c, name)) return ask()
  return remembered ? corpora.of(name, now(), ask) : corpora.anew(name, now(), ask)
}

/** From `:corpus`, without the action that may follow it. */
export function corpusName(c: Ctx): string {
  return (c.req.param('corpus') ?? '').split(':')[0] ?? ''
}
