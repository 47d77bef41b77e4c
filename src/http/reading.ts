/** Raw bodies and files as text: plain and Markdown as they are, HTML as a reader would see it, PDF page after page. */

import { MAX_TEXT } from '../contract/document-limits'
import { storable } from '../contract/storable'
import type { Dates } from '../core/text/iso-date'
import type { Outline } from '../core/text/outline'
import { frontMatterDates } from '../core/text/said-dates'
import { readHtml } from '../reading/html'
import { MIB, mediaType, readBytes, utf8 } from './body'
import type { Ctx } from './context'
import { Problem } from './problem'

export const RAW_LIMIT = 16 * MIB // a page or a PDF may weigh more than its text

const READ = 'text/plain, text/markdown, text/html or application/pdf'
const OFFICE = /^application\/(msword|rtf|vnd\.(ms-|openxmlformats-officedocument|oasis\.opendocument))/
const OFFICE_DETAIL = 'Files of Word, Excel and PowerPoint are not read here; save them as PDF, or let `loam ingest` read a .docx. '
const PDF_DETAILS = {
  encrypted: 'This PDF is encrypted. Save it without a password or restrictions.',
  no_text: 'This PDF holds pictures and no text. Recognise its text first (OCR).',
  broken: 'This PDF is broken: no text could be read from it.',
  too_large: 'This PDF has more pages, text or work in it than is read at once. Split it.',
} as const

export interface Read {
  readonly text: string
  /** What the page calls itself. */
  readonly title?: string
  readonly outline?: Outline
  /** What it says of itself. */
  readonly dates?: Dates
}

/** Null: the body is JSON, or says nothing of itself. */
export async function rawDocument(c: Ctx): Promise<Read | null> {
  const type = mediaType(c)
  if (type === '' || isJson(type)) return null
  if (!READERS[type]) throw unsupported(type, `JSON, ${READ}`)
  return readFile(c, await readBytes(c, RAW_LIMIT), c.req.header('content-type') ?? '')
}

/** `contentType`: with its charset, as in a header. */
export async function readFile(c: Ctx, bytes: Uint8Array, contentType: string): Promise<Read> {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const reader = READERS[type]
  if (!reader) throw unsupported(type, READ)
  return requireFitting(await reader(c, bytes, contentType))
}

type FileReader = (c: Ctx, bytes: Uint8Array, contentType: string) => Read | Promise<Read>

const plain: FileReader = (_, bytes, contentType) => ({ text: decoded(bytes, contentType) })

const READERS: { readonly [type: string]: FileReader } = {
  'text/plain': plain,
  'text/markdown': (_, bytes, contentType) => {
    const text = decoded(bytes, contentType)
    return { text, dates: frontMatterDates(text) }
  },
  'text/html': (_, bytes, contentType) => {
    const page = readHtml(decoded(bytes, contentType))
    if (!page) throw unreadable()
    return page
  },
  'application/pdf': async (c, bytes) => {
    const result = await c.get('world').convert({ bytes })
    if (result.kind === 'unreadable')
      throw new Problem(result.why === 'too_large' ? 'too_large' : 'unreadable_document', PDF_DETAILS[result.why])
    return {
      text: result.text,
      ...(result.title === '' ? {} : { title: storable(result.title) }),
      ...(result.dates ? { dates: result.dates } : {}),
      ...outlineIn(result),
    }
  },
}

const outlineIn = ({ outline = [] }: { readonly outline?: Outline }) => (outline.length > 0 ? { outline } : {})

const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json')

function unsupported(type: string, read: string): Problem {
  return new Problem('unsupported_media_type', `${OFFICE.test(type) ? OFFICE_DETAIL : ''}Send ${read}.`)
}

function decoded(bytes: Uint8Array, contentType: string): string {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8'
  if (charset === 'utf-8' || charset === 'utf8') return utf8(bytes)
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    throw new Problem('unsupported_media_type', 'This charset is not known here; send UTF-8.')
  }
}

const unreadable = () => new Problem('unreadable_document', 'No text could be read from this.')

function requireFitting(read: Read): Read {
  const { length } = new TextEncoder().encode(read.text)
  if (length > MAX_TEXT) throw new Problem('too_large', `The text may hold at most ${MAX_TEXT} bytes of UTF-8.`)
  return read
}
