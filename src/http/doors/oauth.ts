/**
 * OAuth for MCP clients that know only an address: the page on which a person enters a key, and tokens that are read as the key they
 * stand for. The library provides the protocol's own endpoints (adapters/oauth.ts). Without a namespace for grants none of this
 * exists, and only keys open `/mcp`.
 */
import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ownKey } from '../../contract/keys'
import type { OAuth, OAuthRefusal } from '../../ports/oauth'
import { addressOf, noKey } from '../access'
import { KIB, mediaType, readBytes, utf8 } from '../body'
import type { Ctx, Http } from '../context'
import { hasScope } from '../principal'
import { Problem } from '../problem'
import { consentPage, refusalPage } from './oauth-page'

const FORM = 16 * KIB
const MINUTE = 60
const METADATA = '/.well-known/oauth-protected-resource'
const RESOURCE = '/mcp'

/** Described by the protocol's own metadata instead of the reference: its paths are not operations. */
export function mountOAuth(app: Hono<Http>): void {
  for (const path of [METADATA, METADATA + RESOURCE]) app.all(path, describeResource)
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/token', '/oauth/register']) {
    app.all(path, async (c) => {
      const oauth = oauthOf(c)
      if (path === '/oauth/register') await limited(c)
      return oauth.serve(c.req.raw)
    })
  }
  app.all('/oauth/authorize', async (c) => {
    if (c.req.method === 'POST') return consented(c)
    await limited(c)
    return show(c, oauthOf(c))
  })
}

/** A token is read as the key it stands for; a refused caller is told where to get one. */
export const exchangeToken = createMiddleware<Http>(async (c, next) => {
  const { oauth } = c.get('world')
  if (!oauth) return next()
  const token = /^Bearer +([^\s:]+:[^\s:]+:[^\s:]+) *$/i.exec(c.req.header('authorization') ?? '')?.[1]
  if (token !== undefined) await exchange(c, oauth, token)
  await next()
  if (c.res.status !== 401) return
  const error = c.req.header('authorization') === undefined ? '' : 'error="invalid_token", '
  c.header('www-authenticate', `Bearer ${error}resource_metadata="${originOf(c)}${METADATA}${RESOURCE}", scope="read"`)
})

/** What the person ticked limits what the key may do here. */
export const narrowToGrant = createMiddleware<Http>(async (c, next) => {
  const [granted, principal] = [c.get('granted'), c.get('principal')]
  const scopes = (['read', 'write'] as const).filter((one) => granted?.includes(one) && principal && hasScope(principal, one))
  if (granted && principal) c.set('principal', { ...principal, scopes: new Set(scopes) })
  await next()
})

async function exchange(c: Ctx, oauth: OAuth, token: string): Promise<void> {
  const grant = await oauth.grantOf(originOf(c), token)
  if (!grant) {
    if (!(await c.get('world').limitFailed(addressOf(c) ?? 'unknown'))) throw tooMany()
    throw noKey()
  }
  const headers = new Headers(c.req.raw.headers)
  headers.set('authorization', `Bearer ${grant.key}`)
  c.req.raw = new Request(c.req.raw, { headers })
  c.set('granted', grant.scopes)
}

function describeResource(c: Ctx): Response {
  oauthOf(c) // there is one
  const origin = originOf(c)
  const body = {
    resource: origin + RESOURCE,
    resource_name: 'Loam',
    authorization_servers: [origin],
    scopes_supported: ['read'],
    bearer_methods_supported: ['header'],
  }
  return Response.json(body, { headers: { 'access-control-allow-origin': '*' } })
}

async function show(c: Ctx, oauth: OAuth, fault?: string): Promise<Response> {
  const asked = await oauth.ask(new Request(c.req.url, { headers: c.req.raw.headers }))
  return 'refused' in asked ? refuse(asked) : consentPage(asked, fault)
}

/** The key is checked before anything is granted, through our own API: attempts are counted there as everywhere. */
async function consented(c: Ctx): Promise<Response> {
  const oauth = oauthOf(c)
  if (mediaType(c) !== 'application/x-www-form-urlencoded') throw new Problem('unsupported_media_type', 'Submit the form on this page.')
  const form = new URLSearchParams(utf8(await readBytes(c, FORM)))
  const handle = form.get('handle') ?? ''
  if (form.get('decision') !== 'allow') return sent(await oauth.deny(c.req.raw, handle))
  const key = (form.get('key') ?? '').trim()
  const answer = await c.get('inside')(new Request(`${originOf(c)}/v1/keys/self`, { headers: headersFor(c, key) }))
  if (answer.status === 429) return show(c, oauth, 'Too many keys were tried from this address. Wait a minute.')
  if (!answer.ok) return show(c, oauth, 'This is not a valid key.')
  const own = ownKey.parse(await answer.json())
  const may = (scope: string): boolean => own.scopes.some((one) => one === scope || one === 'admin')
  const scopes = form.getAll('scope').filter((one) => (one === 'read' || one === 'write') && may(one))
  if (scopes.length === 0) return show(c, oauth, 'This key has none of the rights you ticked.')
  return sent(await oauth.approve(c.req.raw, handle, { key, user: own.id, scopes }))
}

function headersFor(c: Ctx, key: string): Headers {
  const address = c.req.header('cf-connecting-ip')
  // A key contains no characters that a header may not have.
  const safe = /^[\x21-\x7e]{1,512}$/.test(key) ? key : '-'
  return new Headers({ authorization: `Bearer ${safe}`, ...(address === undefined ? {} : { 'cf-connecting-ip': address }) })
}

const sent = (outcome: Response | OAuthRefusal): Response => (outcome instanceof Response ? outcome : refuse(outcome))

function refuse({ refused, redirectTo }: OAuthRefusal): Response {
  return redirectTo === undefined ? refusalPage(refused) : new Response(null, { status: 302, headers: { location: redirectTo } })
}

function oauthOf(c: Ctx): OAuth {
  const { oauth } = c.get('world')
  if (!oauth) throw new Problem('not_found', 'This deployment does not offer OAuth (docs/clients.md).')
  return oauth
}

/** Each registration and each page is a row that is kept for a while. */
async function limited(c: Ctx): Promise<void> {
  if (!(await c.get('world').limit(`oauth ${addressOf(c) ?? 'unknown'}`))) throw tooMany()
}

const tooMany = (): Problem => new Problem('rate_limited', 'Too many requests from this address.', { retryAfter: MINUTE })
const originOf = (c: Ctx): string => new URL(c.req.url).origin
