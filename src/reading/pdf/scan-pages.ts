/**
 * The pictures on the pages of a scan, page by page, in a form that a model accepts: a JPEG as stored in the file, others as a PNG if
 * pdf.js can unpack them, and for the rest the reason why not. A page is extracted when it is requested; pictures that must be unpacked are
 * held one at a time.
 */
import type { WhyUnread } from '../../core/text/outline'
import { visionLimits } from '../../platform-limits'
import type { PageScan, ScannedPicture, ScanPages } from '../../ports/conversion'
import { flawOf } from '../pictures'
import { type FaxForm, unpackedFax } from './fax'
import { PdfObjects } from './objects'
import { type DrawnPicture, drawnOn } from './page-pictures'
import { MAX_POINTS, pngOfPicture, smallEnough } from './pixels'

const SMALL = 10_000 // points; a smaller one is a mark or a line
const SHARE = 1 / 4 // of the page's largest picture; a smaller one is an ornament
const MAX_PIECES = 4 // pictures on one page
/** What pdf.js unpacks. JPEG 2000 and JBIG2 would need WebAssembly that it fetches, and no model accepts them directly. */
const UNPACKED: ReadonlySet<string> = new Set(['Flate', 'LZW', 'RunLength', 'ASCII85', 'ASCIIHex', 'DCT'].map((name) => `/${name}Decode`))
const JPEG: ReadonlySet<string> = new Set(['/DCTDecode', '/DCT'])

const FAX = '/CCITTFaxDecode'
const MAX_BITS = 36_000_000 // points of one bit: A4 at 600 dpi has 34.8 million
const GREY: ReadonlySet<string> = new Set(['/DeviceGray', '/CalGray', '/ICCBased'])

const unread = (why: WhyUnread): PageScan => ({ kind: 'unread', why })

export async function openScan(bytes: Uint8Array): Promise<ScanPages> {
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(bytes.slice(), { verbosity: 0, stopAtErrors: false })
  const objects = new PdfObjects(bytes)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
  return {
    page: (number) =>
      inTurn(async () => {
        const page = await pdf.getPage(number)
        const scan = await scanOf(objects, page.ref?.num ?? -1)
        return scan.kind === 'pictures' && page.rotate % 360 !== 0 ? { ...scan, turned: page.rotate % 360 } : scan
      }).catch(() => unread('broken')),
    close: () => void pdf.loadingTask.destroy().catch(() => undefined),
  }
}

async function scanOf(objects: PdfObjects, page: number): Promise<PageScan> {
  const drawn = drawnOn(objects, page)
  const points = ({ width, height }: DrawnPicture): number => width * height
  const largest = Math.max(0, ...drawn.map(points))
  const main = drawn.filter((one) => points(one) >= largest * SHARE && points(one) >= SMALL)
  if (main.length === 0) return unread('blank')
  if (main.length > MAX_PIECES) return unread('pieces')
  const pictures: ScannedPicture[] = []
  for (const one of main) {
    const taken = await takenOut(objects, one)
    if (typeof taken === 'string') return unread(taken)
    pictures.push(taken)
  }
  return { kind: 'pictures', pictures }
}

async function takenOut(objects: PdfObjects, drawn: DrawnPicture): Promise<ScannedPicture | WhyUnread> {
  const jpeg = jpegOf(objects, drawn)
  if (jpeg) return flawOf(jpeg, 'image/jpeg') ?? { bytes: new Uint8Array(jpeg), media: 'image/jpeg' }
  const fax = await faxOf(objects, drawn)
  if (fax) return fax
  if (!drawn.filters.every((filter) => UNPACKED.has(filter))) return 'format'
  if (drawn.width * drawn.height > MAX_POINTS) return 'too_large'
  const png = await pngOfPicture(objects, drawn.number, visionLimits.maxBytes).catch(() => null)
  return png ? { bytes: png, media: 'image/png' } : 'broken'
}

/** Null: it is no fax picture. */
async function faxOf(objects: PdfObjects, drawn: DrawnPicture): Promise<ScannedPicture | WhyUnread | null> {
  if (drawn.filters.at(-1) !== FAX) return null
  const form = faxForm(objects, drawn)
  const data = drawn.filters.length > 2 || !form ? null : faxData(objects, drawn)
  if (!form || !data) return 'format'
  const { width, height } = drawn
  if (width * height > MAX_BITS) return 'too_large'
  const points = unpackedFax(data, form)
  if (!points) return 'broken'
  const shown = form.isInverted ? points.map((byte) => byte ^ 0xff) : points
  const png = await smallEnough({ width, height, data: shown }, visionLimits.maxBytes)
  return png ? { bytes: png, media: 'image/png' } : 'too_large'
}

function faxData(objects: PdfObjects, { stream, filters }: DrawnPicture): Uint8Array | null {
  if (filters.length === 1) return stream.bytes
  return objects.unpacked({ bytes: stream.bytes, dictionary: new Map([['/Filter', filters[0] ?? null]]) })
}

/** Null: its points are colours of its own, or not as wide as the picture. */
function faxForm(objects: PdfObjects, { stream, width, height }: DrawnPicture): (FaxForm & { readonly isInverted: boolean }) | null {
  const { dictionary } = stream
  const space = objects.resolve(dictionary.get('/ColorSpace'))
  const named = Array.isArray(space) ? objects.resolve(space[0]) : space
  if (named !== null && !GREY.has(String(named))) return null
  const given = objects.resolve(dictionary.get('/DecodeParms'))
  const parms = objects.dictionary(Array.isArray(given) ? given.at(-1) : given)
  const decode = objects.resolve(dictionary.get('/Decode'))
  const value = (name: string) => objects.resolve(parms?.get(name))
  const [k, columns] = [value('/K'), value('/Columns') ?? 1728]
  if (columns !== width) return null
  const isNegative = Array.isArray(decode) && objects.resolve(decode[0]) === 1
  return {
    k: typeof k === 'number' ? k : 0,
    columns: width,
    rows: height,
    isAligned: value('/EncodedByteAlign') === true,
    isInverted: (value('/BlackIs1') === true) !== isNegative,
  }
}

/** Null: it is packed in another way. */
function jpegOf(objects: PdfObjects, { stream, filters }: DrawnPicture): Uint8Array | null {
  if (!JPEG.has(filters.at(-1) ?? '')) return null
  if (filters.length === 1) return stream.bytes
  if (filters.length > 2) return null
  return objects.unpacked({ bytes: stream.bytes, dictionary: new Map([['/Filter', filters[0] ?? null]]) })
}

/** Which of these pages, given by the numbers of their objects, draw a picture. Never throws. */
export function drawing<T extends { readonly ref?: { readonly num: number } | null }>(
  bytes: Uint8Array,
  pages: readonly T[],
): readonly T[] {
  try {
    const objects = new PdfObjects(bytes)
    return pages.filter(({ ref }) => {
      return drawnOn(objects, ref?.num ?? -1).some(({ width, height }) => width * height >= SMALL)
    })
  } catch {
    return []
  }
}
