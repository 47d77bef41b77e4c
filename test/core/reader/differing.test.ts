/** Statements that say the same with another value, and what an answer says of them. */
import { describe, expect, it } from 'vitest'
import { differingValue, statementOf } from '../../../src/core/reader/differing-value'
import { disagreements } from '../../../src/core/reader/disagreements'
import type { QuestionTerms } from '../../../src/core/reader/question-terms'
import { terms } from '../../../src/core/text/terms'
import { replacedIn, rulesFor } from '../../../src/flows/disagreeing'
import { morePairs, pairs } from './differing-pairs'

const found = (a: string, b: string): string | undefined => {
  const [one, other] = [statementOf(a), statementOf(b)]
  return one && other && differingValue(one, other)
}

describe('a differing value', () => {
  it('[C560] is found in nine of ten changes and conflicts, and in hardly any pair that says the same or speaks of something else', () => {
    const told = pairs.filter(({ before, after }) => found(before, after))
    const right = told.filter((pair) => pair.kind !== 'neither').length
    const all = pairs.filter((pair) => pair.kind !== 'neither').length
    expect([pairs.length, all, right / all > 0.9, right / told.length > 0.95]).toEqual([150, 90, true, true])
  })

  it('[C560] is the same whichever comes first, and none between a sentence and itself', () => {
    for (const { before, after } of pairs) expect([before, found(after, before)]).toEqual([before, found(before, after)])
    for (const { before } of pairs) expect(found(before, before)).toBeUndefined()
  })

  it.each([
    ['The ferry costs 30 thalers.', 'The ferry costs 40 thalers.', 'number'],
    ['The permit ends on 31 March 2025.', 'The permit ends on 30 June 2026.', 'date'],
    ['The mayor of Norhaven is Anna Berg.', 'The mayor of Norhaven is Karl Stone.', 'name'],
    ['Dogs are allowed on the beach.', 'Dogs are not allowed on the beach.', 'negation'],
  ])('[C560] says of what kind it is: %s', (a, b, kind) => expect(found(a, b)).toBe(kind))

  it('[C560] does not compare what is too long, nor wording', () => {
    const long = `The list has ${Array.from({ length: 70 }, (_, n) => `thing${n}`).join(' ')} and 4 ends.`
    expect([statementOf(long), found('The hull is painted blue.', 'The hull is painted red.')]).toEqual([undefined, undefined])
  })
})

