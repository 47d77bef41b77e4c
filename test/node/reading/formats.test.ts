/** Files of every kind as text. Those in `fixtures` were written by other programs: python-docx, openpyxl, python-pptx, EbookLib. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { type FileType, fileTypeByName, fileTypeOf, fileTypes, mediaTypeByName } from '../../../src/contract/file-types'
import { locationOf } from '../../../src/core/text/outline'
import { inTurn, readingRoom, weightOf } from '../../../src/http/reading-room'
import { IsolateMemory } from '../../../src/isolate-memory'
import type { Conversion } from '../../../src/ports/conversion'
import { ownTitle } from '../../../src/reading/own-title'
import { readFile } from '../../../src/reading/read-file'

const SOON = 20_000

const bytesOf = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? new TextEncoder().encode(content) : content)
const read = (type: FileType, content: string | Uint8Array, charset?: string) => readFile({ bytes: bytesOf(content), type, charset })
const fixture = (name: string) =>
  read(fileTypeByName(name) ?? 'plain', new Uint8Array(readFileSync(join(import.meta.dirname, 'fixtures', name))))
const zip = (files: { readonly [name: string]: string }) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), { level: 1 })

async function textOf(reading: Promise<Conversion>): Promise<string> {
  const result = await reading
  return result.kind === 'converted' ? result.text : result.why
}
const textIn = (type: FileType, content: string | Uint8Array, charset?: string) => textOf(read(type, content, charset))

/** Where a word stands. */
async function placeOf(reading: Promise<Conversion>, word: string) {
  const result = await reading
  if (result.kind !== 'converted') return result.why
  const start = result.text.indexOf(word)
  return locationOf(result.outline ?? [], { start, end: start + word.length, between: (from, to) => result.text.slice(from, to) })
}

const BODY = '<w:document xmlns:w="x"><w:body>'
const word = (body: string, more: { readonly [name: string]: string } = {}) =>
  zip({ 'word/document.xml': `${BODY}${body}</w:body></w:document>`, ...more })
const paragraph = (text: string, style = '') => `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`

describe('Word', () => {
  it('[H582] keeps headings, lists and tables, and its own title', async () => {
    expect(await fixture('notes.docx')).toEqual({
      kind: 'converted',
      title: 'Field notes',
      text: '# Herons\n\nGrey herons wait by the water.\n\n## Food\n\n- Eels\n- Frogs\n\n| Bird | Legs |\n| --- | --- |\n| Owl | 2 |\n\nNothing else is | known.',
    })
  })

  it('[H582] reads headings of any language by what their styles are based on, and leaves out what was deleted and the table of contents', async () => {
    const style = (id: string, name: string, base = '') =>
      `<w:style w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="${base}"/></w:style>`
    const styles = `<w:styles>${style('berschrift2', 'heading 2')}${style('Eigen', 'Eigene Art', 'berschrift2')}${style('V1', 'toc 1')}${style('A', 'a', 'B')}${style('B', 'b', 'A')}</w:styles>`
    const body = [
      paragraph('Contents 3', 'V1'),
      paragraph('Vögel', 'Eigen'),
      paragraph('Round', 'A'),
      '<w:p><w:r><w:t xml:space="preserve">One </w:t></w:r><w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del><w:ins><w:r><w:t>two</w:t></w:r></w:ins><w:r><w:tab/><w:t>three</w:t><w:br/><w:t>four &amp; five</w:t></w:r></w:p>',
      '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p><w:p><w:r><w:t>b|c</w:t></w:r></w:p></w:tc><w:tc><w:tbl><w:tr><w:tc><w:p><w:r><w:t>inner</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>',
      '<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>In a frame</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>In a frame</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:r></w:p>',
    ].join('')
    const notes =
      '<w:footnotes><w:footnote w:type="separator"><w:p><w:r><w:t>x</w:t></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    expect(await textIn('docx', word(body, { 'word/styles.xml': styles, 'word/footnotes.xml': notes }))).toBe(
      '## Vögel\n\nRound\n\nOne two\tthree\nfour & five\n\n| a b\\|c | inner |\n| --- | --- |\n\nIn a frame\n\nA note.',
    )
  })
})

