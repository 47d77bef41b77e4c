/**
 * A Slack channel as a source: one document for each day with messages, including the threads that began that day, in the form that the
 * reader of exports writes. A listing goes through the whole history, which gives each message with its last edit and its latest reply; a
 * day is read again when these have changed. Slack does not report edits of replies, so the days of the last week are read again at every
 * check.
 */

import { z } from 'zod'
import { channelOf } from '../contract/slack-channel'
import { fingerprint } from '../core/ids'
import type { ItemOrder, ItemsOrder, Listed, Listing, ListOrder } from '../ports/sources'
import { isQuiet, slackMessage, slackText } from '../reading/exports/slack'
import type { Kind } from './kind'
import { type Failed, failed, takeBytes } from './page'
import { idOf } from './sitemap'
import { askMessages, type Door, doorOf, isFailed, PACE } from './slack-api'
import { channelName, namesIn } from './slack-names'

const WINDOW = 7 // days whose replies are read again at every check
const DAY = 86_400_000 // ms
const REQUESTS = 150 // for one day

const rowSchema = slackMessage.extend({
  edited: z.object({ ts: z.string() }).optional().catch(undefined),
  reply_count: z.number().optional().catch(undefined),
  latest_reply: z.string().optional().catch(undefined),
})
type Row = z.output<typeof rowSchema>

/** The day being listed: its messages may span two pages. */
interface Cursor {
  readonly at: string
  readonly day?: string
  readonly digest?: string
}

export const slack: Kind = {
  pace: PACE,

  async list(reader, order) {
    const door = await doorOf(reader, order)
    return isFailed(door) ? door : listPiece(door, order)
  },

  async look(reader, order, item) {
    const door = await doorOf(reader, order)
    if (isFailed(door)) return door
    const channel = channelOf(order.url)
    const messages = await saidOn(door, channel, item.key)
    if (isFailed(messages)) return messages
    const names = await namesIn(door, order, messages)
    const name = isFailed(names) ? names : await channelName(door, order, channel)
    if (isFailed(names) || typeof name !== 'string') return isFailed(names) ? names : (name as Failed)
    const text = slackText(messages, { users: names, channels: new Map([[channel, name]]) })
    return text === ''
      ? { kind: 'missing', last: 'not_listed' }
      : take(reader, { order, item }, { channel, name, text, first: messages[0]?.ts })
  },
}

/** Newest first, as Slack gives them. */
async function listPiece(door: Door, order: ListOrder): Promise<Listing | Failed> {
  const channel = channelOf(order.url)
  const cursor: Cursor = order.cursor === null ? { at: '' } : JSON.parse(order.cursor)
  const page = await askMessages(door, 'conversations.history', { channel, ...(cursor.at ? { cursor: cursor.at } : {}) })
  if (isFailed(page)) {
    // A position that Slack no longer knows ends the listing without proving anything missing.
    return page.last === 'invalid_cursor' && cursor.at !== '' ? { kind: 'listed', entries: [], next: null, isComplete: false } : page
  }
  const found: Listed[] = []
  let { day, digest = '' } = cursor
  const close = (): void => {
    if (day !== undefined) found.push(entryOf(door, order, { channel, day, digest }))
  }
  for (const row of rowsOf(page.messages)) {
    const { ts, text, edited, reply_count: replies, latest_reply: latest } = row
    const its = dayOf(ts)
    if (its !== day) {
      close()
      day = its
      digest = ''
    }
    digest = fingerprint('slack', digest, ts, text, edited?.ts ?? '', String(replies ?? 0), latest ?? '')
  }
  const next = page.has_more ? page.response_metadata.next_cursor : ''
  if (next === '') close()
  const entries = found.slice(0, order.room)
  const isCut = found.length > entries.length || (page.has_more && next === '')
  const isOver = next === '' || entries.length >= order.room
  const after: Cursor = { at: next, ...(day === undefined ? {} : { day, digest }) }
  return { kind: 'listed', entries, next: isOver ? null : JSON.stringify(after), isComplete: next === '' && !isCut }
}

function entryOf(
  { reader }: Door,
  { source }: ListOrder,
  { channel, day, digest }: { readonly channel: string; readonly day: string; readonly digest: string },
): Listed {
  const isRecent = Date.parse(day) > reader.now() - WINDOW * DAY
  const mark = isRecent ? `${digest} ${Math.floor(reader.now() / 60_000)}` : digest
  return { key: day, document: idOf(source, `slack/${channel}/${day}`), mark, title: day, published: null }
}

/** Messages that begin something: replies come with their thread, including those also sent to the channel. */
function rowsOf(messages: readonly unknown[]): readonly Row[] {
  const isRoot = ({ ts, thread_ts: root }: Row): boolean => root === undefined || root === ts
  return readRows(messages).filter((one) => isRoot(one) && (!isQuiet(one) || hasReplies(one)))
}

/** Also for a thread whose first message was deleted. */
const hasReplies = ({ reply_count: replies = 0 }: Row): boolean => replies > 0

function readRows(messages: readonly unknown[]): readonly Row[] {
  return messages.flatMap((one) => {
    const read = rowSchema.safeParse(one)
    return read.success ? [read.data] : []
  })
}

const dayOf = (ts: string): string => new Date(Number(ts) * 1000).toISOString().slice(0, 10)

/** All messages of a day with their replies, oldest first. */
async function saidOn(door: Door, channel: string, day: string): Promise<readonly Row[] | Failed> {
  const from = Date.parse(day) / 1000
  const range = { channel, oldest: `${from}.000000`, latest: `${from + 86_399}.999999`, inclusive: 'true' }
  let requests = 0
  const all = async (method: 'conversations.history' | 'conversations.replies', query: { readonly [name: string]: string }) => {
    const found: Row[] = []
    for (let at = ''; ; ) {
      if (++requests > REQUESTS) return failed('too_large')
      const page = await askMessages(door, method, { ...query, ...(at ? { cursor: at } : {}) })
      if (isFailed(page)) return page
      found.push(...readRows(page.messages))
      at = page.has_more ? page.response_metadata.next_cursor : ''
      if (at === '') return found
    }
  }
  const history = await all('conversations.history', range)
  if (isFailed(history)) return history
  const said: Row[] = []
  for (const row of rowsOf(history)) {
    const replies = hasReplies(row) ? await all('conversations.replies', { channel, ts: row.ts }) : []
    if (isFailed(replies) && replies.last !== 'thread_not_found') return replies
    const others = isFailed(replies) ? [] : replies.filter((one) => one.ts !== row.ts)
    said.push(...[row, ...others].filter((one) => !isQuiet(one)))
  }
  return said.sort((a, b) => Number(a.ts) - Number(b.ts))
}

async function take(
  reader: Door['reader'],
  { order, item }: { readonly order: ItemsOrder; readonly item: ItemOrder },
  {
    channel,
    name,
    text,
    first,
  }: { readonly channel: string; readonly name: string; readonly text: string; readonly first: string | undefined },
) {
  const metadata = { ...order.metadata, channel: name, day: item.key }
  const url = `https://slack.com/app_redirect?channel=${channel}`
  const published = first === undefined ? null : new Date(Number(first) * 1000).toISOString()
  try {
    const bytes = new Uint8Array(new TextEncoder().encode(text))
    const taken = { ...item, title: `#${name}, ${item.key}`, url, metadata, published }
    return await takeBytes(reader, taken, { bytes, type: 'text/plain; charset=utf-8', path: 'day.txt', etag: null, modified: null })
  } catch {
    return failed('unreadable')
  }
}
