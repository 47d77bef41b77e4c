/**
 * Slack's Web API: requests at the pace of its tier 3, and what each refusal means. The API exists for this, so robots.txt is not
 * consulted. The token is sent only to slack.com: redirects are not followed.
 */
import { z } from 'zod'
import { bodyUpTo, reach, retryAfter } from '../outbound/reach'
import { credentialOf, type Failed, failed, type Reader } from './page'

const API = 'https://slack.com/api/'
const ANSWER = 8 * 1024 * 1024 // bytes of one response
const TIMEOUT = 30_000 // ms
const MINUTE = 60_000 // ms, if it states no time
export const PACE = 1200 // ms between two requests: fifty a minute
const LIMIT = 200 // items in a listing, as Slack recommends; some apps get 15 at most

/** Refusals come with status 200. */
const refusalSchema = z.object({ ok: z.literal(false), error: z.string().max(100).catch('unknown') })
const STALE: ReadonlySet<string> = new Set(['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'])
/** Slack's own codes; any other becomes `slack_error`. */
const SAID: ReadonlySet<string> = new Set([
  'missing_scope',
  'not_in_channel',
  'channel_not_found',
  'user_not_found',
  'thread_not_found',
  'invalid_cursor',
])

export interface Door {
  readonly reader: Reader
  readonly token: string
}

export async function doorOf(reader: Reader, order: Parameters<typeof credentialOf>[1]): Promise<Door | Failed> {
  const token = await credentialOf(reader, order)
  if (token === null) return failed('no_credential')
  return typeof token === 'string' ? { reader, token } : token
}

export const isFailed = (answer: object): answer is Failed => 'kind' in answer && answer.kind === 'failed' && 'last' in answer

const paged = {
  has_more: z.boolean().catch(false),
  response_metadata: z.object({ next_cursor: z.string().max(1024).catch('') }).catch({ next_cursor: '' }),
}
export const messagesSchema = z.object({ messages: z.array(z.unknown()), ...paged })

/** A page of messages, from a position on. */
export function askMessages(
  door: Door,
  method: 'conversations.history' | 'conversations.replies',
  query: { readonly [name: string]: string },
) {
  return askFor(door, messagesSchema, method, { ...query, limit: String(LIMIT) })
}

/** Its response, if it has that shape. Never rejects. */
export async function askFor<T extends object>(
  door: Door,
  schema: z.ZodType<T>,
  method: string,
  query: { readonly [name: string]: string },
): Promise<T | Failed> {
  const answer = await ask(door, `${API}${method}?${new URLSearchParams(query)}`)
  if (isFailed(answer)) return answer
  const refused = refusalSchema.safeParse(answer)
  if (refused.success) return refusal(refused.data.error)
  const read = schema.safeParse(answer)
  return read.success ? read.data : failed('unreadable')
}

function refusal(error: string): Failed {
  if (error === 'ratelimited' || error === 'rate_limited') return failed('rate_limited', MINUTE)
  if (STALE.has(error)) return failed('invalid_auth')
  return failed(SAID.has(error) ? error : 'slack_error')
}

/** JSON; at least an object. */
async function ask({ reader, token }: Door, url: string): Promise<object | Failed> {
  const headers = new Headers({ 'user-agent': reader.agent, authorization: `Bearer ${token}` })
  await reader.wait(PACE)
  const reached = await reach(reader.network, url, { headers, signal: AbortSignal.timeout(TIMEOUT) })
  if (reached.kind !== 'answer') return failed(reached.kind === 'refused' ? `refused_${reached.why}` : reached.why)
  const { response } = reached
  try {
    if (response.status === 200) {
      const bytes = await bodyUpTo(response, ANSWER)
      if (!bytes) return failed('too_large')
      const json: unknown = JSON.parse(new TextDecoder().decode(bytes))
      return typeof json === 'object' && json !== null ? json : failed('unreadable')
    }
    await response.body?.cancel()
  } catch (error) {
    return failed(error instanceof SyntaxError ? 'unreadable' : 'network')
  }
  const wanted = retryAfter(response, reader.now())
  return response.status === 429 ? failed('rate_limited', wanted ?? MINUTE) : failed(`http_${response.status}`, wanted)
}
