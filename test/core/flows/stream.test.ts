import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskEvent } from '../../../src/contract/questions'
import { compare, query, queryStream, search } from '../../../src/flows/ask'
import { splitClaims } from '../../../src/flows/claims'
import { classifyText } from '../../../src/flows/classify'
import { markerFilter, markersIn } from '../../../src/flows/markers'
import { all, clock, config, evidence, fakeCorpus, fakeIndex, fakeModels, fault, type Holding, type Script } from './fakes'

const NO_LABEL = { label: null, confidence: 0, candidates: [], tree: { nodes: [], edges: [] }, keywords: [] }
const TEXT = 'Paris lies on the Seine. It was founded by the Parisii.'

function asking(script: Script, holding: Holding = {}) {
  const models = fakeModels(script)
  const corpus = fakeCorpus({ documents: { paris: TEXT }, evidence: [evidence('p_1', 'paris', TEXT)], ...holding })
  return { corpus, models, index: fakeIndex(), config, now: clock(), later: () => undefined }
}

const names = (events: readonly AskEvent[]) => events.map((one) => one.event)
const text = (events: readonly AskEvent[]) => events.map((one) => (one.event === 'delta' ? one.data.text : '')).join('')

describe('a streamed answer', () => {
  it('[F28] is retrieval, deltas, citations, usage, done, and its deltas joined are the answer', async () => {
    const deps = asking({ stream: ['Paris was ', 'founded by the Parisii [', '1', '].', ' It lies on the Seine [1].'] })
    const events = await all(queryStream(deps, { query: 'Who?' }))
    expect(names(events)).toEqual(['retrieval', 'delta', 'delta', 'delta', 'delta', 'citation', 'citation', 'usage', 'done'])
    expect(events.at(-1)).toMatchObject({
      data: { answer: text(events), generator: 'model', grounded: true, dropped: 0, usage: { in: 100, out: 5, embedded: 10, calls: 2 } },
    })
    expect(text(events)).toBe('Paris was founded by the Parisii [1]. It lies on the Seine [1].')
    expect(deps.corpus.charged).toEqual([{ in: 100, out: 5, embedded: 10 }])
  })

  it('[F24] never shows a marker that names no source, wherever the stream is cut', () => {
    const answer = ' Founded [1] by the [12] Parisii [2, 1; 7]. An [aside] and [x1], [ 3 ] then [999999] [1'
    const whole = 'Founded [1] by the Parisii [2, 1]. An [aside] and [x1], [ 3 ] then [999999] [1'
    fc.assert(
      fc.property(fc.array(fc.nat(answer.length), { maxLength: 30 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), answer.length]
        const passing = markerFilter(3)
        const shown = at.slice(1).map((end, i) => passing.pass(answer.slice(at[i], end)))
        expect(shown.join('') + passing.end()).toBe(whole)
        for (const piece of shown) for (const marker of markersIn(piece)) expect(marker).toBeLessThanOrEqual(3)
      }),
      { seed: 3, numRuns: 500 },
    )
  })

  it('[V406] is asked for last with its source and its refusal, whatever form it is to have', async () => {
    const deps = asking({ write: ['The Parisii [1].'] })
    await query(deps, { query: 'Who?', responseType: 'one word' })
    const [system, user] = [deps.models.written[0]?.[0], deps.models.written[0]?.at(-1)]
    expect(system?.content).toContain('one word')
    expect(user?.content.split('\n').at(-1)).toMatch(/number of its source.*reply exactly: Insufficient information\.$/)
  })

  it('[V407] of source numbers alone is replaced by an extract, and nothing of it is shown', async () => {
    const events = await all(queryStream(asking({ stream: ['[', '1]', ' [1]'] }), { query: 'Who founded Paris?' }))
    expect(events.at(-1)).toMatchObject({
      event: 'done',
      data: { generator: 'extractive', degraded: ['text_model'], answer: text(events) },
    })
    expect(text(events)).toContain('Parisii')
    const whole = await query(asking({ write: ['[1]'] }), { query: 'Who founded Paris?' })
    expect(whole).toMatchObject({ result: { generator: 'extractive', degraded: ['text_model'] } })
    const late = await all(queryStream(asking({ stream: ['[1]', ' says: the', ' Parisii.'] }), { query: 'Who?' }))
    expect([text(late), names(late).filter((name) => name === 'delta').length]).toEqual(['[1] says: the Parisii.', 2])
  })

  it('[V401] says when the model had no room for all of it, streamed or not', async () => {
    const said = 'Paris was founded by the Parisii [1]. It lies on'
    const events = await all(queryStream(asking({ stream: [said], isCut: true }), { query: 'Who?' }))
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { answer: said, generator: 'model', degraded: ['truncated'] } })
    const whole = await query(asking({ write: [{ cut: said }] }), { query: 'Who?' })
    expect(whole).toMatchObject({ result: { answer: said, generator: 'model', degraded: ['truncated'] } })
  })

  it('[F28] a model that cannot begin is replaced by an extract', async () => {
    for (const stream of [[fault('capacity')], [''], ['  ']]) {
      const events = await all(queryStream(asking({ stream }), { query: 'Who founded Paris?' }))
      expect(names(events).filter((name) => name === 'error')).toEqual([])
      expect(events.at(-1)).toMatchObject({
        event: 'done',
        data: { generator: 'extractive', degraded: ['text_model'], answer: text(events) },
      })
    }
  })

  it('[F28] a model that breaks off ends the stream with its fault, and what it wrote is charged', async () => {
    const deps = asking({ stream: ['Paris was', ' founded', fault('timeout')] })
    const events = await all(queryStream(deps, { query: 'Who?' }))
    expect(names(events)).toEqual(['retrieval', 'delta', 'delta', 'error'])
    expect(events.at(-1)).toEqual({ event: 'error', data: { code: 'timeout' } })
    expect(deps.corpus.charged).toEqual([{ in: 100, out: 3, embedded: 10 }])
  })

  it('[F28] what cannot be asked is an error before anything else', async () => {
    expect(await all(queryStream(asking({ stream: ['x'] }), { query: 'q', strategy: 'nonsense' }))).toEqual([
      { event: 'error', data: { code: 'strategy_not_enabled' } },
    ])
    expect(await all(queryStream(asking({}, { retrieve: [{ kind: 'behind', version: 2 }] }), { query: 'q' }))).toEqual([
      { event: 'error', data: { code: 'behind', version: 2 } },
    ])
  })

  it('[F28] what breaks after the first event is sent as an error, and thrown', async () => {
    const deps = asking({ stream: ['Founded by the Parisii [1].'] })
    const broken = { ...deps.corpus, verify: () => Promise.reject(new Error('object reset')) }
    const events: AskEvent[] = []
    const reading = (async () => {
      for await (const event of queryStream({ ...deps, corpus: broken }, { query: 'q' })) events.push(event)
    })()
    await expect(reading).rejects.toThrow('object reset')
    expect(events.at(-1)).toEqual({ event: 'error', data: { code: 'down' } })
    expect(deps.corpus.charged).toHaveLength(1)
  })

  it('[V62] a reader who leaves is charged for what was written', async () => {
    const deps = asking({ stream: ['One ', 'two ', 'three'] })
    for await (const event of queryStream(deps, { query: 'q' })) if (event.event === 'delta') break
    expect(deps.corpus.charged).toEqual([{ in: 100, out: 3, embedded: 10 }])
  })
})

