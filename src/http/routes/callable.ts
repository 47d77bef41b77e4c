/** May an address that somebody gave us be called? Said early here; it is asked again whenever it is called. */
import type { Refusal } from '../../outbound/address'
import { checkAddress } from '../../outbound/reach'
import type { Ctx } from '../context'
import { Problem } from '../problem'

const MAX_LOOKUP = 5_000 // ms to find out what the name leads to
const REASONS: { readonly [why in Refusal]: string } = {
  not_a_url: 'must be an absolute URL',
  scheme: 'must be https',
  credentials: 'must not contain a user name or password',
  port: 'must not use a port of another protocol',
  private: 'must not lead into a private network',
}

/** A name that leads nowhere today may do so tomorrow; it is let in, and not called before it leads outside. */
export async function requireCallable(c: Ctx, address: string): Promise<URL> {
  const { network } = c.get('world')
  const found = await checkAddress(network, address, AbortSignal.timeout(MAX_LOOKUP))
  if (found instanceof URL) return found
  if (found.kind === 'unreached') return new URL(address)
  throw new Problem('invalid', 'This address cannot be called; see `errors`.', { errors: [{ path: 'url', message: REASONS[found.why] }] })
}
