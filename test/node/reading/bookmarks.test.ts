/** The chapters that a PDF names in its bookmarks. */
import { describe, expect, it } from 'vitest'
import { readFile } from '../../../src/reading/read-file'
import { pdf } from '../http/pdf-bytes'

const line = (text: string, y: number): string => `BT /F 12 Tf 10 ${y} Td (${text}) Tj ET`
const PAGES = [
  `${line('1 Birds', 80)} ${line('A heron waits.', 60)}`,
  `${line('An owl hunts.', 80)} ${line('1.1 Nests of owls', 60)} ${line('They are high.', 40)}`,
]

/** `marks`: the objects of bookmarks from 201 on; the first is 201. */
async function outlineOf(marks: readonly string[]) {
  const more = [
    '1 0 obj<</Type/Catalog/Pages 2 0 R/Outlines 200 0 R>>endobj\n',
    `200 0 obj<</Type/Outlines/First 201 0 R/Last ${200 + marks.length} 0 R/Count ${marks.length}>>endobj\n`,
    ...marks.map((own, i) => `${201 + i} 0 obj<<${own}/Parent 200 0 R>>endobj\n`),
  ]
  const read = await readFile({ bytes: pdf(PAGES, { more }), type: 'pdf' })
  if (read.kind !== 'converted') return read.why
  const { text, outline = [] } = read
  return outline.flatMap(({ start, heading, level }) => (heading === undefined ? [] : [[heading, level, text.slice(start).split('\n')[0]]]))
}

describe('[H2172] bookmarks of a PDF', () => {
  it('are its headings, each where its page says it, or where its page begins', async () => {
    const marks = [
      '/Title(Birds)/Dest[10 0 R/XYZ 0 0 0]/Next 202 0 R/First 203 0 R/Last 203 0 R/Count 1',
      '/Title(Not in the text)/Dest[12 0 R/Fit]',
      '/Title(Nests of owls)/Dest[12 0 R/XYZ 0 60 0]',
    ]
    expect(await outlineOf(marks)).toEqual([
      ['Birds', 1, '1 Birds'],
      ['Not in the text', 1, 'An owl hunts.'],
      ['Nests of owls', 2, '1.1 Nests of owls'],
    ])
  })

  it('are not looked at in a file of very many objects, which is read all the same', async () => {
    const marks = (count: number) => Array.from({ length: count }, (_, i) => `/Title(Birds)/Dest[10 0 R/Fit]/Next ${202 + i} 0 R`)
    expect((await outlineOf(marks(900))).length).toBe(500)
    expect(await outlineOf(marks(21_000))).toEqual([])
  })

  it('that lead nowhere, are empty or lead to each other are left out, and the file is read', async () => {
    expect(
      await outlineOf([
        '/Title(Gone)/Dest[99 0 R/Fit]/Next 202 0 R',
        '/Title( )/Dest[10 0 R/Fit]/Next 203 0 R',
        '/Title(Named)/Dest(nowhere)',
      ]),
    ).toEqual([])
    const round = ['/Title(Birds)/Dest[10 0 R/Fit]/Next 202 0 R/First 201 0 R', '/Title(Birds)/Dest[10 0 R/Fit]/Next 201 0 R']
    expect((await outlineOf(round)).length).toBeLessThanOrEqual(2)
    expect(await outlineOf([`/Title(${'((a+)+)+$'.replaceAll('(', '\\(').replaceAll(')', '\\)')})/Dest[10 0 R/Fit]`])).toEqual([
      ['((a+)+)+$', 1, '1 Birds'],
    ])
  })
})
