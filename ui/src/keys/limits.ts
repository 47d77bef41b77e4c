/** What a key may use in a day and in a minute, as typed. */
import type { Key, KeyLimits } from '../../../src/client/client'

export interface TypedLimits {
  readonly tokens: string
  readonly usd: string
  readonly requests: string
  readonly requestsAMinute: string
  readonly questionsAMinute: string
}

export const UNLIMITED: TypedLimits = { tokens: '', usd: '', requests: '', requestsAMinute: '', questionsAMinute: '' }

export function typedLimitsOf(limits: Key['limits']): TypedLimits {
  const { tokens_a_day = '', usd_a_day = '', requests_a_day = '', requests_a_minute = '', questions_a_minute = '' } = limits ?? {}
  const day = { tokens: String(tokens_a_day), usd: String(usd_a_day), requests: String(requests_a_day) }
  return { ...day, requestsAMinute: String(requests_a_minute), questionsAMinute: String(questions_a_minute) }
}

/** Null: no limit. */
export function limitsOf({ tokens, usd, requests, requestsAMinute, questionsAMinute }: TypedLimits): KeyLimits | null {
  const limits = {
    ...(tokens === '' ? {} : { tokens_a_day: Number(tokens) }),
    ...(usd === '' ? {} : { usd_a_day: Number(usd) }),
    ...(requests === '' ? {} : { requests_a_day: Number(requests) }),
    ...(requestsAMinute === '' ? {} : { requests_a_minute: Number(requestsAMinute) }),
    ...(questionsAMinute === '' ? {} : { questions_a_minute: Number(questionsAMinute) }),
  }
  return Object.keys(limits).length > 0 ? limits : null
}