describe('Excel', () => {
  it('[H583] each row names its columns; dates and shares are as people see them; hidden sheets are left out; cells are known', async () => {
    const result = fixture('birds.xlsx')
    expect(await textOf(result)).toBe(
      '## Sightings\n\n- Bird: Heron; Seen: 2024-03-09; Share: 12.5%; Count: 3\n- Bird: Owl; Seen: 2024-03-10 18:30; Share: 0.5; Count: 0.3\n\n## Notes\n\n| Only one column |\n| --- |\n| and a second line |',
    )
    expect([await placeOf(result, 'Bird: Owl'), await placeOf(result, 'second line'), await placeOf(result, '## Sight')]).toEqual([
      { cells: 'A2:D3' },
      { cells: 'A1:A2' },
      { cells: 'A2:D3' },
    ])
  })

  it('[H583] a large sheet has a range for every few rows, with the numbers the sheet has', async () => {
    const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
    const rows = Array.from(
      { length: 300 },
      (_, i) => `<row r="${i + 5}">${cell(`B${i + 5}`, `Bird ${i}`)}${cell(`AC${i + 5}`, `Place ${i}`)}</row>`,
    )
    const head = `<row r="3">${cell('B3', 'Name')}${cell('AC3', 'Where')}</row>`
    const book = zip({
      'xl/workbook.xml': '<workbook xmlns:r="y"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r1" Type="z/worksheet" Target="/xl/worksheets/s.xml"/></Relationships>',
      'xl/worksheets/s.xml': `<worksheet><sheetData>${head}${rows.join('')}</sheetData></worksheet>`,
    })
    const place = await placeOf(read('xlsx', book), 'Name: Bird 207;')
    const [, first = 0, last = 0] = (/^A(\d+):AC(\d+)$/.exec((place as { cells?: string }).cells ?? '') ?? []).map(Number)
    expect([first <= 212, last >= 212, last - first < 25]).toEqual([true, true, true])
  })
})

describe('titles', () => {
  it('[H1911] what a program wrote where nobody wrote a title is none, and the first heading serves; a job of a printer is called by its document', async () => {
    const core = (title: string) => ({ 'docProps/core.xml': `<cp xmlns:dc="y"><dc:title>${title}</dc:title></cp>` })
    const titled = async (reading: Promise<Conversion>) => await reading.then((one) => (one.kind === 'converted' ? one.title : one.why))
    const minutes = `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Minutes</w:t></w:r></w:p>${paragraph('Ada came.')}`
    expect(await titled(read('docx', word(minutes, core('Document1'))))).toBe('Minutes')
    expect(await titled(read('docx', word(minutes, core('Microsoft Word - harbour.docx'))))).toBe('harbour')
    expect(await titled(read('docx', word(minutes, core('Untitled harbours'))))).toBe('Untitled harbours')
    expect(await titled(read('html', '<title>Untitled Document</title><p>Ada came.</p>'))).toBe('')
    for (const none of [
      'untitled',
      '(untitled)',
      'Untitled-1',
      'PowerPoint Presentation',
      'Book1',
      'Slide 1',
      'Sans titre 2',
      'Microsoft Word - Document3',
    ])
      expect(ownTitle(none)).toBe('')
    for (const one of ['Untitled (Blue)', 'The Book', 'Presentation of the prizes', 'Slide rules', '1984']) expect(ownTitle(one)).toBe(one)
  })
})

describe('PowerPoint', () => {
  it('[H584] each slide stands under its title, with its list, tables and notes; slides are known', async () => {
    const result = fixture('talk.pptx')
    expect(await result).toMatchObject({
      title: 'Birds of the mill',
      text: '## Herons\n\n- They wait\n  - for eels\n\nNotes: Say that they are grey.\n\n## Owls\n\n| Bird | Legs |\n| --- | --- |\n| Owl | 2 |',
    })
    expect([await placeOf(result, 'eels'), await placeOf(result, 'Owl | 2')]).toEqual([{ slide: 1 }, { slide: 2 }])
  })
})

describe('EPUB', () => {
  it('[H585] is its chapters in the order of reading; one that is protected is refused', async () => {
    expect(await fixture('herons.epub')).toEqual({
      kind: 'converted',
      title: 'Of herons',
      text: '# Waiting\n\nA heron waits.\n\n# Hunting\n\nAn owl hunts.',
    })
    const container = '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>'
    const book = { 'META-INF/container.xml': container, 'a.opf': '<package><spine/></package>' }
    expect(
      await textIn('epub', zip({ ...book, 'META-INF/encryption.xml': '<e Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>' })),
    ).toBe('encrypted')
  })
})

