/** Reads a file of any supported kind: its text, title and outline. Each kind's reader is loaded when its first file arrives. */
import { MAX_TITLE } from '../contract/document-limits'
import { type FileType, fileTypes } from '../contract/file-types'
import type { Conversion, SentFile } from '../ports/conversion'
import { isolateBounds, MAX_BYTES, type ReadBounds } from './bounds'
import { charsetOfHtml, decode } from './decode'
import type { ReadText } from './html'
import { tooLong } from './office/markdown-writer'
import { ownTitle } from './own-title'
import { Unreadable } from './unreadable'

/** For these kinds a blank text is the sender's own; the route reports it. */
const BLANK: ReadonlySet<FileType> = new Set(['plain', 'markdown', 'code'])

interface Reading extends SentFile {
  readonly bounds: ReadBounds
}

type Reader = (file: Reading) => Promise<ReadText>

const text = ({ bytes, charset }: SentFile): Promise<string> => decode(bytes, charset)

const READERS: { readonly [type in FileType]: Reader } = {
  plain: async (file) => ({ title: '', text: await text(file) }),
  markdown: async (file) => (await import('./markdown')).readMarkdown(await text(file)),
  html: async (file) => {
    const { readHtml } = await import('./html')
    const page = await decode(file.bytes, file.charset ?? charsetOfHtml(file.bytes))
    const read = readHtml(page, file.bounds.text)
    if (!read) throw new Unreadable('broken', 'This page is nested too deeply, or has too many end tags, to be read.')
    return read
  },
  pdf: async ({ bytes, bounds }) => (await import('./pdf/read-pdf')).readPdf(bytes, bounds),
  docx: async ({ bytes, bounds }) => (await import('./office/docx')).readDocx(bytes, bounds),
  pptx: async ({ bytes, bounds }) => (await import('./office/pptx')).readPptx(bytes, bounds),
  xlsx: async ({ bytes, bounds }) => (await import('./office/xlsx')).readXlsx(bytes, bounds),
  epub: async ({ bytes, bounds }) => (await import('./office/epub')).readEpub(bytes, bounds),
  csv: async (file) => (await import('./csv')).readCsv(await text(file), file.bounds),
  json: async (file) => (await import('./json')).readJson(await text(file), file.bounds),
  jsonl: async (file) => (await import('./json')).readJsonLines(await text(file), file.bounds),
  eml: async ({ bytes, bounds }) => (await import('./mail')).readMail(bytes, bounds),
  subtitles: async (file) => (await import('./subtitles')).readSubtitles(await text(file), file.bounds),
  ipynb: async (file) => (await import('./notebook')).readNotebook(await text(file), file.bounds),
  code: async (file) => ({ title: '', text: await text(file), outline: [{ start: 0, line: 1 }] }),
  image: async () => {
    throw new Unreadable('unsupported', 'A picture contains no text.')
  },
  audio: async () => {
    throw new Unreadable('unsupported', 'A recording contains no text.')
  },
  video: async () => {
    throw new Unreadable('unsupported', 'A video contains no text.')
  },
}

/**
 * Never rejects: whatever a library throws over a stranger's file is the file's fault, and its message, which may quote the file, is not
 * passed on.
 */
export async function readFile(file: SentFile, bounds: ReadBounds = isolateBounds): Promise<Conversion> {
  try {
    if (!bounds.isTrusted && file.bytes.length > (MAX_BYTES[file.type] ?? Number.POSITIVE_INFINITY)) throw tooLong()
    const { text, title, outline, dates, scans } = await READERS[file.type]({ ...file, bounds })
    if (text.trim() === '' && !BLANK.has(file.type)) return unreadable('no_text', `This file contains no text.`)
    return {
      kind: 'converted',
      text,
      title: ownTitle(title).slice(0, MAX_TITLE),
      ...(outline && outline.length > 0 ? { outline } : {}),
      ...(dates ? { dates } : {}),
      ...(scans && scans.length > 0 ? { scans } : {}),
    }
  } catch (error) {
    if (error instanceof Unreadable) {
      const { why, message, pages, scans } = error
      return { kind: 'unreadable', why, detail: message, ...(pages ? { pages } : {}), ...(scans?.length ? { scans } : {}) }
    }
    return unreadable('broken', `This file is broken, or not ${fileTypes[file.type].name}.`)
  }
}

const unreadable = (why: Unreadable['why'], detail: string): Conversion => ({ kind: 'unreadable', why, detail })
