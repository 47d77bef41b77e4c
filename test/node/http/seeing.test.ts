/** Costs by day and key, the log of questions and its report, at the HTTP face: who may, what is refused, what goes to the object. */
import { describe, expect, it } from 'vitest'
import { groupAlike } from '../../../src/flows/alike'
import { createApp } from '../../../src/http/app'
import { redacted } from '../../../src/http/redact'
import type { DayCost, DayRange, Feedback, LoggedQuestion, NewLogged, SeeingObject } from '../../../src/ports/seeing'
import { evidence } from '../../core/flows/fakes'
import { fakeSeeing } from './seeing'
import { ADMIN, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }

function house(rows: readonly DayCost[] = []) {
  const world = fakeWorld()
  const noted: { entry: NewLogged; key: string; door: string }[] = []
  const ranges: DayRange[] = []
  const rated: [string, Feedback, string | null][] = []
  const poor: LoggedQuestion[] = []
  const seeing: SeeingObject = {
    ...fakeSeeing(),
    costs: async (range) => {
      ranges.push(range)
      return rows.filter(({ key }) => range.key === null || key === range.key)
    },
    noteQuestion: async (entry, { key, door }) => void noted.push({ entry, key, door }),
    poorQuestions: async (since) => poor.filter(({ at }) => at >= since),
    rateQuestion: async (id, feedback, key) => {
      rated.push([id, feedback, key])
      return id === KNOWN
    },
  }
  const retrieve = async () =>
    ({
      kind: 'evidence',
      evidence: [evidence('p:1', 'mill', 'Bread is baked on Tuesdays.')],
      version: 3,
      frequencies: [],
      passages: 1,
    }) as const
  const { corpus } = world.wired
  const app = createApp(() => ({ ...world.wired, corpus: (uid) => ({ ...corpus(uid), retrieve }), seeing: () => seeing }))
  const send = async (method: string, path: string, { body, key = ADMIN }: { readonly body?: object; readonly key?: string } = {}) => {
    const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const response = await app.fetch(
      new Request(`https://loam.test${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }),
      {},
      context,
    )
    const text = await response.text()
    return { status: response.status, text, headers: response.headers, body: /^[{[]/.test(text) ? JSON.parse(text) : null }
  }
  const mint = async (scopes: readonly string[], corpora: readonly string[]) =>
    (await send('POST', '/v1/keys', { body: { name: 'k', scopes, corpora } })).body as { readonly id: string; readonly key: string }
  return { world, send, mint, noted, ranges, rated, poor }
}

const KNOWN = `q_${'1'.repeat(32)}`
const cost = (day: string, key: string, usd: number): DayCost => ({ day, key, stage: 'answer', calls: 1, in: 10, out: 2, embedded: 0, usd })

describe('costs by day and key', () => {
  const rows = [cost('2026-11-21', 'ana', 0.002), cost('2026-11-22', 'ana', 0.001), cost('2026-11-22', '', 0.004)]

  it('[V802] are grouped as asked, over corpora, as JSON and CSV', async () => {
    const { send } = house(rows)
    for (const name of ['town', 'farm']) await send('PUT', `/v1/corpora/${name}`, { body: {} })
    const { costs } = (await send('GET', '/v1/usage?by=key')).body
    expect(costs.map(({ key, calls, usd }: { key: string; calls: number; usd: number }) => [key, calls, usd])).toEqual([
      ['ana', 4, 0.006],
      ['none', 2, 0.008],
    ])
    expect((await send('GET', '/v1/usage?by=corpus,day')).body.costs).toHaveLength(4)
    expect((await send('GET', '/v1/usage?by=key,day&corpus=farm')).body.costs).toHaveLength(3)
    const csv = await send('GET', '/v1/usage?by=day,key&corpus=farm&format=csv')
    expect([csv.headers.get('content-type'), csv.text.split('\r\n').slice(0, 2)]).toEqual([
      'text/csv; charset=utf-8',
      ['key,day,calls,in,out,embedded,usd,neurons', 'ana,2026-11-21,1,10,2,0,0.002,181.818'],
    ])
  })

  it('[V802] a key sees its own alone, of corpora it may read', async () => {
    const { send, mint, ranges } = house(rows)
    for (const name of ['town', 'farm']) await send('PUT', `/v1/corpora/${name}`, { body: {} })
    const { id, key } = await mint(['read'], ['town'])
    expect((await send('GET', '/v1/usage?by=key', { key })).body.costs).toEqual([])
    expect(ranges.map((range) => range.key)).toEqual([id])
    expect((await send('GET', '/v1/usage?by=key&corpus=farm', { key })).status).toBe(404)
  })

  it('[V802] what cannot be meant is refused by its name', async () => {
    const { send } = house()
    const refused = async (query: string): Promise<unknown> => {
      const { status, body } = await send('GET', `/v1/usage?${query}`)
      return [status, body.errors?.[0]?.path]
    }
    expect(await refused('by=user')).toEqual([422, 'by'])
    expect(await refused('by=key&since=yesterday')).toEqual([422, 'since'])
    expect(await refused('by=key&since=2026-11-22&until=2026-11-21')).toEqual([422, 'since'])
    expect(await refused('by=key&since=2020-01-01&until=2026-11-21')).toEqual([422, 'since'])
    expect(await refused('by=key&format=xml')).toEqual([422, 'format'])
    expect(await refused('since=2026-11-21')).toEqual([422, 'since'])
  })
})

describe('questions', () => {
  const question = 'Whom do I call at +49 171 2345678 or ana@example.org about https://x.test/?k=1, key sk_live_4f9a8b7c6d5e4f3a?'

  it('[V803] are kept as the corpus says, with the id that the answer names; by default not at all', async () => {
    const { send, noted } = house()
    await send('PUT', '/v1/corpora/town', { body: {} })
    const ask = async () => (await send('POST', '/v1/corpora/town/query', { body: { query: question, strategy: 'keyword' } })).body
    expect([(await ask()).question_id, noted]).toEqual([undefined, []])
    expect((await send('PUT', '/v1/corpora/town', { body: { audit: { questions: 'redacted', question_days: 30 } } })).body.audit).toEqual({
      days: 400,
      reads: false,
      questions: 'redacted',
      question_days: 30,
      conversation_days: 90,
    })
    const { question_id: id } = await ask()
    expect(noted).toHaveLength(1)
    expect(noted[0]).toMatchObject({
      key: 'admin',
      door: 'http',
      entry: { id, kind: 'query', answer: null, documents: ['mill'], version: 3 },
    })
    expect(noted[0]?.entry.question).toBe('Whom do I call at [number] or [email] about [url] key [secret]?')
    await send('PUT', '/v1/corpora/town', { body: { audit: { questions: 'full' } } })
    const whole = await ask()
    expect(noted[1]?.entry).toMatchObject({ question, answer: whole.answer, outcome: whole.answered ? 'answered' : 'refused' })
    const streamed = await send('POST', '/v1/corpora/town/query', { body: { query: question, strategy: 'keyword', stream: true } })
    expect(streamed.text).toContain(`"question_id":"${noted[2]?.entry.id}"`)
    const searched = await send('POST', '/v1/corpora/town/search', { body: { query: question, strategy: 'keyword' } })
    expect([searched.body.question_id, noted[3]?.entry.kind]).toEqual([noted[3]?.entry.id, 'search'])
  })

  it('[V952] to several corpora are logged by each that keeps them, each its own part', async () => {
    const { send, noted } = house()
    const ask = async (path = '/v1/query', more: object = {}) =>
      (await send('POST', path, { body: { query: question, strategy: 'keyword', corpora: ['town', 'coast'], ...more } })).body
    for (const name of ['town', 'coast']) await send('PUT', `/v1/corpora/${name}`, { body: {} })
    expect([(await ask()).question_ids, noted]).toEqual([undefined, []])
    await send('PUT', '/v1/corpora/town', { body: { audit: { questions: 'full' } } })
    const { question_ids: ids } = await ask()
    expect([Object.keys(ids), noted.map(({ entry }) => entry.id)]).toEqual([['town'], [ids.town]])
    // The other corpus was in evidence, too: its words are not for who reads this log.
    expect(noted[0]?.entry).toMatchObject({ question, answer: null, documents: ['mill'], version: 3 })
    await ask('/v1/query', { corpora: ['town'] })
    expect(noted[1]?.entry.answer).toEqual(expect.any(String))
    await send('PUT', '/v1/corpora/coast', { body: { audit: { questions: 'redacted' } } })
    await ask('/v1/search')
    expect(noted.slice(2).map(({ entry }) => [entry.kind, entry.question])).toEqual([
      ['search', question],
      ['search', redacted(question)],
    ])
    const streamed = await send('POST', '/v1/query', {
      body: { query: question, corpora: ['town', 'coast'], strategy: 'keyword', stream: true },
    })
    expect(streamed.text).toContain(`"question_ids":{"town":"${noted[4]?.entry.id}","coast":"${noted[5]?.entry.id}"}`)
  })

  it('[V803] what is not somebody’s stays when a question is redacted', () => {
    for (const kept of [
      'What happened in 1824?',
      'Who is Otto Brandt?',
      'Does article 12 of 2024/689 hold?',
      'How long is 10,000 km?',
      'What came on 2026-11-21?',
    ])
      expect(redacted(kept)).toBe(kept)
    expect(redacted('DE89 3704 0044 0532 0130 00 and 4111 1111 1111 1111')).toBe('[number] and [number]')
  })

  it('[V805] the log is for admin keys; feedback is for who asked, or an admin key', async () => {
    const { send, mint, rated } = house()
    await send('PUT', '/v1/corpora/town', { body: {} })
    const { id, key } = await mint(['read'], ['town'])
    for (const [method, path] of [
      ['GET', 'query-log'],
      ['DELETE', 'query-log'],
      ['DELETE', `query-log/${KNOWN}`],
      ['GET', 'query-report'],
    ] as const)
      expect([path, (await send(method, `/v1/corpora/town/${path}`, { key })).status]).toEqual([path, 403])
    const body = { question: KNOWN, rating: 'bad', comment: 'Ask ana@example.org.', wrong_citations: [2] }
    expect((await send('POST', '/v1/corpora/town/feedback', { body, key })).status).toBe(200)
    expect((await send('POST', '/v1/corpora/town/feedback', { body })).status).toBe(200)
    expect(rated).toEqual([
      [KNOWN, { rating: -1, comment: 'Ask [email].', wrong: [2] }, id],
      [KNOWN, { rating: -1, comment: 'Ask [email].', wrong: [2] }, null],
    ])
    expect((await send('POST', '/v1/corpora/town/feedback', { body: { ...body, question: `q_${'2'.repeat(32)}` } })).body.code).toBe(
      'question_not_found',
    )
    const refused = (
      await send('POST', '/v1/corpora/town/feedback', { body: { question: 'x', rating: 'awful', comment: 'a'.repeat(2001) } })
    ).body
    expect(refused.errors.map(({ path }: { path: string }) => path)).toEqual(['question', 'rating', 'comment'])
  })
})

describe('the report', () => {
  const entry = (n: number, text: string | null, more: Partial<LoggedQuestion> = {}): LoggedQuestion => ({
    n,
    id: `q_${n}`,
    at: n * 1000,
    key: 'k',
    door: 'http',
    kind: 'query',
    outcome: 'nothing',
    question: text,
    answer: null,
    confidence: 0,
    version: 1,
    ms: 1,
    documents: [],
    degraded: [],
    rating: null,
    comment: null,
    wrong: null,
    ...more,
  })

  it('[V806] puts questions of nearly the same words together, the most frequent first', async () => {
    const { send, poor } = house()
    await send('PUT', '/v1/corpora/town', { body: {} })
    poor.push(
      entry(9, 'Where is the ferry?', { outcome: 'answered', rating: -1 }),
      entry(8, 'What does a ticket for the night train cost?'),
      entry(7, 'what do tickets for the night train cost'),
      entry(6, 'What does the night train ticket cost today?', { outcome: 'refused' }),
      entry(5, null),
      entry(4, 'Who built the lighthouse?'),
    )
    const { data, looked_at, forgotten } = (await send('GET', '/v1/corpora/town/query-report')).body
    expect([looked_at, forgotten]).toEqual([6, 1])
    expect(
      data.map(({ question, count, nothing, refused, bad }: Record<string, unknown>) => [question, count, nothing, refused, bad]),
    ).toEqual([
      ['What does a ticket for the night train cost?', 3, 2, 1, 0],
      ['Where is the ferry?', 1, 0, 0, 1],
      ['Who built the lighthouse?', 1, 1, 0, 0],
    ])
    expect(data[0].last_seen).toBe(new Date(8000).toISOString())
    expect((await send('GET', '/v1/corpora/town/query-report?since=1970-01-01T00:00:08Z')).body.looked_at).toBe(2)
    expect((await send('GET', '/v1/corpora/town/query-report?since=lately')).status).toBe(422)
  })

  it('[V806] tells apart what differs in what matters, in scripts without spaces too, and loses no question', () => {
    const all = [
      'Who owns the north mill?',
      'Who owns the south mill?',
      '夜行列车的票价是多少？',
      '灯塔是谁建造的？',
      '?',
      '!',
      'Who owns the north mill',
    ]
    const groups = groupAlike(all, (one) => one)
    expect(groups.flatMap(({ members }) => members).sort()).toEqual([...all].sort())
    expect(groups.map(({ members }) => members.length)).toEqual([2, 1, 1, 1, 1, 1])
  })
})
