/** Secrets of webhooks and endpoints: sealed by the deployment's vault, used as their preset says, valid as long as they overlap. */

import type { Preset } from '../contract/hooks'
import type { Vault } from '../hooks/seal'
import { keyOf, newSecret } from '../hooks/signature'
import type { HookRecord } from '../ports/hooks'
import type { Ctx } from './context'
import { Problem } from './problem'

export const MAX_SECRETS = 4 // at once: the one in use and those that overlap

export function vaultOf(c: Ctx): Vault {
  const { vault } = c.get('world')
  if (!vault) throw new Problem('unavailable', 'MASTER_KEY is not set, so webhook secrets cannot be stored.', { retryAfter: 60 })
  return vault
}

/** The given secret, or a new one. */
export function requireUsableSecret(preset: Preset, given: string | null | undefined): string {
  const secret = given ?? newSecret()
  if (keyOf(preset, secret) === null) {
    const message = preset === 'standard' ? '`whsec_` and 16 to 128 bytes as base64' : '16 to 128 bytes'
    throw new Problem('invalid', 'The secret is not valid.', { errors: [{ path: 'secret', message }] })
  }
  return secret
}

export function unexpired(record: HookRecord, now: number): HookRecord['secrets'] {
  return record.secrets.filter((one) => one.until === null || one.until > now)
}
