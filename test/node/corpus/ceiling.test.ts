/** A ceiling under load: whatever is asked, raised, charged, lost or restarted in whatever order, what is spent and set aside stays below it. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { availableBudget } from '../../../durable-objects/corpus/billing/usage'
import { chargeStages, countLapsed, reserveHolds } from '../../../durable-objects/corpus/billing/usage-recorder'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { HOLD_MS } from '../../../durable-objects/holds'
import type { Spent } from '../../../src/contract/usage'
import { costOf, mostOf } from '../../../src/core/cost'
import type { Brief } from '../../../src/core/strategy'
import { countTokens } from '../../../src/core/text/tokens'
import { query } from '../../../src/flows/ask'
import type { AskDeps } from '../../../src/flows/ask-types'
import { runRound } from '../../../src/flows/round'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { Models } from '../../../src/ports/models'
import type { CorpusObject } from '../../../src/ports/object'
import { clock, config, evidence, fakeCorpus, fakeIndex, fakeModels, fault, task } from '../../core/flows/fakes'
import { until } from '../../core/until'
import { type Count, type Counted, countedModels, letter, type Spending, scribe, spending } from './spending'
import { bytesOf, type Vendor, vendor } from './vendor'

const PRICES = { in: 0.3, out: 2, embedded: 0.01, reranked: 0.003, judged: { in: 1, out: 4 }, date: '2026-08-28' }
const STAGES = ['question', 'rerank', 'answer', 'judge'] as const
const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

const max = fc.record({
  stage: fc.constantFrom(...STAGES),
  in: fc.nat(400),
  out: fc.nat(200),
  embedded: fc.nat(50),
})
/** One thing that may happen. `who`: one of eight pieces of work, taken anew once it has ended. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('reserve' as const), who: fc.nat(7), max }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('charge' as const), who: fc.nat(7), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), who: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), who: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(HOLD_MS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Work {
  readonly id: string
  readonly granted: { [stage: string]: Spent }
}

function sum(...all: readonly Spent[]): Spent {
  return all.reduce((a, b) => ({ in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded }), NOTHING)
}

/** Work under way at one corpus. `spent`: what those that were heard of have cost. */
function workplace(corpus: Spending) {
  const open = new Map<number, Work>()
  const dead: Work[] = []
  let made = 0
  let spent = NOTHING
  const charged = ({ id, granted }: Work, share: number): void => {
    const part = (n: number) => Math.floor(n * share)
    const stages = Object.entries(granted).map(([stage, one]) => {
      const own = { in: part(one.in), out: part(one.out), embedded: part(one.embedded) }
      spent = sum(spent, own)
      return [stage, { ...own, calls: 1 }] as const
    })
    chargeStages(corpus.context, Object.fromEntries(stages), [id])
  }
  return {
    happen(one: Step): void {
      const at = 'who' in one ? open.get(one.who) : undefined
      switch (one.do) {
        case 'reserve': {
          const work = at ?? { id: `work-${made++}`, granted: {} }
          open.set(one.who, work)
          const { stage, ...more } = one.max
          const wanted = { ...work.granted, [stage]: sum(work.granted[stage] ?? NOTHING, more) }
          if (reserveHolds(corpus.context, [{ id: work.id, max: wanted }])[0]) Object.assign(work.granted, wanted)
          return
        }
        case 'repeat':
          if (at) reserveHolds(corpus.context, [{ id: at.id, max: at.granted }])
          return
        case 'charge':
          open.delete(one.who)
          if (at) charged(at, one.share)
          return
        case 'die':
          open.delete(one.who)
          if (at) dead.push(at)
          return
        case 'wait':
          corpus.clock.now += one.ms
          return
        case 'restart':
          corpus.configure({}) // read anew from its rows
      }
    },
    unheard: () => [...open.values(), ...dead].map((one) => one.id),
    spent: () => spent,
  }
}

