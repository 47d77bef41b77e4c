/** Where a request carries a signed token of the deployment's identity provider: our own header, and the one Cloudflare Access adds. */
export const IDENTITY_HEADERS = ['loam-identity', 'cf-access-jwt-assertion'] as const
