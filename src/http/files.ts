/** Files inside of JSON: the text of documents that are sent as bytes in base64, read one after the other. */

import { bytesOfBase64 } from '../base64'
import { releaseBytes } from '../bytes-up-to'
import { MAX_BATCH } from '../contract/document-limits'
import { fileTypeOf } from '../contract/file-types'
import { MAX_BYTES } from '../reading/bounds'
import { isArchive, readArchive } from './archives'
import type { Ctx } from './context'
import { Problem } from './problem'
import { type Read, type ReadAs, readFile } from './reading'
import { forgetBody, readBeside } from './reading-turn'

const PADDING = 4 // bytes by which base64 may seem longer than it is
const SPACE = 0x20
const ARCHIVE = 'application/zip' // also under its other names
const MAX_FILES = 20 // read for one request: a reader may need seconds of processor time for a large PDF

interface Sent {
  readonly text?: string | undefined
  readonly title?: string | null | undefined
  /** Removed when its bytes are decoded: only one copy of a file of megabytes is held. */
  content_base64?: string | null | undefined
  readonly content_type?: string | null | undefined
}
export type WithText<T extends Sent> = Omit<T, 'text' | 'content_base64' | 'content_type'> & Pick<Read, 'text' | 'file'>

/** With its text; an error names its place after `at` (`upserts.3.`). */
export async function withText<T extends Sent>(c: Ctx, sent: T, as: ReadAs, at = ''): Promise<WithText<T>> {
  forgetBody(c)
  const bytes = sent.text === undefined ? fileIn(sent, at) : null
  const { text = '', content_base64: _, content_type, ...rest } = sent
  if (!bytes) return { ...rest, text }
  const { dates, ...read } = await readInside(c, { bytes, type: content_type ?? '', title: rest.title }, as, at)
  return { ...dates, ...rest, ...read } // the sender's own dates take precedence over those of the file
}

/**
 * With their texts; a file that cannot be read refuses all, by its `path` (`upserts.3`). The sender's own title takes precedence over
 * that of the file.
 */
export async function withTexts<T extends Sent & { readonly id?: string | undefined }>(
  c: Ctx,
  documents: readonly T[],
  as: Pick<ReadAs, 'uid' | 'by'>,
  path: (n: number) => string,
): Promise<WithText<T>[]> {
  forgetBody(c)
  const files = documents.filter((one) => one.text === undefined).length
  if (files > MAX_FILES) throw new Problem('too_large', `At most ${MAX_FILES} files are read at once; this request has ${files}.`)
  const out: WithText<T>[] = []
  for (const [n, document] of documents.entries()) {
    if (document.text === undefined && isArchive(document.content_type)) out.push(...(await withArchive(c, document, `${path(n)}.`)))
    else out.push(await withText(c, document, { ...as, document: document.id }, `${path(n)}.`))
  }
  return out
}

/** All documents that the archive contains, under the id that it was sent with. */
async function withArchive<T extends Sent & { readonly id?: string | undefined }>(c: Ctx, sent: T, at: string): Promise<WithText<T>[]> {
  const bytes = fileIn(sent, at)
  const { text: _, content_base64: __, content_type, title, ...rest } = sent
  try {
    const { documents: found } = await readBeside(c, ARCHIVE, bytes.length, () => readArchive(bytes, rest.id))
    if (found.length > MAX_BATCH)
      throw new Problem('too_large', `This archive has ${found.length} documents, more than ${MAX_BATCH}. Send it to POST …:import.`)
    return found.map(
      (one) =>
        ({
          ...rest,
          ...one,
          metadata: { ...('metadata' in rest ? (rest.metadata as object) : {}), ...one.metadata },
        }) as unknown as WithText<T>,
    )
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.code, error.detail, { errors: error.more.errors ?? [{ path: `${at}content_base64`, message: error.detail }] })
  } finally {
    releaseBytes(bytes)
  }
}

interface Inside {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly title: string | null | undefined
}

async function readInside(c: Ctx, { bytes, type, title }: Inside, as: ReadAs, path: string): Promise<Read> {
  let isKept = false
  try {
    const read = await readBeside(c, mediaTypeIn(type), bytes.length, () => readFile(c, bytes, type, as))
    if (read.text.trim() === '') throw new Problem('unreadable_document', 'This file contains no text.')
    isKept = read.file !== undefined
    return { ...read, ...(title ? { title } : {}) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const at = error.code === 'unsupported_media_type' ? 'content_type' : 'content_base64'
    throw new Problem(error.code, error.detail, { ...error.more, errors: [{ path: `${path}${at}`, message: error.detail }] })
  } finally {
    if (!isKept) releaseBytes(bytes)
  }
}

/** Its bytes instead of their base64. A file that is longer than its kind may be is refused undecoded. */
function fileIn(sent: Sent, path: string): Uint8Array<ArrayBuffer> {
  const base64 = sent.content_base64 ?? ''
  const most = MAX_BYTES[fileTypeOf(mediaTypeIn(sent.content_type ?? '')) ?? 'html']
  if (most !== undefined && isLonger(base64, most)) {
    const fault = { path: `${path}content_base64`, message: `at most ${most} bytes` }
    throw new Problem('too_large', `A file of this kind may have at most ${most} bytes.`, { errors: [fault], members: { limit: most } })
  }
  const bytes = bytesOfBase64(base64.replace(/\s+/g, ''))
  sent.content_base64 = null
  if (bytes) return bytes
  const fault = { path: `${path}content_base64`, message: 'is not base64' }
  throw new Problem('invalid', 'The request is not valid; see `errors`.', { errors: [fault] })
}

/** Longer than that many bytes would be. Line breaks do not count: if they decide, they are counted, not removed. */
function isLonger(base64: string, bytes: number): boolean {
  const most = Math.ceil((bytes + PADDING) / 3) * 4
  if (base64.length <= most) return false
  let letters = 0
  for (let i = 0; i < base64.length && letters <= most; i++) if (base64.charCodeAt(i) > SPACE) letters++
  return letters > most
}

const mediaTypeIn = (contentType: string): string => contentType.split(';')[0]?.trim() ?? ''