describe('a ceiling under load', () => {
  it('[V170] [V171] is never exceeded by what is spent and reserved, and no reservation stays, in any order of events', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom('tokens', 'usd', 'both'), (steps, sort) => {
        const corpus = spending([])
        const max = { tokens: sort === 'usd' ? undefined : 2000, usd: sort === 'tokens' ? undefined : 0.002 }
        corpus.configure({ prices: PRICES, budget: JSON.parse(JSON.stringify(max)) })
        const place = workplace(corpus)
        for (const one of steps) {
          place.happen(one)
          const { total, held } = corpus.usage()
          expect(total.in + total.out + total.embedded + held.tokens).toBeLessThanOrEqual(max.tokens ?? Number.POSITIVE_INFINITY)
          expect(total.usd + held.usd).toBeLessThanOrEqual((max.usd ?? Number.POSITIVE_INFINITY) + 1e-12)
        }
        // What nobody settles lapses, and counts as spent; a late settlement puts it right.
        corpus.clock.now += HOLD_MS
        corpus.context.atomically(() => countLapsed(corpus.context))
        expect(corpus.usage().held).toEqual({ tokens: 0, usd: 0 })
        chargeStages(corpus.context, {}, place.unheard())
        const { total } = corpus.usage()
        const spent = place.spent()
        expect([total.in, total.out, total.embedded]).toEqual([spent.in, spent.out, spent.embedded])
        expect(corpus.context.sql.all('SELECT * FROM hold')).toEqual([])
        corpus.close()
      }),
      { numRuns: 150, seed: 7 },
    )
  })

  it('[V171] a reservation nobody settles counts after a quarter of an hour as the stage `unconfirmed`, until its caller reports', () => {
    const corpus = spending([])
    corpus.configure({ prices: PRICES, budget: { tokens: 2000 } })
    const stages = () => {
      corpus.context.atomically(() => countLapsed(corpus.context))
      const { stages } = corpus.usage()
      return Object.fromEntries(Object.entries(stages).map(([stage, one]) => [stage, one.in + one.out]))
    }
    expect(reserveHolds(corpus.context, [{ id: 'a', max: { answer: { in: 300, out: 200, embedded: 0 } } }])).toEqual([true])
    corpus.clock.now += 15 * 60_000 - 1
    expect(stages()).toEqual({})
    corpus.clock.now += 1
    expect(stages()).toEqual({ unconfirmed: 500 })
    corpus.clock.now += 23 * 3_600_000
    chargeStages(corpus.context, { answer: { in: 250, out: 20, embedded: 0, calls: 1 } }, ['a'])
    expect(stages()).toMatchObject({ answer: 270 })
    expect(corpus.usage().total).toMatchObject({ in: 250, out: 20 })
    corpus.close()
  })

  it('[V171] without a budget no reservation is written; the price of a stage is that of its model', () => {
    const corpus = spending([])
    corpus.configure({ prices: PRICES })
    const before = corpus.context.sql.written()
    expect(reserveHolds(corpus.context, [{ id: 'a', max: { answer: { in: 1e9, out: 1e9, embedded: 1e9 } } }])).toEqual([true])
    expect(corpus.context.sql.written()).toBe(before)
    expect(costOf(PRICES, 'judge', { in: 1e6, out: 1e6, embedded: 0 })).toBe(5)
    corpus.configure({ budget: { usd: 0.001 } })
    expect(reserveHolds(corpus.context, [{ id: 'b', max: { judge: { in: 200, out: 201, embedded: 0 } } }])).toEqual([false])
    expect(reserveHolds(corpus.context, [{ id: 'b', max: { judge: { in: 200, out: 200, embedded: 0 } } }])).toEqual([true])
    expect(availableBudget(corpus.context).usd).toBeCloseTo(0, 12)
    corpus.close()
  })
})

const TEXT = 'Bread is baked on Tuesdays in the mill by the road, ﷺ ½ 面包. '.repeat(12)

/** Questions against a real context. Models answer when a timer says so, in an order of its own; some are slow for ever, some refuse. */
function asking(corpus: Spending, { models }: Pick<Counted, 'models'>, roll: () => number): AskDeps {
  const charges: Promise<unknown>[] = []
  const documents = { mill: TEXT, road: TEXT.toUpperCase() }
  const fake = fakeCorpus({ documents, evidence: [evidence('p1', 'mill', documents.mill), evidence('p2', 'road', documents.road)] })
  const later = <T>(make: () => Promise<T>): Promise<T> => new Promise((done, no) => setImmediate(() => make().then(done, no)))
  const object: CorpusObject = {
    ...fake,
    reserve: (holds) => later(async () => reserveHolds(corpus.context, holds)),
    charge: (stages, holds) => later(async () => chargeStages(corpus.context, stages, holds)),
    retrieve: (request) =>
      later(async () => {
        const result = await fake.retrieve(request)
        if (result.kind !== 'evidence') return result
        const held = request.hold ? (reserveHolds(corpus.context, [request.hold])[0] ? 'granted' : 'refused') : 'unasked'
        return { ...result, held }
      }),
  }
  const unsure = async <T>(make: () => Promise<T>): Promise<T> => {
    const fate = roll() % 12
    if (fate === 0) throw fault('capacity')
    const made = await later(make)
    if (fate === 1) throw fault('timeout') // it was made, and its answer was lost
    return made
  }
  const all: Models = {
    ...models,
    reranker: { id: 'fake' },
    embed: (texts) => unsure(() => models.embed(texts)),
    write: (messages, options) => unsure(() => models.write(messages, options)),
  }
  return {
    corpus: object,
    config: { ...config, ...(corpus.context.config as CorpusConfig) },
    models: all,
    index: fakeIndex(),
    now: clock(),
    later: (work) => void charges.push(work),
  }
}

