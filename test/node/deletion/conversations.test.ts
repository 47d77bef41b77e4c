/** Conversations that questions asked to be kept: whose they are, what is shown of them, and that nothing of a deleted document stays in one. */
import { describe, expect, it } from 'vitest'
import { conversationLimits } from '../../../durable-objects/corpus/conversations/kept'
import type { Conversation, ConversationHead } from '../../../src/client/client'
import { deployment } from './deployment'

const AT = '/v1/corpora/manuals'
const DAY = 86_400_000
const SECRET = 'blackthorn'
const QUESTION = 'What does the ferry to Norhaven cost?'

interface Said {
  readonly answer: string
  readonly answered: boolean
  readonly conversation?: { readonly id: string; readonly turn: string }
}

async function ferries(more: object = {}) {
  const world = deployment()
  const call = async (method: string, at: string, body?: unknown, key?: string): Promise<never> => {
    const { status, body: said } = await world.send(method, `${AT}${at}`, body, key)
    expect([status < 300, method, at, said]).toEqual([true, method, at, said])
    return said
  }
  await call('PUT', '', { strategies: [], ...more })
  const put = async (id: string, text: string, access: readonly string[] = []): Promise<void> => {
    await call('PUT', `/documents/${id}`, { text, access })
    await world.ring()
  }
  const minted = async (name: string, principals: readonly string[] = []): Promise<string> => {
    const { body } = await world.send('POST', '/v1/keys', { name, scopes: ['read'], corpora: ['manuals'], principals })
    return (body as { key: string }).key
  }
  await put('prices', `The ferry to Norhaven costs 40 thalers and a ${SECRET}.`)
  await put('times', 'The lighthouse of Norhaven opens at nine.')
  const ask = async (body: object, key?: string): Promise<Said> =>
    call('POST', '/query', { query: QUESTION, strategy: 'keyword', ...body }, key)
  const kept = async (body: object = {}, key?: string): Promise<{ id: string; turn: string; answer: string }> => {
    const { conversation, answer } = await ask({ store: true, ...body }, key)
    if (!conversation) throw new Error('it was not kept')
    return { ...conversation, answer }
  }
  const read = async (id: string, key?: string): Promise<Conversation> => call('GET', `/conversations/${id}`, undefined, key)
  const list = async (key?: string): Promise<readonly ConversationHead[]> =>
    ((await call('GET', '/conversations', undefined, key)) as { data: ConversationHead[] }).data
  const [uid = ''] = world.uids()
  const rows = (): string =>
    ['conversation', 'conversation_turn', 'conversation_document']
      .map((table) => JSON.stringify(world.objectRows(uid).prepare(`SELECT * FROM ${table}`).all()))
      .join()
  return { world, call, put, minted, ask, kept, read, list, rows }
}

