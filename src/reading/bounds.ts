/** How much is read of one file. An isolate has 128 MB; a person's own machine reads as much as its owner likes. */
import { MAX_TEXT } from '../contract/document-limits'
import type { FileType } from '../contract/file-types'

export interface ReadBounds {
  /** UTF-16 units of text; more is refused. */
  readonly text: number
  /** Bytes that the parts we read of a container (docx, pptx, xlsx, EPUB) unpack to: they are in memory next to the text of one and its result. */
  readonly parts: number
  /** The same for an archive of documents. */
  readonly unpacked: number
  /** Cells of all sheets together, or of a table. */
  readonly cells: number
  /** No bounds: the sender owns the machine. */
  readonly isTrusted: boolean
}

const MIB = 1024 * 1024

export const isolateBounds: ReadBounds = { text: MAX_TEXT, parts: 16 * MIB, unpacked: 24 * MIB, cells: 400_000, isTrusted: false }
export const localBounds: ReadBounds = { text: 256 * MIB, parts: 300 * MIB, unpacked: 300 * MIB, cells: 10_000_000, isTrusted: true }

/** No file of these kinds with more bytes can become a text of at most 1 MiB, or hardly ever: it is neither accepted nor decoded. For isolates, not for a person's own machine. */
export const MAX_BYTES: { readonly [type in FileType]?: number } = {
  plain: 4 * MIB, // in an encoding with four bytes a letter
  markdown: 4 * MIB,
  code: 4 * MIB,
  csv: 8 * MIB,
  json: 8 * MIB,
  jsonl: 8 * MIB,
  subtitles: 8 * MIB,
}
