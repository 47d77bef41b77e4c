/**
 * A picture of a PDF that is not a JPEG, unpacked by pdf.js and converted to PNG: from a PDF that contains nothing else, so that nothing
 * else on its page is processed. It is scaled down to the size that models look at, each point the mean of those it replaces.
 */
import { type Points, pngOf } from '../png'
import type { PdfObjects } from './objects'
import { isReference, type Value } from './values'

/** The most points of a picture that is unpacked, three bytes each in colour: A4 at 300 dpi has 8.7 million. */
export const MAX_POINTS = 9_000_000
const MAX_EDGE = 2500 // points of the longer side: A4 at 200 dpi
const MAX_PARTS = 64 // objects that a picture needs: colour spaces, tables of colours, profiles
/** The keys of a picture's dictionary that say how to unpack it. */
const NEEDED = ['/Length', '/Width', '/Height', '/BitsPerComponent', '/ColorSpace', '/Decode', '/Filter', '/DecodeParms']

type Pdf = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>
type Page = Awaited<ReturnType<Pdf['getPage']>>

interface Decoded {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
  /** As pdf.js numbers them: 1, one bit for each point; 2, three bytes; 3, four. Absent: a mask of bits. */
  readonly kind?: number
}

/** `number`: the picture's object. Null: it cannot be unpacked here, or has too many points. */
export async function pngOfPicture(objects: PdfObjects, number: number, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const { getDocumentProxy, getResolvedPDFJS } = await import('unpdf')
  const pdf = await getDocumentProxy(pdfOf(objects, number), {
    verbosity: 0,
    stopAtErrors: false,
    maxImageSize: MAX_POINTS,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
  })
  try {
    const { OPS } = await getResolvedPDFJS()
    const page = await pdf.getPage(1)
    const { fnArray, argsArray } = await page.getOperatorList()
    const at = fnArray.findIndex((one) => one === OPS.paintImageXObject || one === OPS.paintImageMaskXObject)
    const picture = at < 0 ? null : await decoded(page, (argsArray[at] as readonly unknown[])[0])
    return picture && (await smallEnough(picture, maxBytes))
  } finally {
    pdf.loadingTask.destroy().catch(() => undefined)
  }
}

/** Null: however small, it is too large. */
export async function smallEnough(picture: Decoded, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const edge = Math.max(picture.width, picture.height)
  for (let step = Math.ceil(edge / MAX_EDGE); step <= edge; step *= 2) {
    const png = await pngOf(scaled(picture, step))
    if (png.length <= maxBytes) return png
  }
  return null
}

/** One page, which draws the picture. */
function pdfOf(objects: PdfObjects, number: number): Uint8Array {
  const free = Math.max(number, ...partsOf(objects, number)) + 1
  const [catalog, pages, page, contents] = [free, free + 1, free + 2, free + 3]
  const draws = '/I Do'
  const parts = [
    '%PDF-1.7\n',
    `${catalog} 0 obj<</Type/Catalog/Pages ${pages} 0 R>>endobj\n${pages} 0 obj<</Type/Pages/Kids[${page} 0 R]/Count 1>>endobj\n`,
    `${page} 0 obj<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</I ${number} 0 R>>>>/Contents ${contents} 0 R>>endobj\n`,
    `${contents} 0 obj<</Length ${draws.length}>>stream\n${draws}\nendstream endobj\n`,
    ...[number, ...partsOf(objects, number)].flatMap((one) => objects.written(one) ?? []),
    `trailer<</Root ${catalog} 0 R>>\n`,
  ]
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    if (typeof part === 'string') for (let i = 0; i < part.length; i++) whole[at + i] = part.charCodeAt(i)
    else whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Numbers of the objects needed to unpack it, and of those they refer to. */
function partsOf(objects: PdfObjects, number: number): readonly number[] {
  const found = new Set<number>()
  const own = objects.dictionary({ number })
  const open: Value[] = NEEDED.map((name) => own?.get(name) ?? null)
  while (open.length > 0 && found.size < MAX_PARTS) {
    const value = open.pop() ?? null
    if (isReference(value)) {
      if (value.number === number || found.has(value.number)) continue
      found.add(value.number)
      open.push(objects.resolve(value))
    } else if (Array.isArray(value)) open.push(...(value as readonly Value[]).slice(0, MAX_PARTS))
    else if (value instanceof Map) open.push(...[...value.values()].slice(0, MAX_PARTS))
  }
  return [...found]
}

/** The value of a key. */
async function decoded(page: Page, given: unknown): Promise<Decoded | null> {
  const inner = typeof given === 'object' && given !== null && 'data' in given ? given.data : given
  const key = typeof inner === 'string' ? inner : null
  const held = key?.startsWith('g_') ? page.commonObjs : page.objs
  const found: unknown = key === null ? given : await new Promise((resolve) => held.get(key, resolve))
  if (typeof found !== 'object' || found === null) return null
  const { width, height, data, kind } = found as Partial<Decoded>
  if (!width || !height || !data || width * height > MAX_POINTS) return null
  const row = kind === 2 ? width * 3 : kind === 3 ? width * 4 : (width + 7) >> 3
  return data.length < row * height ? null : { width, height, data, ...(kind === undefined ? {} : { kind }) }
}

function scaled({ width, height, data, kind }: Decoded, step: number): Points {
  const [w, h] = [Math.max(1, Math.floor(width / step)), Math.max(1, Math.floor(height / step))]
  const isBits = kind !== 2 && kind !== 3
  const channels = isBits ? 1 : 3
  const stride = isBits ? (width + 7) >> 3 : width * (kind === 3 ? 4 : 3)
  const [across, down] = [Math.min(step, width), Math.min(step, height)]
  const out = new Uint8Array(w * h * channels)
  for (let y = 0, to = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      for (let channel = 0; channel < channels; channel++, to++) {
        let sum = 0
        for (let dy = 0; dy < down; dy++) {
          const row = (y * step + dy) * stride
          for (let dx = 0; dx < across; dx++) {
            const at = x * step + dx
            sum += isBits
              ? (((data[row + (at >> 3)] ?? 0) >> (7 - (at & 7))) & 1) * 255
              : (data[row + at * (kind === 3 ? 4 : 3) + channel] ?? 0)
          }
        }
        out[to] = sum / (across * down)
      }
    }
  }
  return { width: w, height: h, channels, data: out }
}
