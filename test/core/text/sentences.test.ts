import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBlank } from '../../../src/core/text/borders'
import { sentences } from '../../../src/core/text/sentences'
import { countTokens } from '../../../src/core/text/tokens'
import { seed, uncovered, unicodeText } from './arbitrary'

const of = (text: string): string[] => sentences(text).map(({ start, end }) => text.slice(start, end))

describe('sentences', () => {
  it('[X1] hold all non-blank text, in order, without overlap and without white space around them', () => {
    fc.assert(
      fc.property(unicodeText, (text) => {
        const spans = sentences(text)
        expect(uncovered(text, spans)).toBe('')
        for (const [i, { start, end }] of spans.entries()) {
          expect(start).toBeGreaterThanOrEqual(spans[i - 1]?.end ?? 0)
          expect(end).toBeGreaterThan(start)
          expect(text.slice(start, end).trim()).toBe(text.slice(start, end))
        }
      }),
      seed,
    )
  })

  it('[X1] never begin inside a surrogate pair or before a mark of the letter before', () => {
    fc.assert(
      fc.property(unicodeText, (text) => {
        for (const { start } of sentences(text)) {
          if (start === 0 || isBlank(text.charCodeAt(start - 1))) continue
          expect(text.slice(start - 1, start + 1)).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/)
          expect(text.slice(start)).not.toMatch(/^(?:\p{M}|\u200d)/u)
        }
      }),
      seed,
    )
  })

  it('[X3] do not end at abbreviations, initials, decimals or before a lower-case word', () => {
    expect(of('Mr. Smith moved to Washington D.C. on Jan. 5. He met J. R. R. Tolkien, e.g. at 3.14 p.m. in the U.S. The end.')).toEqual([
      'Mr. Smith moved to Washington D.C. on Jan. 5.',
      'He met J. R. R. Tolkien, e.g. at 3.14 p.m. in the U.S.',
      'The end.',
    ])
    expect(of('“Go!” he said. Acme Inc. was sold. It closed in 1997.[1] Why?')).toEqual([
      '“Go!” he said.',
      'Acme Inc. was sold.',
      'It closed in 1997.[1]',
      'Why?',
    ])
  })

  it('[X3] do not end at a day before its month, and end at other numbers', () => {
    expect(of('Sie wurde am 3. Mai 1921 eröffnet. Tage verfallen am 31. März. Es waren 12. Das reicht.')).toEqual([
      'Sie wurde am 3. Mai 1921 eröffnet.',
      'Tage verfallen am 31. März.',
      'Es waren 12.',
      'Das reicht.',
    ])
  })

  it('[X3] end where Chinese, Japanese, Arabic, Urdu and Hindi writing ends them', () => {
    expect(of('北京是首都。上海很大！「はい。」と言った。行く？')).toEqual(['北京是首都。', '上海很大！', '「はい。」と言った。', '行く？'])
    expect(of('هذا كتاب. هل تقرأ؟ نعم۔ यह किताब है। वह पढ़ता है॥')).toEqual(['هذا كتاب.', 'هل تقرأ؟', 'نعم۔', 'यह किताब है।', 'वह पढ़ता है॥'])
  })

  it('[X3] end at headings, list items, table rows, speakers and blank lines, not at the line breaks of wrapped prose', () => {
    expect(of('# Title\nIntro\n\n- one\n- two\n1. First\n| a |\n| b |\nLi: hi\nWolf: yo')).toEqual([
      '# Title',
      'Intro',
      '- one',
      '- two',
      '1. First',
      '| a |',
      '| b |',
      'Li: hi',
      'Wolf: yo',
    ])
    expect(of('This line was wrapped by hand after some words\nand goes on here. Next.')).toHaveLength(2)
  })

  it('[X1] are cut at a word where they have no end, and are never longer than 400 tokens', () => {
    const spans = sentences('alpha beta gamma '.repeat(2000))
    expect(spans.length).toBeGreaterThan(1)
    for (const text of [
      'alpha beta gamma '.repeat(2000),
      '中文'.repeat(2000),
      'x'.repeat(20_000),
      '👩‍👩‍👧'.repeat(2000),
      'a\u0301'.repeat(5000),
    ]) {
      for (const sentence of of(text)) {
        expect(countTokens(sentence)).toBeLessThanOrEqual(400)
        expect(sentence).not.toMatch(/^(?:\p{M}|\u200d|[\udc00-\udfff])|[\ud800-\udbff]$/u)
      }
    }
    expect(of('alpha beta gamma '.repeat(2000)).every((one) => /^(?:alpha|beta|gamma)\b.*\b(?:alpha|beta|gamma)$/.test(one))).toBe(true)
  })
})
