/** Where the parts of a text begin, and where a place in it stands. */
import { describe, expect, it } from 'vitest'
import { foundIn, headingsIn, locationOf, MAX_OUTLINE, merge, type Outline } from '../../../src/core/text/outline'

const at = (text: string, word: string, outline: Outline, url: string | null = null) => {
  const start = text.indexOf(word)
  return locationOf(outline, { start, end: start + word.length, url, between: (from, to) => text.slice(from, to) })
}

describe('headings', () => {
  it('[X580] of Markdown are found where they begin, as a reader sees them, and none inside of fenced code', () => {
    const text = [
      'Herons',
      '======',
      '',
      'They wait.',
      '## Food of [the *heron*](https://x.example) ##',
      'Fish.',
      '```sh',
      '# no heading',
      '```',
      '####### too deep',
      '#tag',
      '### `Eels` {#eels}',
      '| a | b |',
      '|---|---|',
      'last line',
      '---',
    ].join('\n')
    const found = headingsIn(text)
    expect(found.map(({ level, heading }) => [level, heading])).toEqual([
      [1, 'Herons'],
      [2, 'Food of the heron'],
      [3, 'Eels'],
    ])
    for (const { start, heading = '' } of found) expect(text.slice(start)).toMatch(new RegExp(`^[#\`* ]*${heading.split(' ')[0]}`))
  })

  it('[X580] of a text with more of them than are kept, the deepest are left out; time is linear in the text', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `${i % 10 === 0 ? '#' : '######'} Part ${i}`).join('\n')
    const found = headingsIn(text)
    expect([found.length <= MAX_OUTLINE, found.length, new Set(found.map(({ level }) => level))]).toEqual([true, 2000, new Set([1])])
    for (const hostile of ['#'.repeat(1 << 20), '# '.repeat(1 << 19), '[](('.repeat(1 << 18), '```\n'.repeat(1 << 18)]) {
      expect(headingsIn(hostile).length).toBeLessThanOrEqual(1)
    }
  })
})

describe('a place', () => {
  const text = '# Birds\n\n## Herons\n\nGrey ones wait.\n\n## Owls\n\n#### Barn\n\nIt hunts.\n\n# Fish\n\nEels swim.'

  it('[X581] stands under the headings above it, whatever levels are passed over', () => {
    const outline = foundIn(text, [], [])
    expect(['Grey', 'hunts', 'Eels', '## Owls'].map((word) => at(text, word, outline).section)).toEqual([
      ['Birds', 'Herons'],
      ['Birds', 'Owls', 'Barn'],
      ['Fish'],
      ['Birds', 'Owls'],
    ])
    expect(locationOf([], { start: 0, end: 5 })).toEqual({})
  })

  it('[X581] has the page, slide, cells and seconds that were told last before it; cells reach to the last that it holds', () => {
    const place = (start: number, end: number, outline: Outline) => locationOf(outline, { start, end })
    expect(
      place(12, 20, [
        { start: 0, page: 1 },
        { start: 12, page: 2 },
        { start: 21, page: 3 },
      ]),
    ).toEqual({ page: 2 })
    const sheet: Outline = [
      { start: 0, heading: 'Prices', cells: 'A1:C20' },
      { start: 50, cells: 'A21:C40' },
      { start: 90, heading: 'Notes', cells: 'A1:A9' },
    ]
    expect([place(10, 40, sheet), place(10, 70, sheet), place(60, 95, sheet).cells]).toEqual([
      { section: ['Prices'], cells: 'A1:C20' },
      { section: ['Prices'], cells: 'A1:C40' },
      'A21:C40',
    ])
    expect(
      place(7, 9, [
        { start: 0, seconds: 0 },
        { start: 5, seconds: 83.5 },
      ]),
    ).toEqual({ seconds: 83.5 })
  })

  it('[X581] of code has its line, counted from where its chunk begins', () => {
    const code = Array.from({ length: 90 }, (_, i) => `line ${i + 11}`).join('\n')
    const given = [{ start: 0, line: 11 }]
    const starts = [0, code.indexOf('line 50'), code.indexOf('line 80')]
    const outline = merge(given, foundIn(`# no heading\n${code}`.slice(13), given, starts))
    expect(outline.map(({ line }) => line)).toEqual([11, 11, 50, 80])
    for (const n of [11, 49, 50, 79, 83, 100]) {
      const begins = starts.findLast((start) => start <= code.indexOf(`line ${n}`)) ?? 0
      const start = code.indexOf(`line ${n}`)
      const between = (from: number, to: number): string => {
        expect(from).toBeGreaterThanOrEqual(begins)
        return code.slice(from, to)
      }
      expect(locationOf(outline, { start, end: start + 5, between }).line).toBe(n)
    }
  })

  it('[X582] is linked where a browser can open it there', () => {
    const link = (url: string | null, one: object) => locationOf([{ start: 0, ...one }], { start: 3, end: 4, url, between: () => '' }).link
    expect([
      link('https://example.com/a.pdf', { page: 7 }),
      link('https://example.com/talk.mp4', { seconds: 83.9 }),
      link('https://github.com/o/r/blob/main/a.ts', { line: 12 }),
      link('https://example.com/a.ts', { line: 12 }),
      link('https://example.com/a.pdf#page=2', { page: 7 }),
      link(null, { page: 7 }),
      link('https://example.com/deck', { slide: 2 }),
    ]).toEqual([
      'https://example.com/a.pdf#page=7',
      'https://example.com/talk.mp4#t=83',
      'https://github.com/o/r/blob/main/a.ts#L12',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
