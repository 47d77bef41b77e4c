/** Which tables of fonts map too many characters to be read. */
import { describe, expect, it } from 'vitest'
import { mappedBy } from '../../../src/reading/pdf/mapped'
import { readFile } from '../../../src/reading/read-file'
import { pdf, shown, stream } from './pdf-bytes'

/** As TeX writes it. */
const LIGATURES = `%!PS-Adobe-3.0 Resource-CMap
%%Title: (TeX-OT1-0 TeX OT1 0)
/CIDSystemInfo << /Registry (TeX) /Ordering (OT1) /Supplement 0 >> def
1 begincodespacerange
<00> <7F>
endcodespacerange
3 beginbfrange
<00> <01> <0393>
<23> <26> <00660069>
<28> <3B> [<00660066> <00660069> <006600660069>]
endbfrange
3 beginbfchar
<0B> <00660066>
<0E> <006600660069>
<0F> <00660066006C>
endbfchar`

const HUGE = '1 beginbfrange <000000> <FFFFFE> <0041> endbfrange'

describe('[W2136] a font’s table', () => {
  it('with ligatures maps no more characters than it says', async () => {
    expect(mappedBy(LIGATURES)).toBeLessThan(200)
    expect(mappedBy('2 begincidrange <00> <0f> 7 <10> <1f> 90 endcidrange')).toBe(32)
    expect(mappedBy('1 begincodespacerange <0000> <FFFF> endcodespacerange')).toBe(0)
    const font = ['4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 101 0 R>>endobj\n', stream(101, '', LIGATURES)]
    const read = await readFile({ bytes: pdf([shown('A heron waits.')], { more: font }), type: 'pdf' })
    expect(read.kind === 'unreadable' ? read.why : read.text.length).toBe('A heron waits.'.length)
  })

  it.each([
    HUGE,
    HUGE.replace('begincmap', '').replace(' <000000>', '\n%beginbfchar\n<000000>').replace('endbfrange', 'endbfchar'),
    `% 1 beginbfchar\n${HUGE}\nendbfchar`,
    `(%) ${HUGE}`,
    `(\n%) ${HUGE}`,
    `(\\)%) ${HUGE}`,
    `/a %(\n${HUGE}\n%)`,
    `[ ${HUGE} ]`,
    HUGE.replace('<000000>', '<000000%>'),
    HUGE.replace('<FFFFFE>', '<FFFFFEz>'),
    HUGE.replace('<FFFFFE>', '<7FFFF>'),
    '1 beginbfrange <0000000000000000> <00000000 00FFFFFE> <0041> endbfrange',
    '1 beginbfrange <00> <01> % > a comment\n<0041> <000000> <FFFFFE> <0041>',
    `1 beginbfrange %[\n<000000> <FFFFFE> <0041>] endbfrange`,
    `1 begincodespacerange <00> <FF> endcodespacerange ${HUGE}`,
    `1 beginbfchar <00> <0041> endbfchar 1 beginbfrange <00> <01> [<0041> <0042>] <000000> <FFFFFE> <0041> endbfrange`,
  ])('that maps millions is counted, wherever it hides that: %j', (table) => {
    expect(mappedBy(table)).toBeGreaterThan(1_000_000)
  })
})