describe('data', () => {
  it('[H586] rows of CSV and records of JSON name what each value is', async () => {
    const csv = 'Bird;Legs;Note\nHeron;2;"waits;\nlong"\n\nOwl;2;\n'
    expect(await textIn('csv', csv)).toBe('- Bird: Heron; Legs: 2; Note: waits; long\n- Bird: Owl; Legs: 2')
    expect(await textIn('csv', '1,2\n3,4\n')).toBe('| 1 | 2 |\n| --- | --- |\n| 3 | 4 |')
    expect(await placeOf(read('csv', csv), 'Owl')).toEqual({ cells: 'A2:C4' })
    const person = { name: 'Ada', address: { city: 'Oslo', zip: ['1', '2'] }, pets: [{ kind: 'owl' }], none: null }
    expect(await read('json', JSON.stringify(person))).toEqual({
      kind: 'converted',
      title: 'Ada',
      text: 'name: Ada\naddress.city: Oslo\naddress.zip: 1, 2\npets[0].kind: owl',
    })
    expect(await textIn('json', JSON.stringify([person, 'x']))).toBe(
      '- name: Ada; address.city: Oslo; address.zip: 1, 2; pets[0].kind: owl\n- x',
    )
    const lines = '{"a":1}\n\n{"a":"two\\nlines"}\n'
    expect([await textIn('jsonl', lines), await placeOf(read('jsonl', lines), 'two')]).toEqual(['- a: 1\n\n- a: two lines', { line: 3 }])
    expect([await textIn('json', '{'), await textIn('jsonl', '{}\n{'), await textIn('csv', 'a,b\n"x')]).toEqual([
      'broken',
      'broken',
      'broken',
    ])
  })
})

describe('mail', () => {
  it('[H587] says who wrote to whom and when, reads HTML where there is no text, and names attachments', async () => {
    const mail = [
      `From: =?utf-8?B?${Buffer.from('Ada Müller').toString('base64')}?= <ada@example.com>`,
      'To: "Otto, B." <otto@example.com>, eve@example.com',
      'Subject: The =?iso-8859-1?Q?M=FChle?=',
      'Date: Tue, 3 Sep 2024 10:00:00 +0200',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<h1>Bread</h1><p>It is caf=E9 time.</p><script>x()</script>',
      '--b',
      'Content-Type: application/pdf; name="plan.pdf"',
      'Content-Disposition: attachment; filename="plan.pdf"',
      '',
      'x',
      '--b--',
    ].join('\r\n')
    expect(await read('eml', mail)).toEqual({
      kind: 'converted',
      title: 'The Mühle',
      text: 'From: Ada Müller <ada@example.com>\nTo: Otto, B. <otto@example.com>, eve@example.com\nDate: 2024-09-03T08:00:00.000Z\nSubject: The Mühle\nAttachments: plan.pdf\n\n# Bread\n\nIt is café time.',
    })
    expect([await textIn('eml', 'no mail at all'), await textIn('eml', 'Subject: x\n\nPlain text.')]).toEqual([
      'broken',
      'Subject: x\n\nPlain text.',
    ])
  })
})

describe('subtitles', () => {
  const srt =
    '\uFEFF1\r\n00:00:01,000 --> 00:00:04,000\r\n<i>A heron</i> waits\r\nby the {\\an8}water.\r\n\r\n2\r\n00:00:04,500 --> 00:00:06,000\r\nIt is grey.\r\n\r\n3\r\n01:02:03,500 --> 01:02:05,000\r\nAn owl hunts.\r\n'

  it('[H588] become prose, with the second at which each part is said, and who says it', async () => {
    expect(await textIn('subtitles', srt)).toBe('A heron waits by the water. It is grey.\n\nAn owl hunts.')
    expect([await placeOf(read('subtitles', srt), 'An owl'), await placeOf(read('subtitles', srt), 'grey')]).toEqual([
      { seconds: 3723.5 },
      { seconds: 1 },
    ])
    const vtt =
      'WEBVTT\n\nNOTE nothing\n\nintro\n00:01.000 --> 00:02.000\n<v Ada>Bread &amp; butter.\n\n00:02.000 --> 00:03.000\n<v Otto>Indeed.\n'
    expect([await textIn('subtitles', vtt), await textIn('subtitles', 'no times')]).toEqual([
      'Ada: Bread & butter.\n\nOtto: Indeed.',
      'broken',
    ])
  })
})

