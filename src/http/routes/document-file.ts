/** The file that a document was read from, byte for byte, as the object sends it part by part. */
import { FILE_TYPE, MAX_TITLE } from '../../contract/document-limits'
import type { FilePart } from '../../ports/documents'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { inlineName } from '../inline-name'
import { idOf } from '../path'
import { notFound, Problem } from '../problem'
import { route } from '../route'

const NONE =
  'No file is kept of this document. The files of PDFs are kept if they were sent while `settings.files.keep` was on (docs/formats.md).'

export const documentFileRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/documents/{document}/file',
    id: 'getDocumentFile',
    tag: 'documents',
    summary: 'Get the file a document was read from',
    description: `The PDF as it was sent, if it is kept: \`file\` of the document says so. It belongs to the content that is served; those who may not read the document may not read its file.`,
    access: ['read'],
    answers: { 200: { description: 'The bytes of the file.', type: FILE_TYPE } },
    problems: ['document_not_found', 'file_not_found', 'invalid'],
  }).answer(async (c) => {
    const id = idOf(c, 'document')
    const first = await partOf(c, id, { part: 0 })
    if (!first) throw notFound('document')
    if (first === 'none') throw new Problem('file_not_found', NONE)
    return { response: new Response(measured(bytesFrom(c, id, first), first.size), { headers: headersOf(c, id, first) }) }
  }),
]

const partOf = async (c: Ctx, id: string, place: Parameters<ReturnType<typeof objectOf>['documentFile']>[1]) =>
  objectOf(c).documentFile(id, place, await askerOf(c))

/** A file is somebody’s, and may contain scripts: nothing in it is run, and it is shown only as what it is. */
function headersOf(c: Ctx, id: string, { title, size, version }: FilePart): Headers {
  return new Headers({
    'content-type': FILE_TYPE,
    'content-length': String(size),
    'content-disposition': inlineName(title.slice(0, MAX_TITLE) || id, '.pdf'),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    etag: `"${version}"`,
    'x-request-id': c.get('requestId'),
  })
}

/** One part in memory at a time. If the version goes meanwhile, or the asker's right to it, the answer breaks off. */
function bytesFrom(c: Ctx, id: string, { bytes, revision, isLast }: FilePart): ReadableStream<Uint8Array> {
  let next: { readonly bytes: Uint8Array; readonly isLast: boolean } | undefined = { bytes, isLast }
  let part = 0
  return new ReadableStream({
    async pull(controller) {
      const now = next ?? (await partOf(c, id, { part, revision }))
      if (!now || now === 'none') return controller.error(new Error('document file: no longer there'))
      ;[next, part] = [undefined, part + 1]
      controller.enqueue(now.bytes)
      if (now.isLast) controller.close()
    },
  })
}

/** Of a known length on the wire; in Workers a stream must say it itself. */
function measured(stream: ReadableStream<Uint8Array>, size: number): ReadableStream<Uint8Array> {
  const { FixedLengthStream: Fixed } = globalThis as { FixedLengthStream?: new (size: number) => TransformStream<Uint8Array, Uint8Array> }
  return Fixed ? stream.pipeThrough(new Fixed(size)) : stream
}
