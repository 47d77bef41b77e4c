import fc from 'fast-check'
import { estimateTokenCount } from 'tokenx'
import { expect, it } from 'vitest'
import { countTokens } from '../../../src/core/text/tokens'
import { seed, unicodeText } from './arbitrary'

it('[X7] the empty text has no tokens, any other with a visible character has at least one', () => {
  expect(countTokens('')).toBe(0)
  fc.assert(
    fc.property(unicodeText, (text) => {
      if (text.trim() !== '') expect(countTokens(text)).toBeGreaterThan(0)
    }),
    seed,
  )
})

it('[X7] tokens are counted by script: a word of English is about one, a Chinese character nearly one, long words of other scripts several', () => {
  expect(countTokens('The quick brown fox jumps over the lazy dog')).toBe(9)
  expect(countTokens('北京是中国的首都上海')).toBeGreaterThanOrEqual(8)
  expect(countTokens('สวัสดีชาวโลก')).toBeGreaterThanOrEqual(4)
  expect(countTokens('الاستقلالية')).toBeGreaterThanOrEqual(3)
})

it('[X7] texts of ASCII, and of words with letters and signs beyond it, count as the estimator counts them', () => {
  const signs = fc.constantFrom(
    '–',
    '—',
    '…',
    '“',
    '”',
    '’',
    '‚',
    '•',
    '€',
    '©',
    '™',
    '☃',
    '\u0301',
    '\u00a0',
    '\u2009',
    '\u200b',
    '\u2060',
    '\u0085',
    '\u3000',
  )
  const letters = fc.constantFrom('ä', 'É', 'œ', 'ß', 'ł', 'š', 'Ž', 'я', 'Ж', 'ё', 'ώ', 'Ά', 'ñ', 'þ', 'Đ', 'ệ', '北', 'カ', '서', '😀')
  const piece = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 12 }),
    fc.array(fc.oneof(signs, letters, fc.string({ unit: 'binary-ascii', maxLength: 4 })), { maxLength: 5 }).map((all) => all.join('')),
    fc.constantFrom(
      '\n',
      '\n\n',
      '  \n ',
      '\t',
      ' ',
      '...',
      '--------------------',
      'word',
      "don't ",
      'UPPER',
      '2026',
      'a1',
      'antidisestablishment',
      '. \n',
      'x\n',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      expect(countTokens(text)).toBe(estimateTokenCount(text))
    }),
    { ...seed, numRuns: 3000 },
  )
})
