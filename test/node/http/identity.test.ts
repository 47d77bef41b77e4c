import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { type IdentityConfig, identityFrom } from '../../../src/adapters/identity'

const NOW = 1_800_000_000_000
const config: IdentityConfig = {
  IDENTITY_ISSUER: 'https://team.cloudflareaccess.com',
  IDENTITY_AUDIENCE: 'loam',
  IDENTITY_JWKS_URL: 'https://team.cloudflareaccess.com/cdn-cgi/access/certs',
}

async function provider(more: IdentityConfig = {}) {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('ES256')])
  const published = [
    { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(other.publicKey)), kid: 'two', alg: 'ES256', use: 'sig' },
  ]
  const state = { fetches: 0, answer: () => new Response(JSON.stringify({ keys: published })) }
  const identity = identityFrom(
    { ...config, ...more },
    {
      now: () => NOW,
      fetch: async () => {
        state.fetches++
        return state.answer()
      },
    },
  )
  const signed = (claims: JWTPayload, how: { readonly kid?: string; readonly alg?: string; readonly key?: CryptoKey | Uint8Array } = {}) =>
    new SignJWT({ iss: config.IDENTITY_ISSUER, aud: 'loam', exp: NOW / 1000 + 300, ...claims } as JWTPayload)
      .setProtectedHeader({ alg: how.alg ?? 'RS256', kid: how.kid ?? 'one' })
      .sign(how.key ?? own.privateKey)
  const read = async (token: string, header = 'loam-identity'): Promise<unknown> => {
    return identity?.principals((name) => (name === header ? token : undefined))
  }
  return { state, signed, read, identity, other, published }
}

describe('tokens of an identity provider', () => {
  it('[P20] a token names its person and groups, in our header or in that of Cloudflare Access', async () => {
    const { signed, read, identity, other } = await provider()
    const token = await signed({ email: 'Ana@Example.org', groups: ['finance', 'Team Two', 7, 'a,b'] } as JWTPayload)
    const principals = ['group:Team Two', 'group:finance', 'user:ana@example.org']
    expect([await read(token), await read(token, 'cf-access-jwt-assertion')]).toEqual([principals, principals])
    expect(await read(await signed({ email: 'b@x.org' }, { alg: 'ES256', kid: 'two', key: other.privateKey }))).toEqual(['user:b@x.org'])
    expect(await identity?.principals(() => undefined)).toEqual([])
    expect(await read(await signed({ email: 'c@x.org', email_verified: false }))).toEqual([])
  })

  it('[P20] claims are mapped as the deployment says', async () => {
    const { signed, read } = await provider({ IDENTITY_CLAIMS: 'sub=user custom.teams=team' })
    expect(await read(await signed({ sub: 'u1', custom: { teams: ['red'] }, email: 'x@y.z' } as JWTPayload))).toEqual([
      'team:red',
      'user:u1',
    ])
  })

  it('[P20] no other token is accepted: expired, not yet valid, without an end, of another issuer or audience, unsigned, signed with a secret or another’s key', async () => {
    const { signed, read, published, other } = await provider()
    const secret = new TextEncoder().encode(JSON.stringify(published[0]))
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iss: config.IDENTITY_ISSUER, aud: 'loam', exp: NOW }))}.`
    const good = await signed({ email: 'a@x.org' })
    const tokens = [
      await signed({ exp: NOW / 1000 - 61 }),
      await signed({ nbf: NOW / 1000 + 120 }),
      await signed({ exp: undefined } as JWTPayload),
      await signed({ iss: 'https://elsewhere.example' }),
      await signed({ aud: 'another' }),
      unsigned.replaceAll('=', ''),
      await signed({}, { alg: 'HS256', key: secret }),
      await signed({}, { kid: 'nobody' }),
      await signed({}, { alg: 'ES256', key: other.privateKey }), // under the other key's name
      `${good.slice(0, -4)}AAAA`,
      'nothing',
      'x'.repeat(20_000),
    ]
    expect(await Promise.all(tokens.map((token) => read(token)))).toEqual(tokens.map(() => 'refused'))
    expect(await read(await signed({ exp: NOW / 1000 - 30 }))).toEqual([]) // within what two clocks may be apart
  })

  it('[P20] keys are fetched once and not for every unknown name; while they cannot be had the answer is 503', async () => {
    const { signed, read, state } = await provider()
    await read(await signed({}))
    await Promise.all(['a', 'b', 'c'].map(async (kid) => read(await signed({}, { kid }))))
    expect(state.fetches).toBe(1)
    const down = await provider()
    down.state.answer = () => new Response('no', { status: 500 })
    expect(await down.read(await down.signed({}))).toBe('unavailable')
    down.state.answer = () => new Response('x'.repeat(300_000))
    expect(await down.read(await down.signed({}))).toBe('unavailable')
  })

  it('[P20] a provider configured by half stops the start; none at all is none', () => {
    const world = { now: () => NOW, fetch: async () => new Response() }
    expect(identityFrom({}, world)).toBeNull()
    for (const half of [{ IDENTITY_ISSUER: 'x' }, { ...config, IDENTITY_JWKS_URL: 'http://x.test/keys' }]) {
      expect(() => identityFrom(half, world)).toThrow(/^identity: /)
    }
  })
})
