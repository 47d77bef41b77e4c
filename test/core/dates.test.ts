/** Dates of documents: how they are written, what they compare as, and what files say of themselves. */
import { describe, expect, it } from 'vitest'
import { datedSpan, freshnessOf, isoDate, isWithin, type Period, spanOf } from '../../src/core/text/iso-date'
import { datesIn, frontMatterDates } from '../../src/core/text/said-dates'
import { readHtml } from '../../src/reading/html'
import { readMarkdown } from '../../src/reading/markdown'

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const given = (value: string) => ({ value, source: 'given' as const })

describe('a date', () => {
  it('[T560] is ISO 8601 as far as it is known, and stands for all the time it names', () => {
    expect(spanOf('2024')).toEqual({ start: day('2024-01-01'), end: day('2025-01-01') - 1 })
    expect(spanOf('2024-02')).toEqual({ start: day('2024-02-01'), end: day('2024-03-01') - 1 })
    expect(spanOf('2024-12')).toEqual({ start: day('2024-12-01'), end: day('2025-01-01') - 1 })
    expect(spanOf('2024-02-29')).toEqual({ start: day('2024-02-29'), end: day('2024-03-01') - 1 })
    expect(spanOf('0079-08-24')?.start).toBe(Date.parse('0079-08-24T00:00:00Z'))
    for (const [written, iso] of [
      ['2024-05-01T09:30Z', '2024-05-01T09:30:00Z'],
      ['2024-05-01T09:30:15+02:00', '2024-05-01T07:30:15Z'],
      ['2024-05-01 09:30:15.250-0530', '2024-05-01T15:00:15Z'],
    ] as const)
      expect(spanOf(written)).toEqual({ start: Date.parse(iso), end: Date.parse(iso) })
  })

  it.each([
    '',
    '24',
    '2024-13',
    '2024-02-30',
    '2023-02-29',
    '2024-5-1',
    '2024-05-01T25:00',
    'May 2024',
    '2024/05/01',
    'yesterday',
    '2024-00',
  ])('[T560] is not %j', (text) => expect(spanOf(text)).toBeUndefined())

  it('[T560] is read from files as PDFs and feeds write it; what is no date is none', () => {
    expect(["D:20240501093000+02'00'", 'D:2024', 'Wed, 01 May 2024 09:30:00 GMT', '1 May 2024', ' 2024-05-01 '].map(isoDate)).toEqual([
      '2024-05-01',
      '2024',
      '2024-05-01',
      '2024-05-01',
      '2024-05-01',
    ])
    expect(['D:20241350', 'May 1st', '32 May 2024', 'soon', '01/05/2024', ''].map(isoDate)).toEqual(Array(6).fill(undefined))
  })
})

describe('a period', () => {
  const at = (text: string): Period => ({ asOf: spanOf(text) ?? { start: 0, end: 0 } })
  it('[T561] has what was in force in it; a date of publication begins what says no other beginning', () => {
    const rule = datedSpan({ valid_from: given('2024-01-01'), valid_until: given('2024-06-30') })
    expect(['2023-12-31', '2024-01-01', '2024-06-30', '2024-07-01', '2024', '2023'].map((one) => isWithin(rule, at(one)))).toEqual([
      false,
      true,
      true,
      false,
      true,
      false,
    ])
    const news = datedSpan({ published_at: given('2024-05-01') })
    expect(['2024-04-30', '2024-05-01', '2030'].map((one) => isWithin(news, at(one)))).toEqual([false, true, true])
    expect(isWithin({}, at('1900'))).toBe(true)
    const announced = datedSpan({ published_at: given('2024-05-01'), valid_from: given('2020') })
    expect(isWithin(announced, at('2021'))).toBe(true)
  })

  it('[T561] since and until have what was published in it, and nothing without a date of publication', () => {
    const news = datedSpan({ published_at: given('2024-05-01') })
    const [since, until] = [day('2024-05-01'), day('2024-05-02') - 1]
    expect([
      isWithin(news, { since }),
      isWithin(news, { since: until + 1 }),
      isWithin(news, { until }),
      isWithin(news, { until: since - 1 }),
    ]).toEqual([true, false, true, false])
    expect([isWithin({}, { since: 0 }), isWithin(datedSpan({ valid_from: given('2024') }), { until })]).toEqual([false, false])
  })

  it('[T564] what was published halves in freshness with each year', () => {
    const now = day('2025-05-01')
    const fresh = ['2025-05-01', '2024-05-01', '2026'].map((one) => freshnessOf(datedSpan({ published_at: given(one) }), now))
    expect([fresh.map((one) => Number(one.toFixed(3))), freshnessOf({}, now)]).toEqual([[1, 0.5, 1], 0.5])
  })
})

describe('dates that files say of themselves', () => {
  it('[T562] come from front matter, whose text is never searched for one', () => {
    const note =
      '---\ntitle: Prices\ndate: 2024-05-01\nvalid_from: "2024-06-01"\nexpiryDate: 2024-12-31 # then new ones\n---\nOn 3 March 2021 all was new.\n'
    const dates = {
      published_at: { value: '2024-05-01', source: 'front-matter' },
      valid_from: { value: '2024-06-01', source: 'front-matter' },
      valid_until: { value: '2024-12-31', source: 'front-matter' },
    }
    expect(readMarkdown(note)).toMatchObject({ title: 'Prices', dates })
    for (const none of [
      'Published: 2024-05-01',
      'a\n---\ndate: 2024-05-01\n---\n',
      '---\ndate: soon\n---\nx',
      '---\nof:\n  date: 2024-05-01\n---\n',
    ])
      expect(frontMatterDates(none)).toEqual({})
    expect(readMarkdown('Published on 2024-05-01.').dates).toBeUndefined()
  })

  it('[T562] come from the meta elements of a page, the most telling first', () => {
    const page = (head: string) => readHtml(`<html><head>${head}</head><body><p>Of 1999-01-01.</p></body></html>`)?.dates
    const html = (value: string) => ({ value, source: 'html-meta' })
    expect(page('<meta name="date" content="2020"><meta property="article:published_time" content="2024-05-01T09:00:00Z">')).toEqual({
      published_at: html('2024-05-01T09:00:00Z'),
    })
    expect(page('<meta itemprop="datePublished" content="2024-05-01"><META NAME="DC.date.issued" CONTENT="2023">')).toEqual({
      published_at: html('2024-05-01'),
    })
    expect(page('<time itemprop="datePublished" datetime="2024-05-01">May</time><meta name="expires" content="0">')).toEqual({
      published_at: html('2024-05-01'),
    })
    expect(page('<meta name="date" content="lately"><meta name="description" content="2024-05-01">')).toBeUndefined()
    expect(datesIn(new Map([['creationdate', 'D:20240501']]), 'pdf-info')).toEqual({
      published_at: { value: '2024-05-01', source: 'pdf-info' },
    })
  })
})
