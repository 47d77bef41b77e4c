/**
 * The names of people and of the channel: requested once per run of checks, up to a limit. An app that may not see names gets ids, and its
 * texts are read anyway.
 */
import { z } from 'zod'
import type { ItemsOrder } from '../ports/sources'
import { type SlackMessage, slackName, slackUser } from '../reading/exports/slack'
import type { Failed } from './page'
import { askFor, type Door, isFailed } from './slack-api'

const PEOPLE = 100 // requested in one check; the others appear by id

interface Known {
  readonly users: Map<string, string>
  channel?: string
  /** The app may not see names. */
  isRefused?: boolean
}

/** By what was ordered: the names of one channel, for the checks of one run. */
const kept = new WeakMap<ItemsOrder, Known>()

function knownIn(order: ItemsOrder): Known {
  const known = kept.get(order) ?? { users: new Map() }
  kept.set(order, known)
  return known
}

const mention = /<@([UW][A-Z0-9]+)/g

/** By id: the people who speak and those who are mentioned. */
export async function namesIn(
  door: Door,
  order: ItemsOrder,
  messages: readonly SlackMessage[],
): Promise<ReadonlyMap<string, string> | Failed> {
  const known = knownIn(order)
  const ids = new Set(
    messages.flatMap(({ user, text }) => [...(user ? [user] : []), ...[...text.matchAll(mention)].map(([, id = '']) => id)]),
  )
  const missing = [...ids].filter((id) => !known.users.has(id)).slice(0, PEOPLE)
  for (const user of missing) {
    if (known.isRefused) break
    const answer = await askFor(door, z.object({ user: slackUser }), 'users.info', { user })
    if (!isFailed(answer)) known.users.set(user, slackName(answer.user))
    else if (answer.last === 'missing_scope') known.isRefused = true
    else if (answer.last === 'user_not_found' || answer.last === 'unreadable') known.users.set(user, user)
    else return answer
  }
  return known.users
}

/** Its id, if the app may not see its name. */
export async function channelName(door: Door, order: ItemsOrder, channel: string): Promise<string | Failed> {
  const known = knownIn(order)
  if (known.channel !== undefined) return known.channel
  const answer = await askFor(door, z.object({ channel: z.object({ name: z.string().max(200) }) }), 'conversations.info', { channel })
  if (isFailed(answer) && answer.last !== 'missing_scope') return answer
  known.channel = isFailed(answer) ? channel : answer.channel.name
  return known.channel
}
