/**
 * Raw bodies as text: plain and Markdown as they are, HTML by html-to-text (htmlparser2: no DOM, limits of its own against hostile
 * pages), PDF by the platform's converter where there is one.
 */
import { compile, type FormatCallback } from 'html-to-text'
import { bytesOf, MIB, mediaType, utf8 } from './body'
import type { Ctx } from './context'
import { Problem } from './problem'
import { MOST_TEXT } from './schemas/common'

export const RAW_LIMIT = 16 * MIB // a page or a PDF may weigh more than its text

/** Markdown's marks, so that a chunker sees where a part begins. */
const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 })
  builder.addLiteral(`${'#'.repeat(Number(element.name?.[1]) || 1)} `)
  walk(element.children, builder)
  builder.closeBlock({ trailingLineBreaks: 2 })
}

const limits = { maxInputLength: RAW_LIMIT, maxDepth: 200, maxChildNodes: 50_000 }

const readPage = compile({
  wordwrap: false,
  limits,
  formatters: { heading },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'heading' })),
    { selector: 'a', options: { ignoreHref: true } },
    ...['img', 'svg', 'nav', 'noscript', 'template', 'head'].map((selector) => ({ selector, format: 'skip' })),
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
  ],
})
const readTitle = compile({ wordwrap: false, limits, baseElements: { selectors: ['title'], returnDomByDefault: false } })

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
      const page = await textOf(c)
      return fitting({ text: readPage(page).replaceAll('\u00a0', ' '), title: readTitle(page).trim() })
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
  if (result.kind === 'unreadable') throw new Problem('unreadable_document', 'No text could be read from this file.')
  return result.text
}

function fitting(read: Read): Read {
  const { length } = new TextEncoder().encode(read.text)
  if (length > MOST_TEXT) throw new Problem('too_large', `The text may hold at most ${MOST_TEXT} bytes of UTF-8.`)
  return read
}
