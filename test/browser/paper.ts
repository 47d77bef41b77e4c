/** A PDF in the browser's tests: made, sent, and looked at as it is drawn. */
import { Loam } from '../../src/client/client'
import { pdf } from '../node/http/pdf-bytes'
import { adminKey, api, url, type Visit } from './visit'

const lines = (...said: readonly string[]): string => `BT /F 11 Tf 15 TL 12 78 Td ${said.map((line) => `(${line}) Tj T*`).join(' ')} ET`

/** Twelve pages about a weir. */
export const WEIR = pdf([
  lines('The weir of Skarholm.', 'It was built by Pia Holm in 1901, of oak.'),
  lines('Herons come in March.', 'They wait by the water-', 'mill until the evening. Herons come in March.', 'Owls begin to hunt'),
  lines('when it is dark, near the mill.', 'Nobody has counted them.'),
  ...Array.from({ length: 9 }, (_, i) => lines(`This is page ${i + 4}.`)),
])

/** Its only page lies on its side. */
export const TURNED = pdf([lines('The turned page says: herons sleep standing.', 'Owls do not.')], { resources: '>>/Rotate 90/Piece<<' })

/** In a font that it does not bring. */
export const CHINESE = pdf(['BT /F 12 Tf 10 50 Td <4E2D6587> Tj ET'], {
  resources: '/Font<</F 100 0 R>>',
  more: [
    '100 0 obj<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[101 0 R]>>endobj\n',
    '101 0 obj<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/DW 1000>>endobj\n',
  ],
})

/** With a script that runs when it is opened, and a link over the whole page. */
export const SCRIPTED = pdf([lines('A page with a link.')], {
  resources: '>>/Annots[102 0 R]/Piece<<',
  more: [
    "1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(this.submitForm\\('https://example.org/'\\))>>>>endobj\n",
    '102 0 obj<</Type/Annot/Subtype/Link/Rect[0 0 300 100]/Border[0 0 0]/A<</S/URI/URI(https://example.org/)>>>>endobj\n',
  ],
})

/** Sends a file, waits until it is indexed, and returns its text. */
export async function putPdf(corpus: string, id: string, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const path = `/v1/corpora/${corpus}/documents/${id}`
  await new Loam({ url, key: adminKey, retries: 0 }).request('PUT', path, { query: { wait: 60 }, body, type: 'application/pdf' })
  return String((await api('GET', path)).text)
}

/** Whether each mark lies over something dark in the picture. */
export function inkUnderMarks(paper: Element): readonly boolean[] {
  const canvas = paper.querySelector('canvas')
  const drawn = canvas?.getContext('2d')
  if (!canvas || !drawn) return []
  const frame = canvas.getBoundingClientRect()
  const zoom = canvas.width / frame.width
  return [...paper.querySelectorAll('mark')].map((mark) => {
    const { left, top, width, height } = mark.getBoundingClientRect()
    const { data } = drawn.getImageData((left - frame.left) * zoom, (top - frame.top) * zoom, width * zoom, height * zoom)
    let dark = 0
    for (let i = 0; i < data.length; i += 4) if ((data[i] ?? 255) < 100) dark++
    return dark > data.length / 4 / 50
  })
}

/** The colour of a picture's corner, and how many of its points lie on one of the screen's. */
export function cornerOf(picture: Element): { readonly corner: readonly number[]; readonly sharpness: number } {
  if (!(picture instanceof HTMLCanvasElement)) throw new Error('a page is drawn on a canvas')
  const corner = [...(picture.getContext('2d')?.getImageData(1, 1, 1, 1).data ?? [])]
  return { corner, sharpness: picture.width / (picture.clientWidth * devicePixelRatio) }
}

/** A document of which the page is told that it has a file, and what the page is given for that. */
export async function withFile({ page }: Visit, document: string, body?: string | Buffer): Promise<void> {
  await page.route(`**/documents/${document}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), file: { media_type: 'application/pdf', bytes: 1000 } } })
  })
  if (body !== undefined)
    await page.route(`**/documents/${document}/file`, (route) => route.fulfill({ body, contentType: 'application/pdf' }))
}
