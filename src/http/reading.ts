/**
 * Raw bodies as text: plain and Markdown as they are, HTML as a reader would see it, PDF by the platform's
 * converter where there is one.
 */
import { bytesOf, MIB, mediaType, utf8 } from './body'
import type { Ctx } from './context'
import { pageText } from './page-text'
import { Problem } from './problem'
import { MOST_TEXT } from './schemas/common'

export const RAW_LIMIT = 16 * MIB // a page or a PDF may weigh more than its text

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
      const page = pageText(await textOf(c))
      if (!page) throw unreadable()
      return fitting(page)
    }
    case 'application/pdf':
      return fitting({ text: await converted(c, type) })
    default:
      throw new Problem('unsupported_media_type', 'Send JSON, text/plain, text/markdown, text/html or application/pdf.')
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

async function converted(c: Ctx, type: string): Promise<string> {
  const result = await c.get('world').convert({ bytes: await bytesOf(c, RAW_LIMIT), type })
  if (result.kind === 'unavailable') {
    throw new Problem('unsupported_media_type', 'PDF needs the platform’s Markdown conversion, which is not available here. Send its text.')
  }
  if (result.kind === 'unreadable') throw unreadable()
  return result.text
}

const unreadable = () => new Problem('unreadable_document', 'No text could be read from this.')

function fitting(read: Read): Read {
  const { length } = new TextEncoder().encode(read.text)
  if (length > MOST_TEXT) throw new Problem('too_large', `The text may hold at most ${MOST_TEXT} bytes of UTF-8.`)
  return read
}
