/** What `auto` makes of the graph where it leads from what a question names. */
import { describe, expect, it } from 'vitest'
import { fitWeights } from '../../../bench/quality/metrics/listwise'
import { clues } from '../../../src/core/channels/clues'
import { discriminativeTerms } from '../../../src/core/channels/lexical'
import { chunkOf, passageId, unitId } from '../../../src/core/ids'
import { auto } from '../../../src/core/strategies/auto/auto'
import { cover } from '../../../src/core/strategies/auto/cover'
import { passageReading } from '../../../src/core/strategies/auto/passage-reading'
import { FEATURES } from '../../../src/core/strategies/auto/pool'
import { probePools } from '../../../src/core/strategies/auto/rerank-measure'
import { scorer } from '../../../src/core/strategies/auto/scorer'
import { termCounter, termCover } from '../../../src/core/text/term-cover'
import { distinct, terms } from '../../../src/core/text/terms'
import { doc, documentsOf, type World, world } from '../builders/worlds'

const CHAIN = [
  doc('film', 'The Quiet Foundry', 'A drama of 1978. It was directed by Cyra Dunn.'),
  doc('woman', 'Cyra Dunn', 'She was born in Vigo and taught at the Academy.'),
  ...Array.from({ length: 12 }, (_, i) =>
    doc(`n${i}`, `Film ${i}`, `A drama directed by someone of town ${i}. The director was born there.`),
  ),
]
const QUESTION = 'Where was the director of The Quiet Foundry born?'

const grown = (add = CHAIN): World => {
  const at = world(auto.builders)
  at.change({ add })
  return at
}

interface Traced {
  readonly scorer?: { readonly trust: number; readonly weights: unknown }
  readonly found: readonly {
    readonly id: string
    readonly features?: { readonly [name: string]: number }
    readonly led?: { readonly out?: string }
  }[]
}
const traced = (asked: ReturnType<World['ask']>): Traced => (asked.kind === 'evidence' ? (asked.trace as unknown as Traced) : { found: [] })