describe('a notebook', () => {
  it('[H589] keeps its Markdown, its code and what that printed; cells are known', async () => {
    const cells = [
      { cell_type: 'markdown', source: ['# Birds\n', 'A count.'] },
      { cell_type: 'code', source: 'count()', outputs: [{ text: ['3\n'] }, { data: { 'text/plain': 'DataFrame', 'image/png': 'AAAA' } }] },
      { cell_type: 'code', source: '', outputs: [] },
    ]
    const file = JSON.stringify({ nbformat: 4, cells, metadata: { kernelspec: { language: 'R' } } })
    expect(await read('ipynb', file)).toMatchObject({
      title: 'Birds',
      text: '# Birds\nA count.\n\n```R\ncount()\n```\n\n```text\n3\n\nDataFrame\n```',
    })
    expect([await placeOf(read('ipynb', file), 'DataFrame'), await textIn('ipynb', '{"a":1}'), await textIn('ipynb', '[')]).toEqual([
      { cells: '2' },
      'broken',
      'broken',
    ])
  })
})

describe('source code', () => {
  it('[H590] is read as it stands, and its lines are known', async () => {
    expect([await textIn('code', '# a\nx = 1\n'), await placeOf(read('code', '# a\nx = 1\n'), 'x')]).toEqual(['# a\nx = 1\n', { line: 2 }])
  })
})

