/** A stand-in identity provider for the tests inside workerd: a key pair of this run, published where the configuration says. */
import { generateKeyPairSync } from 'node:crypto'
import { Response } from 'miniflare'

const KEYS = 'https://team.example/cdn-cgi/access/certs'
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const published = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }

export const identity = {
  vars: { IDENTITY_ISSUER: 'https://team.example', IDENTITY_AUDIENCE: 'loam-tests', IDENTITY_JWKS_URL: KEYS },
  /** For the tests, which sign with it. */
  bindings: { TEST_IDENTITY: { ...pair.privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256' } },
}

/** All there is of the internet. */
export function internet(request) {
  if (request.url === KEYS) return Response.json({ keys: [published] })
  return new Response('There is no internet in tests.', { status: 503 })
}
