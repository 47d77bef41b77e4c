/** Documents: put, made, batched, listed, seen, deleted. Answered by the corpus's object, so that what was accepted is visible at once. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { batchSchema, documentPatchSchema, documentSchema } from '../../contract/documents'
import type { DocumentInput } from '../../ports/documents'
import type { Accepted } from '../../ports/jobs'
import { noCorpus, within } from '../access'
import { askerOf } from '../asker'
import { checked, json, MIB } from '../body'
import { type Ctx, type Http, objectOf } from '../context'
import { encode, placeOf } from '../cursor'
import { repeatable } from '../idempotency'
import { countDocuments } from '../key-limits'
import { idAt } from '../path'
import { Problem } from '../problem'
import { takes } from '../query'
import { RAW_LIMIT, rawDocument } from '../reading'
import { acceptedAnswer } from '../waiting'

const ID = 4 // place of the id in /v1/corpora/{corpus}/documents/{id}
const BATCH_LIMIT = 8 * MIB // JSON may need more bytes than the text
const MAX_BATCH_TEXT = 4 * MIB // bytes of text that go in as one version: two such batches at once keep within an isolate's 128 MB, here and in the object
const TEXT_LIMIT = 8 * MIB // JSON may need six bytes for one of text

const base = '/v1/corpora/:corpus'

/** Before any of it is read, so that who sends a large one hears where it belongs. */
const batchFits = createMiddleware<Http>(async (c, next) => {
  if (Number(c.req.header('content-length') ?? 0) > BATCH_LIMIT) throw batchTooLarge()
  await next()
})

const batchTooLarge = (): Problem => {
  const detail = `A batch is one version, and holds at most ${MAX_BATCH_TEXT} bytes of text (${BATCH_LIMIT} of JSON). Send several, or the documents as JSON lines to \`:import\`, which takes ${16 * MIB} bytes and makes a job of every ${MAX_BATCH_TEXT}.`
  return new Problem('too_large', detail, { members: { limit: MAX_BATCH_TEXT, of: 'batch_bytes' } })
}

const encoder = new TextEncoder()
const textIn = (documents: readonly { readonly text: string }[]): number =>
  documents.reduce((sum, { text }) => sum + encoder.encode(text).length, 0)

export const documentRoutes = new Hono<Http>()
  .put(`${base}/documents/:id`, takes('title', 'url', 'access', 'wait'), within('write'), repeatable(RAW_LIMIT), async (c) => {
    const document = { id: idAt(c, ID), ...(await contentOf(c)) }
    return put(c, document)
  })
  .post(`${base}/documents`, takes('title', 'url', 'access', 'wait'), within('write'), repeatable(RAW_LIMIT), async (c) => {
    const id =
      c
        .get('repeatId')
        ?.replaceAll(/[^A-Za-z0-9]/g, '')
        .slice(0, 32) ?? crypto.randomUUID().replaceAll('-', '')
    return put(c, { id: `doc_${id}`, ...(await contentOf(c)) })
  })
  .post(`${base}/documents:batch`, takes('wait'), within('write'), batchFits, repeatable(BATCH_LIMIT), async (c) => {
    const { upserts, deletes } = await json(c, batchSchema, BATCH_LIMIT)
    if (textIn(upserts) > MAX_BATCH_TEXT) throw batchTooLarge()
    const inputs = upserts.map(({ id, ...rest }) => ({ id, ...inputOf(rest) }))
    const accepted = await countDocuments(c, inputs, () => objectOf(c).accept({ kind: 'batch', upserts: inputs, deletes }))
    if (accepted.kind === 'unchanged') return c.json({ status: 'unchanged', documents: accepted.documents, ...versionOf(accepted) })
    const { job, documents } = taken(accepted)
    return acceptedAnswer(c, job, { documents })
  })
  .get(`${base}/documents`, takes('cursor', 'limit'), within('read'), async (c) => {
    const { after, limit } = placeOf(c)
    const { data, next_cursor } = await objectOf(c).documents(after === '' ? null : after, limit, await askerOf(c))
    return c.json({ data, next_cursor: next_cursor === null ? null : encode(next_cursor) })
  })
  .get(`${base}/documents/:id`, within('read'), async (c) => {
    const document = await objectOf(c).document(idAt(c, ID), await askerOf(c))
    if (!document) throw noDocument()
    return c.json(document, 200, { etag: `"${document.content_version}"` })
  })
  .patch(`${base}/documents/:id`, within('write'), async (c) => {
    const { access } = await json(c, documentPatchSchema)
    const changed = await objectOf(c).setAccess(idAt(c, ID), access, await askerOf(c))
    if (!changed) throw noDocument()
    return c.json({ document: idAt(c, ID), access, version: changed.version })
  })
  .delete(`${base}/documents/:id`, takes('wait'), within('write'), async (c) => {
    const accepted = await objectOf(c).accept({ kind: 'delete', upserts: [], deletes: [idAt(c, ID)], ...expected(c) })
    return acceptedAnswer(c, taken(accepted).job, {})
  })