describe('a kind of file', () => {
  it('[H581] is known by its media type, and where that says little by its name', () => {
    const kinds = [
      fileTypeOf('application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
      fileTypeOf(' Text/HTML '),
      fileTypeOf('application/octet-stream', 'https://x.example/a.PPTX'),
      fileTypeOf('text/plain', 'notes.md'),
      fileTypeOf('text/x-python'),
      fileTypeOf('text/html', 'a.pdf'),
      fileTypeOf('application/zip', 'a.zip'),
      fileTypeOf('application/x-unknown'),
    ]
    expect(kinds).toEqual(['docx', 'html', 'pptx', 'markdown', 'code', 'html', undefined, undefined])
    for (const [type, { endings }] of Object.entries(fileTypes))
      for (const ending of endings) expect([ending, fileTypeOf(mediaTypeByName(`a.${ending}`) ?? '')]).toEqual([ending, type])
  })
})

describe('an encoding', () => {
  const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

  it('[H591] is what the file or its sender says, else UTF-8, else what it is found to be where that is sure', async () => {
    const prose = 'Der Graureiher wartet am Fluß. Früher wohnten hier Müller und Bäcker, die täglich Brot backten.'
    expect(await textIn('plain', latin(prose))).toBe(prose)
    expect(await textIn('plain', new Uint8Array([0xef, 0xbb, 0xbf, 0x41]), 'utf-8')).toBe('A')
    expect(await textIn('plain', new Uint8Array([0xfe, 0xff, 0x00, 0xe9]))).toBe('é')
    const sjis = Uint8Array.from('834183498354834d82cd908595d382c591d282c182c482a282e98142'.match(/../g) ?? [], (pair) =>
      Number.parseInt(pair, 16),
    )
    expect([await textIn('plain', sjis), await textIn('plain', sjis, 'shift_jis')]).toEqual([
      'アオサギは水辺で待っている。',
      'アオサギは水辺で待っている。',
    ])
    expect(await textIn('plain', Uint8Array.from([0x93, 0x41, 0x94, 0x80]), 'windows-1252')).toBe('“A”€')
    expect(await textIn('html', latin('<meta charset="iso-8859-1"><p>café</p>'))).toBe('café')
  })

  it('[H591] that is not sure, not known or not kept is refused, and never guessed', async () => {
    expect(await read('plain', new Uint8Array([0x52, 0xe9]))).toEqual({
      kind: 'unreadable',
      why: 'encoding',
      detail: expect.stringContaining('charset='),
    })
    const others: (readonly [Uint8Array, string?])[] = [
      [latin('café'), 'utf-8'],
      [latin('a'), 'klingon'],
      [new Uint8Array(randomBytes(3000))],
    ]
    for (const [bytes, charset] of others) expect(await textIn('plain', bytes, charset)).toBe('encoding')
  })

  it('[F2061] with a byte that stands for nothing in its code page, or a byte order mark that is none, is refused with what to do', async () => {
    const refused = [
      'Hello \xff\xfe\xc3( this is a note of the heron.',
      'Hello, the heron is here \x81 and there, and nobody counts the days.',
      '\xff\xfeHello, this is no UTF-16 at all.',
    ]
    for (const one of refused)
      expect(await read('plain', latin(one))).toEqual({
        kind: 'unreadable',
        why: 'encoding',
        detail: expect.stringMatching(/encoding.*Save it as UTF-8 and send it again, or name its encoding/),
      })
    expect(await textIn('plain', latin('caf\xe9 au lait'))).toBe('café au lait')
  })
})

describe('a file made to exhaust its reader', { timeout: SOON }, () => {
  const MIB = 1024 * 1024

  it('[H592] that unpacks to more than is read is refused before it is unpacked', async () => {
    const bomb = zip({ 'word/document.xml': `${BODY}${' '.repeat(17 * MIB)}` })
    const many = zip(Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`a${i}`, ''])))
    expect([bomb.length < MIB, await textIn('docx', bomb), await textIn('xlsx', many)]).toEqual([true, 'too_large', 'too_large'])
  })

  it('[H592] that lies about its size is cut where it said it ends', async () => {
    const honest = word(paragraph('x'.repeat(2 * MIB)))
    const view = new DataView(honest.buffer, honest.byteOffset)
    for (let at = 0; at < honest.length - 30; at++) if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1000, true)
    expect((await textIn('docx', honest)).length).toBeLessThan(1000)
  })

  it('[H1284] that writes one text into every cell, or one cell far to the right of many rows, is refused before it is written', async () => {
    const book = (sheet: string, strings = '') =>
      zip({
        'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>',
        'xl/worksheets/s.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
        'xl/sharedStrings.xml': `<sst><si><t>${strings}</t></si></sst>`,
      })
    const same = '<c t="s"><v>0</v></c>'
    const far = `<row><c r="XFD1"><v>7</v></c></row>${'<row><c><v>7</v></c></row>'.repeat(20_000)}`
    const files = [book(`<row>${same.repeat(2000)}</row>`, 'x'.repeat(10_000)), book(`<row>${same}</row>`, 'x'.repeat(2 * MIB)), book(far)]
    for (const file of files) expect([file.length < MIB, await textIn('xlsx', file)]).toEqual([true, 'too_large'])
    const wide = `1,2\n${','.repeat(16_000)}y\n${'1,2\n'.repeat(10_000)}`
    expect(await textIn('csv', wide)).toBe('too_large')
  })

  it('[H1284] of JSON with more values than are parsed, wherever they stand, is refused before it is parsed; one long string is none', async () => {
    const many = `[${'[],'.repeat(200_000)}1]`
    expect([await textIn('json', many), await textIn('jsonl', many), await textIn('ipynb', `{"cells":${many}}`)]).toEqual(
      Array.from({ length: 3 }, () => 'too_large'),
    )
    expect([await textIn('plain', new Uint8Array(5 * MIB).fill(97)), await textIn('csv', new Uint8Array(9 * MIB).fill(44))]).toEqual([
      'too_large',
      'too_large',
    ])
    const picture = JSON.stringify('\\"[{,'.repeat(MIB))
    const cell = `{"cell_type":"code","source":"a = 1","outputs":[{"data":{"image/png":${picture}}}]}`
    expect(await textIn('ipynb', `{"cells":[${cell}]}`)).toBe('```python\na = 1\n```')
    expect(await textIn('jsonl', '{"a": 1}\r\n\r\n{"a": "\\\\"}\n')).toBe('- a: 1\n\n- a: \\')
  })

  it('[H1285] waits until there is room beside others, and holds its place no longer than a request may last', async () => {
    const { enter } = readingRoom(new IsolateMemory())
    const [pdf, book, page] = [
      weightOf('application/pdf', 1),
      weightOf(mediaTypeByName('a.xlsx') ?? '', 1000),
      weightOf('text/html', 4 * MIB),
    ]
    expect([weightOf('text/html', 1000), weightOf('application/json', 200_000), pdf > book, book > page]).toEqual([0, 0, true, true])
    const leave = enter(book, 0)
    expect([leave === undefined, enter(book, 1), enter(pdf, 1)]).toEqual([false, undefined, undefined])
    expect(enter(page, 1)).toBeDefined()
    leave?.leave()
    expect([enter(pdf, 2) === undefined, enter(pdf, 59_000), enter(pdf, 61_000) === undefined]).toEqual([true, undefined, false])
    const order: string[] = []
    const work = (name: string, ms: number) =>
      inTurn(pdf, async () => {
        order.push(name)
        await new Promise((resolve) => setTimeout(resolve, ms))
        order.push(`${name}, done`)
      })
    await Promise.all([work('first', 60), work('second', 1)])
    expect(order).toEqual(['first', 'first, done', 'second', 'second, done'])
    await expect(inTurn(pdf, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await work('third', 1)
    expect(order.at(-1)).toBe('third, done')
  })

  it('[H592] of entities, deep nesting, or cells and columns without end is refused, or costs what it weighs', async () => {
    const entities = `<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${BODY}${paragraph('&b;&b;')}</w:body></w:document>`
    expect((await textIn('docx', zip({ 'word/document.xml': entities }))).length).toBeLessThan(20)
    expect(await textIn('docx', word('<w:tbl><w:tr><w:tc>'.repeat(100_000)))).toBe('broken')
    const sheet = (rows: string) =>
      zip({
        'xl/workbook.xml': '<workbook xmlns:r="y"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Type="z/worksheet" Target="worksheets/s.xml"/></Relationships>',
        'xl/worksheets/s.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      })
    expect(await textIn('xlsx', sheet(`<row>${'<c/>'.repeat(10_000)}</row>`.repeat(41)))).toBe('too_large')
    expect(await textIn('xlsx', sheet('<row r="1"><c r="ZZZ1"><v>1</v></c></row>'))).toBe('broken')
    const wide = Array.from({ length: 3000 }, (_, i) => `<row r="${i + 1}"><c r="XFD${i + 1}"><v>1</v></c></row>`).join('')
    expect(await textIn('xlsx', sheet(wide))).toBe('too_large')
    expect(await textIn('json', '['.repeat(100_000))).toBe('broken')
    expect(await textIn('csv', 'a,'.repeat(400_001))).toBe('too_large')
    const nested = Array.from({ length: 3000 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}`).join('\r\n')
    expect(['broken', 'no_text']).toContain(
      await textIn('eml', `Subject: x\r\n${nested}`).then((text) => (text.length < 100 ? 'broken' : text)),
    )
    const parts = `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(200_000)}--b--`
    expect(await textIn('eml', parts)).toBe('too_large')
    const row = `<w:tr><w:tc>${paragraph('x')}</w:tc></w:tr>`
    expect(await textIn('docx', word(`<w:tbl><w:tr>${'<w:tc/>'.repeat(5000)}</w:tr>${row.repeat(5000)}</w:tbl>`))).toBe('too_large')
    expect(await textIn('plain', 'a'.repeat(2 * MIB))).toHaveLength(2 * MIB) // bounded by who takes the text in
  })

  it('[H592] that is no file of its kind, or of an old one, says so and quotes nothing of itself', async () => {
    const old = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Uint8Array(600)])
    expect(await read('docx', old)).toEqual({ kind: 'unreadable', why: 'encrypted', detail: expect.stringContaining('password') })
    const kinds: FileType[] = ['docx', 'pptx', 'xlsx', 'epub', 'pdf']
    const empty = zip({ 'a.txt': 'secret words' })
    for (const type of kinds)
      for (const content of ['secret words', empty, new Uint8Array(randomBytes(500))]) {
        const result = await read(type, content)
        expect([type, result.kind === 'unreadable' && result.why, JSON.stringify(result).includes('secret')]).toEqual([
          type,
          'broken',
          false,
        ])
      }
    expect(await read('image', randomBytes(20))).toMatchObject({ why: 'unsupported', detail: expect.stringContaining('contains no text') })
  })
})
