/**
 * Slack's Web API as a stand-in, in the shapes of its reference: refusals come with status 200, history is newest first and names no replies but those
 * sent to the channel as well, a thread begins with its first message; too many requests are 429 with `Retry-After`.
 */
import type { Asked } from './world'

export const TOKEN = 'xoxb-of-the-bot'
export const CHANNEL = 'C0123456789'
const PER_PAGE = 3 // so that small channels have several pages
const PER_MINUTE = 50

export interface Said {
  readonly ts: string
  user?: string
  text: string
  subtype?: string
  thread_ts?: string
  edited?: { readonly ts: string; readonly user: string }
}

export interface Channel {
  readonly messages: Said[]
  readonly users: Map<string, string>
  scopes: ReadonlySet<string>
  isMember: boolean
}

const refuse = (error: string): Response => Response.json({ ok: false, error })

export function slackApi(channel: Channel, clock: () => number, perPage = PER_PAGE) {
  const times = new Map<string, number[]>()
  return ({ url, headers }: Asked): Response => {
    const { origin, pathname, searchParams } = new URL(url)
    const method = pathname.replace('/api/', '')
    const own = (times.get(method) ?? []).filter((at) => at > clock() - 60_000)
    if (origin !== 'https://slack.com' || !pathname.startsWith('/api/')) return new Response(null, { status: 404 })
    if (own.length >= PER_MINUTE) return new Response(null, { status: 429, headers: { 'retry-after': '30' } })
    times.set(method, [...own, clock()])
    if (headers.get('authorization') !== `Bearer ${TOKEN}`) return refuse('invalid_auth')
    return answerTo(channel, method, searchParams, perPage)
  }
}

function answerTo({ messages, users, scopes, isMember }: Channel, method: string, query: URLSearchParams, perPage: number): Response {
  const needed = { 'conversations.info': 'channels:read', 'users.info': 'users:read' }[method] ?? 'channels:history'
  if (!scopes.has(needed)) return refuse('missing_scope')
  if (method === 'users.info') {
    const name = users.get(query.get('user') ?? '')
    return name === undefined
      ? refuse('user_not_found')
      : Response.json({ ok: true, user: { id: query.get('user'), name: 'handle', profile: { display_name: '', real_name: name } } })
  }
  if (query.get('channel') !== CHANNEL) return refuse('channel_not_found')
  if (method === 'conversations.info') return Response.json({ ok: true, channel: { id: CHANNEL, name: 'reeds', is_member: isMember } })
  if (!isMember) return refuse('not_in_channel')
  const number = (name: string, other: number): number => Number(query.get(name) ?? other)
  if (method === 'conversations.history') {
    const found = messages
      .filter(({ ts, thread_ts: root, subtype }) => root === undefined || root === ts || subtype === 'thread_broadcast')
      .filter(({ ts }) => Number(ts) >= number('oldest', 0) && Number(ts) <= number('latest', Number.POSITIVE_INFINITY))
      .sort((a, b) => Number(b.ts) - Number(a.ts))
    return listed(
      found.map((one) => rooted(one, messages)),
      query,
      perPage,
    )
  }
  if (method !== 'conversations.replies') return refuse('unknown_method')
  const thread = messages.filter(({ ts, thread_ts: root }) => (root ?? ts) === query.get('ts')).sort((a, b) => Number(a.ts) - Number(b.ts))
  return thread.length === 0 ? refuse('thread_not_found') : listed(thread, query, perPage)
}

/** As a thread's first message says of it. */
function rooted(one: Said, all: readonly Said[]): object {
  const replies = all.filter(({ ts, thread_ts: root }) => root === one.ts && ts !== one.ts)
  const shown = { type: 'message', ...one }
  return replies.length === 0 ? shown : { ...shown, thread_ts: one.ts, reply_count: replies.length, latest_reply: replies.at(-1)?.ts }
}

function listed(all: readonly object[], query: URLSearchParams, perPage: number): Response {
  const limit = Number(query.get('limit') ?? 100)
  if (limit > 999) return refuse('invalid_limit')
  const cursor = query.get('cursor')
  const from = cursor === null ? 0 : Number(/^next:(\d+)$/.exec(cursor)?.[1] ?? Number.NaN)
  if (!Number.isInteger(from)) return refuse('invalid_cursor')
  const to = from + Math.min(limit, perPage)
  const isMore = to < all.length
  return Response.json({
    ok: true,
    messages: all.slice(from, to),
    has_more: isMore,
    ...(isMore ? { response_metadata: { next_cursor: `next:${to}` } } : {}),
  })
}
