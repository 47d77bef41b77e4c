/** Exports of Slack and Notion, from small worlds of our own, and archives that mean no good. */
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/http/app'
import { isolateBounds } from '../../../src/reading/bounds'
import { asDocument } from '../../../src/reading/exports/exported'
import { readExport } from '../../../src/reading/exports/open-export'
import { ADMIN, fakeWorld } from '../http/world'

const zip = (files: { readonly [name: string]: unknown }): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        content instanceof Uint8Array ? content : strToU8(typeof content === 'string' ? content : JSON.stringify(content)),
      ]),
    ),
  )
const at = (time: string): string => String(Date.parse(time) / 1000)
const read = (bytes: Uint8Array, more: object = {}) => readExport(bytes, { ...isolateBounds, ...more })

const SLACK = {
  'users.json': [
    { id: 'U1', name: 'ann', profile: { display_name: 'Ann', real_name: 'Ann Reed' } },
    { id: 'U2', name: 'ben', profile: { display_name: '', real_name: 'Ben Wader' } },
  ],
  'channels.json': [{ id: 'C1', name: 'herons' }],
  'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
  'herons/2026-03-02.json': [
    { type: 'message', subtype: 'channel_join', user: 'U1', ts: at('2026-03-02T08:00:00Z'), text: '<@U1> has joined' },
    {
      type: 'message',
      user: 'U1',
      ts: at('2026-03-02T09:00:00Z'),
      thread_ts: at('2026-03-02T09:00:00Z'),
      text: 'Who has seen <#C1|herons> today, <@U2>? &lt;none&gt;',
    },
    {
      type: 'message',
      user: 'U2',
      ts: at('2026-03-02T09:30:00Z'),
      text: 'Notes: <https://example.org/a|here>',
      files: [{ name: 'map.png' }],
    },
    { type: 'message', user: 'U2', ts: at('2026-03-02T09:40:00Z'), thread_ts: at('2026-03-02T09:00:00Z'), text: 'Two, at the weir.' },
    { odd: true },
  ],
  'herons/2026-03-03.json': [
    {
      type: 'message',
      user: 'U9',
      user_profile: { real_name: 'Cy Guest' },
      ts: at('2026-03-03T10:00:00Z'),
      thread_ts: at('2026-03-02T09:00:00Z'),
      text: 'A third this morning.',
    },
    { type: 'message', subtype: 'bot_message', username: 'gauge', ts: at('2026-03-03T11:00:00Z'), text: 'Level 1.2 m' },
  ],
  'D1/2026-03-02.json': [{ type: 'message', user: 'U1', ts: at('2026-03-02T09:00:00Z'), text: 'A secret between two.' }],
}

const [PAGE, SUB, BASE] = ['a', 'b', 'c'].map((letter) => letter.repeat(32))
const NOTION = {
  [`Field guide ${PAGE}.md`]: `# Field guide\n\nHerons wait. See [Nests](Field%20guide%20${PAGE}/Nests%20${SUB}.md).`,
  [`Field guide ${PAGE}/Nests ${SUB}.md`]: '# Nests\n\nIn old alders.',
  [`Field guide ${PAGE}/Sightings ${BASE}.csv`]: 'Bird,Place\nHeron,Weir\n',
  [`Field guide ${PAGE}/Sightings ${BASE}_all.csv`]: 'Bird,Place\nHeron,Weir\nCrane,Marsh\n',
  [`Field guide ${PAGE}/photo.png`]: 'x',
}

