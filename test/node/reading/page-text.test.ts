/** What a PDF's pages say, without what only sets them on paper. */
import { describe, expect, it } from 'vitest'
import { sentences } from '../../../src/core/text/sentences'
import { pageTexts } from '../../../src/reading/pdf/page-text'

const one = (page: string): string => pageTexts([page])[0] ?? ''

describe('[H2170] the text of a PDF', () => {
  it('has no characters that no font draws, and no rows of dots', () => {
    expect(one('A he\u0000ron\u0001 wa\u00adits.\n2 Herons . . . . . . . . 12\n3 Owls.......... 14\nAnd so on ...')).toBe(
      'A heron waits.\n2 Herons … 12\n3 Owls … 14\nAnd so on ...',
    )
  })

  it('has words whole that were divided, with their hyphen where the document writes them so elsewhere', () => {
    expect(one('The com-\nmutative law, and the commu-\ntative.\nThe end')).toBe('The commutative\nlaw, and the commutative.\nThe end')
    expect(pageTexts(['It is well-\nknown to all.', 'What is well-known stays.'])[0]).toBe('It is well-known\nto all.')
    expect(one('Route A-\nB, 1990-\n1995, and -\nso on')).toBe('Route A-\nB, 1990-\n1995, and -\nso on')
  })

  it('takes no longer for being made to', () => {
    const long = 400_000
    for (const page of [
      'x'.repeat(long),
      `ab-\n${'x'.repeat(long)}\u00a0`,
      'ab-\n'.repeat(long / 4),
      '. '.repeat(long / 2),
      `${'a-'.repeat(long / 2)}\n`,
    ])
      expect(one(page).length).toBeLessThanOrEqual(page.length + 1)
  })

  it('has the numbered heading of a section apart from the sentence under it', () => {
    const page = '1.2.4 Solving Systems of Linear Equations\nThe harbour takes in more than\n1.5 litres of water a\nsecond.'
    expect(one(page)).toBe('1.2.4 Solving Systems of Linear Equations\n\nThe harbour takes in more than\n1.5 litres of water a\nsecond.')
  })

  it('has sentences whole in a narrow column, and leaves headings, items and short lines where they are', () => {
    const column = [
      'Harbour rules',
      'Visitors who arrive with a boat',
      'of their own pay a mooring fee',
      'of fourteen thalers each night.',
      'Dogs stay',
      'on board.',
    ]
    const text = one(column.join('\n'))
    expect(text).toBe(
      'Harbour rules\nVisitors who arrive with a boat of their own pay a mooring fee of fourteen thalers each night.\nDogs stay\non board.',
    )
    expect(sentences(text).length).toBe(4)
    const wide = [
      'apt-get update',
      'apt-get install',
      'This line is as long as those of a page without columns, some eighty letters.',
    ].join('\n')
    expect(one(`${wide}\n${wide}`)).toBe(`${wide}\n${wide}`)
  })
})
