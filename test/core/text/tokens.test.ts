import fc from 'fast-check'
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
