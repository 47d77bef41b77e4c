/**
 * A file as documents `{ id, title, text, url?, metadata? }`. The file name extension selects the reader; large libraries are loaded only when a file needs
 * them. What cannot be read is skipped with a reason, never guessed.
 */
import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { type FileType, fileTypeByName, mediaTypeByName } from '../../src/contract/file-types'
import type { ReadText } from '../../src/reading/html'
import { Unreadable } from '../../src/reading/unreadable'
import type { Many, Read, SourceDocument } from '../documents'
import type { Columns, Row } from './rows'
import { fitDocument } from './split'

interface File {
  readonly path: string
  readonly columns: Columns
  readonly keepsFiles: boolean
}

/** What a reader finds. A row has its number, and may have an id of its own. */
type Found = Omit<SourceDocument, 'id'> & Partial<Pick<Row, 'id' | 'row'>> & Pick<ReadText, 'dates'>
type Reader = (file: File) => Promise<Many<Found>>

/** What they contain is for a model to say. */
const MODELS: ReadonlySet<FileType> = new Set(['image', 'audio', 'video'])

/** Which have a document a row; all others are read whole, as the service reads them. */
const ROWS = {
  jsonl: async ({ path, columns }) => (await import('./rows')).readJsonLines(path, columns),
  csv: async ({ path, columns }) => (await import('./rows')).readCsv(path, columns),
} as const satisfies { readonly [type: string]: Reader }

const hasRows = (type: FileType): type is keyof typeof ROWS => type in ROWS

const readWhole =
  (type: FileType): Reader =>
  async ({ path, keepsFiles }) => {
    if (type === 'video' && statSync(path).size > MAX_PICTURE) return [await soundAt(path)]
    const [{ readFile }, { localBounds }] = await Promise.all([import('../../src/reading/read-file'), import('../../src/reading/bounds')])
    const read = await readFile({ bytes: new Uint8Array(readFileSync(path)), type }, localBounds)
    if (MODELS.has(type)) return [pictureAt(path)]
    if (read.kind === 'unreadable' && type === 'pdf' && read.why === 'no_text') return [pictureAt(path)]
    if (read.kind === 'unreadable') throw new Unreadable(read.why, WHY[read.why] ?? read.detail)
    const isWhole = read.text.length <= MAX_WHOLE && statSync(path).size <= MAX_PICTURE
    if (read.scans && isWhole) return [pictureAt(path)]
    const file = keepsFiles && type === 'pdf' && isWhole ? pictureAt(path) : {}
    return [{ ...file, ...textOf(read) }]
  }

function textOf({ text, title, outline, dates }: ReadText): Found {
  if (text.includes('\u0000')) throw new Error('is not text')
  return { text, title, ...(outline ? { outline } : {}), ...(dates ? { dates } : {}) }
}

/**
 * Files without text, or with pages without any, are sent unchanged: the service has pictures and scans read and recordings transcribed, if
 * the corpus has that switched on.
 */
function pictureAt(path: string): Found {
  if (statSync(path).size > MAX_PICTURE) throw new Error('a picture, scan or recording of more than 8 MB')
  return { text: '', content_base64: readFileSync(path).toString('base64'), content_type: mediaTypeByName(path) ?? '' }
}

/** Of a video that is larger than the service takes, the sound alone: if each second of it is that second of the video. */
async function soundAt(path: string): Promise<Found> {
  const { soundOfVideo } = await import('../../src/reading/video/sound-of-video')
  const sound = soundOfVideo(new Uint8Array(readFileSync(path)), MAX_PICTURE)
  if (sound.kind === 'unreadable') throw new Unreadable(sound.why, sound.detail)
  if (!sound.keepsTime) throw new Error('a video of more than 8 MB, whose sound begins late or has gaps: split it')
  const { bytes, media } = sound.recording
  return { text: '', content_base64: Buffer.from(bytes).toString('base64'), content_type: media }
}

const WHY: { readonly [why: string]: string } = { no_text: 'contains no text' }

const MAX_BYTES = 200 * 1024 * 1024 // in a file that is read at once; rows are read one by one
const MAX_PICTURE = 8 * 1024 * 1024 // bytes; the service takes as much in base64
const MAX_WHOLE = 256 * 1024 // characters of text up to which a file is sent whole: what the service reads in its scans is added to them
const MAX_REASON = 120 // characters
/** Read if they are named, and skipped in a folder: most of them are not documents. */
const NAMED_ONLY: ReadonlySet<FileType> = new Set(['code', 'json', 'image', 'audio', 'video'])

export function isReadable(path: string): boolean {
  const type = fileTypeByName(path)
  return type !== undefined && !NAMED_ONLY.has(type)
}

interface As {
  readonly id: string
  readonly columns?: Columns
  /** PDFs go to the service as they are, which keeps them: with their text, if it fits. */
  readonly keepsFiles?: boolean
}

export async function* readDocuments(
  { path, isNamed }: { readonly path: string; readonly isNamed: boolean },
  { id, columns = {}, keepsFiles = false }: As,
): AsyncGenerator<Read> {
  const type = fileTypeByName(path) ?? (isNamed ? 'plain' : undefined)
  if (!type || !(isNamed || isReadable(path))) return
  if (!hasRows(type) && statSync(path).size > MAX_BYTES) return yield { skipped: id, why: 'larger than 200 MB' }
  try {
    const reader = hasRows(type) ? ROWS[type] : readWhole(type)
    for await (const one of await reader({ path, columns, keepsFiles })) yield* toDocuments(one, { id, path })
  } catch (error) {
    yield { skipped: id, why: reasonOf(error) }
  }
}

function* toDocuments({ row, dates, ...one }: Found, file: { readonly id: string; readonly path: string }): Generator<Read> {
  const id = row === undefined ? file.id : (one.id ?? `${file.id}#${row}`)
  if (one.text.trim() === '' && one.content_base64 === undefined) return yield { skipped: id, why: 'contains no text' }
  const title = one.title || (row === undefined ? basename(file.path, extname(file.path)) : '')
  for (const document of fitDocument({ ...dates, ...one, id, title })) yield { document }
}

/** A library's message may quote the file; its first words are enough. The service's own reasons never quote it. */
function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message
  const { message = 'cannot be read' } = error as Partial<Error>
  return (message.split('\n')[0] ?? '').slice(0, MAX_REASON)
}
