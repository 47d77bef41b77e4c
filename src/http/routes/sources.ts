/** Sources: what is checked on a schedule, so that documents stay in step with their pages. */

import { bucketPlace } from '../../contract/bucket-place'
import { listOf } from '../../contract/pages'
import type { SourceKind } from '../../contract/source-kinds'
import { credentialSchema, goneBy, msOf, source, sourceItem, sourceSchema } from '../../contract/sources'
import type { Asker } from '../../core/access/labels'
import { isInPartitions, partitionsOf } from '../../corpus-uid'
import type { SourceInput, SourceRecord } from '../../ports/sources'
import { askerOf } from '../asker'
import { type Ctx, outboundObjectOf } from '../context'
import { page, placeOf } from '../cursor'
import { partitioned } from '../divided'
import { sealedPlaceOf, withSealedCursor } from '../hidden-place'
import { cursor, limit, type Parameter } from '../parameters'
import { nameOf } from '../path'
import { notFound, Problem } from '../problem'
import { route } from '../route'
import { sealed, secretOf, urlOf } from './source-input'
import { itemView, view } from './source-view'

const MAX_ID = 256 // bytes
const BUCKETS: ReadonlySet<SourceKind> = new Set(['r2', 's3'])
const STATUSES = sourceItem.shape.status.options
const documents: Parameter = {
  name: 'documents',
  in: 'query',
  description: 'What happens to its documents.',
  schema: { type: 'string', enum: ['keep', 'delete'], default: 'keep' },
}
const itemStatus: Parameter = {
  name: 'status',
  in: 'query',
  description: 'Only items with this status.',
  schema: { type: 'string', enum: STATUSES },
}

/** What archives in a bucket have brought would be known to nobody after it. */
const isBeingDivided = (uid: string): boolean => isInPartitions(uid) && partitionsOf(uid) === 1

