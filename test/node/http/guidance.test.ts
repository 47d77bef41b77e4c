/** Guidance proposed over HTTP, and the examples a corpus may set: what is answered, and what is refused by name. */
import { describe, expect, it } from 'vitest'
import type { WorkedExample } from '../../../src/core/guidance'
import { createApp } from '../../../src/http/app'
import type { Wired } from '../../../src/http/wired'
import { deployment } from '../deletion/deployment'
import { ADMIN, fakeWorld } from './world'

const AT = '/v1/corpora/port'
const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' }

function client(wired: Wired) {
  const app = createApp(() => wired)
  return async (method: string, path: string, body?: object) => {
    const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    return app.fetch(new Request(`https://loam.test${path}`, sent), {}, context)
  }
}

const TEXT =
  'Ada Holm works for Tidewater Company, a shipyard of the old port, and her brother Otto Holm has been the keeper of its books since 1902.'
const EXAMPLE: WorkedExample = {
  text: 'Ada Holm works for Tidewater.',
  entities: [
    { name: 'Ada Holm', type: 'person', description: 'an engineer' },
    { name: 'Tidewater', type: 'company', description: '' },
  ],
  relations: [{ source: 'Ada Holm', target: 'Tidewater', description: 'works for', strength: 8 }],
  document: 'port-book',
}

describe('guidance', () => {
  it('[V1992] is proposed by the text model, and nothing is set', async () => {
    const world = fakeWorld()
    const { models, corpus } = world.wired
    const replies = [
      JSON.stringify({ domain: 'a shipyard', draw: ['who works for whom'], leave_out: [] }),
      JSON.stringify({
        entities: EXAMPLE.entities,
        relations: [{ source: 'Ada Holm', target: 'Tidewater Company', description: 'works for', strength: 8 }],
      }),
    ]
    const writing = {
      ...models,
      text: { id: 'writer', window: 8000 },
      write: async () => ({ text: replies.shift() ?? '', spent: { in: 9, out: 1, embedded: 0 } }),
    }
    const lists = {
      documents: async () => ({ data: [{ document: 'port-book', active: true, access: [] }], next_cursor: null }) as never,
      chunks: async () => ({ data: [{ text: TEXT, entities: [] }], next_cursor: null, content_version: 1 }) as never,
    }
    const send = client({ ...world.wired, models: writing, corpus: (uid) => ({ ...corpus(uid), ...lists }) })
    await send('PUT', AT, {})
    const response = await send('POST', `${AT}/guidance:propose`, {})
    const proposal = (await response.json()) as { examples: WorkedExample[] }
    expect([response.status, proposal]).toMatchObject([
      200,
      { guidance: 'These texts: a shipyard.\nDraw: who works for whom.', sample: { documents: 1, passages: 1 }, usage: { in: 18, out: 2 } },
    ])
    expect(proposal.examples[0]).toMatchObject({
      text: TEXT,
      document: 'port-book',
      entities: [{ name: 'Ada Holm' }, { name: 'Tidewater' }],
    })
    const { settings } = (await (await send('GET', AT)).json()) as { settings: { extraction: object } }
    expect(settings.extraction).toMatchObject({ guidance: null, examples: null })
    const put = await send('PUT', AT, { settings: { extraction: { examples: proposal.examples } } })
    expect(put.status).toBe(200)
  })

  it('[V1992] is refused without a text model, without a key, and where more is asked for than there is', async () => {
    const { send } = deployment()
    await send('PUT', AT, {})
    const { status, body } = await send('POST', `${AT}/guidance:propose`, {})
    expect([status, (body as { code: string }).code, (body as { detail: string }).detail]).toEqual([
      409,
      'conflict',
      expect.stringContaining('no text model'),
    ])
    expect((await send('POST', `${AT}/guidance:propose`, { examples: 4 })).status).toBe(422)
    expect((await send('POST', `${AT}/guidance:propose`, { by: 'counts' })).status).toBe(422)
    expect((await send('POST', `${AT}/guidance:propose`, {}, 'no key')).status).toBe(401)
    expect((await send('POST', '/v1/corpora/nowhere/guidance:propose', {})).status).toBe(404)
  })
})

