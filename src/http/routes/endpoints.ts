/** Endpoints: who is told of a corpus's events, what they are still to be told, and what they could not be. */
import { Hono } from 'hono'
import { endpointSchema, renewSchema } from '../../contract/endpoints'
import { overlapping } from '../../hooks/seal'
import { keyOf, newSecret } from '../../hooks/signature'
import type { DeliveryStatus, DeliveryView, EndpointRecord } from '../../ports/deliveries'
import { within } from '../access'
import { askerOf } from '../asker'
import { json } from '../body'
import { type Ctx, type Http, outboundObjectOf } from '../context'
import { encode, placeOf } from '../cursor'
import { repeatable } from '../idempotency'
import { Problem } from '../problem'
import { takes } from '../query'
import { callable } from './callable'
import { vaultOf } from './hooks'

const MOST_SECRETS = 4 // at once: the one in use and those that overlap
const base = '/v1/corpora/:corpus/endpoints'
const one = `${base}/:endpoint{[^/:]+}`
const STATUSES: readonly string[] = ['pending', 'delivered', 'dead'] satisfies DeliveryStatus[]

export const endpointRoutes = new Hono<Http>()
  .post(base, within('write'), repeatable(), async (c) => {
    const { url: given, events, secret: wanted } = await json(c, endpointSchema)
    const secret = usable(wanted)
    const url = (await callable(c, given)).href
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
    if (!(await outboundObjectOf(c).addEndpoint(record))) throw new Problem('conflict', 'This corpus has as many endpoints as it may.')
    return c.json({ ...view(record), secret }, 201, { 'cache-control': 'no-store' })
  })
  .get(base, within('write'), async (c) => c.json({ data: (await outboundObjectOf(c).endpoints()).map(view), next_cursor: null }))
  .get(one, within('write'), async (c) => c.json(view(await endpointOf(c))))
  .delete(one, within('write'), async (c) => {
    if (!(await outboundObjectOf(c).removeEndpoint(nameOf(c, 'endpoint')))) throw noEndpoint()
    return c.body(null, 204)
  })
  .post(`${base}/:endpoint{[^/:]+:rotate}`, within('write'), repeatable(), async (c) => {
    const { secret: wanted, overlap } = await json(c, renewSchema)
    const record = await endpointOf(c)
    const secret = usable(wanted)
    const now = c.get('world').now()
    const until = now + overlap * 1000
    const old = await overlapping(vaultOf(c), record.secrets, { name: record.id, until })
    const secrets = [{ sealed: await vaultOf(c).seal(secret, record.id), until: null }, ...old.filter((each) => each.until > now)]
    if (!(await outboundObjectOf(c).renewEndpoint(record.id, secrets.slice(0, MOST_SECRETS)))) throw noEndpoint()
    return c.json({ ...view({ ...record, status: 'active' }), secret }, 200, { 'cache-control': 'no-store' })
  })
  .get(`${one}/deliveries`, takes('status', 'cursor', 'limit'), within('write'), async (c) => {
    const { id } = await endpointOf(c)
    const { after, limit } = placeOf(c)
    const status = c.req.query('status') || null
    if (status !== null && !STATUSES.includes(status)) {
      throw new Problem('invalid', 'There is no such status.', { errors: [{ path: 'status', message: STATUSES.join(', ') }] })
    }
    const { data, next_cursor } = await outboundObjectOf(c).deliveries(id, status as DeliveryStatus | null, after, limit)
    return c.json({ data: data.map(deliveryView), next_cursor: next_cursor === null ? null : encode(next_cursor) })
  })
  .post('/v1/corpora/:corpus/deliveries/:delivery{[^/:]+:redeliver}', within('write'), repeatable(), async (c) => {
    const again = await outboundObjectOf(c).redeliver(nameOf(c, 'delivery'))
    if (!again) throw new Problem('delivery_not_found', 'There is no such delivery.')
    return c.json(deliveryView(again), 202)
  })

const noEndpoint = () => new Problem('endpoint_not_found', 'There is no such endpoint.')
const nameOf = (c: Ctx, parameter: string): string => (c.req.param(parameter) ?? '').split(':')[0] ?? ''

async function endpointOf(c: Ctx): Promise<EndpointRecord> {
  const record = (await outboundObjectOf(c).endpoints()).find(({ id }) => id === nameOf(c, 'endpoint'))
  if (!record) throw noEndpoint()
  return record
}

function usable(given: string | null | undefined): string {
  const secret = given ?? newSecret()
  if (keyOf('standard', secret) === null) {
    const message = '`whsec_` and 16 to 128 bytes as base64'
    throw new Problem('invalid', 'The secret is not usable.', { errors: [{ path: 'secret', message }] })
  }
  return secret
}

const time = (ms: number): string => new Date(ms).toISOString()

function view({ id, url, events, status, created }: EndpointRecord) {
  return { endpoint: id, url, events, status, created_at: time(created) }
}

function deliveryView({ delivery, endpoint, event, type, status, attempts, created, due, last }: DeliveryView) {
  const next = status === 'pending' ? { next_attempt_at: time(due) } : {}
  return { delivery, endpoint, event, type, status, attempts, last_result: last, created_at: time(created), ...next }
}