describe('a conversation', () => {
  it('[F945] is kept where a question asks for it, gone on with, renamed, listed, exported and deleted; by default there is none', async () => {
    const { world, call, ask, kept, read, list, rows } = await ferries()
    expect([(await ask({})).conversation, await list(), rows()]).toEqual([undefined, [], '[],[],[]'])
    const first = await kept()
    const second = await ask({ query: 'And when does the lighthouse open?', conversation: first.id })
    expect(second.conversation?.id).toBe(first.id)
    const third = await ask({ query: 'Thank you', previous_turn: second.conversation?.turn })
    expect(third.conversation?.id).toBe(first.id)
    // It goes on from it and is not kept.
    expect((await ask({ query: 'And?', conversation: first.id, store: false })).conversation).toBeUndefined()
    const whole = await read(first.id)
    expect(whole.data.map(({ question, withheld }) => [question, withheld])).toEqual([
      [QUESTION, null],
      ['And when does the lighthouse open?', null],
      ['Thank you', null],
    ])
    expect(whole.data[0]).toMatchObject({ id: first.turn, answer: first.answer, answered: true })
    expect(whole.data[0]?.citations[0]).toMatchObject({ document: 'prices', verified: true })
    expect(await list()).toEqual([expect.objectContaining({ id: first.id, title: QUESTION, turns: 3 })])
    expect(await call('PATCH', `/conversations/${first.id}`, { title: ' Ferries ' })).toMatchObject({ title: 'Ferries', turns: 3 })
    const text = String((await world.send('GET', `${AT}/conversations/${first.id}?format=markdown`)).body)
    expect(text).toContain('# Ferries')
    expect(text).toContain(`## ${QUESTION}`)
    expect(text).toContain('- [1] prices: “')
    await call('DELETE', `/conversations/${first.id}`)
    expect((await world.send('GET', `${AT}/conversations/${first.id}`)).status).toBe(404)
    await kept()
    await kept()
    expect(await list()).toHaveLength(2)
    await call('DELETE', '/conversations')
    expect([await list(), rows()]).toEqual([[], '[],[],[]'])
  })

  it('[F945] a follow-up is looked up with what was said before, and a stream says where it is kept', async () => {
    const { world, kept, ask } = await ferries()
    const { id } = await kept({ query: 'When does the lighthouse of Norhaven open?' })
    const alone = await ask({ query: 'And on Sundays?' })
    const follows = await ask({ query: 'And on Sundays?', conversation: id })
    const found = (one: Said) => (one as unknown as { evidence: { document: string }[] }).evidence.map(({ document }) => document)
    expect([found(alone), found(follows)[0]]).toEqual([[], 'times'])
    const { body } = await world.send('POST', `${AT}/query`, { query: QUESTION, conversation: id, stream: true })
    const said = String(body)
      .split('\n\n')
      .filter((one) => one.includes(`"conversation":{"id":"${id}"`))
      .map((one) => one.split('\n')[0])
    expect(said).toEqual(['event: retrieval', 'event: done'])
  })

  it('[F945] what does not fit is refused by its name', async () => {
    const { world, kept } = await ferries()
    const { id, turn } = await kept()
    const refused = async (body: object) => {
      const { status, body: said } = await world.send('POST', `${AT}/query`, { query: QUESTION, ...body })
      const { code, errors } = said as { code: string; errors?: { path: string }[] }
      return [status, code, errors?.[0]?.path]
    }
    const history = [{ role: 'user', content: 'Hello' }]
    expect(await refused({ store: true, history })).toEqual([422, 'invalid', 'history'])
    expect(await refused({ conversation: id, history })).toEqual([422, 'invalid', 'history'])
    expect(await refused({ conversation: id, previous_turn: turn })).toEqual([422, 'invalid', 'previous_turn'])
    expect(await refused({ conversation: 'mine' })).toEqual([422, 'invalid', 'conversation'])
    expect(await refused({ conversation: `conv_${'0'.repeat(32)}` })).toEqual([404, 'conversation_not_found', undefined])
    await world.send('POST', `${AT}/query`, { query: QUESTION, conversation: id })
    expect(await refused({ previous_turn: turn })).toEqual([409, 'conflict', undefined])
    await world.send('PUT', AT, { audit: { conversation_days: 0 } })
    expect(await refused({ store: true })).toEqual([422, 'invalid', 'store'])
    expect((await world.send('PATCH', `${AT}/conversations/${id}`, { title: ' ' })).status).toBe(422)
    expect((await world.send('GET', `${AT}/conversations/${id}?format=pdf`)).status).toBe(422)
  })

  it('[F946] is its key’s, and the person’s it speaks for; to others it does not exist', async () => {
    const { world, minted, kept, list } = await ferries()
    const [ana, ben] = [await minted('ana'), await minted('ben')]
    const { id } = await kept({}, ana)
    for (const key of [ben, undefined]) {
      const at = `${AT}/conversations/${id}`
      const all = [
        await world.send('GET', at, undefined, key),
        await world.send('DELETE', at, undefined, key),
        await world.send('PATCH', at, { title: 'Mine' }, key),
        await world.send('POST', `${AT}/query`, { query: QUESTION, conversation: id }, key),
      ]
      expect(all.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    }
    expect([(await list(ana)).length, await list(ben), await list()]).toEqual([1, [], []])
  })

  it('[F947] shows what its reader may see now, and follows nothing else', async () => {
    const { world, call, put, minted, kept, ask, read } = await ferries()
    await put('vault', 'The vault of Norhaven holds nine crowns.', ['group:keepers'])
    const keeper = await minted('keeper', ['group:keepers'])
    const { id, answer } = await kept({ query: 'What does the vault of Norhaven hold?' }, keeper)
    expect(answer).toContain('nine crowns')
    await ask({ query: 'And the lighthouse?', conversation: id }, keeper)
    await call('PATCH', '/documents/vault', { access: ['group:others'] })
    await world.ring()
    const hidden = await read(id, keeper)
    expect(hidden.data.map((one) => [one.answer, one.citations, one.withheld])).toEqual([
      [null, [], 'access'],
      [null, [], 'access'], // it was asked with the first in view
    ])
    // What comes now rests on neither.
    await ask({ query: 'When does the lighthouse of Norhaven open?', conversation: id }, keeper)
    const [, , third] = (await read(id, keeper)).data
    expect(third).toMatchObject({ withheld: null, answered: true })
    await call('PATCH', '/documents/vault', { access: ['group:keepers'] })
    await world.ring()
    expect((await read(id, keeper)).data.map((one) => one.withheld)).toEqual([null, null, null])
  })

  it('[F948] loses what may quote a document in the transaction that deletes it, with all that follows on it', async () => {
    const { world, call, kept, ask, read, rows } = await ferries()
    const { id } = await kept()
    await ask({ query: `And the ${SECRET}?`, conversation: id })
    const other = await kept({ query: 'When does the lighthouse of Norhaven open?' })
    await call('PATCH', `/conversations/${id}`, { title: `The ${SECRET}` })
    expect(rows()).toContain(SECRET)
    await call('DELETE', '/documents/prices')
    await world.ring()
    expect(rows()).not.toContain(SECRET)
    const { title, data } = await read(id)
    expect([title, ...data.map((one) => [one.question, one.answer, one.withheld])]).toEqual([
      null,
      [null, null, 'forgotten'],
      [null, null, 'forgotten'],
    ])
    expect(String((await world.send('GET', `${AT}/conversations/${id}?format=markdown`)).body)).toContain('Forgotten: a document')
    expect((await read(other.id)).data[0]).toMatchObject({ withheld: null, answer: other.answer })
    // It goes on, from nothing.
    const next = await ask({ query: 'When does the lighthouse of Norhaven open?', conversation: id })
    expect([next.answered, (await read(id)).data[2]?.withheld]).toEqual([true, null])
  })

  it('[F948] has no text of what was deleted while it was on its way, itself, by a summary or by the turns it follows', async () => {
    const { world, call, put, kept, read, rows } = await ferries()
    const { id } = await kept()
    const { version } = (await read(id)).data[0] ?? { version: 0 }
    const [uid = ''] = world.uids()
    const [{ owner = '' } = {}] = world.objectRows(uid).prepare('SELECT owner FROM conversation').all() as { owner?: string }[]
    await call('DELETE', '/documents/prices')
    await world.ring()
    await put('prices', 'The ferry to Norhaven costs nothing now.')
    const about = { question: `And the ${SECRET}?`, answer: `A ${SECRET}.`, answered: true, citations: [], version, nodes: [], leans: null }
    const keep = (turn: string, more: object) =>
      world.object(uid).keepTurn({ owner, id, begins: false }, { ...about, id: turn, documents: ['times'], ...more })
    expect(await keep('turn_again', { documents: ['prices'] })).toBe(true)
    expect(await keep('turn_broad', { nodes: ['community_1'] })).toBe(true)
    expect(await keep('turn_follows', { leans: 1 })).toBe(true)
    expect(rows()).not.toContain(SECRET)
    await keep('turn_own', { answer: 'It opens at nine.' })
    const { data } = await read(id)
    expect(data.slice(1).map(({ withheld }) => withheld)).toEqual(['forgotten', 'forgotten', 'forgotten', null])
  })

  it('[F949] goes its days after its last turn, has so many turns, and all go where none is to be kept', async () => {
    const { world, call, kept, ask, list, rows } = await ferries({ audit: { conversation_days: 30 } })
    const { id } = await kept()
    world.clock.ahead += 20 * DAY
    const other = await kept()
    world.clock.ahead += 11 * DAY
    await world.ring()
    expect((await list()).map((one) => one.id)).toEqual([other.id])
    expect((await world.send('GET', `${AT}/conversations/${id}`)).status).toBe(404)
    for (let turns = 1; turns < conversationLimits.turns; turns++) await ask({ conversation: other.id })
    const { status, body } = await world.send('POST', `${AT}/query`, { query: QUESTION, conversation: other.id })
    expect([status, (body as { detail: string }).detail]).toEqual([409, expect.stringContaining('100')])
    await call('PUT', '', { audit: { conversation_days: 0 } })
    world.clock.ahead += DAY
    await world.ring()
    expect(rows()).toBe('[],[],[]')
  })
})
