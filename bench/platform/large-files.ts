/** Large and hostile files of every kind, each as large as the bounds of its reader let it be, for `readers.ts`. */
import {
  BODY,
  type Bytes,
  bytes,
  cells,
  docx,
  EXCEL,
  flated,
  LARGE,
  MIB,
  noise,
  paragraph,
  pdf,
  RELATIONS,
  SLIDES,
  shown,
  upTo,
  WORD,
  WORKBOOK,
  zip,
} from './file-parts'

export interface File {
  readonly name: string
  readonly type: string
  make(): Bytes
}

/** Loam's bounds are `src/reading/bounds.ts`: 1 MiB of text, 16 MiB unpacked, 400,000 cells. */
export const files: readonly File[] = [
  { name: 'docx: 1,000,000 characters', type: WORD, make: () => docx(upTo(MIB * 1.3, paragraph('Herons wait at the pond. '.repeat(8)))) },
  { name: 'docx: 15 MiB of empty runs', type: WORD, make: () => docx(upTo(LARGE, '<w:p><w:r/></w:p>')) },
  { name: 'docx: 15 MiB of one text, not Latin', type: WORD, make: () => docx(paragraph(upTo(LARGE, '鳥'))) },
  { name: 'docx: elements nested 1,000,000 deep', type: WORD, make: () => docx(upTo(LARGE, '<w:ins>')) },
  { name: 'docx: an attribute of 15 MiB', type: WORD, make: () => docx(`<w:p w:a="${upTo(LARGE, '鳥')}"/>`) },
  {
    name: 'docx: 15 MiB that do not pack',
    type: WORD,
    make: () => zip({ 'word/document.xml': `<w:document><w:body>${paragraph(noise(LARGE))}</w:body></w:document>` }),
  },
  {
    name: 'xlsx: 390,000 cells',
    type: EXCEL,
    make: () => zip({ ...WORKBOOK, 'xl/worksheets/s.xml': cells(390_000, '<c><v>7</v></c>') }),
  },
  {
    name: 'xlsx: 14 MiB of shared strings, not Latin',
    type: EXCEL,
    make: () =>
      zip({
        ...WORKBOOK,
        'xl/worksheets/s.xml': cells(1000, '<c t="s"><v>7</v></c>'),
        'xl/sharedStrings.xml': `<sst>${upTo(14 * MIB, '<si><t>鳥鳥鳥</t></si>')}</sst>`,
      }),
  },
  {
    name: 'xlsx: one string of 12 MiB in 1,000 cells',
    type: EXCEL,
    make: () =>
      zip({
        ...WORKBOOK,
        'xl/worksheets/s.xml': cells(1000, '<c t="s"><v>0</v></c>'),
        'xl/sharedStrings.xml': `<sst><si><t>${upTo(12 * MIB, '鳥')}</t></si></sst>`,
      }),
  },
  {
    name: 'xlsx: a string of 10,000 characters in 390,000 cells',
    type: EXCEL,
    make: () =>
      zip({
        ...WORKBOOK,
        'xl/worksheets/s.xml': cells(390_000, '<c t="s"><v>0</v></c>'),
        'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(10_000)}</t></si></sst>`,
      }),
  },
  {
    name: 'xlsx: a cell in the last column, and 100,000 rows of one',
    type: EXCEL,
    make: () =>
      zip({
        ...WORKBOOK,
        'xl/worksheets/s.xml': `<worksheet><sheetData><row><c r="XFD1"><v>7</v></c></row>${'<row><c><v>7</v></c></row>'.repeat(100_000)}</sheetData></worksheet>`,
      }),
  },
  {
    name: 'pptx: 5,000 slides',
    type: SLIDES,
    make: () => {
      const numbers = Array.from({ length: 5000 }, (_, i) => i)
      return zip({
        'ppt/presentation.xml': `<p:presentation xmlns:r="${RELATIONS}"><p:sldIdLst>${numbers.map((n) => `<p:sldId r:id="r${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
        'ppt/_rels/presentation.xml.rels': `<Relationships>${numbers.map((n) => `<Relationship Id="r${n}" Type="${RELATIONS}/slide" Target="slides/slide${n}.xml"/>`).join('')}</Relationships>`,
        ...Object.fromEntries(
          numbers.map((n) => [
            `ppt/slides/slide${n}.xml`,
            `<p:sld><p:cSld><p:spTree>${'<p:sp><p:txBody><a:p><a:r><a:t>Herons wait.</a:t></a:r></a:p></p:txBody></p:sp>'.repeat(20)}</p:spTree></p:cSld></p:sld>`,
          ]),
        ),
      })
    },
  },
  {
    name: 'epub: 15 MiB of chapters',
    type: 'application/epub+zip',
    make: () =>
      zip({
        'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
        'b.opf': `<package><manifest>${Array.from({ length: 15 }, (_, i) => `<item id="c${i}" href="c${i}.xhtml" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine>${Array.from({ length: 15 }, (_, i) => `<itemref idref="c${i}"/>`).join('')}</spine></package>`,
        ...Object.fromEntries(
          Array.from({ length: 15 }, (_, i) => [`c${i}.xhtml`, `<html><body>${upTo(0.98 * MIB, '<p><b></b></p>')}</body></html>`]),
        ),
      }),
  },
  {
    name: 'epub: one chapter of 15 MiB of elements',
    type: 'application/epub+zip',
    make: () =>
      zip({
        'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
        'b.opf':
          '<package><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
        'c.xhtml': `<html><body>${upTo(LARGE, '<p><b>a</b></p>')}</body></html>`,
      }),
  },
  {
    name: 'pdf: 100 pages of text',
    type: 'application/pdf',
    make: () =>
      pdf(
        Array.from({ length: 100 }, () => flated(shown('Herons wait at the pond. '.repeat(200)))),
        100,
      ),
  },
  { name: 'pdf: a stream that unpacks to 11 MiB', type: 'application/pdf', make: () => pdf([flated(upTo(11 * MIB, 'q Q '))]) },
  { name: 'pdf: a string of 11 MiB', type: 'application/pdf', make: () => pdf([flated(shown(upTo(11 * MIB, 'heron ')))]) },
  {
    name: 'pdf: an array of 5,000,000 numbers',
    type: 'application/pdf',
    make: () => pdf([flated(`BT /F1 12 Tf [${upTo(11 * MIB, '1 2 ')}] TJ ET`)]),
  },
  {
    name: 'pdf: 11 MiB in one stream that is not packed',
    type: 'application/pdf',
    make: () => pdf([{ dictionary: '', data: bytes(upTo(11 * MIB, 'q Q ')) }]),
  },
  {
    name: 'pdf: 11 MiB of text in one stream that is not packed',
    type: 'application/pdf',
    make: () => pdf([{ dictionary: '', data: bytes(upTo(11 * MIB, shown('heron'))) }]),
  },
  { name: 'html: 15.9 MiB of elements', type: 'text/html', make: () => bytes(upTo(BODY, '<p><b></b></p>')) },
  { name: 'html: 15.9 MiB of text', type: 'text/html', make: () => bytes(`<p>${upTo(BODY, '鳥 ')}`) },
  { name: 'csv: 390,000 cells', type: 'text/csv', make: () => bytes(`a,b,c\n${upTo(1.5 * MIB, '1,2,3\n')}`) },
  { name: 'csv: 15.9 MiB', type: 'text/csv', make: () => bytes(`a,b,c\n${upTo(BODY, '鳥,2,3\n')}`) },
  { name: 'json lines: 15.9 MiB', type: 'application/x-ndjson', make: () => bytes(upTo(BODY, '{"a":[1,{"b":2}]}\n')) },
  { name: 'mail: 15.9 MiB of attachments', type: 'message/rfc822', make: () => bytes(mail()) },
  { name: 'notebook: 15.9 MiB of outputs', type: 'application/x-ipynb+json', make: () => bytes(notebook()) },
  { name: 'subtitles: 15.9 MiB', type: 'text/vtt', make: () => bytes(`WEBVTT\n\n${upTo(BODY, '00:01.000 --> 00:02.000\na\n\n')}`) },
  { name: 'text: 15.9 MiB', type: 'text/plain', make: () => bytes(upTo(BODY, '鳥 ')) },
  {
    name: 'text: 15.9 MiB of bytes of no encoding',
    type: 'text/plain',
    make: () => bytes(noise(BODY)).map((one, i) => (i % 7 ? one : 0x81 + (i % 60))),
  },
]

function mail(): string {
  const part = `--b\r\nContent-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n${upTo(5 * MIB, `${'QUJD'.repeat(18)}\r\n`)}`
  return `From: a@example.com\r\nTo: b@example.com\r\nSubject: Herons\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHerons wait.\r\n${part}${part}${part}--b--\r\n`
}

function notebook(): string {
  const cell = JSON.stringify({
    cell_type: 'code',
    source: ['a\n'],
    outputs: [{ output_type: 'stream', name: 'stdout', text: ['x'.repeat(100)] }],
  })
  const count = Math.floor(BODY / (cell.length + 1))
  return `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[${Array.from({ length: count }, () => cell).join(',')}]}`
}
