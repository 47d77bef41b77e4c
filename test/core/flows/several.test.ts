import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../src/core/evidence'
import type { AskDeps } from '../../../src/flows/ask-types'
import { querySeveral, type SeveralRequest, searchSeveral, streamSeveral } from '../../../src/flows/several/ask'
import { shareOf } from '../../../src/flows/several/charge'
import type { Member } from '../../../src/flows/several/find'
import { mergeEvidence } from '../../../src/flows/several/merge'
import { all, clock, configFor, evidence, fakeCorpus, fakeIndex, fakeModels, fault, type Holding, type Script } from './fakes'

const MILL = 'Bread is baked in the old mill on Tuesdays.'
const OVEN = 'Bread is baked in the new oven on Fridays.'
const SHIP = 'Ships leave the harbour at dawn.'

function member(name: string, models: ReturnType<typeof fakeModels>, holding: Holding = {}) {
  const corpus = fakeCorpus(holding)
  const config = { ...configFor(holding), uid: `uid-${name}`, name }
  const deps: AskDeps = { corpus, models, index: fakeIndex(), config, now: clock(), later: () => undefined }
  return { name, deps, corpus }
}

function two(script: Script = {}, a: Holding = {}, b: Holding = {}) {
  const models = fakeModels(script)
  const first = member('mill', models, { documents: { d: MILL }, evidence: [evidence('p_1', 'd', MILL)], ...a })
  const second = member('oven', models, { documents: { d: OVEN }, evidence: [evidence('p_2', 'd', OVEN)], ...b })
  const asking = (
    query: string,
    more: Partial<SeveralRequest['request']> = {},
    members: readonly [Member, ...Member[]] = [first, second],
  ) => ({
    members,
    request: { query, ...more },
    codeOf: () => 'unavailable',
  })
  return { models, first, second, asking }
}

