/** Endpoints: who is notified of a corpus's events, what is still to be delivered to them, and what could not be. */

import type { DeliveryStatus } from '../../contract/endpoints'
import { delivery, endpoint, endpointSchema, renewSchema, shownEndpoint } from '../../contract/endpoints'
import { listOf } from '../../contract/pages'
import { sealOverlapping } from '../../hooks/seal'
import type { DeliveryView, EndpointRecord } from '../../ports/deliveries'
import { askerOf } from '../asker'
import { type Ctx, outboundObjectOf } from '../context'
import { encode, placeOf } from '../cursor'
import { isoTime } from '../iso-time'
import { cursor, limit, type Parameter } from '../parameters'
import { nameOf } from '../path'
import { notFound, Problem } from '../problem'
import { route } from '../route'
import { MAX_SECRETS, requireUsableSecret, vaultOf } from '../webhook-secrets'
import { requireCallable } from './callable'

const STATUSES: readonly string[] = ['pending', 'delivered', 'dead'] satisfies DeliveryStatus[]
const status: Parameter = {
  name: 'status',
  in: 'query',
  description: 'Only deliveries with this status; `dead` ones were given up after about a day.',
  schema: { type: 'string', enum: STATUSES },
}
const SENT =
  'Events are signed as Standard Webhooks require (`webhook-id`, `webhook-timestamp`, `webhook-signature`) and contain `{type, timestamp, data}` with ids, versions and statuses, never text. Any 2xx within 15 seconds counts as delivered; otherwise they are sent again for about a day, at growing intervals. An event may arrive more than once, always under the same `webhook-id`.'

export const endpointRoutes = [
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/endpoints',
    id: 'createEndpoint',
    tag: 'events',
    summary: 'Create an endpoint that is notified of what happens in a corpus, signed',
    description: SENT,
    access: ['write'],
    body: { schema: endpointSchema, example: { url: 'https://example.org/loam', events: ['document.ready', 'document.failed'] } },
    answers: { 201: { description: 'The endpoint was created.', schema: shownEndpoint } },
    problems: ['conflict'],
    repeatable: true,
  }).answer(async (c, { url: given, events, secret: wanted }) => {
    const secret = requireUsableSecret('standard', wanted)
    const url = (await requireCallable(c, given)).href
    const id = `ep_${crypto.randomUUID().replaceAll('-', '')}`
    const secrets = [{ sealed: await vaultOf(c).seal(secret, id), until: null }]
    const record: EndpointRecord = {
      id,
      url,
      events: [...new Set(events ?? [])],
      secrets,
      status: 'active',
      created: c.get('world').now(),
      asker: await askerOf(c),
    }
    if (!(await outboundObjectOf(c).addEndpoint(record)))
      throw new Problem('conflict', 'This corpus already has the maximum number of endpoints.')
    return { status: 201, body: { ...view(record), secret }, headers: { 'cache-control': 'no-store' } }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/endpoints',
    id: 'listEndpoints',
    tag: 'events',
    summary: 'List the endpoints of a corpus',
    access: ['write'],
    answers: { 200: { description: 'All endpoints, without secrets.', schema: listOf(endpoint) } },
  }).answer(async (c) => ({ status: 200, body: { data: (await outboundObjectOf(c).endpoints()).map(view), next_cursor: null } })),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/endpoints/{endpoint}',
    id: 'getEndpoint',
    tag: 'events',
    summary: 'Get an endpoint',
    access: ['write'],
    answers: { 200: { description: 'The endpoint, without its secret.', schema: endpoint } },
    problems: ['endpoint_not_found'],
  }).answer(async (c) => ({ status: 200, body: view(await endpointOf(c)) })),
  route({
    method: 'delete',
    path: '/v1/corpora/{corpus}/endpoints/{endpoint}',
    id: 'deleteEndpoint',
    tag: 'events',
    summary: 'Delete an endpoint',
    access: ['write'],
    answers: { 204: { description: 'The endpoint was deleted, with its pending deliveries.' } },
    repeatable: true,
    problems: ['endpoint_not_found'],
  }).answer(async (c) => {
    if (!(await outboundObjectOf(c).removeEndpoint(nameOf(c, 'endpoint')))) throw notFound('endpoint')
    return { status: 204 }
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/endpoints/{endpoint}:rotate',
    id: 'rotateEndpoint',
    tag: 'events',
    summary: 'Rotate the secret of an endpoint; for `overlap` seconds both sign',
    access: ['write'],
    body: { schema: renewSchema, optional: true, example: { overlap: 3600 } },
    answers: { 200: { description: 'Rotated.', schema: shownEndpoint } },
    problems: ['endpoint_not_found'],
    repeatable: true,
  }).answer(async (c, { secret: wanted, overlap }) => {
    const record = await endpointOf(c)
    const secret = requireUsableSecret('standard', wanted)
    const now = c.get('world').now()
    const until = now + overlap * 1000
    const old = await sealOverlapping(vaultOf(c), record.secrets, { name: record.id, until })
    const secrets = [{ sealed: await vaultOf(c).seal(secret, record.id), until: null }, ...old.filter((each) => each.until > now)]
    if (!(await outboundObjectOf(c).renewEndpoint(record.id, secrets.slice(0, MAX_SECRETS)))) throw notFound('endpoint')
    return { status: 200, body: { ...view({ ...record, status: 'active' }), secret }, headers: { 'cache-control': 'no-store' } }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/endpoints/{endpoint}/deliveries',
    id: 'listDeliveries',
    tag: 'events',
    summary: 'List deliveries to an endpoint: made, pending and failed',
    access: ['write'],
    parameters: [status, cursor, limit],
    answers: { 200: { description: 'A page, newest first.', schema: listOf(delivery) } },
    problems: ['endpoint_not_found', 'invalid'],
  }).answer(async (c) => {
    const { id } = await endpointOf(c)
    const { after, limit } = placeOf(c)
    const wanted = c.req.query('status') || null
    if (wanted !== null && !STATUSES.includes(wanted)) {
      throw new Problem('invalid', 'Unknown status.', { errors: [{ path: 'status', message: STATUSES.join(', ') }] })
    }
    const { data, next_cursor } = await outboundObjectOf(c).deliveries(id, wanted as DeliveryStatus | null, after, limit)
    return { status: 200, body: { data: data.map(deliveryView), next_cursor: next_cursor === null ? null : encode(next_cursor) } }
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/deliveries/{delivery}:redeliver',
    id: 'redeliver',
    tag: 'events',
    summary: 'Send an event again, from the first attempt, under the same event id',
    access: ['write'],
    repeatable: true,
    answers: { 202: { description: 'The event is being sent again.', schema: delivery } },
    problems: ['delivery_not_found'],
  }).answer(async (c) => {
    const again = await outboundObjectOf(c).redeliver(nameOf(c, 'delivery'))
    if (!again) throw notFound('delivery')
    return { status: 202, body: deliveryView(again) }
  }),
]

async function endpointOf(c: Ctx): Promise<EndpointRecord> {
  const record = (await outboundObjectOf(c).endpoints()).find(({ id }) => id === nameOf(c, 'endpoint'))
  if (!record) throw notFound('endpoint')
  return record
}

function view({ id, url, events, status, created }: EndpointRecord) {
  return { endpoint: id, url, events, status, created_at: isoTime(created) }
}

function deliveryView({ delivery, endpoint, event, type, status, attempts, created, due, last }: DeliveryView) {
  const next = status === 'pending' ? { next_attempt_at: isoTime(due) } : {}
  return { delivery, endpoint, event, type, status, attempts, last_result: last, created_at: isoTime(created), ...next }
}
