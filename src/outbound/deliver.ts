/**
 * One attempt to deliver an event to an endpoint, in Standard Webhooks form: `webhook-id` names the event and is the same for every
 * attempt, `webhook-timestamp` and `webhook-signature` belong to this attempt. Any 2xx is success; 410 ends all deliveries; redirects are
 * not followed.
 */
import { openSecrets, type Vault } from '../hooks/seal'
import { signatureOf } from '../hooks/signature'
import type { DeliveryOrder, DeliveryOutcome } from '../ports/deliveries'
import type { OutboundObject } from '../ports/outbound'
import { type Network, reach, retryAfter } from './reach'

const TIMEOUT = 15_000 // ms for DNS, connection and response together
const encoder = new TextEncoder()

export interface Sender {
  readonly network: Network
  readonly vault: Vault | null
  readonly corpus: Pick<OutboundObject, 'claimDelivery' | 'closeDelivery'>
  readonly agent: string
  now(): number
}

/** Milliseconds until the next attempt; null: it is finished. Rejects only if the object does: what was sent may then be sent again. */
export async function deliver(postman: Sender, id: string): Promise<number | null> {
  const order = await postman.corpus.claimDelivery(id)
  if (order.kind === 'nothing') return null
  if (order.kind === 'wait') return order.ms
  return postman.corpus.closeDelivery(id, order.attempt, await post(postman, order))
}

async function post(postman: Sender, order: DeliveryOrder): Promise<DeliveryOutcome> {
  const { network, agent, now } = postman
  const secrets = await openOrderSecrets(postman, order)
  if (!secrets) return { kind: 'failed', last: 'no_master_key' }
  if (secrets.length === 0) return { kind: 'failed', last: 'master_key_changed' } // sealed under another key
  const body = encoder.encode(order.body)
  const seconds = Math.floor(now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': agent,
    'webhook-id': order.event,
    'webhook-timestamp': String(seconds),
    'webhook-signature': await signatureOf(secrets, order.event, seconds, body),
  }
  const reached = await reach(network, order.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT) })
  if (reached.kind !== 'answer') return { kind: 'failed', last: reached.kind === 'refused' ? `refused_${reached.why}` : reached.why }
  const { response } = reached
  await response.body?.cancel().catch(() => undefined) // the receiver's reply is ignored
  const last = `http_${response.status}`
  if (response.ok) return { kind: 'delivered', last }
  if (response.status === 410) return { kind: 'gone', last }
  const pause = retryAfter(response, now())
  return { kind: 'failed', last, ...(pause === undefined ? {} : { retryAfter: pause }) }
}

async function openOrderSecrets({ vault, now }: Sender, { endpoint, secrets }: DeliveryOrder): Promise<string[] | null> {
  if (!vault) return null
  const living = secrets.filter((one) => one.until === null || one.until > now())
  return (await openSecrets(vault, living, endpoint)).map(({ secret }) => secret)
}
