/** What a new version of a document changed in its statements, and how an answer tells it. */
import { describe, expect, it } from 'vitest'
import { disagreements } from '../../../src/core/reader/disagreements'
import { changesBetween } from '../../../src/core/reader/earlier-statements'

const PRICES = 'The ferry to Norhaven costs 30 thalers. It leaves at nine. Anna Berg leads the harbour office.'

describe('a new version of a document', () => {
  it('[J1280] changes a statement where a sentence says the same with another number, date or name, and nothing where it came, went or is worded otherwise', () => {
    const { changes, says } = changesBetween(
      PRICES,
      'The ferry to Norhaven costs 40 thalers. The boat sails at ten. The harbour office is led by Karl Stone. Dogs are free.',
    )
    expect(changes).toEqual([{ before: 'The ferry to Norhaven costs 30 thalers.', now: 'The ferry to Norhaven costs 40 thalers.' }])
    expect([says('Dogs are free.'), says('It leaves at nine.')]).toEqual([true, false])
    expect([changesBetween(PRICES, PRICES).changes, changesBetween(PRICES, '').changes, changesBetween('', PRICES).changes]).toEqual([
      [],
      [],
      [],
    ])
  })

  it('[T2000] changes a statement where all of a date is another', () => {
    const [before, now] = ['1 March 2025', '5 April 2025'].map((date) => `The grant application deadline is ${date}.`) as [string, string]
    expect(changesBetween(before, now).changes).toEqual([{ before, now }])
  })

  it('[T2073] of a list is compared line by line in its order, and where the lines are in another one, as far as the bound allows', () => {
    const list = (value: number) =>
      Array.from({ length: 290 }, (_, i) => `The gate of house number ${i} in Aldmoor costs ${value + i} thalers.`)
    const [before, now] = [list(4000), list(7000)]
    const pairs = before.map((one, i) => ({ before: one, now: now[i] }))
    expect(changesBetween(before.join(' '), now.join(' ')).changes).toEqual(pairs.slice(0, 100))
    const { changes } = changesBetween(before.join(' '), now.toReversed().join(' '))
    expect(pairs).toEqual(expect.arrayContaining(changes as never[]))
    expect(changes.length).toBeGreaterThan(20)
    expect(changes.length).toBeLessThan(100)
  })

  it('[J1280] that is another text altogether changes none, and is not compared sentence by sentence', () => {
    const many = (value: number) =>
      Array.from({ length: 301 }, (_, i) => `The gate of house number ${i} in Aldmoor costs ${value + i} thalers.`).join(' ')
    expect(changesBetween(many(1000), many(5000)).changes).toEqual([])
  })
})

describe('an answer', () => {
  const asked = new Map(['ferri', 'norhaven', 'cost'].map((term) => [term, { weight: 1, isKnown: true }]))
  const now = 'The ferry to Norhaven costs 40 thalers.'
  const before = { start: 100, end: 139, quote: 'The ferry to Norhaven costs 30 thalers.', replaced_at: '2024-05-01T00:00:00.000Z' }
  const source = (document: string, text: string, more: object = {}) => ({ id: document, document, start: 100, text, ...more })

  it('[J1281] says what the statement it is about said before, beside what older documents say, once, and of nothing the question does not ask', () => {
    const own = disagreements([source('prices', now, { earlier: [before] })], asked)
    expect(own.superseded.map(({ current, earlier, replaced }) => [current.quote, current.document, earlier, replaced])).toEqual([
      [now, 'prices', [before], []],
    ])
    const dated = (value: string) => ({ published_at: { value, source: 'given' as const } })
    const both = disagreements(
      [
        source('prices', now, { earlier: [before], dates: dated('2024') }),
        source('list', 'The ferry to Norhaven costs 25 thalers.', { dates: dated('2020'), earlier: [before] }),
        source('prices', now, { id: 'again', earlier: [before], dates: dated('2024') }),
      ],
      asked,
    )
    expect(both.superseded.map(({ earlier, replaced }) => [earlier?.length, replaced.map((one) => one.document)])).toEqual([[1, ['list']]])
    const other = new Map([['bell', { weight: 1, isKnown: true }]])
    expect(disagreements([source('prices', now, { earlier: [before] })], other).superseded).toEqual([])
  })
})