describe('a question to several corpora', () => {
  it('[J660] is embedded once, asks each under its own uid, and says of each piece where it is from', async () => {
    const { models, first, second, asking } = two()
    const outcome = await searchSeveral(asking('When is bread baked in the mill?', { strategy: 'hybrid' }))
    if (outcome.kind !== 'answered') throw new Error(outcome.code)
    const { evidence: found, versions, skipped } = outcome.result
    expect(found.map(({ corpus, document, text }) => [corpus, document, text])).toEqual([
      ['mill', 'd', MILL],
      ['oven', 'd', OVEN],
    ])
    expect([versions, skipped]).toEqual([{ mill: 7, oven: 7 }, []])
    expect(models.embedded).toEqual([['When is bread baked in the mill?']])
    expect([first, second].map(({ deps }) => (deps.index as ReturnType<typeof fakeIndex>).asked)).toEqual([
      ['uid-mill/passage/100'],
      ['uid-oven/passage/100'],
    ])
  })

  it('[J660] is answered with quotes that each corpus has checked, though their documents have one id', async () => {
    const { asking } = two({ write: ['In the mill on Tuesdays [1], in the oven on Fridays [2].'] })
    const outcome = await querySeveral(asking('When is bread baked in the mill and the oven?'))
    expect(outcome).toMatchObject({
      kind: 'answered',
      result: {
        generator: 'model',
        citations: [
          { corpus: 'mill', document: 'd', quote: MILL, verified: true },
          { corpus: 'oven', document: 'd', quote: OVEN, verified: true },
        ],
        dropped: 0,
        versions: { mill: 7, oven: 7 },
      },
    })
    expect(JSON.stringify(outcome)).not.toContain('mill/d')
  })

  it('[J660] streams the events of one corpus with the names of several', async () => {
    const { asking } = two({ stream: ['On Tuesdays ', '[1].'] })
    const events = await all(streamSeveral(asking('When is bread baked in the mill?')))
    expect(events.map(({ event }) => event)).toEqual(['retrieval', 'delta', 'delta', 'citation', 'usage', 'done'])
    expect(events[0]).toMatchObject({ data: { evidence: [{ corpus: 'mill' }, { corpus: 'oven' }], versions: { mill: 7, oven: 7 } } })
    expect(events[3]).toMatchObject({ data: { corpus: 'mill', document: 'd', quote: MILL } })
    expect(JSON.stringify(events)).not.toContain('mill/d')
  })

  it('[J660] leans on earlier turns with one rewriting for all', async () => {
    const { models, first, second, asking } = two({ write: ['When is bread baked?', 'On Tuesdays [1].'] })
    await querySeveral(asking('And when?', { history: [{ role: 'user', content: 'Who bakes bread?' }] }))
    expect(models.written).toHaveLength(2)
    expect([...first.corpus.asked, ...second.corpus.asked].map(({ text }) => text)).toEqual([
      'When is bread baked?',
      'When is bread baked?',
    ])
  })

  it('[J661] goes on without a corpus that cannot be asked, and names it with its code', async () => {
    for (const [retrieve, code] of [
      [{ kind: 'behind', version: 3 }, 'version_not_reached'],
      [{ kind: 'gone' }, 'corpus_not_found'],
      [{ kind: 'strategy_not_enabled' }, 'strategy_not_enabled'],
    ] as const) {
      const { asking } = two({}, {}, { retrieve: [retrieve] })
      const outcome = await searchSeveral(asking('bread'))
      expect(outcome).toMatchObject({ result: { skipped: [{ corpus: 'oven', code }], versions: { mill: 7 } } })
    }
    const { first, second, asking } = two()
    const down = { ...second, deps: { ...second.deps, corpus: { ...second.corpus, retrieve: () => Promise.reject(fault('down')) } } }
    const request = asking('bread', {}, [first, down])
    expect(await searchSeveral(request)).toMatchObject({ result: { skipped: [{ corpus: 'oven', code: 'unavailable' }] } })
  })

  it('[J661] is refused as the first of them refuses where none can be asked', async () => {
    const { asking } = two({}, { retrieve: [{ kind: 'behind', version: 3 }] }, { retrieve: [{ kind: 'gone' }] })
    expect(await searchSeveral(asking('bread'))).toEqual({ kind: 'refused', code: 'behind', version: 3 })
    expect(await all(streamSeveral(asking('bread')))).toEqual([{ event: 'error', data: { code: 'behind', version: 3 } }])
  })

  it('[J663] charges what they share in equal parts, and nothing to a corpus that did not answer', async () => {
    const { first, second, asking } = two({ write: ['On Tuesdays [1].'] })
    await querySeveral(asking('When is bread baked?', { strategy: 'hybrid' }))
    expect([first.corpus.charged, second.corpus.charged]).toEqual([[{ in: 50, out: 3, embedded: 5 }], [{ in: 50, out: 4, embedded: 5 }]])
    const without = two({ write: ['On Tuesdays [1].'] }, {}, { retrieve: [{ kind: 'gone' }] })
    await querySeveral(without.asking('When is bread baked?', { strategy: 'hybrid' }))
    expect([without.first.corpus.charged, without.second.corpus.charged]).toEqual([[{ in: 100, out: 7, embedded: 10 }], []])
  })

  it('[J663] parts add up to the whole, whatever it is', () => {
    const stages = { answer: { in: 101, out: 7, embedded: 0, calls: 1 } }
    const parts = [0, 1, 2].map((place) => shareOf(stages, place, 3).answer)
    expect(parts.reduce((sum, one) => sum + (one?.in ?? 0), 0)).toBe(101)
    expect(parts.reduce((sum, one) => sum + (one?.calls ?? 0), 0)).toBe(1)
  })

  it('[J663] is answered without models where one budget does not allow them', async () => {
    const { models, asking } = two({ write: ['On Tuesdays [1].'] }, { left: { tokens: 0, usd: null } })
    const outcome = await querySeveral(asking('When is bread baked in the mill?'))
    expect(outcome).toMatchObject({ result: { generator: 'extractive', degraded: ['budget'] } })
    expect(models.written).toEqual([])
  })
})

describe('one list from several corpora', () => {
  const part = (corpus: string, found: readonly Evidence[], counts: number) => ({
    corpus,
    evidence: found,
    frequencies: [
      ['bread', counts],
      ['mill', counts],
    ] as const,
    passages: 10,
  })

  it('[J662] a corpus whose best says nothing of the question comes behind one whose best answers it', () => {
    const ships = part('harbour', [evidence('p_1', 'a', SHIP, 0, { score: 1 })], 0)
    const bread = part('mill', [evidence('p_2', 'b', MILL, 0, { score: 0.4 }), evidence('p_3', 'c', 'The mill.', 0, { score: 0.3 })], 2)
    expect(mergeEvidence([ships, bread]).map(({ evidence: { id } }) => id)).toEqual(['p_2', 'p_3', 'p_1'])
  })

  it('[J662] keeps the order of each corpus, and a summary with what supports it', () => {
    const summary = evidence('s_1', '', 'Bread and the mill.', 0, { kind: 'summary', document: null, chunk: null, start: null, end: null })
    const found = [summary, evidence('p_2', 'b', MILL, 0, { via: 'supports s_1', score: 0 }), evidence('p_3', 'c', OVEN, 0, { score: 0.5 })]
    const merged = mergeEvidence([part('a', found, 2), part('b', [evidence('p_4', 'd', MILL, 0, { score: 2 })], 2)])
    expect(merged.filter(({ corpus }) => corpus === 'a').map(({ evidence: { id } }) => id)).toEqual(['s_1', 'p_2', 'p_3'])
    const at = merged.findIndex(({ evidence: { id } }) => id === 's_1')
    expect(merged[at + 1]?.evidence.id).toBe('p_2')
    expect(merged.every(({ evidence: { score } }) => score >= 0 && score <= 1)).toBe(true)
  })
})