/** Vocabularies: ours; one of single bytes, with marks around each text, that fills each reply's room; and one that counts anything between. */
const VOCABULARIES: { readonly [name: string]: (roll: () => number) => Count } = {
  ours: () => countTokens,
  bytes: () => (text, room) => room ?? bytesOf(text) + 8,
  any: (roll) => (text, room) => 1 + (roll() % (room ?? bytesOf(text))),
}
const CASES = Object.keys(VOCABULARIES).flatMap((vocabulary) => [600, 3000, 20_000, 100_000].map((tokens) => ({ vocabulary, tokens })))

describe('sixty questions at once', () => {
  it.each(CASES)(
    '[V170] [V172] and indexing beside them spend no more than $tokens, counted by $vocabulary',
    async ({ vocabulary, tokens }) => {
      let seed = tokens
      const roll = () => (seed = (seed * 48_271) % 2_147_483_647)
      const corpus = spending(['cluerag'])
      corpus.accept([0, 1, 2, 3].map((n) => ({ ...letter(n), title: 'Letter ﷺ ½' })))
      corpus.configure({ prices: PRICES, budget: { tokens } })
      const counted = countedModels(
        (prompt) => (prompt.includes('numbered sources') ? 'On Tuesdays [1].' : scribe(prompt)),
        VOCABULARIES[vocabulary]?.(roll),
      )
      const deps = asking(corpus, counted, roll)
      const rounds = async () => {
        for (let n = 0; n < 4; n++)
          await runRound({ ...corpus.object, reserve: deps.corpus.reserve, charge: deps.corpus.charge }, deps.models, {
            runner: 'one',
            texts: 64,
          })
      }
      const answers = await Promise.all([
        rounds(),
        ...Array.from({ length: 60 }, (_, n) => query(deps, { query: `When is bread baked, asks number ${n}?`, strategy: 'auto' })),
      ])
      const { bill } = counted
      const paid = bill.in + bill.out + bill.embedded
      expect(paid).toBeLessThanOrEqual(tokens)
      expect(paid).toBeGreaterThan(0)
      for (const one of answers.slice(1)) expect(one).toMatchObject({ kind: 'answered', result: { evidence: expect.any(Array) } })
      corpus.clock.now += 2 * HOLD_MS
      corpus.context.atomically(() => countLapsed(corpus.context))
      const { total, held } = corpus.usage()
      const counts = total.in + total.out + total.embedded
      expect([held.tokens, counts >= paid, counts <= tokens]).toEqual([0, true, true])
      corpus.close()
    },
  )
})

const WRITERS = ['@cf/meta/llama-3.1-8b-instruct', '@cf/openai/gpt-oss-20b', '@cf/qwen/qwq-32b']

describe('a vendor that bills each call at its most', () => {
  const worked = async (tokens: number, { bill, models }: Vendor) => {
    const corpus = spending(['cluerag'])
    corpus.accept([0, 1, 2, 3].map((n) => letter(n)))
    corpus.configure({ prices: PRICES, budget: { tokens } })
    const deps = { ...asking(corpus, { models }, () => 2), models }
    const object = { ...corpus.object, reserve: deps.corpus.reserve, charge: deps.corpus.charge }
    const rounds = async () => {
      for (let n = 0; n < 8; n++) {
        await runRound(object, models, { runner: 'one', texts: 64 })
        until(() => !commitNext(corpus.context))
      }
    }
    const questions = Array.from({ length: 60 }, (_, n) => `When is bread baked, asks number ${n}?`)
    await Promise.all([rounds(), ...questions.map((one) => query(deps, { query: one, strategy: 'auto' }))])
    corpus.clock.now += 2 * HOLD_MS
    corpus.context.atomically(() => countLapsed(corpus.context))
    const { total, held } = corpus.usage()
    const counts = total.in + total.out + total.embedded
    corpus.close()
    expect(bill.tokens).toBeGreaterThan(0)
    expect(bill.tokens).toBeLessThanOrEqual(tokens)
    expect([held.tokens, counts >= bill.tokens, counts <= tokens]).toEqual([0, true, true])
  }

  it.each(WRITERS.flatMap((id) => [40_000, 90_000, 300_000].map((tokens) => ({ id, tokens }))))(
    '[V250] is owed no more than $tokens by sixty questions and indexing, however long $id thinks',
    ({ id, tokens }) => worked(tokens, vendor(id)),
  )

  it.each(WRITERS.flatMap((id) => [6000, 90_000, 1_000_000].map((tokens) => ({ id, tokens }))))(
    '[V251] is owed no more than $tokens where $id fails and what failed is billed',
    async ({ id, tokens }) => {
      let seed = tokens + id.length
      const failing = vendor(id, () => (seed = (seed * 48_271) % 2_147_483_647))
      await worked(tokens, failing)
      expect(failing.bill.lost).toBeGreaterThan(0)
    },
  )
})