export const sourceRoutes = [
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/sources',
    id: 'createSource',
    tag: 'sources',
    summary: 'Create a source: keep documents in step with a page, or with what a site lists',
    description:
      'Pages are fetched on a schedule; ETag, Last-Modified and a hash of their bytes tell whether they have changed, and what has not changed costs nothing. Any supported kind of file works. A `sitemap` or `feed` brings a document for each page it lists, a few at a time; `GET …/items` shows the state of each.',
    access: ['write'],
    body: { schema: sourceSchema, example: { url: 'https://example.org/handbook', every: '1d', on_gone: 'keep' } },
    answers: { 201: { description: 'Created. The first fetch is in progress.', schema: source } },
    problems: ['conflict'],
    repeatable: true,
    scopeFor: ({ kind }: { readonly kind: SourceKind }) => (kind === 'r2' ? 'admin' : 'write'),
  }).answer(async (c, body) => {
    if (BUCKETS.has(body.kind) && isBeingDivided(c.get('corpus').uid)) throw partitioned()
    const url = await urlOf(c, body)
    const secret = secretOf(body)
    const id = `src_${crypto.randomUUID().replaceAll('-', '')}`
    const short = new TextEncoder().encode(url).length <= MAX_ID
    const input: SourceInput = {
      id,
      kind: body.kind,
      url,
      document: body.kind === 'page' ? (body.document ?? (short ? url : id)) : id,
      every: msOf(body.every),
      onGone: body.on_gone ?? goneBy(body.kind).on_gone,
      goneAfter: body.gone_after ?? goneBy(body.kind).gone_after,
      options: {
        include: body.include,
        exclude: body.exclude,
        maxItems: body.max_items,
        content: body.content,
        ref: body.ref ?? null,
        region: body.region ?? null,
      },
      metadata: body.metadata ?? {},
      access: body.access,
      created: c.get('world').now(),
      ...(secret === null ? {} : { secrets: await sealed(c, id, secret) }),
    }
    const added = await outboundObjectOf(c).addSource(input)
    if (added === 'added' && body.kind === 'r2')
      await c.get('world').bucketRoutes.put({ ...bucketPlace('r2', url), uid: c.get('corpus').uid, source: id })
    if (added === 'taken') throw new Problem('conflict', 'Another source already provides this document.')
    if (added === 'too_many') throw new Problem('conflict', 'This corpus already has the maximum number of sources.')
    return { status: 201, body: view(await sourceOf(c, id, 'all')) }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/sources',
    id: 'listSources',
    tag: 'sources',
    summary: 'List the sources of a corpus, with the result of their last fetch',
    access: ['write'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of sources.', schema: listOf(source) } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit } = placeOf(c)
    const { data } = await outboundObjectOf(c).sources(after, limit + 1, await askerOf(c))
    const { data: shown, next_cursor } = page(data, limit, ({ id }) => id)
    return { status: 200, body: { data: shown.map(view), next_cursor } }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/sources/{source}',
    id: 'getSource',
    tag: 'sources',
    summary: 'Get a source',
    access: ['write'],
    answers: { 200: { description: 'The source.', schema: source } },
    problems: ['source_not_found'],
  }).answer(async (c) => ({ status: 200, body: view(await sourceOf(c)) })),
  route({
    method: 'delete',
    path: '/v1/corpora/{corpus}/sources/{source}',
    id: 'deleteSource',
    tag: 'sources',
    summary: 'Delete a source; its documents stay by default',
    access: ['write'],
    parameters: [documents],
    answers: {
      202: { description: 'Its documents are being deleted; until then its status is `removing`.', schema: source },
      204: { description: 'The source was deleted.' },
    },
    repeatable: true,
    problems: ['source_not_found', 'invalid'],
  }).answer(async (c) => {
    const asked = c.req.query('documents') || 'keep'
    if (asked !== 'keep' && asked !== 'delete')
      throw new Problem('invalid', 'What should happen to its documents?', { errors: [{ path: 'documents', message: 'keep or delete' }] })
    const { id, kind } = await sourceOf(c)
    const removed = await outboundObjectOf(c).removeSource(id, asked)
    if (!removed) throw notFound('source')
    if (kind === 'r2') await c.get('world').bucketRoutes.remove(c.get('corpus').uid, id)
    if (removed === 'removed') return { status: 204 }
    return { status: 202, body: view(await sourceOf(c, id, 'all')) }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/sources/{source}/items',
    id: 'listSourceItems',
    tag: 'sources',
    summary: 'List the items of a source, with the state of each',
    description:
      'A page may hold fewer than `limit`, or none, and still have a `next_cursor`: one call looks past 5,000 items that have another status or whose documents you may not read.',
    access: ['write'],
    parameters: [itemStatus, cursor, limit],
    answers: { 200: { description: 'A page of items, by name. A `page` has none.', schema: listOf(sourceItem) } },
    problems: ['source_not_found', 'invalid'],
  }).answer(async (c) => {
    const { id } = await sourceOf(c)
    const wanted = c.req.query('status') || null
    const status = STATUSES.find((one) => one === wanted) ?? null
    if (wanted !== status) throw new Problem('invalid', 'Unknown status.', { errors: [{ path: 'status', message: STATUSES.join(', ') }] })
    const { after, limit } = await sealedPlaceOf(c)
    const found = await outboundObjectOf(c).sourceItems(id, { status, cursor: after, limit }, await askerOf(c))
    const { data, next_cursor } = await withSealedCursor(c, found, ({ item }) => item)
    return { status: 200, body: { data: data.map(itemView), next_cursor } }
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/sources/{source}:rotate',
    id: 'rotateSource',
    tag: 'sources',
    summary: 'Replace the token or key of a source, and fetch it now',
    access: ['write'],
    body: { schema: credentialSchema, example: { token: 'github_pat_11AAAAAA' } },
    answers: { 200: { description: 'The new credential is in use; the old one is forgotten.', schema: source } },
    repeatable: true,
    problems: ['source_not_found', 'conflict'],
  }).answer(async (c, given) => {
    const { id, credential, kind } = await sourceOf(c)
    if (credential === null) throw new Problem('conflict', 'This source has no token. Delete it and create it again with one.')
    const secret = secretOf(given)
    if (secret === null || (kind === 's3') !== (given.token == null)) {
      const path = kind === 's3' ? 'access_key_id' : 'token'
      throw new Problem('invalid', 'This source uses another kind of credential.', {
        errors: [{ path, message: `is required for a source of kind \`${kind}\`` }],
      })
    }
    const record = await outboundObjectOf(c).askSource(id, { kind: 'credential', secrets: await sealed(c, id, secret) })
    if (!record) throw notFound('source')
    return { status: 200, body: view(record) }
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/sources/{source}:fetch',
    id: 'fetchSource',
    tag: 'sources',
    summary: 'Fetch a source now',
    access: ['write'],
    repeatable: true,
    answers: { 202: { description: 'The source is being fetched.', schema: source } },
    problems: ['source_not_found'],
  }).answer(async (c) => {
    await sourceOf(c)
    const record = await outboundObjectOf(c).askSource(nameOf(c, 'source'), { kind: 'call' })
    if (!record) throw notFound('source')
    return { status: 202, body: view(record) }
  }),
]

async function sourceOf(c: Ctx, id = nameOf(c, 'source'), asker?: Asker): Promise<SourceRecord> {
  const record = await outboundObjectOf(c).source(id, asker ?? (await askerOf(c)))
  if (!record) throw notFound('source')
  return record
}
