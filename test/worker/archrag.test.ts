/** ArchRAG inside the object: communities and index in its SQLite, alone and beside EraRAG. */
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { doc, find, newCorpus, put, remove, settled } from './corpora'
import { ended } from './waiting'

const texts = Array.from({ length: 24 }, (_, i) => {
  const [town, other] = [`Belavon${'abcd'[i % 4]}`, `Corbrook${'abcd'[(i + 1) % 4]}`]
  return doc(`d${i}`, `In matter ${i} the town of ${town} stood beside ${other}. The mayor of ${town} was Fel Gorcrest${'abcdef'[i % 6]}.`)
})

describe('archrag in the object', () => {
  it('[A11] a corpus grows communities in the object, answers from them, and is empty of them when its documents have gone', async () => {
    const { corpus } = await newCorpus(['archrag', 'erarag'])
    expect((await put(corpus, ...texts.slice(0, 20))).status).toBe('succeeded')
    for (const one of texts.slice(20)) await put(corpus, one)
    const ask = async () => find(corpus, 'Which town stood beside Corbrookb?', 'archrag', { topK: 10, trace: true })
    const before = await ask()
    if (before.kind !== 'evidence') throw new Error(before.kind)
    expect(before.evidence.some((one) => one.kind === 'community')).toBe(true)
    for (const one of before.evidence.filter((item) => item.document !== null)) expect(one.text).toMatch(/matter \d+/)
    const accepted = await corpus.maintain('reindex', { strategies: ['archrag'] })
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
    expect((await settled(corpus, accepted.job)).status).toBe('succeeded')
    const after = await ask()
    if (after.kind !== 'evidence') throw new Error(after.kind)
    expect(after.evidence.some((one) => one.kind === 'community')).toBe(true)
    await remove(corpus, ...texts.map((one) => one.id))
    expect(await ask()).toMatchObject({ kind: 'evidence', evidence: [] })
  })

  it('[A55] [V108] what a batch brings beyond a slice is in when its job is done, in the object and in the sinks, also in a graph derived anew', async () => {
    const name = `pieces-${Date.now().toString(36)}`
    const settings = { archrag: { piece: 16, exact: 0, max: 6, min: 2 } }
    expect((await call('PUT', '', name, { strategies: ['archrag'], settings })).status).toBe(201)
    const word = (n: number): string => `${'BDFGKLMNRS'[n % 10]}${'aeiou'[Math.floor(n / 10) % 5]}${'rlnst'[Math.floor(n / 50) % 5]}ton`
    const upserts = Array.from({ length: 40 }, (_, i) => ({
      id: `l${i}`,
      text: `Captain ${word(3 * i)} met Pilot ${word(3 * i + 1)} at Port ${word(3 * i + 2)}.`,
    }))
    const counts = async () => (await call('GET', '', name)).body.counts as { entities: number; communities: number }
    await done(name, (await call('POST', '/documents:batch', name, { upserts })).body.job)
    const { entities, communities } = await counts()
    expect(entities).toBeGreaterThan(4 * settings.archrag.piece)
    expect(communities).toBeGreaterThan(entities / settings.archrag.max)
    const below = async (): Promise<number> => {
      const listed = (await call('GET', '/graph?limit=500', name)).body as { nodes?: { kind: string }[] }
      return listed.nodes?.filter((one) => one.kind === 'community').length ?? 0
    }
    expect(await below()).toBe(communities)
    await done(name, (await call('POST', ':rebuild', name, {})).body.job)
    expect((await counts()).communities).toBeGreaterThan(entities / settings.archrag.max)
    const found = (await call('POST', '/search', name, { query: `Whom did Captain ${word(0)} meet?`, strategy: 'archrag' })).body
    expect(JSON.stringify(found.evidence)).toContain(word(1))
  })

  it('[A39] over HTTP two entities are merged and separated, communities follow, and a rebuild keeps what was decided', async () => {
    const name = `names-${Date.now().toString(36)}`
    expect((await call('PUT', '', name, { strategies: ['archrag'] })).status).toBe(201)
    const put = await call('POST', '/documents:batch', name, { upserts: texts.slice(0, 8).map(({ id, text }) => ({ id, text })) })
    await done(name, put.body.job)
    const [a, b] = (await call('GET', '/entities', name)).body.data as { id: string; text: string }[]
    if (!a || !b) throw new Error('no entities')
    expect(await call('POST', `/entities/${a.id}:merge`, name, { with: b.id })).toMatchObject({
      status: 200,
      body: { status: 'done', decision: 1 },
    })
    expect((await call('POST', `/entities/${a.id}:merge`, name, { with: b.id })).body).toEqual({ status: 'unchanged', decision: 1 })
    await done(name, (await call('POST', ':rebuild', name, {})).body.job)
    expect((await call('POST', `/entities/${b.id}:merge`, name, { with: a.id })).body).toEqual({ status: 'unchanged', decision: null })
    expect((await call('POST', `/entities/${b.id}:unmerge`, name, {})).body).toEqual({ status: 'done', decision: 1 })
    expect((await call('GET', '/entities/merges?limit=1', name)).body).toMatchObject({ data: [], next_cursor: null })
    expect((await call('GET', '/decisions', name)).body.data).toEqual([])
    expect((await call('POST', '/entities/e_nobody:merge', name, { with: b.id })).body.code).toBe('node_not_found')
    expect((await call('POST', `/entities/${a.id}:merge`, name, { with: a.id })).status).toBe(422)
    const plain = `${name}-plain`
    await call('PUT', '', plain, { strategies: ['erarag'] })
    expect((await call('GET', '/entities/merges', plain)).body.code).toBe('strategy_not_enabled')
  })

  it('[A42] two things of one name are two entities, in the object and in the sinks, until one of them goes', async () => {
    const name = `senses-${Date.now().toString(36)}`
    expect((await call('PUT', '', name, { strategies: ['archrag'] })).status).toBe(201)
    const change = async (body: unknown): Promise<void> => done(name, (await call('POST', '/documents:batch', name, body)).body.job)
    await change({
      upserts: [
        {
          id: 'p',
          title: 'Mercury (planet)',
          text: 'The planet nearest the Sun. Its orbit takes 88 days, and probes have seen craters on it.',
        },
        {
          id: 'm',
          title: 'Mariner 10',
          text: 'A probe that saw craters: in its orbit round the Sun it passed Mercury, the nearest planet, for days.',
        },
      ],
    })
    const named = async () => {
      const listed = (await call('GET', '/entities?q=Mercury', name)).body.data as { id: string; text: string }[]
      const ids = listed.filter((one) => one.text === 'Mercury').map((one) => one.id)
      const places = ids.map(async (id) => {
        const { nodes } = (await call('GET', `/graph?node=${id}&depth=2`, name)).body as { nodes: { id: string; kind: string }[] }
        return nodes.flatMap((one) => (one.kind === 'document' ? [one.id] : [])).sort()
      })
      return (await Promise.all(places)).sort()
    }
    expect(await named()).toEqual([['m', 'p']])
    await change({
      upserts: [
        {
          id: 'g',
          title: 'Mercury (mythology)',
          text: 'Roman god of merchants and thieves, son of Maia, who guided souls with winged sandals.',
        },
        {
          id: 't',
          title: 'Mercuralia',
          text: 'Roman festival at which merchants honoured the god Mercury, son of Maia, guide of souls and thieves.',
        },
      ],
    })
    expect(await named()).toEqual([
      ['g', 't'],
      ['m', 'p'],
    ])
    await change({ deletes: ['g'] })
    expect(await named()).toEqual([['m', 'p', 't']])
  })
})

