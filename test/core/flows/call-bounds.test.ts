/** A question and what its corpus has left: no call is made that could cost more. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mostOf } from '../../../src/core/cost'
import { MAX_GUIDANCE } from '../../../src/core/guidance'
import type { WrittenBrief } from '../../../src/core/strategy'
import { tokenBound } from '../../../src/core/text/token-bound'
import { countTokens } from '../../../src/core/text/tokens'
import { query, queryStream, search } from '../../../src/flows/ask'
import type { AskDeps } from '../../../src/flows/ask-types'
import { writingBound } from '../../../src/flows/call-bounds'
import { classifyText, putLabel } from '../../../src/flows/classify'
import { glean } from '../../../src/flows/gleanings'
import { gleaningPrompt, taskPrompt } from '../../../src/flows/prompts'
import { HINTS } from '../../../src/flows/write-task'
import type { LabelContent } from '../../../src/ports/labels'
import type { Prices, RemainingBudget, StagesSpent } from '../../../src/ports/spending'
import { all, clock, config, evidence, fakeCorpus, fakeIndex, fakeModels, fault } from './fakes'

const TEXT = 'Bread is baked on Tuesdays. '.repeat(20)
const documents = { mill: TEXT, road: TEXT.toUpperCase() }
const found = [evidence('p1', 'mill', documents.mill), evidence('p2', 'road', documents.road)]
const QUESTION = { query: 'When is bread baked?', strategy: 'auto' }

function deps(remainingBudget: RemainingBudget, prices?: Prices) {
  const corpus = fakeCorpus({ documents, evidence: found, left: remainingBudget, ...(prices ? { prices } : {}) })
  const models = fakeModels({ write: ['On Tuesdays [1].'], stream: ['On Tuesdays [1].'], rerank: (_, texts) => texts.map(() => 0.5) })
  return {
    corpus,
    models,
    config: { ...config, budget: { tokens: 1 }, ...(prices ? { prices } : {}) },
    index: fakeIndex(),
    now: clock(),
    later: () => undefined,
  } satisfies AskDeps
}

/** Which stages were paid for with so many tokens left, and whether it was said that the budget is used up. */
async function asked(tokens: number | null, ask: (deps: AskDeps) => Promise<unknown>) {
  const world = deps({ tokens, usd: null })
  await ask(world)
  const { models } = world
  return { embedded: models.embedded.length, reranked: models.reranked.length, written: models.written.length }
}

