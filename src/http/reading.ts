/** Raw bodies as text: plain and Markdown as they are, HTML as a reader would see it, PDF page after page. */

import { MAX_TEXT } from '../contract/fields'
import { storable } from '../contract/storable'
import { readHtml } from '../reading/html'
import { bytesOf, MIB, mediaType, utf8 } from './body'
import type { Ctx } from './context'
import { Problem } from './problem'

export const RAW_LIMIT = 16 * MIB // a page or a PDF may weigh more than its text

const READ = 'JSON, text/plain, text/markdown, text/html or application/pdf'
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
}

/** Null: the body is JSON, or says nothing of itself. */
export async function rawDocument(c: Ctx): Promise<Read | null> {
  const type = mediaType(c)
  if (type === '' || type === 'application/json' || type.endsWith('+json')) return null
  switch (type) {
    case 'text/plain':
    case 'text/markdown':
      return fitting({ text: await textOf(c) })
    case 'text/html': {
      const page = readHtml(await textOf(c))
      if (!page) throw unreadable()
      return fitting(page)
    }
    case 'application/pdf':
      return fitting(await pdfOf(c))
    default:
      throw new Problem('unsupported_media_type', `${OFFICE.test(type) ? OFFICE_DETAIL : ''}Send ${READ}.`)
  }
}

async function textOf(c: Ctx): Promise<string> {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(c.req.header('content-type') ?? '')?.[1]?.toLowerCase() ?? 'utf-8'
  const bytes = await bytesOf(c, RAW_LIMIT)
  if (charset === 'utf-8' || charset === 'utf8') return utf8(bytes)
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    throw new Problem('unsupported_media_type', 'This charset is not known here; send UTF-8.')
  }
}

async function pdfOf(c: Ctx): Promise<Read> {
  const result = await c.get('world').convert({ bytes: await bytesOf(c, RAW_LIMIT) })
  if (result.kind === 'unreadable')
    throw new Problem(result.why === 'too_large' ? 'too_large' : 'unreadable_document', PDF_DETAILS[result.why])
  return { text: result.text, ...(result.title === '' ? {} : { title: storable(result.title) }) }
}

const unreadable = () => new Problem('unreadable_document', 'No text could be read from this.')

function fitting(read: Read): Read {
  const { length } = new TextEncoder().encode(read.text)
  if (length > MAX_TEXT) throw new Problem('too_large', `The text may hold at most ${MAX_TEXT} bytes of UTF-8.`)
  return read
}
