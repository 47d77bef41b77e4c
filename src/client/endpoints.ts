/** Webhooks out: other systems are sent events, signed. */
import type { CallCorpus } from './operations'
import type { Delivery, Endpoint, MadeEndpoint, NewEndpoint, NewSecret, Page, Paging } from './types'

export interface EndpointsClient {
  /** The secret is in this answer and never again. */
  create(endpoint: NewEndpoint): Promise<MadeEndpoint>
  /** All of them. */
  list(): Promise<Page<Endpoint>>
  get(id: string): Promise<Endpoint>
  /** A new secret; for `overlap` seconds both sign. */
  rotate(id: string, secret?: NewSecret): Promise<MadeEndpoint>
  remove(id: string): Promise<void>
  /** What it was sent, is to be sent, and (`dead`) could not be sent, newest first. */
  deliveries(id: string, where?: Paging & { readonly status?: Delivery['status'] }): Promise<Page<Delivery>>
  /** Sends it again, under the same event id. */
  redeliver(delivery: string): Promise<Delivery>
}

export function endpointsOf(call: CallCorpus): EndpointsClient {
  return {
    create: (endpoint) => call('createEndpoint', { body: endpoint }),
    list: () => call('listEndpoints'),
    get: (id) => call('getEndpoint', { path: { endpoint: id } }),
    rotate: (id, secret = {}) => call('rotateEndpoint', { path: { endpoint: id }, body: secret }),
    remove: (id) => call('deleteEndpoint', { path: { endpoint: id } }),
    deliveries: (id, where = {}) => call('listDeliveries', { path: { endpoint: id }, query: { ...where } }),
    redeliver: (delivery) => call('redeliver', { path: { delivery } }),
  }
}
