/** Files inside of JSON: the text of documents that are sent as bytes in base64, read one after the other. */

import { MAX_BATCH } from '../contract/document-limits'
import { bytesOfBase64 } from '../hooks/seal'
import { isArchive, readArchive } from './archives'
import type { Ctx } from './context'
import { Problem } from './problem'
import { type Read, type ReadAs, readFile } from './reading'
import { inTurn, weightOf } from './reading-room'

const MAX_FILES = 20 // read for one request: a reader may need seconds of processor time for a large PDF

interface Sent {
  readonly text?: string | undefined
  readonly title?: string | null | undefined
  readonly content_base64?: string | null | undefined
  readonly content_type?: string | null | undefined
}
export type WithText<T extends Sent> = Omit<T, 'text' | 'content_base64' | 'content_type'> & { readonly text: string }

/** With its text; a fault names its place after `at` (`upserts.3.`). */
export async function withText<T extends Sent>(
  c: Ctx,
  { text, content_base64, content_type, ...rest }: T,
  as: ReadAs,
  at = '',
): Promise<WithText<T>> {
  if (text !== undefined) return { ...rest, text }
  const { dates, ...read } = await readInside(c, { content_base64, content_type, title: rest.title }, as, at)
  return { ...dates, ...rest, ...read } // dates of the sender's own come before those of the file
}

/** With their texts; a file that cannot be read refuses all, by its `path` (`upserts.3`). A title of the sender's own comes before that of the file. */
export async function withTexts<T extends Sent & { readonly id?: string | undefined }>(
  c: Ctx,
  documents: readonly T[],
  as: Pick<ReadAs, 'uid' | 'by'>,
  path: (n: number) => string,
): Promise<WithText<T>[]> {
  const files = documents.filter((one) => one.text === undefined).length
  if (files > MAX_FILES) throw new Problem('too_large', `At most ${MAX_FILES} files are read at once; this request has ${files}.`)
  const out: WithText<T>[] = []
  for (const [n, document] of documents.entries()) {
    if (document.text === undefined && isArchive(document.content_type)) out.push(...(await withArchive(document, `${path(n)}.`)))
    else out.push(await withText(c, document, { ...as, document: document.id }, `${path(n)}.`))
  }
  return out
}

/** As many documents as the archive holds, under the id that it was sent with. */
async function withArchive<T extends Sent & { readonly id?: string | undefined }>(sent: T, at: string): Promise<WithText<T>[]> {
  const { text: _, content_base64, content_type, title, ...rest } = sent
  try {
    const { documents: found } = await readArchive(bytesIn(content_base64, at), rest.id)
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
  }
}

async function readInside(c: Ctx, { content_base64, content_type, title }: Sent, as: ReadAs, path: string): Promise<Read> {
  const bytes = bytesIn(content_base64, path)
  try {
    const read = await inTurn(weightOf(content_type ?? '', bytes.length), () => readFile(c, bytes, content_type ?? '', as))
    if (read.text.trim() === '') throw new Problem('unreadable_document', 'This file contains no text.')
    return { ...read, ...(title ? { title } : {}) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const at = error.code === 'unsupported_media_type' ? 'content_type' : 'content_base64'
    throw new Problem(error.code, error.detail, { ...error.more, errors: [{ path: `${path}${at}`, message: error.detail }] })
  }
}

function bytesIn(base64: string | null | undefined, path: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOfBase64((base64 ?? '').replace(/\s+/g, ''))
  if (bytes) return bytes
  const fault = { path: `${path}content_base64`, message: 'is not base64' }
  throw new Problem('invalid', 'The request is not valid; see `errors`.', { errors: [fault] })
}