describe('a whole value', () => {
  it.each([
    ['The grant application deadline is 1 March 2025.', 'The grant application deadline is 5 April 2025.'],
    ['The grant application deadline is 1 March 2025.', 'The grant application deadline is 1 April 2025.'],
    ['The grant application deadline is March 1, 2025.', 'The grant application deadline is 5 April 2025.'],
    ['The deadline is Monday, 3 March.', 'The deadline is Friday, 4 April.'],
    ['The survey closes on 2025-03-01.', 'The survey closes on 5 April 2025.'],
    ['Die Frist endet am 1. März.', 'Die Frist endet am 5. April.'],
    ['La date limite est le 1er mars 2025.', 'La date limite est le 5 avril 2025.'],
    ['Срок истекает 1 марта 2025 года.', 'Срок истекает 5 апреля 2025 года.'],
    ['申请截止日期是2025年3月1日。', '申请截止日期是2025年4月5日。'],
  ])('[T2000] is a date, whatever of it differs: %s', (a, b) => expect(found(a, b)).toBe('date'))

  it.each([
    ['The grant application deadline is 1 March 2025.', 'The grant application deadline is March 1, 2025.'],
    ['The grant application deadline is 1 March.', 'The grant application deadline is Saturday, 1 March 2025.'],
    ['The survey closes on 2025-03-01.', 'The survey closes on 1.3.2025.'],
    ['Die Frist endet am 1. März 2025.', 'Die Frist endet am 1 March 2025.'],
    ['申请截止日期是2025年3月1日。', '申请截止日期是三月一日。'],
  ])('[T2000] is the same date, written otherwise: %s', (a, b) => expect(found(a, b)).toBeUndefined())

  it.each([
    ['The office is open from 9 am to 5 pm.', 'The office is open from 10 am to 6 pm.', 'number'],
    ['The office is open 9:00–17:00.', 'The office is open 10:00–18:00.', 'number'],
    ['The shop is open from Monday to Friday.', 'The shop is open from Tuesday to Saturday.', 'date'],
    ['The fee is $30.', 'The fee is $40.', 'number'],
    ['The shop is open from Monday to Friday.', 'The shop is open on Tuesday.', undefined],
    ['The office is open from 9 to 17.', 'The office is open 9–17.', undefined],
    ['The pool opens at 9 am.', 'The pool opens at 9 a.m.', undefined],
    ['Total: 40', 'Total: 50', undefined],
    ['He was 30.', 'He was 40.', undefined],
  ])('[T2001] is a span or a time, and may stand in a short sentence: %s / %s', (a, b, kind) => expect(found(a, b)).toBe(kind))

  it.each([
    ['渡船的票价是40元。', '渡船的票价是50元。', 'number'],
    ['湖の深さは84メートルです。', '湖の深さは97メートルです。', 'number'],
    ['図書館は9時から17時まで開いています。', '図書館は10時から18時まで開いています。', 'number'],
    ['渡船的票价是40元。', '渡船的票价是四十元。', undefined],
    ['村里的第3章很长，有84页。', '村里的第5章很长，有84页。', undefined],
    ['りんごは40円です。', 'みかんは50円です。', undefined],
  ])('[T2002] is found where nothing parts words: %s / %s', (a, b, kind) => expect(found(a, b)).toBe(kind))

  it.each([
    ['Hunde sind am Strand erlaubt.', 'Hunde sind am Strand nicht erlaubt.', 'negation'],
    ["La baignade n'est plus autorisée dans le lac.", 'La baignade est autorisée dans le lac.', 'negation'],
    ['Купаться в озере разрешено.', 'Купаться в озере не разрешено.', 'negation'],
    ['海滩允许带狗。', '海滩不允许带狗。', 'negation'],
    ['この湖では泳げます。', 'この湖では泳げません。', 'negation'],
    ['No, dogs are allowed on the beach.', 'Dogs are allowed on the beach.', undefined],
    ['Der Turm hat eine Glocke.', 'Der Turm hat eine Treppe.', undefined],
    ['Am 3. Mai tagte der Rat.', 'Am 7. Juni tagte der Rat.', undefined],
  ])('[T2003] or its contrary, in the language of the sentence: %s / %s', (a, b, kind) => expect(found(a, b)).toBe(kind))

  it('[T2004] is found in nine of ten further changes and conflicts, and in hardly any pair that is neither', () => {
    const told = morePairs.filter(({ before, after }) => found(before, after))
    const right = told.filter((pair) => pair.kind !== 'neither').length
    const all = morePairs.filter((pair) => pair.kind !== 'neither').length
    expect([morePairs.length, all, right / all > 0.9, right / told.length > 0.95]).toEqual([96, 56, true, true])
    for (const { before, after } of morePairs) expect([before, found(after, before)]).toEqual([before, found(before, after)])
  })
})

