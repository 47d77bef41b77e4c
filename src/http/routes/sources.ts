/** Sources: pages on the web that are fetched by schedule, so that their documents stay as the pages are. */

import { listOf } from '../../contract/pages'
import { everyOf, msOf, source, sourceSchema } from '../../contract/sources'
import type { Asker } from '../../core/access/labels'
import type { SourceInput, SourceRecord } from '../../ports/sources'
import { askerOf } from '../asker'
import { type Ctx, outboundObjectOf } from '../context'
import { page, placeOf } from '../cursor'
import { isoTime, isoTimeOrNull } from '../iso-time'
import { cursor, limit } from '../parameters'
import { nameOf } from '../path'
import { notFound, Problem } from '../problem'
import { route } from '../route'
import { requireCallable } from './callable'

const MAX_ID = 256 // bytes

export const sourceRoutes = [
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/sources',
    id: 'createSource',
    tag: 'sources',
    summary: 'Create a source: keep a document in step with a page on the web',
    description:
      'The page is fetched now and then by schedule; ETag, Last-Modified and a hash of its bytes say whether it has changed, and what has not changed costs nothing. HTML, Markdown, plain text and PDF.',
    access: ['write'],
    body: { schema: sourceSchema, example: { url: 'https://example.org/handbook', every: '1d', on_gone: 'keep' } },
    answers: { 201: { description: 'Made; the first fetch is under way.', schema: source } },
    problems: ['conflict'],
    repeatable: true,
  }).answer(async (c, body) => {
    const url = (await requireCallable(c, body.url)).href
    const id = `src_${crypto.randomUUID().replaceAll('-', '')}`
    const short = new TextEncoder().encode(url).length <= MAX_ID
    const input: SourceInput = {
      id,
      url,
      document: body.document ?? (short ? url : id),
      every: msOf(body.every),
      onGone: body.on_gone,
      metadata: body.metadata ?? {},
      access: body.access,
      created: c.get('world').now(),
    }
    const added = await outboundObjectOf(c).addSource(input)
    if (added === 'taken') throw new Problem('conflict', 'Another source brings this document.')
    if (added === 'too_many') throw new Problem('conflict', 'This corpus has as many sources as it may.')
    return { status: 201, body: view(await sourceOf(c, id, 'all')) }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/sources',
    id: 'listSources',
    tag: 'sources',
    summary: 'List the sources of a corpus, with how their last fetch ended',
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
    summary: 'Delete a source; its document stays',
    access: ['write'],
    answers: { 204: { description: 'Removed.' } },
    problems: ['source_not_found'],
  }).answer(async (c) => {
    await sourceOf(c)
    if (!(await outboundObjectOf(c).removeSource(nameOf(c, 'source')))) throw notFound('source')
    return { status: 204 }
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/sources/{source}:fetch',
    id: 'fetchSource',
    tag: 'sources',
    summary: 'Fetch a source now',
    access: ['write'],
    repeatable: true,
    answers: { 202: { description: 'Under way.', schema: source } },
    problems: ['source_not_found'],
  }).answer(async (c) => {
    await sourceOf(c)
    const record = await outboundObjectOf(c).askSource(nameOf(c, 'source'))
    if (!record) throw notFound('source')
    return { status: 202, body: view(record) }
  }),
]

async function sourceOf(c: Ctx, id = nameOf(c, 'source'), asker?: Asker): Promise<SourceRecord> {
  const record = await outboundObjectOf(c).source(id, asker ?? (await askerOf(c)))
  if (!record) throw notFound('source')
  return record
}

function view({ id, url, document, every, onGone, metadata, access, created, status, failures, last, seen, changed, due }: SourceRecord) {
  return {
    source: id,
    url,
    document,
    every: everyOf(every),
    on_gone: onGone,
    metadata,
    access: access ?? [],
    status,
    failures,
    last_result: last,
    seen_at: isoTimeOrNull(seen),
    changed_at: isoTimeOrNull(changed),
    next_fetch_at: isoTimeOrNull(due),
    created_at: isoTime(created),
  }
}
