/** PDFs by hand: objects one after the other, without a cross-reference table, which readers then make themselves. */
import { zlibSync } from 'fflate'

type Part = string | Uint8Array

const encoder = new TextEncoder()

export function bytesOf(...parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const all = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part))
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of all) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** `2 0 obj<<…>>stream … endstream`. */
export function stream(number: number, dictionary: string, data: Part): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(data)
  return bytesOf(`${number} 0 obj<<${dictionary}/Length ${bytes.length}>>stream\n`, bytes, '\nendstream endobj\n')
}

export const deflated = (data: Part, dictionary = ''): readonly [string, Uint8Array] => [
  `${dictionary}/Filter/FlateDecode`,
  zlibSync(bytesOf(data), { level: 9 }),
]

export const shown = (text: string): string => `BT /F 12 Tf 10 50 Td (${text}) Tj ET`

interface Made {
  /** Numbers of objects from 100 on are free for what pages refer to. */
  readonly resources?: string
  readonly more?: readonly Part[]
  readonly pages?: string
  readonly trailer?: string
}

/** A page for each content: what is drawn, or a stream's dictionary and data. */
export function pdf(
  contents: readonly (string | readonly [string, Uint8Array])[],
  { resources = '', more = [], pages, trailer = '' }: Made = {},
) {
  const kids = contents.map((_, i) => `${10 + i * 2} 0 R`).join(' ')
  const objects = contents.flatMap((content, i) => {
    const [dictionary, data] = typeof content === 'string' ? ['', content] : content
    const at = 10 + i * 2
    const page = `${at} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Resources<</Font<</F 4 0 R>>${resources}>>/Contents ${at + 1} 0 R>>endobj\n`
    return [page, stream(at + 1, dictionary, data)]
  })
  return bytesOf(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n',
    pages ?? `2 0 obj<</Type/Pages/Kids[${kids}]/Count ${contents.length}>>endobj\n`,
    '4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n6 0 obj<</Title(Of herons)>>endobj\n',
    ...objects,
    ...more,
    `trailer<</Root 1 0 R/Info 6 0 R${trailer}>>\n`,
  )
}
