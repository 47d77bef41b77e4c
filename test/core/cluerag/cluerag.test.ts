import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cluerag, clueragWith } from '../../../src/core/strategies/cluerag/cluerag'
import type { Retrieved } from '../../../src/core/strategy'
import { type Asking, doc, docs, documentsOf, type World, world } from '../builders/worlds'

const CHAIN = [
  doc('film', 'Angi Vera', 'A drama of 1978. It was directed by Pál Gábor.'),
  doc('man', 'Pál Gábor', 'He was born in Budapest and taught at the Academy.'),
  doc('noise', 'Budapest', 'A city where many a drama was born and many a film directed.'),
  ...Array.from({ length: 12 }, (_, i) =>
    doc(`n${i}`, `Film ${i}`, `A drama directed by someone born in town ${i}. The director was born there.`),
  ),
]
const QUESTION = 'Where was the director of Angi Vera born?'

function chained(): World {
  const at = world(cluerag.builders)
  at.change({ add: CHAIN })
  return at
}

interface Trace {
  readonly anchors: string[]
  readonly fallback?: string
  readonly paths: { readonly score: number; readonly depth: number; readonly units: readonly { readonly id: string }[] }[]
}
const trace = (retrieved: Retrieved): Trace =>
  retrieved.kind === 'evidence' ? (retrieved.trace as unknown as Trace) : { anchors: [], paths: [] }

describe('Clue-RAG answers', () => {
  it('[Q20] a second step reaches the document that shares no word with the question but the name the first step found', () => {
    const at = chained()
    const top = (depth: number): string[] => documentsOf(at, at.ask(cluerag, QUESTION, { own: { depth } })).slice(0, 2)
    expect(top(2)).toEqual(['film', 'man'])
    expect(top(1)).not.toContain('man')
  })

  it('[Q20] without the document’s name in its units, a sentence that only says "he" is not reached', () => {
    const at = chained()
    const paths = (titles: boolean) =>
      trace(at.ask(clueragWith({ titles }), QUESTION)).paths.flatMap((path) => path.units.map((unit) => unit.id))
    const he = at.graph.chunk(at.graph.document('man')?.chunks[0]?.chunk ?? '')?.units[0]?.id
    expect([paths(true).includes(he ?? ''), paths(false).includes(he ?? '')]).toEqual([true, false])
  })

  it('[Q20] without anchors the passage channel answers and the trace says so', () => {
    const at = chained()
    const asked = at.ask(clueragWith({ anchoring: false }), 'drama of 1978')
    expect(trace(asked).fallback).toBeDefined()
    expect(documentsOf(at, asked)[0]).toBe('film')
  })

  it('[Q20] where nothing is named, the units nearest to the question lend their entities', () => {
    const at = chained()
    const anchors = (anchoring: boolean): number => trace(at.ask(clueragWith({ anchoring }), 'drama of 1978')).anchors.length
    expect([anchors(true) > 0, anchors(false)]).toEqual([true, 0])
  })

  it('[Q20] with a reranker the walk asks for the scores it lacks and is begun again with the table, until it ends', () => {
    const at = chained()
    const table = new Map<string, number>()
    const rounds: number[] = []
    let answer: Retrieved
    do {
      answer = at.ask(cluerag, QUESTION, { own: { scorer: 'reranker' }, scores: table })
      if (answer.kind !== 'wanted') break
      rounds.push(answer.pairs.length)
      for (const { key, text } of answer.pairs) {
        expect(table.has(key)).toBe(false)
        table.set(key, text.includes('taught at the Academy') ? 0.9 : 0.1)
      }
    } while (rounds.length < 10)
    expect(rounds.length).toBeLessThanOrEqual(4) // three steps and the passages
    expect(answer.kind).toBe('evidence')
    expect(documentsOf(at, answer)[0]).toBe('man')
  })

  it('[Q20] the embedding scorer needs no model and the walk with it ends', () => {
    const at = chained()
    const asked = at.ask(cluerag, QUESTION, { own: { scorer: 'embedding' } })
    expect(trace(asked).paths.length).toBeGreaterThan(0)
    expect(trace(asked).paths.every((path) => path.score >= -1 && path.score <= 1)).toBe(true)
  })

  it('[Q20] each step keeps at most M paths, none twice, none with a unit twice', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 4 }), fc.constantFrom('lexical', 'embedding'), (seed, beam, scorer) => {
        const at = world(cluerag.builders)
        at.change({ add: docs(`c${seed}`, 12) })
        const { paths } = trace(at.ask(cluerag, 'Who took Seven Lanterns from Oslo to Riga before Ada Brant?', { own: { beam, scorer } }))
        const keys = paths.map((path) => path.units.map((unit) => unit.id))
        expect(new Set(keys.map((ids) => ids.join(' '))).size).toBe(keys.length)
        for (const ids of keys) expect(new Set(ids).size).toBe(ids.length)
        for (const depth of [1, 2, 3]) expect(paths.filter((path) => path.depth === depth).length).toBeLessThanOrEqual(beam)
      }),
      { seed: 20, numRuns: 15 },
    )
  })

  it('[Q21] the same graph gives the same answer, in whatever order it came to be', () => {
    const [one, other] = [chained(), world(cluerag.builders)]
    for (const each of [...CHAIN].reverse()) other.change({ add: [each] })
    for (const own of [{}, { scorer: 'embedding' }] as Asking['own'][]) {
      expect(other.ask(cluerag, QUESTION, { own: own ?? {} })).toEqual(one.ask(cluerag, QUESTION, { own: own ?? {} }))
    }
  })

  it('[Q21] nothing outside the filter is found, and an empty corpus answers nothing', () => {
    const at = chained()
    const banned = at.graph.document('man')?.chunks[0]?.chunk
    expect(documentsOf(at, at.ask(cluerag, QUESTION, { admits: (chunk) => chunk !== banned }))).not.toContain('man')
    expect(documentsOf(world(cluerag.builders), world(cluerag.builders).ask(cluerag, QUESTION))).toEqual([])
  })
})
