/** Questions with a period or with freshness, in the object, over every strategy. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import { putFilter } from '../../../durable-objects/corpus/query/saved-filters'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import type { Evidence } from '../../../src/core/evidence'
import { strategies } from '../../../src/core/strategies/registry'
import { type Dates, type Period, spanOf } from '../../../src/core/text/iso-date'
import type { DocumentInput } from '../../../src/ports/documents'
import type { RetrieveRequest } from '../../../src/ports/retrieval'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const SYSTEMS = ['erarag', 'cluerag', 'ketrag', 'archrag']
const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const given = (value: string) => ({ value, source: 'given' as const })
const note = (id: string, text: string, dates: Dates = {}): DocumentInput => ({ id, text, title: '', url: null, metadata: {}, dates })

/** Each year's price list has words of its own. */
const PRICES: readonly DocumentInput[] = [
  note('2022', 'Captain Barlow of the Quillon set the harbour price of lanterns at 30 thalers.', {
    published_at: given('2022-01-01'),
    valid_until: given('2022-12-31'),
  }),
  note('2023', 'Captain Barlow of the Zephyr set the harbour price of lanterns at 40 thalers.', {
    published_at: given('2023-01-01'),
    valid_until: given('2023-12-31'),
  }),
  note('2024', 'Captain Barlow of the Brantock set the harbour price of lanterns at 50 thalers.', { published_at: given('2024-01-01') }),
  note('ever', 'Captain Barlow of the Merrin wrote that the harbour price of lanterns is set by the captain.'),
]

async function settled(
  documents: readonly DocumentInput[],
  systems: readonly string[] = SYSTEMS,
): Promise<{ context: CorpusContext; mortal: Mortal; world: World }> {
  const world = mortalWorld(systems, { chunking: { chunk: 60, overlap: 0, passage: 30 }, models: 'none' })
  worlds.push(world)
  const mortal = world.wake()
  accept(mortal.context, { kind: 'batch', upserts: documents, deletes: [] })
  await finish(mortal, world, noBill())
  return { context: mortal.context, mortal, world }
}

function ask(context: CorpusContext, strategy: string, more: Partial<RetrieveRequest> = {}): readonly Evidence[] {
  const chunk = context.graph.chunk(context.graph.document('2023')?.chunks[0]?.chunk ?? '')
  const vector = context.graph.vector(chunk?.passages[0]?.id ?? '')
  const text = 'What harbour price of lanterns did Captain Barlow set?'
  const request = {
    strategy,
    text,
    near: {},
    topK: 50,
    budget: 40_000,
    trace: true,
    options: {},
    asker: 'all',
    ...(vector ? { vector } : {}),
    ...more,
  } as const
  const result = retrieve(context, request)
  return result.kind === 'evidence' ? result.evidence : []
}

const asOf = (text: string): { readonly period: Period } => ({ period: { asOf: spanOf(text) ?? { start: 0, end: 0 } } })
const documentsOf = (evidence: readonly Evidence[]): readonly string[] => [...new Set(evidence.flatMap((one) => one.document ?? []))].sort()

describe('a question with a period', () => {
  it('[T561] sees by every strategy what lies in it, and no word of anything else', async () => {
    const { context } = await settled(PRICES)
    let found = 0
    for (const { name } of strategies.values()) {
      for (const [period, shown, hidden] of [
        [asOf('2022-06'), ['2022', 'ever'], /zephyr|brantock/],
        [asOf('2023-12-31'), ['2023', 'ever'], /quillon|brantock/],
        [asOf('2030'), ['2024', 'ever'], /quillon|zephyr/],
        [{ period: { since: Date.parse('2023-01-01T00:00:00Z') } }, ['2023', '2024'], /quillon|merrin/],
        [{ period: { until: Date.parse('2022-12-31T00:00:00Z') } }, ['2022'], /zephyr|brantock|merrin/],
      ] as const) {
        const evidence = ask(context, name, period)
        expect([name, documentsOf(evidence).filter((id) => !(shown as readonly string[]).includes(id))]).toEqual([name, []])
        expect(JSON.stringify(evidence).toLowerCase()).not.toMatch(hidden)
        found += evidence.length
      }
    }
    expect(found).toBeGreaterThan(strategies.size * 5)
  })

  it('[T563] shows the dates of what it finds, and who says so; a new version has its own, and a deleted document none', async () => {
    const { context, mortal, world } = await settled(PRICES, [])
    const shown = (evidence: readonly Evidence[]) => Object.fromEntries(evidence.map((one) => [one.document, one.dates]))
    expect(shown(ask(context, 'keyword'))).toEqual(
      Object.fromEntries(PRICES.map(({ id, dates = {} }) => [id, id === 'ever' ? undefined : dates])),
    )
    expect([document(context, '2024', 'all')?.dates, document(context, 'ever', 'all')?.dates]).toEqual([
      { published_at: given('2024-01-01') },
      undefined,
    ])
    const [, , last] = PRICES as [DocumentInput, DocumentInput, DocumentInput]
    const put = (one: DocumentInput) => accept(context, { kind: 'ingest', upserts: [one], deletes: [] })
    expect(put(last).kind).toBe('unchanged')
    expect(put({ ...last, dates: { published_at: given('2025') } }).kind).toBe('accepted')
    await finish(mortal, world, noBill())
    expect(shown(ask(context, 'keyword', { period: { since: Date.parse('2025-01-01T00:00:00Z') } }))).toEqual({
      2024: { published_at: given('2025') },
    })
    accept(context, { kind: 'delete', upserts: [], deletes: ['2022', '2023', '2024'] })
    await finish(mortal, world, noBill())
    expect(context.sql.all('SELECT document FROM dated')).toEqual([])
  })

  it('[T561] answers many documents in one period, one in another, with vectors that the index does not show', async () => {
    const many = Array.from({ length: 60 }, (_, n) =>
      note(`old-${n}`, `Captain Barlow set harbour price ${n} of lanterns in town ${n}.`, { published_at: given('2020') }),
    )
    const { context } = await settled([...many, ...PRICES], [])
    const near = { passage: [] }
    expect(documentsOf(ask(context, 'vector', { period: { since: Date.parse('2024-01-01T00:00:00Z') }, near }))).toEqual(['2024'])
    expect(documentsOf(ask(context, 'hybrid', { ...asOf('2019'), near }))).toEqual(['ever'])
  })
})

