/** Passages and chunks that end where the topic changes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { random } from '../../../src/core/random'
import { divide } from '../../../src/core/text/divide'
import { countTokens } from '../../../src/core/text/tokens'
import { seed, uncovered, unicodeText } from './arbitrary'

const settings = { chunk: 1200, overlap: 100, passage: 150, method: 'topic' } as const
const small = { chunk: 120, overlap: 0, passage: 60, method: 'topic' } as const

/** Sections of so many sentences, each with words of its own, without a heading or a paragraph between them. */
function sections(count: number, sentences: number, from: string): string[] {
  const source = random(from)
  return Array.from({ length: count }, (_, section) =>
    Array.from(
      { length: sentences },
      () => `The ${Array.from({ length: 6 }, () => `topic${section}word${source.below(12)}`).join(' ')} stood there.`,
    ).join(' '),
  )
}

function passagesOf(text: string, sizes: Parameters<typeof divide>[1]): string[] {
  return divide({ title: '', text }, sizes).chunks.flatMap((chunk) => chunk.passages.map(({ start, end }) => chunk.text.slice(start, end)))
}

describe('a document divided by topic', () => {
  it('[X1630] ends passages and chunks where the topic changes', () => {
    const parts = sections(12, 4, 'topics')
    const sizes = { ...small, passage: countTokens(parts[0] ?? '') + 30, chunk: 4 * countTokens(parts[0] ?? '') }
    expect(passagesOf(parts.join(' '), sizes)).toEqual(parts)
    const { method: _, ...byLength } = sizes
    expect(passagesOf(parts.join(' '), byLength)).not.toEqual(parts)
  })

  it('[X1630] keeps what is promised of chunks: all non-blank text in passages, none of them too large', () => {
    fc.assert(
      fc.property(
        unicodeText,
        fc.constantFrom(settings, { chunk: 60, overlap: 10, passage: 15, method: 'topic' as const }),
        (text, sizes) => {
          const { chunks, placed } = divide({ title: 'T', text }, sizes)
          const passages = chunks.flatMap((chunk, i) => {
            const by = placed[i]?.start ?? 0
            return chunk.passages.map(({ start, end }) => ({ start: start + by, end: end + by }))
          })
          expect(uncovered(text, passages)).toBe('')
          expect(passages.filter(({ start }, i) => start < (passages[i - 1]?.end ?? 0))).toEqual([])
        },
      ),
      seed,
    )
    const { chunks } = divide({ title: '', text: sections(60, 7, 'sizes').join(' ') }, settings)
    expect(chunks.length).toBeGreaterThan(5)
    for (const chunk of chunks) {
      expect(chunk.tokens).toBeLessThanOrEqual(settings.chunk * 1.02)
      for (const passage of chunk.passages) expect(passage.tokens).toBeLessThanOrEqual(settings.passage * 1.35)
    }
    for (const chunk of chunks.slice(0, -1)) {
      expect(chunk.tokens).toBeGreaterThan(settings.chunk * 0.4)
      for (const passage of chunk.passages) expect(passage.tokens).toBeGreaterThan(settings.passage * 0.35)
    }
  })

  it('[X1631] begins a passage with a heading, and parts neither a heading from its text nor code nor a table that fits', () => {
    const [one = '', two = '', three = ''] = sections(3, 4, 'layout')
    const code = ['```ts', 'const gull = open(harbour)', '', '# no heading', 'export function heron() {', '  return gull', '}', '```'].join(
      '\n',
    )
    const table = ['| bird | place |', '|---|---|', '| heron | pond |', '| gull | harbour |'].join('\n')
    const text = [one, '## Of the second', two, code, three, table].join('\n\n')
    const passages = passagesOf(text, { ...small, passage: 90, chunk: 400 })
    expect(passages.some((passage) => passage.startsWith('## Of the second\n\nThe topic1'))).toBe(true)
    expect(passages.filter((passage) => passage.includes(code)).length).toBe(1)
    expect(passages.filter((passage) => passage.includes(table)).length).toBe(1)
    const long = ['```', ...Array.from({ length: 80 }, (_, i) => `call(${i}, "heron")`), '```'].join('\n')
    expect(passagesOf(long, small).every((passage) => countTokens(passage) <= small.passage * 1.35)).toBe(true)
  })

  it('[X1632] is the same each time, and falls into step again after an edit', () => {
    const documents = 10
    let lost = 0
    for (let i = 0; i < documents; i++) {
      const parts = sections(120, 7, `document ${i}`)
      const edited = [...parts.slice(0, 3 * i), ...sections(1, 5, `new ${i}`), ...parts.slice(3 * i)]
      const before = divide({ title: 'T', text: parts.join(' ') }, settings)
      expect(divide({ title: 'T', text: parts.join(' ') }, settings)).toEqual(before)
      const after = new Set(divide({ title: 'T', text: edited.join(' ') }, settings).chunks.map((chunk) => chunk.id))
      lost += before.chunks.filter((chunk) => !after.has(chunk.id)).length
    }
    expect(lost / documents).toBeLessThan(4)
  })

  it('[X1632] has chunks whose ids name how they are divided: the same text with other passages is another chunk', () => {
    const [one = '', two = ''] = sections(2, 4, 'ids')
    const text = `${one} ${two}`
    const sizes = { chunk: 400, overlap: 0, passage: countTokens(one) + 20 }
    const idsOf = (chunking: Parameters<typeof divide>[1]) =>
      divide({ title: '', text }, chunking).chunks.map(({ id, passages }) => [id, passages.length])
    const [[byLength] = [], [byTopic] = [], [finer] = []] = [
      idsOf(sizes),
      idsOf({ ...sizes, method: 'topic' }),
      idsOf({ ...small, chunk: 400 }),
    ]
    expect(new Set([byLength?.[0], byTopic?.[0], finer?.[0]]).size).toBe(3)
  })

  it('[X1630] is cut in every script, and where there are no words to compare', () => {
    const chinese = `${'海鸥在港口飞翔。'.repeat(20)}${'面包师傅每天清晨烤面包。'.repeat(20)}`
    expect(passagesOf(chinese, { ...small, passage: 120, chunk: 400 }).join('')).toBe(chinese)
    expect(passagesOf('… !!! '.repeat(200), small).length).toBeGreaterThan(1)
    expect(passagesOf(' \n ', small)).toEqual([])
  })
})
