/**
 * The pictures on the pages of a scan, page by page, in a form that a model accepts: a JPEG as stored in the file, others as a PNG if
 * pdf.js can unpack them, and for the rest the reason why not. A page is extracted when it is requested; pictures that must be unpacked are
 * held one at a time.
 */
import type { WhyUnread } from '../../core/text/outline'
import { visionLimits } from '../../platform-limits'
import type { PageScan, ScannedPicture, ScanPages } from '../../ports/conversion'
import { flawOf } from '../pictures'
import { PdfObjects } from './objects'
import { type DrawnPicture, drawnOn } from './page-pictures'
import { MAX_POINTS, pngOfPicture } from './pixels'

const SMALL = 10_000 // points; a smaller one is a mark or a line
const SHARE = 1 / 4 // of the page's largest picture; a smaller one is an ornament
const MAX_PIECES = 4 // pictures on one page
/** What pdf.js unpacks. JPEG 2000, JBIG2 and CCITT (fax) would need WebAssembly that it fetches, and no model accepts them directly. */
const UNPACKED: ReadonlySet<string> = new Set(['Flate', 'LZW', 'RunLength', 'ASCII85', 'ASCIIHex', 'DCT'].map((name) => `/${name}Decode`))
const JPEG: ReadonlySet<string> = new Set(['/DCTDecode', '/DCT'])

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
  if (!drawn.filters.every((filter) => UNPACKED.has(filter))) return 'format'
  if (drawn.width * drawn.height > MAX_POINTS) return 'too_large'
  const png = await pngOfPicture(objects, drawn.number, visionLimits.maxBytes).catch(() => null)
  return png ? { bytes: png, media: 'image/png' } : 'broken'
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
