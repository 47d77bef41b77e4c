import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeId, passageId, unitId } from '../../../src/core/ids'
import { random } from '../../../src/core/random'
import { divide } from '../../../src/core/text/divide'
import { countTokens } from '../../../src/core/text/tokens'
import { seed, uncovered, unicodeText } from './arbitrary'

const settings = { chunk: 1200, overlap: 100, passage: 150 }
const small = { chunk: 60, overlap: 10, passage: 15 }

/** Prose of so many paragraphs, the same for the same seed. */
function prose(paragraphs: number, from: string): string[] {
  const source = random(from)
  const sentence = (): string => `${Array.from({ length: 5 + source.below(20) }, () => `word${source.below(3000)}`).join(' ')}.`
  return Array.from({ length: paragraphs }, () => Array.from({ length: 1 + source.below(6) }, () => `The ${sentence()}`).join(' '))
}

describe('a divided document', () => {
  it('[X14] has chunks that are slices of it, passages that tile it, and every unit in exactly one passage', () => {
    fc.assert(
      fc.property(unicodeText, fc.constantFrom(settings, small), (text, sizes) => {
        const { name, chunks, placed } = divide({ title: 'T', text }, sizes)
        expect(placed.map((place) => place.chunk)).toEqual(chunks.map((chunk) => chunk.id))
        const passages = chunks.flatMap((chunk, i) => chunk.passages.map((span) => shift(span, placed[i]?.start ?? 0)))
        const units = chunks.flatMap((chunk, i) => chunk.units.map((span) => shift(span, placed[i]?.start ?? 0)))
        expect([uncovered(text, passages), uncovered(text, units), overlaps(passages), overlaps(units)]).toEqual(['', '', 0, 0])
        for (const [i, chunk] of chunks.entries()) {
          const start = placed[i]?.start ?? 0
          expect(text.slice(start, start + chunk.text.length)).toBe(chunk.text)
          expect(chunk.id).toBe(nodeId('chunk', 'T', name, chunk.text, chunk.own))
          expect(chunk.passages.map((span) => span.id)).toEqual(chunk.passages.map((_, at) => passageId(chunk.id, at)))
          expect(chunk.units.map((span) => span.id)).toEqual(chunk.units.map((_, at) => unitId(chunk.id, at)))
          expect(chunk.passages[0]?.start).toBe(chunk.own)
          for (const unit of chunk.units) {
            const home = chunk.passages[unit.passage]
            expect(home !== undefined && home.start <= unit.start && unit.end <= home.end).toBe(true)
          }
        }
      }),
      seed,
    )
  })

  it('[X15] keeps its sizes: passages about 150 tokens, chunks at most 1,200 with the repeated part', () => {
    const { chunks } = divide({ title: '', text: prose(200, 'sizes').join('\n\n') }, settings)
    expect(chunks.length).toBeGreaterThan(10)
    for (const chunk of chunks) {
      expect(chunk.tokens).toBeLessThanOrEqual(settings.chunk * 1.02)
      expect(countTokens(chunk.text.slice(0, chunk.own))).toBeLessThanOrEqual(settings.overlap * 1.1)
      for (const passage of chunk.passages) expect(passage.tokens).toBeLessThanOrEqual(settings.passage * 1.35)
    }
    for (const chunk of chunks.slice(0, -1)) expect(chunk.tokens).toBeGreaterThan(settings.chunk * 0.4)
  })

  it('[X15] repeats the end of the chunk before, and no chunk holds only what another has', () => {
    const { chunks, placed } = divide({ title: '', text: prose(200, 'overlap').join('\n\n') }, settings)
    expect(chunks.slice(1).every((chunk) => chunk.own > 0)).toBe(true)
    for (const [i, chunk] of chunks.entries()) {
      const before = chunks[i - 1]
      if (before) expect((placed[i]?.start ?? 0) - (placed[i - 1]?.start ?? 0)).toBeGreaterThan(before.own)
      expect(countTokens(chunk.text.slice(chunk.own))).toBeGreaterThan(countTokens(chunk.text.slice(0, chunk.own)))
    }
  })

  it('[X17] falls into step again after an edit: a paragraph inserted into a long document costs fewer than four chunks in the mean', () => {
    const documents = 20
    let lost = 0
    for (let i = 0; i < documents; i++) {
      const paragraphs = prose(400, `document ${i}`)
      const edited = [...paragraphs.slice(0, i), ...prose(1, `new ${i}`), ...paragraphs.slice(i)]
      const after = new Set(divide({ title: 'T', text: edited.join('\n\n') }, settings).chunks.map((chunk) => chunk.id))
      lost += divide({ title: 'T', text: paragraphs.join('\n\n') }, settings).chunks.filter((chunk) => !after.has(chunk.id)).length
    }
    expect(lost / documents).toBeGreaterThan(0)
    expect(lost / documents).toBeLessThan(4)
  })

  it('[X14] is nothing where the text is blank, and one chunk where it is short', () => {
    expect(divide({ title: 'T', text: ' \n\t\u3000 ' }, settings)).toEqual({ name: 'T', chunks: [], placed: [] })
    const { name, chunks, placed } = divide({ title: '', text: '  Marie Curie (1867–1934) was a physicist. She won.  ' }, settings)
    expect(name).toBe('Marie Curie')
    expect(chunks.map(({ text, own, passages, units }) => ({ text, own, passages: passages.length, units: units.length }))).toEqual([
      { text: 'Marie Curie (1867–1934) was a physicist. She won.', own: 0, passages: 1, units: 2 },
    ])
    expect(placed[0]?.start).toBe(2)
  })

  it('[X17] is the same whatever was divided before it', () => {
    const text = prose(50, 'again').join('\n\n')
    const first = divide({ title: 'T', text }, settings)
    divide({ title: 'U', text: prose(20, 'other').join(' ') }, small)
    expect(divide({ title: 'T', text }, settings)).toEqual(first)
  })
})

function shift(span: { readonly start: number; readonly end: number }, by: number): { start: number; end: number } {
  return { start: span.start + by, end: span.end + by }
}

function overlaps(spans: readonly { readonly start: number; readonly end: number }[]): number {
  return spans.filter(({ start }, i) => start < (spans[i - 1]?.end ?? 0)).length
}