describe('the ledger', () => {
  it('[V62] is awaited by no question, whether it answers late, never or with an error', async () => {
    for (const charge of [() => new Promise<never>(() => {}), () => Promise.reject(new Error('object reset'))]) {
      const beside: Promise<unknown>[] = []
      const deps = asking({ stream: ['Yes [1].'], write: ['Yes [1].'] })
      const asked = { ...deps, corpus: { ...deps.corpus, charge }, later: (work: Promise<unknown>) => void beside.push(work) }
      expect((await search(asked, { query: 'q' })).kind).toBe('answered')
      expect((await query(asked, { query: 'q' })).kind).toBe('answered')
      expect((await compare(asked, { query: 'q', strategies: ['vector'] })).results).toHaveLength(1)
      expect((await all(queryStream(asked, { query: 'q' }))).at(-1)?.event).toBe('done')
      const classifying = { ...asked, corpus: { ...asked.corpus, classify: async () => NO_LABEL } }
      expect((await classifyText(classifying, { text: 'q', learn: false })).label).toBeNull()
      expect(beside).toHaveLength(5)
    }
  })
})

describe('statements of an answer', () => {
  const of = (answer: string) => splitClaims(answer).map(({ start, end, markers }) => [answer.slice(start, end), ...markers])

  it('[F24] a marker behind the full stop belongs to the statement before it', () => {
    expect(of('It grew.[2] [3] Then it fell. [1]')).toEqual([
      ['It grew.[2] [3]', 2, 3],
      ['Then it fell. [1]', 1],
    ])
    expect(of('巴黎很老。[1]它很大。[2]')).toEqual([
      ['巴黎很老。[1]', 1],
      ['它很大。[2]', 2],
    ])
  })

  it('[F24] headings and lead-ins state nothing, list items do', () => {
    expect(of('# Cities\n\nThese are old:\n- Rome [1]\n- Paris [2, 3]')).toEqual([
      ['- Rome [1]', 1],
      ['- Paris [2, 3]', 2, 3],
    ])
  })
})