describe('evidence of auto', () => {
  it('[Q530] where a question says a name, what is known of each candidate orders them; by the channels alone on request', () => {
    const at = grown()
    expect(documentsOf(at, at.ask(auto, QUESTION)).slice(0, 2)).toEqual(['film', 'woman'])
    const alone = { own: { scorer: 'sum' } }
    expect(traced(at.ask(auto, QUESTION, alone))).not.toHaveProperty('scorer')
    expect(traced(at.ask(auto, QUESTION, { own: { links: 0 } }))).not.toHaveProperty('scorer')
    expect(at.ask(auto, QUESTION, alone)).toEqual(at.ask(auto, QUESTION, alone))
  })

  it('[Q530] where it names nothing, and nothing that it finds names another document, the channels alone do', () => {
    const at = grown(
      Array.from({ length: 8 }, (_, i) => doc(`p${i}`, '', `on day ${i} the harbour has a market, and boats are mended there.`)),
    )
    const question = 'which harbour has a market?'
    const [asked, alone] = [at.ask(auto, question), at.ask(auto, question, { own: { scorer: 'sum' } })]
    expect(asked).toEqual(alone)
  })

  it('[Q531] each piece is chosen for its score and what it adds of the question; scores fall', () => {
    const share = (covers: number): number => [1, 2, 4].filter((bit) => covers & bit).length / 3
    const candidates = [
      { id: 'a', score: 3, covers: 1 },
      { id: 'b', score: 2.9, covers: 1 },
      { id: 'c', score: 2.5, covers: 6 },
    ]
    const ids = (worth: number) => cover(candidates, { worth, share }).map((one) => one.id)
    expect([ids(0), ids(2)]).toEqual([
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
    ])
    const scores = cover(candidates, { worth: 2, share }).map((one) => one.score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
  })

  it('[Q532] the trace has what is known of each piece, the weights, how far they are trusted, and the passages that led there', () => {
    const at = grown()
    const trace = traced(at.ask(auto, QUESTION))
    expect(trace.scorer).toEqual({ trust: 1, weights: scorer })
    const of = (document: string) => trace.found.find((one) => at.graph.placements(chunkOf(one.id))[0]?.document === document)
    expect(Object.keys(of('film')?.features ?? {}).sort()).toEqual([...FEATURES].sort())
    expect(of('film')?.features).toMatchObject({ named: 1 })
    expect(of('woman')?.led?.out).toBe(of('film')?.id)
  })

  it('[Q533] a passage outside the filter is no candidate, and lends nothing to others', () => {
    const whole = grown()
    const hidden = new Set(whole.graph.document('woman')?.chunks.map((one) => one.chunk))
    const asked = whole.ask(auto, QUESTION, { admits: (chunk) => !hidden.has(chunk) })
    expect(documentsOf(whole, asked)).not.toContain('woman')
    const known = traced(asked).found
    const lends = known.flatMap((one) => Object.values(one.led ?? {})).filter((id) => hidden.has(chunkOf(id)))
    expect([known.length > 0, lends]).toEqual([true, []])
  })

  it('[Q631] a re-ranker is measured on the order that a question gets, not on that of the channels', () => {
    const at = grown()
    const text = 'director The Quiet Foundry born'
    const chunkIn = (document: string): string => at.graph.document(document)?.chunks[0]?.chunk ?? ''
    const probe = { text, chunk: chunkIn('woman'), passage: 0, unit: -1, first: { chunk: chunkIn('film'), passage: 0 } }
    const [pool] = probePools(at.graph, [{ probe }], [])
    const scored = (asked: ReturnType<World['ask']>) => (asked.kind === 'evidence' ? asked.found.map(({ id, score }) => [id, score]) : [])
    const ask = (own: { readonly [key: string]: string }) => scored(at.ask(auto, text, { own, vector: false }))
    const measured = pool?.ids.map((id, i) => [id, pool.scores[i]])
    expect([measured?.length, measured]).toEqual([2, ask({})])
    expect(measured).not.toEqual(ask({ scorer: 'sum' }))
  })

  it('[Q631] the sentence taken out for a probe says nothing, nor do the names in it', () => {
    const at = grown()
    const chunk = at.graph.chunk(at.graph.document('film')?.chunks[0]?.chunk ?? '')
    const question = discriminativeTerms(at.graph, terms('directed Cyra Dunn 1978'))
    const read = (lacks?: (unit: string) => boolean) => {
      const source = clues(at.graph, question, new Map(), { titles: true, ...(lacks ? { lacks } : {}) })
      const reading = passageReading(at.graph, source, question, undefined)
      const passage = reading.passage(passageId(chunk?.id ?? '', 0))
      return passage ? { units: passage.units().length, covers: passage.covers(), entities: reading.entities(passage).length } : undefined
    }
    const [whole, less] = [read(), read((unit) => unit === unitId(chunk?.id ?? '', 1))]
    expect(less?.units).toBe((whole?.units ?? 0) - 1)
    expect(less?.covers).not.toBe(whole?.covers)
    expect(less?.entities).toBeLessThan(whole?.entities ?? 0)
  })

  it('[Q534] the fit gives weight to what tells wanted candidates from others, and none to what may have none', () => {
    const examples = Array.from({ length: 20 }, (_, i) => ({
      features: Float64Array.from([1, i % 2, 0, (i + 1) % 2, 0, i % 3]),
      wanted: [0],
      others: [1, 2],
      weight: 1,
    }))
    const [tells, says] = fitWeights(examples, [true, true])
    expect(tells).toBeGreaterThan(2)
    expect(Math.abs(says ?? 9)).toBeLessThan(1)
    expect([...fitWeights(examples, [true, false])][1]).toBe(0)
  })
})

describe('terms that a text covers', () => {
  it('[Q535] are those that the whole text has, as often, in any script', () => {
    const texts = [
      'On the days of 1978 the director’s films, directed by Pál Gábor, were shown; rock’n’roll played – daily.',
      "Skies and sky: she tried. He's dying; the dyes of ponies don't run_through well-known U.S. towns.",
      'Москва — столица. 東京Tokyo は日本の首都。 Étienne naïvely sang "Café"; straße, ΑΘΗΝΑ.',
      '',
    ]
    const all = distinct(texts.flatMap((text) => terms(text)))
    for (let from = 0; from < all.length; from++) {
      const wanted = all.slice(from, from + 5)
      const plain = all.filter((one) => /^[a-z0-9]+$/.test(one)).slice(from, from + 5)
      for (const asked of [wanted, plain]) {
        for (const text of texts) {
          const said = terms(text)
          expect(termCover(asked)(text)).toBe(asked.reduce((mask, term, i) => (said.includes(term) ? mask | (1 << i) : mask), 0))
          expect(termCounter(asked)(`${text} ${text}`)).toEqual(asked.map((term) => 2 * said.filter((one) => one === term).length))
        }
      }
    }
  })
})
