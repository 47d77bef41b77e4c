/** A Slack channel as a source, against a stand-in that refuses what its API refuses. */
import { afterEach, expect, it } from 'vitest'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import type { SourceInput } from '../../../src/ports/sources'
import { CHANNEL, type Channel, type Said, slackApi, TOKEN } from './slack-workspace'
import { type Internet, master, type Place, place } from './world'

const open: Place[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const HOUR = 3_600_000
const ID = 'src_s'

async function follow(
  given: Partial<Channel>,
  { token = TOKEN, perPage, ...more }: Partial<SourceInput> & { token?: string; perPage?: number } = {},
) {
  const channel: Channel = {
    messages: [],
    users: new Map([
      ['U1', 'Ada Holm'],
      ['U2', 'Otto Veit'],
    ]),
    scopes: new Set(['channels:history', 'channels:read', 'users:read']),
    isMember: true,
    ...given,
  }
  const internet: { current: Internet } = { current: () => new Response() }
  const here = place(internet, { vault: master })
  open.push(here)
  const answer = slackApi(channel, () => here.world.clock.now, perPage)
  internet.current = answer
  const secrets = [{ sealed: (await master?.seal(token, ID)) ?? '', until: null }]
  here.source(`https://slack.com/archives/${CHANNEL}`, {
    id: ID,
    kind: 'slack',
    every: HOUR,
    onGone: 'delete',
    goneAfter: 1,
    secrets,
    ...more,
  })
  const pass = async (ms: number) => {
    await here.pass(ms)
    await here.settle()
  }
  const methods = () => here.asked.map(({ url }) => new URL(url).pathname.replace('/api/conversations.', ''))
  const shown = (day: string) => document(here.mortal.context, `slack/${CHANNEL}/${day}`)
  const source = () => here.object.source(ID)
  return { channel, here, internet, answer, pass, shown, methods, source }
}

const at = (day: string, time = '12:00'): string => `${Date.parse(`${day}T${time}:00Z`) / 1000}.000100`
const say = (ts: string, text: string, more: Partial<Said> = {}): Said => ({ ts, text, user: 'U1', ...more })
const OLD = '2024-03-01'
const MET = at(OLD, '09:00')
const talk = (): Said[] => [
  say(MET, 'Where do herons wait, <@U2>?'),
  say(at('2024-03-02', '08:00'), 'By the <https://pond.example|pond>.', { user: 'U2', thread_ts: MET }),
  say(at(OLD, '10:00'), 'A heron was seen.'),
  say(at(OLD, '10:01'), '<@U1> has joined the channel', { subtype: 'channel_join' }),
  say(at('2024-03-03'), 'An owl hunts.', { user: 'U9' }),
  say(at('2024-03-04'), 'Also here.', { thread_ts: MET, subtype: 'thread_broadcast' }),
]

it('[V1995] each day of a channel becomes a document with the threads that began on it, as from an export; what has not changed costs only its place in the history', async () => {
  const { here, shown, pass, methods, source, channel } = await follow({ messages: talk() })
  await pass(120_000)
  expect(shown(OLD)).toMatchObject({
    title: `#reeds, ${OLD}`,
    url: `https://slack.com/app_redirect?channel=${CHANNEL}`,
    metadata: { channel: 'reeds', day: OLD },
  })
  expect(shown(OLD)?.text).toBe(
    'Ada Holm (09:00): Where do herons wait, @Otto Veit?\n> Otto Veit (08:00): By the [pond](https://pond.example).\n> Ada Holm (12:00): Also here.\n\nAda Holm (10:00): A heron was seen.',
  )
  expect([shown('2024-03-03')?.text, shown('2024-03-02'), shown('2024-03-04')]).toEqual(['U9 (12:00): An owl hunts.', null, null])
  expect(await source()).toMatchObject({ status: 'ok', failures: 0, items: { known: 2, waiting: 0, failing: 0, gone: 0 } })
  here.asked.length = 0
  await pass(HOUR)
  expect(methods()).toEqual(['history', 'history']) // two pages, and no day is read
  channel.messages.push(say(at(OLD, '11:00'), 'It flew off.'))
  await pass(HOUR)
  expect(shown(OLD)?.text).toContain('It flew off.')
})

it('[V1996] edits, replies and deletions are seen at the next look; an edited reply of an older day with its next change', async () => {
  const { channel, pass, shown } = await follow({ messages: talk() })
  await pass(120_000)
  const [first, reply, seen] = channel.messages
  if (!first || !reply || !seen) throw new Error('no messages')
  Object.assign(reply, { text: 'By the lake.', edited: { ts: at('2024-03-05'), user: 'U2' } })
  await pass(HOUR)
  expect(shown(OLD)?.text).toContain('[pond]')
  Object.assign(seen, { text: 'Two herons were seen.', edited: { ts: at('2024-03-05'), user: 'U1' } })
  await pass(HOUR)
  expect(shown(OLD)?.text).toMatch(/By the lake[\s\S]*Two herons/)
  channel.messages.push(say(at('2024-03-06'), 'And by the mill.', { thread_ts: MET }))
  await pass(HOUR)
  expect(shown(OLD)?.text).toContain('> Ada Holm (12:00): And by the mill.')
  channel.messages.splice(channel.messages.indexOf(seen), 1)
  Object.assign(first, { text: 'This message was deleted.', subtype: 'tombstone' })
  channel.messages.splice(0, channel.messages.length, ...channel.messages.filter(({ text }) => text !== 'An owl hunts.'))
  await pass(HOUR)
  expect(shown(OLD)?.text).not.toMatch(/deleted|Two herons|Where do/)
  expect(shown(OLD)?.text).toContain('By the lake.') // what was answered stays
  expect(shown('2024-03-03')).toBeNull()
})

it('[V1996] a day of the last week is read again at every look, so that an edited reply of it is seen', async () => {
  const { channel, here, pass, shown } = await follow({})
  const today = new Date(here.world.clock.now).toISOString().slice(0, 10)
  const now = Math.floor(here.world.clock.now / 1000)
  const root = `${now}.000100`
  const reply = say(`${now + 1}.000100`, 'Yes.', { thread_ts: root })
  channel.messages.push(say(root, 'Herons?'), reply)
  await pass(120_000)
  expect(shown(today)?.text).toContain('> Ada Holm')
  reply.text = 'No.'
  await pass(2 * HOUR)
  expect(shown(today)?.text).toContain('No.')
})

it('[V1997] a refusal for too many requests is a pause as long as Slack says, and what was listed or read by then stays', async () => {
  const { here, internet, answer, pass, shown, source } = await follow({ messages: talk() })
  await pass(120_000)
  for (const limit of [
    () => new Response(null, { status: 429, headers: { 'retry-after': '90' } }),
    () => Response.json({ ok: false, error: 'ratelimited' }),
  ]) {
    internet.current = limit
    await here.object.askSource(ID, { kind: 'call' })
    await here.pass(1000)
    expect(await source()).toMatchObject({ status: 'waiting', last: 'rate_limited', failures: 0 })
    internet.current = answer
    here.asked.length = 0
    await here.pass(45_000)
    expect(here.asked).toEqual([])
    await here.pass(60_000)
    expect((await source())?.status).toBe('ok')
  }
  expect(shown(OLD)?.text).toContain('heron')
})

it.each([
  ['missing_scope', { scopes: new Set<string>() }, {}],
  ['not_in_channel', { isMember: false }, {}],
  ['invalid_auth', {}, { token: 'xoxb-of-another' }],
] as const)('[V1998] %s is said as it is, and deletes nothing', async (last, now, more) => {
  const { channel, here, pass, shown, source } = await follow({ messages: talk() })
  await pass(120_000)
  Object.assign(channel, now)
  if ('token' in more) {
    const secrets = [{ sealed: (await master?.seal(more.token, ID)) ?? '', until: null }]
    await here.object.askSource(ID, { kind: 'credential', secrets })
  }
  await pass(3 * HOUR)
  expect(await source()).toMatchObject({ status: 'failing', last })
  expect(shown(OLD)?.text).toContain('heron')
})

it('[V1998] an answer that is not understood deletes nothing, and a place in the history that is not known any more ends the listing', async () => {
  const { internet, answer, pass, shown, source } = await follow({ messages: talk() }, { perPage: 2 })
  await pass(120_000)
  for (const odd of ['[]', 'no', '{"ok":true}', '{"ok":false}', '{"ok":false,"error":"fatal_error"}']) {
    internet.current = () => new Response(odd)
    await pass(HOUR * 30)
    expect([odd, shown(OLD)?.text?.includes('heron'), (await source())?.status]).toEqual([odd, true, 'failing'])
  }
  internet.current = (asked) => (asked.url.includes('cursor=') ? Response.json({ ok: false, error: 'invalid_cursor' }) : answer(asked))
  await pass(HOUR * 30)
  expect([shown(OLD)?.text?.includes('heron'), (await source())?.status]).toEqual([true, 'ok'])
})

it('[V1995] an app that may not know names writes ids', async () => {
  const { pass, shown, here } = await follow({ messages: talk(), scopes: new Set(['channels:history']) })
  await pass(120_000)
  expect(shown(OLD)).toMatchObject({
    title: `#${CHANNEL}, ${OLD}`,
    text: expect.stringContaining('U1 (09:00): Where do herons wait, @U2?'),
  })
  expect(here.asked.filter(({ url }) => url.includes('users.info')).length).toBe(1)
})