describe('a reply longer in bytes than any language is', () => {
  it('[V172] is embedded only if that is covered', async () => {
    const text = 'The mill by the road grinds wheat and rye for the bakers. '.repeat(17)
    const units = Array.from({ length: 40 }, (_, n) => `${text.slice(0, 900)}${n}`)
    const brief: Brief = { kind: 'extract', name: 'Mill', text, want: { units: true, graph: false } }
    const done = async (more: number) => {
      const { in: read, out, embedded } = mostOf(brief)
      const fake = fakeCorpus({ tasks: [task(1, brief)], left: { tokens: read + out + embedded + more, usd: null } })
      const openTasks: typeof fake.openTasks = async (...asked) => ({ ...(await fake.openTasks(...asked)), isCapped: true })
      const models = fakeModels({ write: [JSON.stringify({ knowledge_units: units })] })
      await runRound({ ...fake, openTasks }, models, { runner: 'one', texts: 9 })
      return [models.written.length, models.embedded.length, fake.commits.length, fake.charged.length]
    }
    expect([await done(0), await done(40_000)]).toEqual([
      [1, 0, 0, 1], // what was written is charged
      [1, 1, 1, 0],
    ])
  })
})

describe('a task that comes to nothing', () => {
  const tasks = [
    task(1, {
      kind: 'summarize',
      role: 'segment',
      subject: '',
      texts: ['The mill grinds.', 'The baker bakes.'],
      tokens: 50,
      fallback: 'The mill grinds.',
    }),
  ]

  it('[V172] a failed task is charged what it has cost, as is a round that comes too late', async () => {
    const failed = fakeCorpus({ tasks })
    const tried = await runRound(failed, fakeModels({ write: ['', fault('capacity')] }), { runner: 'one', texts: 9 })
    expect([tried.faults, failed.charged]).toEqual([{ capacity: 1 }, [{ in: 100, out: 7, embedded: 0 }]])
    const late = fakeCorpus({ tasks, lostAfter: 0 })
    expect(await runRound(late, fakeModels({ write: ['It grinds.'] }), { runner: 'one', texts: 9 })).toMatchObject({ lost: true })
    expect(late.charged).toEqual([{ in: 100, out: 7, embedded: 10 }])
  })

  it('[V172] [V250] is not begun unless it is covered, thinking included; a reply is asked for again only if that is, too', async () => {
    const begun = async (left: number, thinkingTokens = 0) => {
      const fake = fakeCorpus({ tasks, left: { tokens: left, usd: null } })
      const corpus = {
        ...fake,
        openTasks: async (...asked: Parameters<typeof fake.openTasks>) => ({
          ...(await fake.openTasks(...asked)),
          isCapped: true as const,
        }),
      }
      const fakes = fakeModels({ write: ['', 'It grinds.'] })
      const models = { ...fakes, text: { id: 'fake', window: 32_000, thinkingTokens } }
      await runRound(corpus, models, { runner: 'one', texts: 9 })
      return [fakes.written.length, fake.commits.length]
    }
    const first = mostOf(tasks[0]?.brief as Brief)
    const max = first.in + first.out + first.embedded
    expect([await begun(max - 1), await begun(max), await begun(max + 1000)]).toEqual([
      [0, 0],
      [1, 1], // the extract stands in
      [2, 1],
    ])
    expect([await begun(max + 99, 100), await begun(max + 100, 100)]).toEqual([
      [0, 0],
      [1, 1],
    ])
  })
})
