/** Answers that are kept for whoever asks the same: for whom, how long, and that nothing of a deleted document stays in one. */
import { describe, expect, it } from 'vitest'
import { keptLimits } from '../../../durable-objects/corpus/query/kept-answers'
import type { QueryResult } from '../../../src/contract/questions'
import { type Deployment, deployment } from './deployment'

const AT = '/v1/corpora/manuals'
const QUESTION = 'What does the ferry to Norhaven cost?'

interface Said {
  readonly answer: string
  readonly version: number
  readonly cached?: true
  readonly cache?: { readonly age_seconds: number; readonly saved: { readonly embedded: number; readonly calls: number } }
  readonly usage: { readonly calls: number }
}

async function ferries(seconds = 600) {
  const world = deployment()
  const call = async (method: string, at: string, body?: unknown, key?: string): Promise<never> => {
    const { status, body: said } = await world.send(method, `${AT}${at}`, body, key)
    expect([status < 300, method, at, said]).toEqual([true, method, at, said])
    return said
  }
  await call('PUT', '', { strategies: [], settings: { answers: { seconds } } })
  const put = async (id: string, text: string, access: readonly string[] = []): Promise<void> => {
    await call('PUT', `/documents/${id}`, { text, access })
    await world.ring()
  }
  await put('prices', 'The ferry to Norhaven costs 40 thalers.')
  await put('secret', 'The ferry to Norhaven costs nothing for its keepers.', ['group:keepers'])
  const ask = async (more: object = {}, key?: string): Promise<Said> => call('POST', '/query', { query: QUESTION, ...more }, key)
  const [uid = ''] = world.uids()
  return { world, call, put, ask, rows: () => keptIn(world, uid) }
}

const keptIn = (world: Deployment, uid: string): string[] =>
  world
    .objectRows(uid)
    .prepare('SELECT answer FROM kept_answer')
    .all()
    .map((row: { [column: string]: unknown }) => String(row.answer))