describe('a question on a budget', () => {
  it('[V64] makes each call only if what is left covers the most it can cost', async () => {
    const ask = async (d: AskDeps) => expect(await query(d, QUESTION)).toMatchObject({ kind: 'answered' })
    expect(await asked(null, ask)).toEqual({ embedded: 1, reranked: 1, written: 1 })
    expect(await asked(0, ask)).toEqual({ embedded: 0, reranked: 0, written: 0 })
    expect(await asked(3, ask)).toEqual({ embedded: 0, reranked: 0, written: 0 })
    expect(await asked(60, ask)).toEqual({ embedded: 1, reranked: 0, written: 0 })
    expect(await asked(2000, ask)).toEqual({ embedded: 1, reranked: 1, written: 0 })
    expect(await asked(5000, ask)).toEqual({ embedded: 1, reranked: 1, written: 1 })
  })

  it('[V64] that runs out midway is answered extractively and flagged, whole or streamed', async () => {
    const whole = await query(deps({ tokens: 2000, usd: null }), QUESTION)
    expect(whole).toMatchObject({ kind: 'answered', result: { generator: 'extractive', degraded: ['budget'], grounded: true } })
    const events = await all(queryStream(deps({ tokens: 2000, usd: null }), QUESTION))
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { generator: 'extractive', degraded: ['budget'] } })
  })

  it('[V64] dollars count like tokens', async () => {
    const poor = deps({ tokens: null, usd: 0 })
    expect(await search(poor, QUESTION)).toMatchObject({ result: { strategy: 'keyword', degraded: ['budget'] } })
    expect(poor.models.embedded).toEqual([])
    const priced = deps({ tokens: null, usd: 1e-5 }, { in: 1.4, out: 4.4, embedded: 0, reranked: 0 })
    expect(await query(priced, QUESTION)).toMatchObject({ result: { generator: 'extractive', degraded: ['budget'] } })
  })

  it('[V64] classifies by keywords alone and flagged, and puts no label that would have no vectors', async () => {
    const found = { label: null, confidence: 0, candidates: [], tree: { nodes: [], edges: [] }, keywords: [] }
    for (const [tokens, calls] of [
      [0, 0],
      [null, 2],
    ] as const) {
      const world = deps({ tokens, usd: null })
      const put: string[] = []
      const corpus = {
        ...world.corpus,
        classify: async () => found,
        putLabel: async ({ id, description, examples }: LabelContent) => {
          put.push(id)
          return { label: id, description, examples, learned: 0 }
        },
      }
      const given = { ...world, corpus }
      const label = await putLabel(given, { id: 'baking', description: 'About bread', examples: ['Bread is baked.'] })
      const { degraded } = await classifyText(given, { text: 'Bread', learn: false })
      const over = tokens === 0
      expect([label === null, put.length, degraded, world.models.embedded.length]).toEqual([
        over,
        over ? 0 : 1,
        over ? ['budget'] : [],
        calls,
      ])
    }
  })

  it('[V62] is charged by stage', async () => {
    const world = deps({ tokens: null, usd: null })
    const charged: unknown[] = []
    const corpus = { ...world.corpus, charge: async (stages: unknown) => void charged.push(stages) }
    await query({ ...world, corpus }, QUESTION)
    expect(charged).toEqual([
      {
        question: { in: 0, out: 0, embedded: 10, calls: 1 },
        rerank: { in: 2, out: 0, embedded: 0, calls: 1 },
        answer: { in: 100, out: 7, embedded: 0, calls: 1 },
      },
    ])
  })

  it('[V172] is covered by one call before it is embedded and by the look-up for the rest; without a budget by none', async () => {
    const counts: number[] = []
    for (const tokens of [null, 200_000, 7000]) {
      const world = deps({ tokens, usd: null })
      let calls = 0
      const reserve: typeof world.corpus.reserve = (holds) => {
        calls++
        return world.corpus.reserve(holds)
      }
      const capped = tokens === null ? { ...world, config } : world
      expect(await query({ ...capped, corpus: { ...world.corpus, reserve } }, QUESTION)).toMatchObject({ result: { generator: 'model' } })
      counts.push(calls)
    }
    expect(counts).toEqual([0, 1, 3]) // with little left the reranker and the answer are asked for apart
  })

  it('[V172] counts nothing for a call that was refused, and the maximum for one whose end nobody knows', async () => {
    for (const [name, expected] of [
      ['capacity', undefined],
      ['timeout', { calls: 1, out: 1000 }],
      ['invalid', { calls: 1, out: 1000 }],
    ] as const) {
      const world = deps({ tokens: 100_000, usd: null })
      const models = { ...world.models, write: () => Promise.reject(fault(name)) }
      const charged: StagesSpent[] = []
      const corpus = { ...world.corpus, charge: async (stages: StagesSpent) => void charged.push(stages) }
      await query({ ...world, models, corpus }, QUESTION)
      expect([name, charged.length, charged[0]?.unconfirmed]).toEqual([name, 1, expected && expect.objectContaining(expected)])
      expect([charged[0]?.question?.embedded, charged[0]?.answer]).toEqual([10, undefined])
    }
  })
})

describe('a gleaning', () => {
  const brief = { kind: 'extract', name: 'Mill', text: 'Ada met Karl.', want: { units: false, graph: true }, gleanings: 2 } as const
  const first = { units: [], entities: [], relations: [], dropped: {} }

  it('[V172] [V251] is made only if it is covered, and counts at its bound where it failed after it was sent', async () => {
    const sent = async (isCovered: boolean, name: 'timeout' | 'capacity') => {
      let writes = 0
      const write = async () => {
        writes++
        throw fault(name)
      }
      const models = { ...fakeModels(), text: { id: 'fake', window: 8000 }, write }
      const asked: number[] = []
      const { lost, calls } = await glean(models, brief, first, async (max) => {
        asked.push(max.in + max.out)
        return isCovered
      })
      return { writes, calls, lost: lost.in + lost.out, bound: asked[0] ?? 0 }
    }
    expect(await sent(false, 'timeout')).toMatchObject({ writes: 0, calls: 0, lost: 0 })
    const { bound, ...late } = await sent(true, 'timeout')
    expect(late).toEqual({ writes: 1, calls: 1, lost: bound })
    expect(bound).toBeGreaterThan(brief.text.length)
    expect(await sent(true, 'capacity')).toMatchObject({ writes: 1, calls: 1, lost: 0 })
  })
})

