import { batch, batchSchema, document, documentPatchSchema, documentSchema, patched, put } from '../../contract/documents'
import { estimate, estimateSchema } from '../../contract/estimates'
import { imported, importedSchema } from '../../contract/imports'
import { accepted } from '../../contract/jobs'
import { listOf } from '../../contract/pages'
import { cursor, limit, type Operation, type Parameter, wait } from './operation'

const text = 'Bread is baked in the old mill on Tuesdays.'
const raw = {
  'text/plain': 'The text itself.',
  'text/markdown': 'The text itself.',
  'text/html': 'A page; read as a reader would see it.',
  'application/pdf': 'Its text, page after page, and its title. A scanned, encrypted or broken one is 422.',
}
const of: readonly Parameter[] = [
  { name: 'title', in: 'query', description: 'Of a raw body.', schema: { type: 'string', maxLength: 1000 } },
  { name: 'url', in: 'query', description: 'Where a raw body comes from.', schema: { type: 'string', maxLength: 2048 } },
  {
    name: 'access',
    in: 'query',
    description: 'A label of a raw body; may be repeated.',
    schema: { type: 'array', items: { type: 'string' } },
  },
]
const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of the document as you know it; 412 if it has changed since.',
  schema: { type: 'string' },
}
const ifNoneMatch: Parameter = { name: 'If-None-Match', in: 'header', description: '`*`: only if there is none.', schema: { const: '*' } }
const unchanged = {
  description: 'Word for word what is there; or, with `wait`, taken in and visible.',
  schema: put,
  example: { status: 'unchanged', document: 'mill' },
}
const taken = { description: 'Accepted; visible when the job has succeeded.', schema: put, example: { document: 'mill', job: 'j_1' } }
const intake = [
  'over_budget',
  'corpus_full',
  'storage_full',
  'database_full',
  'index_full',
  'precondition_failed',
  'invalid_encoding',
  'unreadable_document',
] as const
const example = { text, title: 'The mill', url: 'https://example.com/mill', metadata: { year: 1912 } }

export const documentOperations: readonly Operation[] = [
  {
    method: 'put',
    path: '/v1/corpora/{corpus}/documents/{document}',
    id: 'putDocument',
    tag: 'documents',
    summary: 'Put a document under an id of yours',
    description: 'A changed document takes the place of the old one when it is ready; until then the old one is served.',
    access: ['write'],
    parameters: [...of, wait, ifMatch, ifNoneMatch],
    body: { schema: documentSchema, example, raw },
    answers: { 200: unchanged, 202: taken },
    problems: intake,
    repeatable: true,
  },
  {
    method: 'post',
    path: '/v1/corpora/{corpus}/documents',
    id: 'addDocument',
    tag: 'documents',
    summary: 'Add a document under an id of ours',
    access: ['write'],
    parameters: [...of, wait],
    body: { schema: documentSchema, example, raw },
    answers: { 200: unchanged, 202: taken },
    problems: intake,
    repeatable: true,
  },
  {
    method: 'post',
    path: '/v1/corpora/{corpus}/documents:batch',
    id: 'batchDocuments',
    tag: 'documents',
    summary: 'Put and delete many documents as one version',
    description: 'At most 1,000 documents and 4 MiB of text. `:import` takes more, as several versions.',
    access: ['write'],
    parameters: [wait],
    body: { schema: batchSchema, example: { upserts: [{ id: 'mill', ...example }], deletes: ['old-mill'] } },
    answers: {
      200: { description: 'Nothing has changed; or, with `wait`, all is in and visible.', schema: batch },
      202: { description: 'Accepted.', schema: batch, example: { job: 'j_1', documents: [{ document: 'mill', status: 'queued' }] } },
    },
    problems: ['over_budget', 'corpus_full', 'storage_full', 'database_full', 'index_full', 'document_not_found'],
    repeatable: true,
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/documents',
    id: 'listDocuments',
    tag: 'documents',
    summary: 'Documents by id',
    access: ['read'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of documents, without their texts.', schema: listOf(document) } },
    problems: ['invalid'],
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/documents/{document}',
    id: 'getDocument',
    tag: 'documents',
    summary: 'A document with its text',
    access: ['read'],
    answers: { 200: { description: 'The document. Its ETag serves `If-Match`.', schema: document } },
    problems: ['document_not_found', 'invalid'],
  },
  {
    method: 'patch',
    path: '/v1/corpora/{corpus}/documents/{document}',
    id: 'patchDocument',
    tag: 'documents',
    summary: 'Change a document’s labels',
    description: 'Who may read it from the version on that is returned; its text is not read again.',
    access: ['write'],
    body: { schema: documentPatchSchema, example: { access: ['group:finance'] } },
    answers: {
      200: { description: 'In force.', schema: patched, example: { document: 'mill', access: ['group:finance'], version: 13 } },
    },
    problems: ['document_not_found', 'invalid'],
  },
  {
    method: 'delete',
    path: '/v1/corpora/{corpus}/documents/{document}',
    id: 'deleteDocument',
    tag: 'documents',
    summary: 'Delete a document',
    description: 'When the job has succeeded, none of its text is left in any table, index or sink.',
    access: ['write'],
    parameters: [wait, ifMatch],
    answers: {
      200: { description: 'With `wait`: it is gone everywhere.', schema: accepted },
      202: { description: 'Accepted.', schema: accepted },
    },
    problems: ['document_not_found', 'precondition_failed', 'invalid'],
  },
  {
    method: 'post',
    path: '/v1/corpora/{corpus}/estimate',
    id: 'estimateDocuments',
    tag: 'documents',
    summary: 'What taking documents in would cost',
    description:
      'Per strategy, with bounds, for 4 Mi characters at most. Costs nothing and stores nothing. Needs a key, in a public corpus too.',
    access: ['read', 'write'],
    body: { schema: estimateSchema, example: { documents: [{ text }] } },
    answers: { 200: { description: 'The estimate.', schema: estimate } },
  },
  {
    method: 'post',
    path: '/v1/corpora/{corpus}:import',
    id: 'importCorpus',
    tag: 'documents',
    summary: 'Take in an export, or your own lines',
    description:
      'JSON lines, at most 16 MiB: what `GET …/export?format=jsonl` gave (documents and labels are taken, the graph is derived anew), or lines of your own with the text in the document.',
    access: ['write'],
    body: { schema: importedSchema, type: 'application/x-ndjson', example: { type: 'document', id: 'mill', ...example } },
    answers: { 202: { description: 'Accepted.', schema: imported }, 200: { description: 'Nothing has changed.', schema: imported } },
    problems: ['over_budget', 'strategy_not_enabled'],
    repeatable: true,
  },
]
