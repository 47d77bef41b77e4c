/** What a key may use in a day, as it is typed. */
import type { Key, KeyLimits } from '../../../src/client/client'

export interface TypedLimits {
  readonly tokens: string
  readonly usd: string
  readonly requests: string
}

export const UNLIMITED: TypedLimits = { tokens: '', usd: '', requests: '' }

export function typedLimitsOf(limits: Key['limits']): TypedLimits {
  const { tokens_a_day = '', usd_a_day = '', requests_a_day = '' } = limits ?? {}
  return { tokens: String(tokens_a_day), usd: String(usd_a_day), requests: String(requests_a_day) }
}

/** Null: as much as it likes. */
export function limitsOf({ tokens, usd, requests }: TypedLimits): KeyLimits | null {
  const limits = {
    ...(tokens === '' ? {} : { tokens_a_day: Number(tokens) }),
    ...(usd === '' ? {} : { usd_a_day: Number(usd) }),
    ...(requests === '' ? {} : { requests_a_day: Number(requests) }),
  }
  return Object.keys(limits).length > 0 ? limits : null
}
