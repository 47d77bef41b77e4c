import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countTokens } from '../../../src/core/text/tokens'
import { mean, quantize } from '../../../src/core/vectors'
import { embedTexts } from '../../../src/flows/embed'
import { clipToTokens, splitByWindow } from '../../../src/flows/windows'
import { fakeModels, hashed } from './fakes'

const prose = fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('growth', '文字', 'и', '👩‍👩‍👧', '\n')), {
  maxLength: 200,
})

describe('windows', () => {
  it('[F10] the windows of any text fit the model and joined are the text', () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 16, max: 64 }), (words, window) => {
        const text = words.join(' ')
        const cut = splitByWindow(text, window)
        expect(cut.join('')).toBe(text)
        for (const piece of cut) expect(countTokens(piece) <= window || [...piece].length === 1).toBe(true)
      }),
      { seed: 11, numRuns: 200 },
    )
  })

  it('[F10] a window ends at a word border and never inside a character', () => {
    const words = splitByWindow(Array.from({ length: 300 }, (_, i) => `word${i}`).join(' '), 32)
    expect(words.length).toBeGreaterThan(5)
    for (const piece of words.slice(0, -1)) expect(piece).toMatch(/\s$/)
    for (const piece of splitByWindow('😀'.repeat(500), 32)) expect(piece).not.toMatch(/\p{Cs}/u)
  })

  it('[F10] the windows of a text are of nearly equal length', () => {
    const lengths = splitByWindow(Array.from({ length: 150 }, (_, i) => `harbour${i % 7}`).join(' '), 128).map((piece) => piece.length)
    expect(lengths.length).toBeGreaterThan(1)
    expect(Math.max(...lengths) / Math.min(...lengths)).toBeLessThan(1.1)
  })

  it('[F10] a clipped text is a beginning of it within the tokens', () => {
    const text = 'The river rose in the night and the town was not ready for it.'
    const short = clipToTokens(text, 6)
    expect(text.startsWith(short) && countTokens(short) <= 6 && short.length > 4).toBe(true)
  })
})

describe('embedding', () => {
  it('[F10] a text longer than the window is the normalised mean of its windows', async () => {
    const models = fakeModels({ window: 32 })
    const text = Array.from({ length: 120 }, (_, i) => `harbour${i % 7}`).join(' ')
    const parts = splitByWindow(text, 32)
    expect(parts.length).toBeGreaterThan(1)
    const { vectors } = await embedTexts(models, [text])
    expect(vectors).toEqual([
      mean(
        parts.map((part) => quantize(hashed(part, 16))),
        16,
      ),
    ])
  })

  it('[F10] the same text is embedded once and a blank one costs nothing', async () => {
    const models = fakeModels()
    const { vectors, spent, calls } = await embedTexts(models, ['one', ' \n', 'two', 'one', ''])
    expect(models.embedded).toEqual([['one', 'two']])
    expect(vectors).toEqual([
      quantize(hashed('one', 16)),
      new Int8Array(16),
      quantize(hashed('two', 16)),
      quantize(hashed('one', 16)),
      new Int8Array(16),
    ])
    expect({ spent, calls }).toEqual({ spent: { in: 0, out: 0, embedded: 20 }, calls: 1 })
  })

  it('[F10] nothing to embed is no call', async () => {
    const models = fakeModels()
    expect(await embedTexts(models, ['', ' '])).toMatchObject({ calls: 0 })
    expect(models.embedded).toEqual([])
  })
})