describe('the answer cache', () => {
  it('[F850] the same question at the same version is answered by what was said, costs nothing and says so; the sum is in the usage', async () => {
    const { ask, call } = await ferries()
    const first = await ask()
    expect([first.cached, first.usage.calls]).toEqual([undefined, 1])
    const again = await ask({ query: `  ${QUESTION.replace(' the ', '  the ')} ` })
    expect(again).toMatchObject({ answer: first.answer, version: first.version, cached: true, usage: { calls: 0 } })
    expect(again.cache).toMatchObject({ age_seconds: expect.any(Number), saved: { calls: 1 } })
    const { answers, stages } = (await call('GET', '/usage')) as { answers: object; stages: { question: { calls: number } } }
    expect(answers).toMatchObject({ hits: 1, saved: { calls: 1 } })
    expect(stages.question.calls).toBe(1)
  })

  it('[F905] what was looked for is counted by outcome, and what never looks as neither', async () => {
    const { ask, call, world } = await ferries()
    await ask({ cache: false })
    await ask({ trace: true })
    await ask()
    await ask({ top_k: 3 })
    const { usage } = await ask()
    expect(usage.calls).toBe(0)
    const { answers } = (await call('GET', '/usage')) as { answers: { saved: { embedded: number } } }
    expect(answers).toMatchObject({ hits: 1, misses: 2, saved: { calls: 1 } })
    const { body } = await world.send('GET', '/metrics')
    expect(String(body).match(/^loam_kept_answers.*$/gm)).toEqual([
      'loam_kept_answers_total{corpus="manuals",outcome="hit"} 1',
      'loam_kept_answers_total{corpus="manuals",outcome="miss"} 2',
      `loam_kept_answers_saved_tokens_total{corpus="manuals",direction="embedded"} ${answers.saved.embedded}`,
      'loam_kept_answers_saved_tokens_total{corpus="manuals",direction="in"} 0',
      'loam_kept_answers_saved_tokens_total{corpus="manuals",direction="out"} 0',
    ])
  })

  it('[F1080] what was answered before filters or settings changed is not kept after it', async () => {
    const { world, call, rows } = await ferries()
    const [uid = ''] = world.uids()
    const object = world.object(uid)
    const { version } = (await call('GET', '')) as { version: number }
    const saved = { in: 0, out: 0, embedded: 0, calls: 1, usd: 0 }
    const changes = [
      () => call('PUT', '/filters/old', { document: ['prices'] }),
      () => call('POST', '/filters/old:rename', { to: 'new' }),
      () => call('PUT', '', { settings: { language: 'en' } }),
      async () => undefined,
    ]
    const kept: number[] = []
    for (const change of changes) {
      const looked = await object.keptAnswer({ key: 'k', seconds: 600 })
      if (!looked || 'result' in looked) throw new Error('it was kept')
      await change()
      await object.keptAnswer({ key: 'k', seconds: 600, version, result: {} as QueryResult, saved, ...looked })
      kept.push(rows().length)
    }
    expect(kept).toEqual([0, 0, 0, 1])
  })

  it('[F905] a corpus that keeps none counts nothing', async () => {
    const { ask, call } = await ferries(0)
    await ask()
    await ask()
    expect((await call('GET', '/usage')) as object).toMatchObject({ answers: { hits: 0, misses: 0 } })
  })

  it('[F850] a stream is given as one', async () => {
    const { ask, world } = await ferries()
    const { answer } = await ask()
    const { body } = await world.send('POST', `${AT}/query`, { query: QUESTION, stream: true })
    const events = String(body).split('\n\n').filter(Boolean)
    expect(events.map((one) => one.split('\n')[0])).toEqual(
      expect.arrayContaining(['event: retrieval', 'event: delta', 'event: citation', 'event: usage', 'event: done']),
    )
    expect(String(body)).toContain(JSON.stringify(answer))
    expect(String(body)).toContain('"cached":true')
  })

  it('[F851] nothing is kept unless the corpus has it so, and a question may pass it by', async () => {
    const off = await ferries(0)
    await off.ask()
    expect([(await off.ask()).cached, off.rows()]).toEqual([undefined, []])
    const on = await ferries()
    await on.ask({ cache: false })
    expect(on.rows()).toEqual([])
    await on.ask()
    expect([(await on.ask({ cache: false })).cached, (await on.ask({ top_k: 3 })).cached, (await on.ask()).cached]).toEqual([
      undefined,
      undefined,
      true,
    ])
  })

  it('[F962] an answer is kept apart by how the question was expanded', async () => {
    const { ask } = await ferries()
    await ask()
    const asked = async (expand: string) => (await ask({ options: { expand } })).cached
    expect([await asked('none'), await asked('none'), (await ask()).cached]).toEqual([undefined, true, true])
  })

  it('[F852] whoever has other rights is not given it', async () => {
    const { ask, world } = await ferries()
    const keyOf = async (access: readonly string[]): Promise<string> => {
      const { body } = await world.send('POST', '/v1/keys', { name: 'reader', scopes: ['read'], corpora: ['manuals'], principals: access })
      return (body as { key: string }).key
    }
    const [keeper, other, third] = [await keyOf(['group:keepers']), await keyOf(['group:others']), await keyOf(['group:others'])]
    await ask()
    expect((await ask({}, keeper)).cached).toBeUndefined()
    const seen = await ask({}, other)
    expect([seen.cached, JSON.stringify(seen).includes('keepers')]).toEqual([undefined, false])
    expect((await ask({}, third)).cached).toBe(true)
    expect((await ask({}, keeper)).cached).toBe(true)
  })

  it('[F853] with a new version all are gone, in the transaction that makes it: nothing of a deleted document stays', async () => {
    const { ask, call, put, rows, world } = await ferries()
    await ask()
    expect(rows().join()).toContain('40 thalers')
    await call('DELETE', '/documents/prices')
    await world.ring()
    expect(rows()).toEqual([])
    const after = await ask()
    expect([after.cached, JSON.stringify(after).includes('40 thalers')]).toEqual([undefined, false])
    await put('prices', 'The ferry to Norhaven costs 50 thalers.')
    expect(rows()).toEqual([])
    expect((await ask()).answer).toContain('50 thalers')
    await call('PATCH', '/documents/prices', { active: false })
    expect(rows()).toEqual([])
  })

  it('[F853] other settings and another saved filter end them as well', async () => {
    const { ask, call, rows } = await ferries()
    await call('PUT', '/filters/mine', { document: ['prices'] })
    await ask({ filters: { saved: 'mine' } })
    expect(rows().length).toBe(1)
    await call('PUT', '/filters/mine', { document: ['secret'] })
    expect(rows()).toEqual([])
    await ask()
    await call('PUT', '', { settings: { answers: { seconds: 60 } } })
    expect(rows()).toEqual([])
  })

  it('[T2075] one is given no longer when a document has come into force or gone out of it, also while it was made', async () => {
    const { ask, call, world, put } = await ferries(6 * 86_400)
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
    const tell = async (id: string, text: string, more: object): Promise<void> => {
      await call('PUT', `/documents/${id}`, { text, ...more })
      await world.ring()
    }
    await tell('prices', 'The ferry to Norhaven costs 40 thalers.', { valid_until: day(1) })
    await tell('later', 'The ferry to Norhaven costs 50 thalers.', { valid_from: day(4) })
    type Told = Said & { superseded?: { current: { document: string } }[]; conflicts?: unknown[] }
    const told = async (): Promise<readonly unknown[]> => {
      const { cached = false, superseded = [], conflicts = [] } = (await ask()) as Told
      return [cached, superseded.map((one) => one.current.document), conflicts.length]
    }
    const first = await told()
    expect([first[0], await told()]).toEqual([false, [true, ...first.slice(1)]])
    world.clock.ahead += 2 * 86_400_000 // past `valid_until`
    expect((await told())[0]).toBe(false)
    expect((await told())[0]).toBe(true)
    world.clock.ahead += 2 * 86_400_000 // past `valid_from`
    expect((await told())[0]).toBe(false)
    expect((await told())[0]).toBe(true)
    await put('other', 'Herons wait at the pond.')
    await tell('prices', 'The ferry to Norhaven costs 40 thalers.', { valid_until: day(1) })
    const [uid = ''] = world.uids()
    const object = world.object(uid)
    const asked = await object.keptAnswer({ key: 'k', seconds: 6 * 86_400 })
    if (!asked || 'result' in asked) throw new Error('kept')
    world.clock.ahead += 2 * 86_400_000
    const { version } = (await ask()) as Said
    const result = { version } as QueryResult
    await object.keptAnswer({
      key: 'k',
      seconds: 6 * 86_400,
      ...asked,
      version,
      result,
      saved: { in: 0, out: 0, embedded: 0, calls: 0, usd: 0 },
    })
    expect(await object.keptAnswer({ key: 'k', seconds: 6 * 86_400 })).not.toHaveProperty('result')
  })

  it('[T2075] and none outlives a sentence of a replaced version that it tells', async () => {
    const { ask, call, world, put, rows } = await ferries(6 * 86_400)
    await call('PUT', '', { settings: { earlier: { days: 2 } } })
    await put('prices', 'The ferry to Norhaven costs 45 thalers.')
    const told = async () => JSON.stringify(await ask()).includes('costs 40 thalers')
    expect([await told(), (await ask()).cached]).toEqual([true, true])
    world.clock.ahead += 2 * 86_400_000 + 1000
    expect([await told(), (await ask()).cached]).toEqual([false, true])
    await world.ring()
    expect(rows()).toEqual([])
  })

  it('[F854] they are bounded in time, size and number, and never below the version asked for', async () => {
    const { ask, rows, world } = await ferries(60)
    await ask()
    world.clock.ahead += 59_000
    expect((await ask()).cached).toBe(true)
    world.clock.ahead += 2000
    expect((await ask()).cached).toBeUndefined()
    for (let i = 0; i < keptLimits.answers + 5; i++) await ask({ top_k: 1 + (i % 100), token_budget: 100 + i })
    expect(rows().length).toBe(keptLimits.answers)
  })
})
