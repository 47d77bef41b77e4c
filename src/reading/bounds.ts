/** How much is read of one file. An isolate has 128 MB, a machine of one's own takes what it takes. */
import { MAX_TEXT } from '../contract/document-limits'
import type { FileType } from '../contract/file-types'

export interface ReadBounds {
  /** UTF-16 units of text; more is refused. */
  readonly text: number
  /** Bytes that a container (docx, pptx, xlsx, EPUB) unpacks to, of the parts that are read: they are held beside the text of one and what it becomes. */
  readonly parts: number
  /** The same of an archive of documents. */
  readonly unpacked: number
  /** Cells of all sheets, or of a table. */
  readonly cells: number
  /** Whoever sent it may take what it takes. */
  readonly isTrusted: boolean
}

const MIB = 1024 * 1024

export const isolateBounds: ReadBounds = { text: MAX_TEXT, parts: 16 * MIB, unpacked: 24 * MIB, cells: 400_000, isTrusted: false }
export const localBounds: ReadBounds = { text: 256 * MIB, parts: 300 * MIB, unpacked: 300 * MIB, cells: 10_000_000, isTrusted: true }

/** Bytes beyond which no text of at most 1 MiB can be what a file of these becomes, or hardly: it is neither taken in nor decoded. What an isolate reads, not one's own machine. */
export const MAX_BYTES: { readonly [type in FileType]?: number } = {
  plain: 4 * MIB, // in an encoding of four bytes a letter
  markdown: 4 * MIB,
  code: 4 * MIB,
  csv: 8 * MIB,
  json: 8 * MIB,
  jsonl: 8 * MIB,
  subtitles: 8 * MIB,
}
