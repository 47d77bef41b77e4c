/**
 * An export of Slack: one document per channel and day, with names in place of ids. A thread stays with the message that began it, on that
 * day, even if it was answered later. Direct messages are left out: a person who exports a workspace does not mean to share those.
 */
import { z } from 'zod'
import type { ExportedDocument, Files } from './exported'

const MAX_TEXT = 200_000 // characters of a document; a longer day has parts
const QUIET =
  /^(channel|group)_(join|leave|topic|purpose|name|archive|unarchive|convert.*)$|^(pinned_item|bot_(add|remove)|reminder_add|tombstone)$/
const DAY = /^([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/

const named = z.object({ id: z.string(), name: z.string().catch('') })
const userSchema = named.extend({
  profile: z
    .object({ display_name: z.string().catch(''), real_name: z.string().catch('') })
    .partial()
    .catch({}),
})
export const slackUser = userSchema
export const slackMessage = z.object({
  ts: z.string().regex(/^\d{1,12}(\.\d+)?$/),
  thread_ts: z.string().optional(),
  user: z.string().optional(),
  username: z.string().optional(),
  user_profile: z.object({ real_name: z.string().optional() }).optional().catch(undefined),
  subtype: z.string().optional(),
  text: z.string().catch(''),
  files: z
    .array(z.object({ name: z.string().nullish() }))
    .optional()
    .catch(undefined),
})
export type SlackMessage = z.output<typeof slackMessage>

export interface SlackNames {
  readonly users: ReadonlyMap<string, string>
  readonly channels: ReadonlyMap<string, string>
}

interface Said extends SlackMessage {
  readonly day: string
}

/** Messages that say nothing: someone joined, the channel was renamed. */
export const isQuiet = ({ subtype = '' }: Pick<SlackMessage, 'subtype'>): boolean => QUIET.test(subtype)

/** A person's display name. */
export const slackName = ({ id, name, profile }: z.output<typeof userSchema>): string =>
  profile.display_name || profile.real_name || name || id

export function slackDocuments(files: Files): ExportedDocument[] {
  const users = listIn(files, 'users.json', userSchema).map((one): [string, string] => [one.id, slackName(one)])
  const channels = ['channels.json', 'groups.json'].flatMap((file) => listIn(files, file, named))
  const names = { users: new Map(users), channels: new Map(channels.map(({ id, name }) => [id, name])) }
  const ids = new Map(channels.map(({ id, name }) => [name, id]))
  const said = new Map<string, Said[]>()
  for (const name of [...files.keys()].sort()) {
    const [, channel = '', day = ''] = DAY.exec(name) ?? []
    if (!ids.has(channel)) continue // a direct message, or a file that belongs to no channel
    const messages = listIn(files, name, slackMessage).filter((one) => !isQuiet(one))
    said.set(channel, [...(said.get(channel) ?? []), ...messages.map((one) => ({ ...one, day }))])
  }
  return [...said].flatMap(([channel, messages]) => channelDocuments({ channel, id: ids.get(channel) ?? '' }, messages, names))
}

function channelDocuments(
  place: { readonly channel: string; readonly id: string },
  messages: readonly Said[],
  names: SlackNames,
): ExportedDocument[] {
  const days = new Map<string, { readonly ts: string; readonly text: string }[]>()
  for (const thread of threadsOf(messages)) {
    const [first] = thread
    const text = threadText(thread, names)
    if (first && text !== '') days.set(first.day, [...(days.get(first.day) ?? []), { ts: first.ts, text }])
  }
  return [...days].flatMap(([day, held]) => dayDocuments(place, day, held))
}

/** The messages, each thread under the message that began it. */
export function slackText(messages: readonly SlackMessage[], names: SlackNames): string {
  return threadsOf(messages)
    .map((thread) => threadText(thread, names))
    .filter(Boolean)
    .join('\n\n')
}

function threadsOf<M extends SlackMessage>(messages: readonly M[]): readonly (readonly M[])[] {
  const threads = new Map<string, M[]>()
  for (const one of [...messages].sort((a, b) => Number(a.ts) - Number(b.ts))) {
    const root = one.thread_ts ?? one.ts
    const thread = threads.get(root)
    if (thread) thread.push(one)
    else threads.set(root, [one])
  }
  return [...threads.values()]
}

function threadText(thread: readonly SlackMessage[], names: SlackNames): string {
  return thread
    .map((one, i) => lineOf(one, names, i > 0))
    .filter(Boolean)
    .join('\n')
}

function dayDocuments(
  { channel, id }: { readonly channel: string; readonly id: string },
  day: string,
  threads: readonly { readonly ts: string; readonly text: string }[],
): ExportedDocument[] {
  const parts: { readonly ts: string; text: string }[] = []
  for (const { ts, text } of threads) {
    const last = parts.at(-1)
    if (last && last.text.length + text.length < MAX_TEXT) last.text += `\n\n${text}`
    else parts.push({ ts, text })
  }
  return parts.map(({ ts, text }, i) => ({
    path: `${channel}/${day}${i > 0 ? `~${i + 1}` : ''}`,
    title: `#${channel}, ${day}`,
    text,
    url: `https://slack.com/app_redirect?channel=${encodeURIComponent(id)}`,
    published: new Date(Number(ts) * 1000).toISOString(),
    metadata: { channel, day },
  }))
}

function lineOf(message: SlackMessage, names: SlackNames, isReply: boolean): string {
  const files = (message.files ?? []).flatMap(({ name }) => (name ? [`[file: ${name}]`] : []))
  const text = [plainText(message.text, names), ...files].filter((one) => one.trim() !== '').join('\n')
  if (text === '') return ''
  const time = new Date(Number(message.ts) * 1000).toISOString().slice(11, 16)
  const who = names.users.get(message.user ?? '') ?? message.user_profile?.real_name ?? message.username ?? message.user ?? 'somebody'
  const line = `${who} (${time}): ${text}`
  return isReply
    ? line
        .split('\n')
        .map((one) => `> ${one}`)
        .join('\n')
    : line
}

/** Slack's own marks for people, channels and links; its three entities. */
function plainText(text: string, { users, channels }: SlackNames): string {
  const resolved = text.replace(/<([@#!]?)([^<>|]{1,2048})(?:\|([^<>]{0,2048}))?>/g, (_, mark: string, what: string, label = '') => {
    if (mark === '@') return `@${users.get(what) ?? (label || what)}`
    if (mark === '#') return `#${channels.get(what) ?? (label || what)}`
    if (mark === '!') return label || `@${what.split('^')[0]}`
    return label && label !== what ? `[${label}](${what})` : what
  })
  return resolved.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Anything that is no such list, or has another form, is left out: the rest of the export is still good. */
function listIn<T>(files: Files, name: string, schema: z.ZodType<T>): T[] {
  const bytes = files.get(name)
  if (!bytes) return []
  try {
    const all: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return (Array.isArray(all) ? all : []).flatMap((one) => {
      const parsed = schema.safeParse(one)
      return parsed.success ? [parsed.data] : []
    })
  } catch {
    return []
  }
}
