/**
 * OAuth by Cloudflare's library for Workers, over a KV namespace: tokens are stored as hashes, and the key that a grant stands for is
 * encrypted with something only the token's holder has. The library is loaded on first use; a deployment that has not bound OAUTH_KV never
 * loads it.
 */
import type { OAuthAuthorizationServer, OAuthHelpers } from '@cloudflare/workers-oauth-provider'
import type { Approval, ConsentAsked, OAuth, OAuthRefusal } from '../ports/oauth'

export interface OAuthEnv {
  readonly OAUTH_KV?: unknown
}

export const oauthPaths = { authorize: '/oauth/authorize', token: '/oauth/token', register: '/oauth/register', resource: '/mcp' } as const
const SCOPES = ['read', 'write']
const MONTHS = 90 * 86_400 // seconds for which an unused grant is kept
const ORIGINS = 8 // host names of the deployment whose servers an isolate keeps

type Server = OAuthAuthorizationServer<OAuthEnv>
const servers = new Map<string, Server>() // of this isolate; they hold no state

interface Props {
  readonly key: string
}

/** Null: no namespace is bound. */
export function oauthFrom(env: OAuthEnv, context: Pick<ExecutionContext, 'waitUntil'>): OAuth | null {
  if (!env.OAUTH_KV) return null
  const helpers = async (request: Request): Promise<OAuthHelpers> => (await serverOf(new URL(request.url).origin)).getOAuthApi(env)
  return {
    serve: async (request) => (await serverOf(new URL(request.url).origin)).fetch(request, env, context as ExecutionContext),
    grantOf: async (origin, token) => {
      const server = await serverOf(origin)
      const valid = await server.validateToken<Props>(origin + oauthPaths.resource, token, env)
      return valid && { key: valid.props.key, scopes: valid.scope }
    },
    ask: (request) => refusable(async () => asked(await helpers(request), request)),
    approve: (request, handle, approval) => refusable(async () => approved(await helpers(request), request, handle, approval)),
    deny: (request, handle) =>
      refusable(async () => {
        const { redirectTo, headers } = await (await helpers(request)).denyConsent(request, handle)
        return redirect(headers, redirectTo)
      }),
  }
}

async function serverOf(issuer: string): Promise<Server> {
  const known = servers.get(issuer)
  if (known) return known
  const { OAuthAuthorizationServer } = await import('@cloudflare/workers-oauth-provider')
  const made: Server = new OAuthAuthorizationServer<OAuthEnv>({
    issuer,
    resources: [issuer + oauthPaths.resource],
    authorizeEndpoint: oauthPaths.authorize,
    tokenEndpoint: oauthPaths.token,
    clientRegistrationEndpoint: oauthPaths.register,
    scopesSupported: [...SCOPES, 'offline_access'],
    refreshTokenIdleTTL: MONTHS,
    onError: () => undefined, // the library would log what strangers send
  })
  if (servers.size >= ORIGINS) servers.clear()
  servers.set(issuer, made)
  return made
}

async function asked(oauth: OAuthHelpers, request: Request): Promise<ConsentAsked> {
  const wanted = await oauth.parseAuthRequest(request)
  const { clientName, redirectUri, redirectHost, redirectIsLoopback, scope } = await oauth.describeConsent(wanted)
  const { handle, headers } = await oauth.beginConsent(wanted)
  const scopes = scope.filter((one) => SCOPES.includes(one))
  const redirectOrigin = new URL(redirectUri).origin
  return {
    clientName,
    redirectHost,
    redirectOrigin,
    isLocal: redirectIsLoopback,
    scopes: scopes.length > 0 ? scopes : SCOPES,
    handle,
    headers,
  }
}

async function approved(oauth: OAuthHelpers, request: Request, handle: string, { key, user, scopes }: Approval): Promise<Response> {
  const { request: wanted, headers } = await oauth.approveConsent(request, handle, { scope: [...scopes] })
  const props: Props = { key }
  const { redirectTo } = await oauth.completeAuthorization({ request: wanted, userId: user, metadata: {}, scope: [...scopes], props })
  return redirect(headers, redirectTo)
}

function redirect(headers: Headers, to: string): Response {
  headers.set('location', to)
  return new Response(null, { status: 302, headers })
}

/** The library's refusals: by name, since its classes are loaded late. */
async function refusable<T>(act: () => Promise<T>): Promise<T | OAuthRefusal> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Error) || (error.name !== 'AuthorizationError' && error.name !== 'CimdFetchError')) throw error
    const { description, redirectTo } = error as { description?: string; redirectTo?: string }
    return { refused: description ?? 'This client could not be verified.', ...(redirectTo ? { redirectTo } : {}) }
  }
}
