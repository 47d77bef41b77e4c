/**
 * Tokens of the deployment's identity provider: a JWT signed with one of its published keys (JWKS), from its issuer and for this audience,
 * not expired. Its claims become principals. Keys are fetched when an unknown one is met, at most every half minute, and cached by the
 * isolate; only public-key signatures are accepted, so that no published key can be used as a secret.
 */
import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose'
import { bytesUpTo } from '../bytes-up-to'
import { isLabel, labelLimits, ordered } from '../core/access/labels'
import { IDENTITY_HEADERS } from '../identity-headers'
import type { Identity } from '../ports/callers'

const limits = {
  fetchMs: 5000, // for the keys
  bytes: 256 * 1024, // of the keys
  token: 16 * 1024, // characters
  skew: 60, // seconds by which two clocks may differ
  cooldownMs: 30_000, // between two fetches, however many unknown keys are named meanwhile
  rememberedMs: 600_000,
} as const
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const CLAIMS = 'email=user groups=group'
const UNAVAILABLE = 'identity: the keys could not be fetched'

export interface IdentityConfig {
  readonly IDENTITY_ISSUER?: string
  readonly IDENTITY_AUDIENCE?: string
  readonly IDENTITY_JWKS_URL?: string
  /** Which claim becomes which kind of principal: `email=user groups=group custom.teams=team`. */
  readonly IDENTITY_CLAIMS?: string
}

interface World {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Null: none is configured. Throws if the configuration is incomplete. */
export function identityFrom(config: IdentityConfig, world: World): Identity | null {
  const { IDENTITY_ISSUER: issuer, IDENTITY_AUDIENCE: audience, IDENTITY_JWKS_URL: url, IDENTITY_CLAIMS: claims = CLAIMS } = config
  if (!issuer && !audience && !url) return null
  if (!issuer || !audience || !url || new URL(url).protocol !== 'https:') {
    throw new Error('identity: IDENTITY_ISSUER, IDENTITY_AUDIENCE and IDENTITY_JWKS_URL (https) must be set together')
  }
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: limits.fetchMs,
    cooldownDuration: limits.cooldownMs,
    cacheMaxAge: limits.rememberedMs,
    [customFetch]: (target, init) => bounded(world, target, init),
  })
  const wanted = mappingOf(claims)
  const audiences = audience.split(/[\s,]+/)
  return {
    async principals(header) {
      const token = IDENTITY_HEADERS.map((name) => header(name)).find((value) => value !== undefined && value !== '')
      if (token === undefined) return []
      if (token.length > limits.token) return 'refused'
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience: audiences,
          algorithms: ALGORITHMS,
          clockTolerance: limits.skew,
          requiredClaims: ['exp'],
          currentDate: new Date(world.now()),
        })
        return principalsIn(payload, wanted)
      } catch (error) {
        return isOut(error) ? 'unavailable' : 'refused'
      }
    },
  }
}

function isOut(error: unknown): boolean {
  const { message, code }: { message?: unknown; code?: unknown } = typeof error === 'object' && error !== null ? error : {}
  return message === UNAVAILABLE || code === 'ERR_JWKS_TIMEOUT' || code === 'ERR_JWKS_INVALID'
}

/** No redirect, and at most this many bytes. */
async function bounded({ fetch }: World, url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual' })
    if (response.status !== 200 || !response.body) throw new Error(UNAVAILABLE)
    const keys = await bytesUpTo(response.body, limits.bytes)
    if (!keys) throw new Error(UNAVAILABLE)
    return new Response(keys, { status: 200 })
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') throw error
    throw new Error(UNAVAILABLE)
  }
}

type Mapping = readonly { readonly path: readonly string[]; readonly kind: string }[]

function mappingOf(text: string): Mapping {
  return text
    .trim()
    .split(/[\s,]+/)
    .map((pair) => {
      const [path = '', kind = ''] = pair.split('=')
      if (path === '' || kind === '') throw new Error('identity: IDENTITY_CLAIMS must be a list such as `email=user groups=group`')
      return { path: path.split('.'), kind }
    })
}

function principalsIn(payload: JWTPayload, mapping: Mapping): readonly string[] {
  const found = mapping.flatMap(({ path, kind }) => {
    // An address that its owner has not verified may be anybody's.
    if (path[0] === 'email' && payload.email_verified === false) return []
    const value = path.reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? (at as { [name: string]: unknown })[name] : undefined),
      payload,
    )
    const names = (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string')
    return names.map((name) => `${kind}:${path.at(-1) === 'email' ? name.toLowerCase() : name}`)
  })
  return ordered(found.filter(isLabel)).slice(0, labelLimits.perAsker)
}