describe('the bound of a text', () => {
  const bytes = (text: string): number => new TextEncoder().encode(text).length

  it('[V170] is no less than its bytes, sent or normalised, nor than what people are shown; English comes to about five times that', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3000 }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('ﷺ', '½', '\ud800', '🜁'),
    )
    fc.assert(
      fc.property(text, (one) => {
        expect(tokenBound(one)).toBeGreaterThanOrEqual(Math.max(bytes(one), bytes(one.normalize('NFKC')), countTokens(one)))
      }),
    )
    expect(tokenBound('ﷺ')).toBe(tokenBound('ﷺ'.normalize('NFKC')))
    const share = tokenBound(TEXT) / countTokens(TEXT)
    expect([share > 4, share < 6.5]).toEqual([true, true])
  })

  it('[V172] [V610] of a task holds its whole prompt in each form, asked for again with any fault shown, with its schema, all types of entities and the names shown', () => {
    const named = Array.from(
      { length: 80 },
      (_, n) => `Ulla Brantner${n} of Ööö${n} built the mill of Orrinhal${n} for the Hask brothers in 1911.`,
    )
    const wide = ['The mill grinds.', '面包 '.repeat(400), ...Array.from({ length: 60 }, (_, n) => `ﷺ ${n}`)]
    const types = Array.from({ length: 50 }, (_, n) => `${'ﷺ'.repeat(29)}${n}`)
    for (const texts of [['Ada met Karl.'], named, wide, named.map((one) => one.replace('The', 'El').replaceAll(' of ', ' de la '))]) {
      const text = texts.join(' ')
      const briefs: WrittenBrief[] = [
        { kind: 'summarize', role: 'entity', subject: 'ﷺ'.repeat(50), texts, tokens: 200, fallback: '' },
        { kind: 'report', texts, tokens: 200, fallback: { title: '', summary: '', rating: 0, findings: [] } },
        ...[[], types].flatMap((one) =>
          [true, false].map((units) => ({
            kind: 'extract' as const,
            name: 'ﷺ'.repeat(50),
            text,
            types: one,
            want: { units, graph: true },
          })),
        ),
        ...(['strict', 'open'] as const).map((mode) => ({
          kind: 'extract' as const,
          name: 'Mill',
          text,
          ontology: {
            mode,
            types: Array.from({ length: 32 }, (_, n) => ({ name: `ﷺ${n}`, parent: 'ﷺ0', description: 'Ö'.repeat(40) })),
            relations: Array.from({ length: 32 }, (_, n) => ({ name: `面${n}`, subjects: ['ﷺ1', 'ﷺ2'], objects: [] })),
          },
          want: { units: false, graph: true },
        })),
        { kind: 'extract', name: 'Mill', text, guidance: 'ﷺ'.repeat(MAX_GUIDANCE), language: 'id', want: { units: false, graph: true } },
        { kind: 'extract', name: 'Mill', text, language: 'uk', want: { units: true, graph: true } },
      ]
      for (const brief of briefs) {
        for (const hint of Object.values(HINTS)) {
          for (const form of ['full', 'short'] as const) {
            const { messages, tokens, schema } = taskPrompt(brief, hint, form)
            const { in: read, out } = writingBound(fakeModels(), messages, tokens, schema)()
            const max = mostOf(brief)
            expect([brief.kind, form, read <= max.in || `${read} of ${max.in}`, out <= max.out]).toEqual([brief.kind, form, true, true])
          }
        }
      }
    }
  })

  it('[V610] of an extraction asked for what it missed holds that prompt too', () => {
    const brief = { kind: 'extract', name: 'Mill', text: 'Ada met Karl.', want: { units: false, graph: true } } as const
    const said = 'x'.repeat(mostOf(brief).out)
    const { messages, tokens, schema } = gleaningPrompt(brief, said)
    const { in: read } = writingBound(fakeModels(), messages, tokens, schema)()
    expect(read).toBeLessThanOrEqual(mostOf({ ...brief, gleanings: 1 }).in - mostOf(brief).in)
  })
})
