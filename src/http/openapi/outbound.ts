/** Endpoints and sources, as the reference describes them. */
import { z } from 'zod'
import { EVENTS } from '../../outbound-ports'
import { listOf } from '../schemas/answers'
import { endpointSchema, renewSchema, sourceSchema } from '../schemas/outbound'
import { cursor, limit, type Operation, type Parameter } from './operation'

const endpoint = z
  .object({
    endpoint: z.string(),
    url: z.string(),
    events: z.array(z.enum(EVENTS)).describe('Empty: all.'),
    status: z
      .enum(['active', 'gone'])
      .describe('`gone`: it answered 410 and is told nothing more, until its secret is rotated or a delivery asked for again.'),
    created_at: z.string(),
  })
  .loose()
const shown = endpoint.extend({ secret: z.string().describe('Shown once.') })

const delivery = z
  .object({
    delivery: z.string(),
    endpoint: z.string(),
    event: z.string().describe('The `webhook-id`, the same at each attempt.'),
    type: z.enum(EVENTS),
    status: z.enum(['pending', 'delivered', 'dead']),
    attempts: z.int(),
    last_result: z.string().nullable().describe('`http_503`, `timeout`, `dns`, `refused_private`, …'),
    created_at: z.string(),
    next_attempt_at: z.string().optional(),
  })
  .loose()

const source = z
  .object({
    source: z.string(),
    url: z.string(),
    document: z.string(),
    every: z.string(),
    on_gone: z.enum(['keep', 'delete']),
    metadata: z.record(z.string(), z.unknown()),
    status: z
      .enum(['new', 'ok', 'failing', 'gone'])
      .describe('`failing`: the last look failed, the document stands. `gone`: the page was twice not there.'),
    failures: z.int().describe('In a row.'),
    last_result: z.string().nullable().describe('`changed`, `unchanged`, or why not: `http_404`, `robots`, `timeout`, `over_budget`, …'),
    seen_at: z.string().nullable(),
    changed_at: z.string().nullable(),
    next_fetch_at: z.string().nullable(),
    created_at: z.string(),
  })
  .loose()

const status: Parameter = {
  name: 'status',
  in: 'query',
  description: 'Only these; `dead` are those that were given up after about a day.',
  schema: { type: 'string', enum: ['pending', 'delivered', 'dead'] },
}
const SENT =
  'Events are signed as Standard Webhooks say (`webhook-id`, `webhook-timestamp`, `webhook-signature`) and hold `{type, timestamp, data}` with ids, versions and statuses, never text. Any 2xx within 15 seconds is heard; otherwise they are sent again for about a day, later each time. The same event may come more than once, always under the same `webhook-id`.'

export const outboundOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/corpora/{corpus}/endpoints',
    id: 'createEndpoint',
    tag: 'events',
    summary: 'Tell another system what happens in a corpus, signed',
    description: SENT,
    access: ['write'],
    body: { schema: endpointSchema, example: { url: 'https://example.org/loam', events: ['document.ready', 'document.failed'] } },
    answers: { 201: { description: 'Made.', schema: shown } },
    problems: ['conflict'],
    repeatable: true,
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/endpoints',
    id: 'listEndpoints',
    tag: 'events',
    summary: 'The endpoints of a corpus',
    access: ['write'],
    answers: { 200: { description: 'All of them, without secrets.', schema: listOf(endpoint) } },
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/endpoints/{endpoint}',
    id: 'getEndpoint',
    tag: 'events',
    summary: 'One endpoint',
    access: ['write'],
    answers: { 200: { description: 'The endpoint, without its secret.', schema: endpoint } },
    problems: ['endpoint_not_found'],
  },
  {
    method: 'delete',
    path: '/v1/corpora/{corpus}/endpoints/{endpoint}',
    id: 'deleteEndpoint',
    tag: 'events',
    summary: 'Tell an endpoint nothing more',
    access: ['write'],
    answers: { 204: { description: 'Removed, with what it was still to be told.' } },
    problems: ['endpoint_not_found'],
  },
  {
    method: 'post',
    path: '/v1/corpora/{corpus}/endpoints/{endpoint}:rotate',
    id: 'rotateEndpoint',
    tag: 'events',
    summary: 'A new secret; for `overlap` seconds both sign',
    access: ['write'],
    body: { schema: renewSchema, optional: true, example: { overlap: 3600 } },
    answers: { 200: { description: 'Rotated.', schema: shown } },
    problems: ['endpoint_not_found'],
    repeatable: true,
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/endpoints/{endpoint}/deliveries',
    id: 'listDeliveries',
    tag: 'events',
    summary: 'What an endpoint was told, is to be told, and could not be told',
    access: ['write'],
    parameters: [status, cursor, limit],
    answers: { 200: { description: 'A page, newest first.', schema: listOf(delivery) } },
    problems: ['endpoint_not_found', 'invalid'],
  },
  {
    method: 'post',
    path: '/v1/corpora/{corpus}/deliveries/{delivery}:redeliver',
    id: 'redeliver',
    tag: 'events',
    summary: 'Tell it again, from the beginning, under the same event id',
    access: ['write'],
    repeatable: true,
    answers: { 202: { description: 'Under way.', schema: delivery } },
    problems: ['delivery_not_found'],
  },
  {
    method: 'post',
    path: '/v1/corpora/{corpus}/sources',
    id: 'createSource',
    tag: 'sources',
    summary: 'Keep a document as a page on the web is',
    description:
      'The page is fetched now and then by schedule; ETag, Last-Modified and a hash of its bytes say whether it has changed, and what has not changed costs nothing. HTML, Markdown, plain text and, where the platform converts it, PDF.',
    access: ['write'],
    body: { schema: sourceSchema, example: { url: 'https://example.org/handbook', every: '1d', on_gone: 'keep' } },
    answers: { 201: { description: 'Made; the first look is under way.', schema: source } },
    problems: ['conflict'],
    repeatable: true,
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/sources',
    id: 'listSources',
    tag: 'sources',
    summary: 'The sources of a corpus, with how their last look ended',
    access: ['write'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of sources.', schema: listOf(source) } },
    problems: ['invalid'],
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/sources/{source}',
    id: 'getSource',
    tag: 'sources',
    summary: 'One source',
    access: ['write'],
    answers: { 200: { description: 'The source.', schema: source } },
    problems: ['source_not_found'],
  },
  {
    method: 'delete',
    path: '/v1/corpora/{corpus}/sources/{source}',
    id: 'deleteSource',
    tag: 'sources',
    summary: 'Look at a page no more; its document stays',
    access: ['write'],
    answers: { 204: { description: 'Removed.' } },
    problems: ['source_not_found'],
  },
  {
    method: 'post',
    path: '/v1/corpora/{corpus}/sources/{source}:fetch',
    id: 'fetchSource',
    tag: 'sources',
    summary: 'Look now',
    access: ['write'],
    repeatable: true,
    answers: { 202: { description: 'Under way.', schema: source } },
    problems: ['source_not_found'],
  },
]
