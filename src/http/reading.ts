/** Raw bodies and files as text, each read as its declared type. */

import { createMiddleware } from 'hono/factory'
import { MAX_TEXT } from '../contract/document-limits'
import { type FileType, fileTypeOf, fileTypes } from '../contract/file-types'
import type { ProblemCode } from '../contract/problem'
import { storable } from '../contract/storable'
import type { Dates } from '../core/text/iso-date'
import type { Outline } from '../core/text/outline'
import type { Actor } from '../ports/audit'
import type { WhyUnreadable } from '../ports/conversion'
import { MAX_BYTES } from '../reading/bounds'
import { MIB, mediaType, readBytes, requireLength } from './body'
import type { Ctx, Http } from './context'
import { converterOf } from './converting'
import { Problem } from './problem'

export const RAW_LIMIT = 16 * MIB // a page or a PDF may weigh more than its text

const KINDS = (Object.keys(fileTypes) as FileType[]).map((type) => fileTypes[type].name)
const SUPPORTED = `Supported: ${KINDS.join(', ')}; docs/formats.md names their media types.`
const OLD_OFFICE = /^application\/(msword|rtf|vnd\.(ms-|oasis\.opendocument))/
const OLD_DETAIL = 'Files of older or other office programs are not supported. Save them as .docx, .xlsx, .pptx or PDF.'

export const CODES: { readonly [why in WhyUnreadable]: ProblemCode } = {
  encrypted: 'unreadable_document',
  no_text: 'unreadable_document',
  broken: 'unreadable_document',
  too_large: 'too_large',
  encoding: 'invalid_encoding',
  unsupported: 'unsupported_media_type',
  over_budget: 'over_budget',
  unavailable: 'model_unavailable',
}

export interface Read {
  readonly text: string
  /** The file's own title. */
  readonly title?: string
  readonly outline?: Outline
  /** What it declares. */
  readonly dates?: Dates
  /** Its bytes, if they are to be kept: whoever reads it does not release them. */
  readonly file?: Uint8Array<ArrayBuffer>
}

/** Null: the body is JSON, or declares no type. `application/json` is a document of the API; a JSON file is sent in base64. */
export async function rawDocument(c: Ctx, as: ReadAs): Promise<Read | null> {
  const type = rawType(c)
  const read = type && (await readFile(c, await readBytes(c, limitOf(type)), c.req.header('content-type') ?? '', as))
  if (read?.file) c.set('bytes', undefined) // they are the document's now
  return read
}

/** Refuses by length, before the body waits its turn. `json`: the limit of a JSON body. */
export const requireFit = (json: number) =>
  createMiddleware<Http>(async (c, next) => {
    const type = rawType(c)
    await requireLength(c, type ? limitOf(type) : json, RAW_LIMIT)
    await next()
  })

function rawType(c: Ctx): FileType | null {
  const type = mediaType(c)
  return type === '' || type === 'application/json' || (type.endsWith('+json') && !fileTypeOf(type)) ? null : requireType(type)
}

const limitOf = (type: FileType): number => MAX_BYTES[type] ?? RAW_LIMIT

/** For which corpus a file is read, by its uid, and which document it is to be. */
export interface ReadAs {
  readonly uid: string
  readonly document?: string | undefined
  /** Who is charged for a model's description; absent: the key that asks. */
  readonly by?: Actor
}

/** `contentType`: with its charset, as in a header. */
export async function readFile(c: Ctx, bytes: Uint8Array<ArrayBuffer>, contentType: string, { uid, document, by }: ReadAs): Promise<Read> {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase()
  const type = requireType(contentType.split(';')[0] ?? '')
  const result = await converterOf(c, uid, by)({ bytes, type, charset, document })
  if (result.kind === 'unreadable') {
    const { why, detail, retryAfter } = result
    throw new Problem(CODES[why], detail, retryAfter === undefined ? {} : { retryAfter })
  }
  const { title, outline, dates } = result
  const text = storable(result.text)
  if (new TextEncoder().encode(text).length > MAX_TEXT)
    throw new Problem('too_large', `The text may have at most ${MAX_TEXT} bytes of UTF-8.`)
  const beside = { ...(outline ? { outline } : {}), ...(dates ? { dates } : {}), ...(type === 'pdf' ? { file: bytes } : {}) }
  return { text, ...(title === '' ? {} : { title: storable(title) }), ...beside }
}

function requireType(contentType: string): FileType {
  const type = fileTypeOf(contentType)
  if (type) return type
  if (contentType.trim().toLowerCase() === 'application/zip')
    throw new Problem(
      'unsupported_media_type',
      `An export of Slack or Notion, or a folder of GraphRAG or LightRAG, contains many documents. Send it to POST …:import. ${SUPPORTED}`,
    )
  throw new Problem(
    'unsupported_media_type',
    OLD_OFFICE.test(contentType.trim().toLowerCase()) ? `${OLD_DETAIL} ${SUPPORTED}` : `This kind of file cannot be read. ${SUPPORTED}`,
  )
}
