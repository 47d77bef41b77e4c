/** What `large-files.ts` puts its files together from. */
import { zipSync, zlibSync } from 'fflate'

export const MIB = 1024 * 1024
export const LARGE = 15 * MIB // what a container may unpack to is 16
export const BODY = 15.9 * MIB // of a request, which may have 16

export type Bytes = Uint8Array<ArrayBuffer>
export const bytes = (text: string): Bytes => new TextEncoder().encode(text)
export const zip = (parts: { readonly [name: string]: string | Uint8Array }, level: 0 | 6 = 6): Bytes =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? bytes(part) : part])), { level })
export const upTo = (size: number, piece: string): string => piece.repeat(Math.floor(size / bytes(piece).length))
/** So that nothing packs it small. */
export const noise = (size: number): string => {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/'
  let [text, seed] = ['', 1]
  while (text.length < size) {
    let part = ''
    for (let i = 0; i < 65_536; i++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      part += alphabet[Math.floor(seed / 65_536) % alphabet.length]
    }
    text += part
  }
  return text.slice(0, size)
}

export const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const WORKBOOK = {
  'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>',
}
export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
export const docx = (body: string): Bytes => zip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` })
export const cells = (count: number, cell: string): string => {
  let rows = ''
  for (let at = 0; at < count; at += 100) rows += `<row>${cell.repeat(100)}</row>`
  return `<worksheet><sheetData>${rows}</sheetData></worksheet>`
}
export const pdf = (streams: readonly { readonly dictionary: string; readonly data: Uint8Array }[], pages = 1): Bytes => {
  const kids = Array.from({ length: pages }, (_, i) => `${10 + i} 0 R`).join(' ')
  const objects: (string | Uint8Array)[] = [
    '%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n',
    `2 0 obj <</Type/Pages/Count ${pages}/Kids[${kids}]>> endobj\n3 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\n`,
  ]
  for (let i = 0; i < pages; i++)
    objects.push(
      `${10 + i} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>/Contents ${10_000 + (i % streams.length)} 0 R>> endobj\n`,
    )
  for (const [i, { dictionary, data }] of streams.entries())
    objects.push(`${10_000 + i} 0 obj <</Length ${data.length}${dictionary}>>\nstream\n`, data, '\nendstream endobj\n')
  objects.push('trailer <</Root 1 0 R>>\n%%EOF')
  return new Uint8Array(Buffer.concat(objects.map((one) => (typeof one === 'string' ? Buffer.from(one) : one))))
}
export const flated = (text: string) => ({ dictionary: '/Filter/FlateDecode', data: zlibSync(bytes(text)) })
export const shown = (text: string): string => `BT /F1 12 Tf (${text}) Tj ET\n`