describe('what the evidence says differently', () => {
  const asked: QuestionTerms = new Map(terms('What does the ferry to Norhaven cost?').map((term) => [term, { weight: 1, isKnown: true }]))
  const source = (document: string, text: string, published?: string) => ({
    id: `p_${document}`,
    document,
    start: 100,
    text,
    title: '',
    ...(published ? { dates: { published_at: { value: published, source: 'given' as const } } } : {}),
  })
  const said = (cost: number): string => `The harbour is old. The ferry to Norhaven costs ${cost} thalers.`

  it('[C561] is superseded where dates tell the newer from the older, with both at their places', () => {
    const evidence = [source('old', said(30), '2022'), source('new', said(40), '2024-05'), source('older', said(25), '2019')]
    const told = disagreements(evidence, asked)
    expect(told.conflicts).toEqual([])
    const [one] = told.superseded
    expect([one?.current.document, one?.replaced.map((old) => [old.document, old.marker, old.quote])]).toEqual([
      'new',
      [
        ['old', 1, 'The ferry to Norhaven costs 30 thalers.'],
        ['older', 3, 'The ferry to Norhaven costs 25 thalers.'],
      ],
    ])
    expect([one?.current.start, one?.current.end, one?.current.dates?.published_at?.value]).toEqual([120, 159, '2024-05'])
    expect(rulesFor(told)[0]).toBe('Source [2] has replaced [1] and says otherwise: answer by [2], and say what it replaced.')
    const read = (marker: number, start: number) => [{ passage: 0, marker, from: 100, start, end: start + 10 }]
    expect([replacedIn(told, read(1, 20)), replacedIn(told, read(1, 0)), replacedIn(told, read(2, 20))]).toEqual([
      new Set([1]),
      new Set(),
      new Set(),
    ])
  })

  it('[T2005] is superseded where its document was no longer in force at the time of the question, even beside one without dates', () => {
    const until = (value: string) => ({ dates: { valid_until: { value, source: 'given' as const } } })
    const evidence = [{ ...source('over', said(30)), ...until('2022') }, source('current', said(40))]
    const at = (now: string) => disagreements(evidence, asked, Date.parse(now))
    const over = at('2023-01-01')
    expect([
      over.conflicts,
      over.superseded.map(({ current, replaced }) => [current.document, replaced.map((one) => one.document)]),
    ]).toEqual([[], [['current', ['over']]]])
    expect([at('2022-12-31').superseded, at('2022-12-31').conflicts.length]).toEqual([[], 1])
    const newer = [
      { ...source('over', said(30)), dates: { published_at: { value: '2024', source: 'given' as const }, ...until('2024').dates } },
    ]
    const told = disagreements([...newer, source('older', said(40), '2020')], asked, Date.parse('2026-01-01'))
    expect([told.conflicts, told.superseded[0]?.current.document]).toEqual([[], 'older'])
    const all = disagreements(
      evidence.map((one) => ({ ...one, ...until('2022') })),
      asked,
      Date.parse('2026-01-01'),
    )
    expect([all.superseded, all.conflicts.length]).toEqual([[], 1])
  })

  it('[C562] is a conflict where no date tells, and of what a newer one replaced nothing is in conflict', () => {
    const undated = disagreements([source('a', said(30)), source('b', said(40))], asked)
    expect([undated.superseded, undated.conflicts.map((one) => one.statements.map((two) => two.document))]).toEqual([[], [['a', 'b']]])
    expect(rulesFor(undated)).toEqual(['Sources [1] and [2] contradict each other: say what each of them says.'])
    const same = disagreements([source('a', said(30), '2024'), source('b', said(40), '2024'), source('c', said(25), '2020')], asked)
    expect([
      same.conflicts.map((one) => one.statements.map((two) => two.document)),
      same.superseded[0]?.replaced.map((one) => one.document),
    ]).toEqual([[['a', 'b']], ['c']])
  })

  it('[C562] is neither in one document, nor where the question asks for something else, nor where all say the same', () => {
    expect(disagreements([source('a', `${said(30)} ${said(40)}`)], asked)).toEqual({ superseded: [], conflicts: [] })
    expect(disagreements([source('a', 'The tower has 9 bells.'), source('b', 'The tower has 8 bells.')], asked).conflicts).toEqual([])
    expect(disagreements([source('a', said(30), '2020'), source('b', said(30), '2024')], asked)).toEqual({ superseded: [], conflicts: [] })
    expect(disagreements([], asked)).toEqual({ superseded: [], conflicts: [] })
  })
})
