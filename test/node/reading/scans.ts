/** Scanned PDFs as scanners write them: pages that draw a picture, with or without a text beside it. */
import { readFileSync } from 'node:fs'
import { bytesOf, pdf, shown, stream } from '../http/pdf-bytes'

const fixture = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL(`./fixtures/${name}`, import.meta.url)))

/** 320 by 120 points, grey: “The heron of Norhaven waits by the mill pond.” */
export const JPEG = fixture('scan.jpg')

/** A JPEG of its own, which decodes as the other does: a comment is part of its bytes alone. */
export function jpeg(comment: string): Uint8Array<ArrayBuffer> {
  const said = new TextEncoder().encode(comment)
  return bytesOf(JPEG.subarray(0, 2), new Uint8Array([0xff, 0xfe, 0, said.length + 2]), said, JPEG.subarray(2))
}

export interface PagePicture {
  readonly data: Uint8Array
  /** Of its dictionary, beside what every picture has. Default: of a JPEG. */
  readonly dictionary?: string
  readonly width?: number
  readonly height?: number
}
/** A text is a page of it; a picture, or several, a page of a scan; null, an empty page. */
export type ScanPage = string | PagePicture | readonly PagePicture[] | null

export function scanned(pages: readonly ScanPage[], more: Parameters<typeof pdf>[1] = {}): Uint8Array<ArrayBuffer> {
  const pictures = pages.map((page) => (page === null || typeof page === 'string' ? [] : [page].flat()))
  const numbers = pictures.map((all, page) => all.map((_, i) => 1000 + page * 10 + i))
  const named = numbers.flat().map((number) => `/I${number} ${number} 0 R`)
  const contents = pages.map((page, i) =>
    typeof page === 'string' ? shown(page) : (numbers[i] ?? []).map((number) => `q 300 0 0 100 0 0 cm /I${number} Do Q`).join('\n'),
  )
  const objects = pictures.flatMap((all, page) =>
    all.map(({ data, dictionary = '/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode', width = 320, height = 120 }, i) =>
      stream(1000 + page * 10 + i, `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${dictionary}`, data),
    ),
  )
  // As many programs write it: all pages name all pictures, and each draws its own.
  return pdf(contents, { resources: `/XObject<<${named.join('')}>>`, more: objects, ...more })
}