describe('exports', () => {
  it('[V780] Slack: a document a channel and day; threads stay together on the day they began, people and channels have their names, direct messages stay out', async () => {
    const { kind, documents } = await read(zip(SLACK))
    expect([kind, documents.map(({ path }) => path)]).toEqual(['slack', ['herons/2026-03-02', 'herons/2026-03-03']])
    expect(documents[0]).toEqual({
      path: 'herons/2026-03-02',
      title: '#herons, 2026-03-02',
      text: 'Ann (09:00): Who has seen #herons today, @Ben Wader? <none>\n> Ben Wader (09:40): Two, at the weir.\n> Cy Guest (10:00): A third this morning.\n\nBen Wader (09:30): Notes: [here](https://example.org/a)\n[file: map.png]',
      url: 'https://slack.com/app_redirect?channel=C1',
      published: '2026-03-02T09:00:00.000Z',
      metadata: { channel: 'herons', day: '2026-03-02' },
    })
    expect(documents[1]?.text).toBe('gauge (11:00): Level 1.2 m')
    const nested = Object.fromEntries(Object.entries(SLACK).map(([name, content]) => [`Workspace export/${name}`, content]))
    expect((await read(zip(nested))).documents.length).toBe(2)
  })

  it('[V781] Notion: a document a page under the pages above it, without ids; a database is a table with all its rows; archives inside are read', async () => {
    const { kind, documents } = await read(zip(NOTION))
    expect([kind, documents.map(({ path, title, text }) => [path, title, text])]).toEqual([
      'notion',
      [
        ['Field guide', 'Field guide', '# Field guide\n\nHerons wait. See Nests.'],
        ['Field guide/Nests', 'Nests', '# Nests\n\nIn old alders.'],
        ['Field guide/Sightings', 'Sightings', '- Bird: Heron; Place: Weir\n- Bird: Crane; Place: Marsh'],
      ],
    ])
    expect([documents[1]?.url, documents[2]?.metadata]).toEqual([
      `https://www.notion.so/${SUB}`,
      { path: 'Field guide/Sightings', kind: 'database' },
    ])
    expect((await read(zip({ 'Export-1-Part-1.zip': zip(NOTION) }))).documents.length).toBe(3)
    const html = { [`Nests ${SUB}.html`]: '<title>Nests</title><p>In old alders.</p>', 'index.html': '<p>x</p>' }
    expect((await read(zip(html))).documents.map(({ path, text }) => [path, text])).toEqual([['Nests', 'In old alders.']])
    const twins = { [`A ${PAGE}.md`]: 'One.', [`A ${SUB}.md`]: 'Two.' }
    expect((await read(zip(twins))).documents.map(({ path }) => path)).toEqual(['A', 'A bbbbbbbb'])
  })

  it('[V782] what unpacks to too much, has too many parts or documents, hostile names, or is no export is refused or left out, with what to do', async () => {
    const bomb = { ...SLACK, 'herons/2026-03-04.json': new Uint8Array(26 * 1024 * 1024) }
    await expect(read(zip(bomb))).rejects.toMatchObject({ why: 'too_large' })
    const inner = zip({ [`A ${PAGE}.md`]: new Uint8Array(9 * 1024 * 1024) })
    const bombs = Object.fromEntries([1, 2, 3].map((n) => [`${n}.zip`, inner]))
    await expect(read(zip(bombs))).rejects.toMatchObject({ why: 'too_large' })
    const deep = zip({ 'a.zip': zip({ 'b.zip': zip(NOTION) }) })
    await expect(read(deep)).rejects.toMatchObject({ why: 'unsupported' })
    const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`${n}.png`, '']))
    await expect(read(zip({ ...NOTION, ...many }))).rejects.toMatchObject({ why: 'too_large' })
    const hostile = {
      ...NOTION,
      [`../../etc/Passwords ${BASE}.md`]: 'x',
      [`/root/Keys ${BASE}.md`]: 'x',
      [`__proto__/B ${BASE}.md`]: 'x',
      [`a\\b ${BASE}.md`]: 'x',
    }
    expect((await read(zip(hostile))).documents.length).toBe(3)
    await expect(read(zip({ 'a.txt': 'x' }))).rejects.toMatchObject({ why: 'unsupported' })
    await expect(read(strToU8('no zip'))).rejects.toMatchObject({ why: 'broken' })
    await expect(read(zip({ ...SLACK, 'herons/2026-03-02.json': 'x', 'herons/2026-03-03.json': '[]' }))).rejects.toMatchObject({
      why: 'no_text',
    })
    const long = asDocument('notion', { path: 'x'.repeat(400), title: '', text: 'a\0b', metadata: {} })
    expect([new TextEncoder().encode(long.id).length < 256, long.text]).toEqual([true, 'a\uFFFDb'])
  })

  it('[V783] an export comes in by the import, in base64 and by a signed event, as many documents with their dates and labels', async () => {
    const world = fakeWorld()
    const app = createApp(() => world.wired)
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
    const send = async (method: string, path: string, body: BodyInit | null, type = 'application/json') => {
      const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': type }
      const response = await app.fetch(new Request(`https://loam.test/v1/corpora/here${path}`, { method, headers, body }), {}, context)
      return { status: response.status, body: await response.json() }
    }
    await send('PUT', '', '{}')
    const made = await send('POST', ':import?access=group:birds', zip(SLACK) as BodyInit, 'application/zip')
    expect([made.status, made.body.documents]).toEqual([202, 2])
    const base64 = Buffer.from(zip(NOTION)).toString('base64')
    const line = JSON.stringify({ type: 'document', id: 'guide', content_base64: base64, content_type: 'application/zip' })
    expect((await send('POST', ':import', line, 'application/x-ndjson')).status).toBe(202)
    const refused = await send('POST', ':import', zip({ 'a.txt': 'x' }) as BodyInit, 'application/zip')
    expect([refused.status, refused.body.code]).toEqual([415, 'unsupported_media_type'])
    const put = await send('PUT', '/documents/a', zip(SLACK) as BodyInit, 'application/zip')
    expect([put.status, put.body.detail]).toEqual([415, expect.stringContaining(':import')])
  })
})