it('[H9] entities of one name are told apart by a document about each, as it is called now; of one that is gone nothing is left', async () => {
  const name = `namesakes-${Date.now().toString(36)}`
  expect((await call('PUT', '', name, { strategies: ['archrag'] })).status).toBe(201)
  const change = async (body: unknown): Promise<void> => done(name, (await call('POST', '/documents:batch', name, body)).body.job)
  const planet = 'The planet nearest the Sun. Its orbit takes 88 days, and probes have seen craters on it.'
  const god = 'Roman god of merchants and thieves, son of Maia, who guided souls with winged sandals.'
  await change({ upserts: [{ id: 'p', title: 'Mercury (planet)', text: planet }] })
  const listed = async () => {
    const { data } = (await call('GET', '/entities?q=mercury', name)).body as { data: { id: string; text: string; about?: object }[] }
    return data.filter(({ text }) => text === 'Mercury').sort((a, b) => (JSON.stringify(a.about) < JSON.stringify(b.about) ? -1 : 1))
  }
  const abouts = async () => (await listed()).map(({ about }) => about)
  expect(await abouts()).toEqual([undefined])
  await change({ upserts: [{ id: 'g', title: 'Mercury (mythology)', text: god }] })
  const both = [
    { document: 'g', title: 'Mercury (mythology)' },
    { document: 'p', title: 'Mercury (planet)' },
  ]
  expect(await abouts()).toEqual(both)
  for (const { id, about } of await listed()) {
    const { nodes } = (await call('GET', `/graph?node=${id}`, name)).body as { nodes: { id: string; about?: object }[] }
    expect(nodes.find((one) => one.id === id)?.about).toEqual(about)
  }
  // A title is kept with its document alone.
  await change({ upserts: [{ id: 'p', title: 'Mercury (first planet)', text: planet }] })
  expect(await abouts()).toEqual([both[0], { document: 'p', title: 'Mercury (first planet)' }])
  await done(name, (await call('POST', ':rebuild', name, {})).body.job)
  expect((await abouts())[0]).toEqual(both[0])
  await change({ deletes: ['g'] })
  expect(await abouts()).toEqual([undefined])
  const { DB, DATA_0 } = env as unknown as { DB: D1Database; DATA_0: D1Database }
  const uid = await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')
  const { results } = await DATA_0.prepare('SELECT * FROM node WHERE uid = ?').bind(uid).all()
  expect(results.filter((row) => row.bearer !== null || /mythology|Mercury \((first )?planet/.test(JSON.stringify(row)))).toEqual([])
})

async function done(corpus: string, id: string): Promise<void> {
  const { status } = await ended<{ status: string }>(id, async () => (await call('GET', `/jobs/${id}?wait=20`, corpus)).body)
  expect(status).toBe('succeeded')
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
async function call(method: string, path: string, corpus: string, body?: unknown): Promise<{ status: number; body: any }> {
  const app = (exports as unknown as { default: Fetcher }).default
  const response = await app.fetch(`https://loam.test/v1/corpora/${corpus}${path}`, {
    method,
    headers: { authorization: 'Bearer local-development-key', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}