const noDocument = () => new Problem('document_not_found', 'There is no such document.')

async function put(c: Ctx, document: DocumentInput): Promise<Response> {
  const request = { kind: 'ingest' as const, upserts: [document], deletes: [], ...expected(c) }
  const accepted = await countDocuments(c, [document], () => objectOf(c).accept(request))
  if (accepted.kind === 'unchanged') return c.json({ status: 'unchanged', document: document.id, ...versionOf(accepted) })
  return acceptedAnswer(c, taken(accepted).job, { document: document.id })
}

/** A raw body says what it is called and where it comes from in the query string. */
async function contentOf(c: Ctx): Promise<Omit<DocumentInput, 'id'>> {
  const raw = await rawDocument(c)
  const { title, url } = c.req.query()
  const access = c.req.queries('access')
  if (!raw) {
    const beside = Object.entries({ title, url, access }).find(([, value]) => value !== undefined)
    if (beside) throw besideJson(beside[0])
    return inputOf(await json(c, documentSchema, TEXT_LIMIT))
  }
  return inputOf(checked(documentSchema, { text: raw.text, title: title ?? raw.title, url, ...(access ? { access } : {}) }))
}

function inputOf({ text, title, url, metadata, access }: ReturnType<typeof documentSchema.parse>): Omit<DocumentInput, 'id'> {
  return { text, title: title ?? '', url: url ?? null, metadata: metadata ?? {}, ...(access ? { access } : {}) }
}

const besideJson = (path: string): Problem =>
  new Problem('invalid', 'The query string names what a raw body cannot hold.', { errors: [{ path, message: 'belongs into the JSON' }] })

/** If-Match names the content version the caller has seen; `If-None-Match: *` means: only if there is none. */
function expected(c: Ctx): { readonly ifMatch?: number } {
  if (c.req.header('if-none-match')?.trim() === '*') return { ifMatch: 0 }
  const header = c.req.header('if-match')?.trim()
  if (header === undefined || header === '*') return {}
  const version = /^(?:W\/)?"?(\d{1,15})"?$/.exec(header)?.[1]
  if (version === undefined) throw new Problem('precondition_failed', 'If-Match is not a content version.')
  return { ifMatch: Number(version) }
}

const databaseFull = (bytes: number): Problem => {
  const detail =
    'The database this corpus is read from holds as much as it may. Put further documents into a new corpus, which gets another database, or delete corpora of this one.'
  return new Problem('database_full', detail, { members: { limit: bytes, of: 'database_bytes' } })
}

const storageFull = (bytes: number): Problem => {
  const detail = `With this the storage of the corpus would exceed ${bytes / 1e9} GB, which leaves room for deletions. Delete documents, or put further ones into another corpus.`
  return new Problem('storage_full', detail, { members: { limit: bytes, of: 'storage_bytes' } })
}

const indexFull = (vectors: number): Problem => {
  const detail =
    'The vector index of this deployment holds as many vectors as it may, of all corpora together. Delete documents or corpora, or put further documents into another deployment.'
  return new Problem('index_full', detail, { members: { limit: vectors, of: 'index_vectors' } })
}

/** Where nothing but labels changed, the version with which they hold. */
function versionOf({ version }: Extract<Accepted, { kind: 'unchanged' }>): { readonly version?: number } {
  return version === undefined ? {} : { version }
}

type Taken = Extract<Accepted, { kind: 'accepted' }>

export function taken(accepted: Accepted): Taken {
  switch (accepted.kind) {
    case 'accepted':
      return accepted
    case 'over_budget': {
      const { estimate, left } = accepted
      throw new Problem('over_budget', 'The budget does not cover the estimate.', { members: { estimate, left } })
    }
    case 'full': {
      const { what, most } = accepted
      if (what === 'database_bytes') throw databaseFull(most)
      if (what === 'storage_bytes') throw storageFull(most)
      if (what === 'index_vectors') throw indexFull(most)
      throw new Problem('corpus_full', `A corpus may hold ${most} ${what}.`, { members: { limit: most, of: what } })
    }
    case 'precondition_failed':
      throw new Problem('precondition_failed', 'The document has changed since.')
    case 'missing':
      throw noDocument()
    case 'gone':
      throw noCorpus()
    case 'unchanged':
    case 'duplicate':
      throw new Error('documents: nothing was taken in')
  }
}