describe('freshness', () => {
  it('[T564] brings what is newer forward as far as the asker wants, and changes nothing at 0', async () => {
    const { context } = await settled(PRICES)
    const now = Date.parse('2024-06-01T00:00:00Z')
    for (const { name } of strategies.values()) {
      const plain = ask(context, name)
      expect(ask(context, name, { freshness: { weight: 0, now } }).map((one) => one.id)).toEqual(
        expect.arrayContaining(plain.map((one) => one.id)),
      )
    }
    const order = (weight: number) => ask(context, 'keyword', { freshness: { weight, now } }).map((one) => one.document)
    const dated = order(1).filter((id) => id !== 'ever')
    expect(dated).toEqual(['2024', '2023', '2022'])
    const scores = (weight: number) =>
      new Map(ask(context, 'keyword', { freshness: { weight, now } }).map((one) => [one.document, one.score]))
    const [off, half] = [scores(0), scores(0.5)]
    for (const [id, score] of half) expect(score).toBeLessThanOrEqual(off.get(id) ?? 0)
  })
})

describe('boosts and facets', () => {
  const tagged = (n: number, lang: string, tags: readonly string[]): DocumentInput => ({
    ...note(`d${n}`, `Captain Barlow set harbour price ${n} of lanterns in town ${n}.`, { published_at: given(String(2000 + n)) }),
    metadata: { lang, tags, n },
    ...(lang === 'de' ? { access: ['group:de'] } : {}),
  })
  const TAGGED = [tagged(1, 'en', ['a']), tagged(2, 'en', ['a', 'b']), tagged(3, 'de', ['b']), tagged(4, 'fr', [])]

  it('[Q560] bring what fits forward as a filter would choose it, and change nothing else', async () => {
    const { context } = await settled(TAGGED, [])
    const order = (boosts: RetrieveRequest['boosts'] = []) => ask(context, 'keyword', { boosts }).map((one) => one.document)
    const first = (metadata: { readonly [key: string]: string | number | readonly string[] }, factor = 3) =>
      order([{ metadata, factor }])[0]
    expect([
      first({ lang: 'fr' }),
      first({ tags: ['b'], lang: 'de' }),
      first({ n: 2 }),
      order([{ metadata: { lang: 'fr' }, factor: 0 }]).at(-1),
    ]).toEqual(['d4', 'd3', 'd2', 'd4'])
    expect(order([{ metadata: { lang: 'xx' }, factor: 9 }])).toEqual(order())
    expect(
      order([
        { metadata: { lang: 'en' }, factor: 2 },
        { metadata: { n: 2 }, factor: 2 },
      ])[0],
    ).toBe('d2')
    expect([...order([{ metadata: { lang: 'fr' }, factor: 3 }])].sort()).toEqual([...order()].sort())
  })

  it('[Q561] count what is found by the values of metadata, of what the asker may see and asks for', async () => {
    const { context } = await settled(TAGGED, [])
    const count = (more: Partial<RetrieveRequest> = {}) => {
      const request = {
        strategy: 'keyword',
        text: 'harbour price',
        near: {},
        topK: 1,
        budget: 4000,
        trace: false,
        options: {},
        asker: 'all',
      } as const
      const found = retrieve(context, { ...request, facets: ['lang', 'tags', 'none'], ...more })
      return found.kind === 'evidence' ? [found.evidence.length, found.facets] : []
    }
    const of = (value: string, documents: number) => ({ value, documents })
    expect(count()).toEqual([1, { lang: [of('en', 2), of('de', 1), of('fr', 1)], tags: [of('a', 2), of('b', 2)], none: [] }])
    expect(count({ asker: [] })).toEqual([1, { lang: [of('en', 2), of('fr', 1)], tags: [of('a', 2), of('b', 1)], none: [] }])
    expect(count({ filters: { metadata: { lang: 'en' } } })[1]).toMatchObject({ lang: [of('en', 2)] })
    expect(count({ period: { until: Date.parse('2001-12-31T00:00:00Z') } })[1]).toMatchObject({ lang: [of('en', 1)] })
    expect(count({ facets: [] })).toEqual([1, {}])
  })

  it('[Q1928] conditions admit what lies within bounds and what is not named, of saved filters and boosts, too', async () => {
    const dated = (n: number, metadata: DocumentInput['metadata']): DocumentInput => ({
      ...note(`d${n}`, `The harbour price was ${n}.`),
      metadata,
    })
    const { context } = await settled(
      [
        dated(1, { year: 1899, status: 'draft' }),
        dated(2, { year: 1912.5, seen: ['2024-05-01', '2026-01-01'] }),
        dated(3, { year: '1950', status: ['final', 'old'] }),
        dated(4, { year: 2001, status: 'final' }),
        note('d5', 'The harbour price was 5.'),
      ],
      [],
    )
    const found = (metadata: NonNullable<NonNullable<RetrieveRequest['filters']>['metadata']>, more: Partial<RetrieveRequest> = {}) => {
      const request = {
        strategy: 'keyword',
        text: 'harbour price',
        near: {},
        topK: 9,
        budget: 4000,
        trace: false,
        options: {},
        asker: 'all',
      } as const
      const answer = retrieve(context, { ...request, filters: { metadata }, ...more })
      return answer.kind === 'evidence' ? answer.evidence.map((one) => one.document).sort() : []
    }
    expect(found({ year: { gte: 1899, lt: 2001 } })).toEqual(['d1', 'd2'])
    expect(found({ year: { gt: 1899 } })).toEqual(['d2', 'd4'])
    expect(found({ year: { gte: '19' } })).toEqual(['d3'])
    expect(found({ seen: { gt: '2024-06', lt: '2025' } })).toEqual([])
    expect(found({ seen: { gt: '2025', lte: '2026-01-01' } })).toEqual(['d2'])
    expect(found({ status: { not: 'draft' } })).toEqual(['d2', 'd3', 'd4', 'd5'])
    expect(found({ status: { not: ['draft', 'old'] }, year: { lte: 1912.5 } })).toEqual(['d2'])
    expect(found({ status: { in: ['final', 'draft'], not: 'old' } })).toEqual(['d1', 'd4'])
    putFilter(context, 'modern', { metadata: { year: { gte: 1900 } } })
    expect(found({ status: { not: 'final' } }, { filters: { metadata: { status: { not: 'final' } }, saved: ['modern'] } })).toEqual(['d2'])
    const boosted = retrieve(context, {
      ...{ strategy: 'keyword', text: 'harbour price', near: {}, topK: 9, budget: 4000, trace: false, options: {}, asker: 'all' },
      boosts: [{ metadata: { year: { gte: 2000 } }, factor: 9 }],
    })
    expect(boosted.kind === 'evidence' && boosted.evidence[0]?.document).toBe('d4')
  })

  it('[Q1922] a key of metadata may be called as something that every object has', async () => {
    const named = { constructor: 'C', toString: 'T' }
    const { context } = await settled(
      [{ ...note('d1', 'The harbour price is 3.'), metadata: named }, note('d2', 'The harbour price is 4.')],
      [],
    )
    const found = (more: Partial<RetrieveRequest>) => {
      const request = { strategy: 'keyword', text: 'harbour price', near: {}, topK: 5, budget: 4000, trace: false, options: {} } as const
      const answer = retrieve(context, { ...request, asker: 'all', ...more })
      return answer.kind === 'evidence' ? { facets: answer.facets, documents: answer.evidence.map((one) => one.document) } : {}
    }
    const { facets } = found({ facets: ['constructor', 'toString', 'valueOf', '__proto__'] })
    expect(Object.entries(facets ?? {})).toEqual([
      ['constructor', [{ value: 'C', documents: 1 }]],
      ['toString', [{ value: 'T', documents: 1 }]],
      ['valueOf', []],
      ['__proto__', []],
    ])
    expect(found({ filters: { metadata: { toString: 'T' } } }).documents).toEqual(['d1'])
    expect(found({ boosts: [{ metadata: { constructor: 'C' }, factor: 9 }] }).documents?.[0]).toBe('d1')
  })
})
