/** May an address that a caller gave us be called? Checked early here, and again before each call. */
import type { Refusal } from '../../outbound/address'
import { checkAddress } from '../../outbound/reach'
import type { Ctx } from '../context'
import { Problem } from '../problem'

const MAX_LOOKUP = 5_000 // ms to resolve the name
const REASONS: { readonly [why in Refusal]: string } = {
  not_a_url: 'must be an absolute URL',
  scheme: 'must be https',
  credentials: 'must not contain a user name or password',
  port: 'must not use a port of another protocol',
  private: 'must not lead into a private network',
}

/** A name that does not resolve today may do so tomorrow; it is accepted, and not called before it leads to a public address. */
export async function requireCallable(c: Ctx, address: string): Promise<URL> {
  const { network } = c.get('world')
  const found = await checkAddress(network, address, AbortSignal.timeout(MAX_LOOKUP))
  if (found instanceof URL) return found
  if (found.kind === 'unreached') return new URL(address)
  throw new Problem('invalid', 'This address cannot be called; see `errors`.', { errors: [{ path: 'url', message: REASONS[found.why] }] })
}
