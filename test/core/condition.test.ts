/** Conditions on metadata, by a plain reference, and as they are written. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { conditionTexts, wantedOf, written } from '../../src/contract/condition-text'
import { byMetadata } from '../../src/contract/metadata'
import { conditionOf, fits, scalarsOf } from '../../src/core/condition'
import type { Json } from '../../src/core/graph/types'

const holds = (value: Json, wanted: Json): boolean => fits(scalarsOf(value), conditionOf(wanted))

it('[Q1928] a value lies within bounds of its own type alone, and a list where one of its members does', () => {
  const cases: readonly (readonly [Json, Json, boolean])[] = [
    [1990, { gte: 1990, lt: 2000 }, true],
    [2000, { gte: 1990, lt: 2000 }, false],
    ['1990', { gte: 1990 }, false],
    [true, { gte: 0 }, false],
    [null, { lte: 9 }, false],
    ['2024-05-01', { gt: '2024-04', lte: '2024-05-01' }, true],
    [[1, 100], { gte: 10, lt: 50 }, false],
    [[1, 20, { deep: 1 }], { gte: 10, lt: 50 }, true],
    ['draft', { not: 'draft' }, false],
    [['draft', 'old'], { not: ['old'] }, false],
    [[], { not: 'draft' }, true],
    ['en', { in: ['en', 'de'], not: 'de' }, true],
    ['en', ['de', 'en'], true],
    [{ deep: 'en' }, 'en', false],
  ]
  expect(cases.map(([value, wanted]) => holds(value, wanted))).toEqual(cases.map(([, , expected]) => expected))
})

it('[Q1928] texts are in the order of their code points, as the database has them', () => {
  const bytes = (text: string) => Buffer.from(text.toWellFormed(), 'utf8')
  const text = fc.string({ unit: 'binary', maxLength: 4 }).map((one) => one.toWellFormed())
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(holds(a, { lt: b })).toBe(bytes(a).compare(bytes(b)) < 0)
    }),
    { seed: 1928 },
  )
})

it('[Q1928] what is no condition is refused by its place', () => {
  const faults = (wanted: unknown) =>
    byMetadata.safeParse({ year: wanted }).error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(faults({})).toEqual([['year', expect.stringContaining('must name in, not, gt')]])
  expect(faults({ gte: 1, lt: 'x' })).toEqual([['year', expect.stringContaining('all numbers or all texts')]])
  expect([faults({ gte: 1990, lt: 2000 }), faults({ not: null }), faults({ in: [] })]).toEqual([undefined, undefined, undefined])
})

it('[Q1928] is written as people write it', () => {
  const meanings = (value: string) => [value]
  const read = (...texts: readonly string[]) => wantedOf(texts.map(written), meanings)
  expect(read('heron', 'owl')).toEqual(['heron', 'owl'])
  expect(read('>= 1990', '<2000')).toEqual({ gte: 1990, lt: 2000 })
  expect(read('>2024-05-01', '!= draft', '!=old')).toEqual({ gt: '2024-05-01', not: ['draft', 'old'] })
  expect(conditionTexts('year', read('>= 1990', '<2000', '!=1995'))).toEqual(['year != 1995', 'year >= 1990', 'year < 2000'])
  expect(conditionTexts('bird', ['heron', '7', 7])).toEqual(['bird = heron or 7'])
})