describe('examples of a corpus', () => {
  it('[V1991] are set whole, shown, and taken away by null; what is left out of one is filled in', async () => {
    const { send } = deployment()
    const put = (extraction: object) => send('PUT', AT, { settings: { extraction } })
    const shown = async () =>
      ((await send('GET', AT)).body as { settings: { extraction: { examples: unknown } } }).settings.extraction.examples
    expect((await put({ examples: [EXAMPLE] })).status).toBe(201)
    expect(await shown()).toEqual([EXAMPLE])
    await put({ guidance: 'Treat vessel names as ships.' })
    expect(await shown()).toEqual([EXAMPLE])
    const bare = { text: 'Oslo lies by the sea.', entities: [{ name: ' Oslo ', type: 'town' }] }
    await put({ examples: [bare] })
    expect(await shown()).toEqual([{ ...bare, entities: [{ name: 'Oslo', type: 'town', description: '' }], relations: [] }])
    await put({ examples: null })
    expect(await shown()).toBeNull()
  })

  const [ada] = EXAMPLE.entities
  it.each([
    [[EXAMPLE, EXAMPLE, EXAMPLE, EXAMPLE], '', '3'],
    [[{ ...EXAMPLE, text: 'x'.repeat(601) }], '0.text', '600'],
    [[{ ...EXAMPLE, text: ' ' }], '0.text', 'blank'],
    [[{ ...EXAMPLE, entities: [] }], '0.entities', 'must not be empty'],
    [[{ ...EXAMPLE, entities: Array.from({ length: 13 }, () => ada) }], '0.entities', '12'],
    [[{ ...EXAMPLE, entities: [{ ...ada, type: 'x'.repeat(33) }] }], '0.entities.0.type', '32'],
    [[{ ...EXAMPLE, entities: [{ ...ada, type: '' }] }], '0.entities.0.type', 'letter'],
    [[{ ...EXAMPLE, entities: [{ ...ada, colour: 'red' }] }], '0.entities.0.colour', 'unknown'],
    [[{ ...EXAMPLE, entities: [{ ...ada, name: 'Otto Veit' }] }], '0.entities.0.name', 'does not occur'],
    [[{ ...EXAMPLE, relations: [{ source: 'Ada Holm', target: 'Oslo' }] }], '0.relations.0', 'two different names'],
    [[{ ...EXAMPLE, relations: [{ ...EXAMPLE.relations[0], strength: 11 }] }], '0.relations.0.strength', '10'],
    [
      Array.from({ length: 3 }, () => ({
        ...EXAMPLE,
        entities: EXAMPLE.entities.map((one) => ({ ...one, description: 'ü'.repeat(160) })),
        text: `${EXAMPLE.text}${'ü'.repeat(500)}`,
      })),
      '',
      'at most 4000',
    ],
    ['Ada', '', ''],
  ])('[V1991] %# is refused by name', async (examples, path, message) => {
    const { status, body } = await deployment().send('PUT', AT, { settings: { extraction: { examples } } })
    const { errors } = body as { errors: { path: string; message: string }[] }
    expect([status, errors[0]?.path]).toEqual([422, ['settings.extraction.examples', path].filter(Boolean).join('.')])
    expect(errors[0]?.message).toContain(message)
  })

  it('[V1991] an ontology that they do not fit is refused at the example, until it is changed or taken away', async () => {
    const { send } = deployment()
    const put = (extraction: object) => send('PUT', AT, { settings: { extraction } })
    await put({ examples: [EXAMPLE] })
    const ontology = { mode: 'strict', types: [{ name: 'person' }, { name: 'ship' }] }
    const { status, body } = await put({ ontology })
    expect([status, (body as { errors: { path: string }[] }).errors[0]?.path]).toEqual([
      422,
      'settings.extraction.examples.0.entities.1.type',
    ])
    expect((await put({ ontology, examples: [] })).status).toBe(200)
  })
})
