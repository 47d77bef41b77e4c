import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANSWERED, type AskedTerms, confidence } from '../../../src/core/reader/confidence'
import { distinct, terms } from '../../../src/core/text/terms'

interface World {
  readonly passages: readonly { readonly id: string; readonly title: string; readonly text: string }[]
  readonly questions: readonly { readonly q: string; readonly type: string; readonly gold: readonly string[] }[]
}
const harbour = JSON.parse(readFileSync('bench/answers/harbour.json', 'utf8')) as World

/** Weights by how many of the world's documents say a term. */
function asked(question: string): AskedTerms {
  const said = harbour.passages.map((one) => new Set(terms(`${one.title}\n${one.text}`)))
  return new Map(
    distinct(terms(question)).map((term) => {
      const count = said.filter((one) => one.has(term)).length
      return [term, { weight: Math.log(1 + (said.length - count + 0.5) / (count + 0.5)), isKnown: count > 0 }]
    }),
  )
}

function sure(question: string, ids?: readonly string[]): number {
  const passages = ids ? harbour.passages.filter((one) => ids.includes(one.id)) : harbour.passages
  return confidence(question, passages, asked(question))
}

const share = (list: readonly number[], test: (one: number) => boolean): number => list.filter(test).length / list.length

describe('confidence', () => {
  it('[R7] questions about something else are not answered, nearly all that the documents answer are', () => {
    const of = (type: string): number[] =>
      harbour.questions.filter((one) => one.type === type).map((one) => sure(one.q, one.gold.length > 0 ? one.gold : undefined))
    expect(share(of('away'), (one) => one < ANSWERED)).toBe(1)
    expect(share(of('answerable'), (one) => one >= ANSWERED)).toBeGreaterThanOrEqual(0.9)
  })

  it('[R7] without the sentence that answers it is less sure', () => {
    const passage = {
      id: 'p',
      title: 'The museum',
      text: 'The museum in the old ropeworks opened in 1974. Admission is free on Thursdays.',
    }
    const question = 'When did the museum in the ropeworks open?'
    const less = { ...passage, text: 'Admission is free on Thursdays.' }
    expect(confidence(question, [passage], asked(question))).toBeGreaterThan(0.9)
    expect(confidence(question, [less], asked(question))).toBeLessThan(ANSWERED)
  })

  it('[R6] is a number from 0 to 1 for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom('', 'the of a', '?', '1'.repeat(5000), '東京はどこですか'),
    )
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 7 }), (question, texts) => {
        const passages = texts.map((one, i) => ({ id: `p${i}`, title: one.slice(0, 10), text: one }))
        const value = confidence(question, passages, asked(question))
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }),
      { numRuns: 300, seed: 11 },
    )
    expect(confidence('the of a', harbour.passages, new Map())).toBeLessThan(0.01)
  })
})
