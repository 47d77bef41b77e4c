/** Endpoints and the deliveries to them: rows here, carried by the queue. */
import type { OutboundObject } from '../../../src/ports/outbound'
import { withAuditEntry } from '../audit/log'
import type { CorpusHost } from '../host'
import * as deliveries from '../webhooks/deliveries'

const NOTHING = { kind: 'nothing' } as const // is done for a deleted corpus

export function webhooksCalls(
  host: CorpusHost,
): Pick<
  OutboundObject,
  | 'endpoints'
  | 'addEndpoint'
  | 'renewEndpoint'
  | 'endpointSecrets'
  | 'replaceSecrets'
  | 'removeEndpoint'
  | 'deliveries'
  | 'redeliver'
  | 'claimDelivery'
  | 'closeDelivery'
> {
  return {
    async endpoints() {
      return deliveries.endpoints(host.ready())
    },

    async addEndpoint(record, by) {
      return host.afterChange(
        withAuditEntry(host.store, by, 'endpoint.create', { subject: record.id }, () => deliveries.addEndpoint(host.ready(), record)),
      )
    },

    async renewEndpoint(id, secrets, by) {
      return withAuditEntry(host.store, by, 'endpoint.rotate', { subject: id }, () => deliveries.renewEndpoint(host.ready(), id, secrets))
    },

    async endpointSecrets() {
      return deliveries.endpointSecrets(host.store)
    },

    async replaceSecrets(id, before, after) {
      return deliveries.replaceSecrets(host.store, id, before, after)
    },

    async removeEndpoint(id, by) {
      return host.afterChange(
        withAuditEntry(host.store, by, 'endpoint.delete', { subject: id }, () => deliveries.removeEndpoint(host.ready(), id)),
      )
    },

    async deliveries(endpoint, status, cursor, limit) {
      return deliveries.deliveries(host.ready(), endpoint, status, cursor, limit)
    },

    async redeliver(id, by) {
      return host.afterChange(
        withAuditEntry(host.store, by, 'delivery.repeat', { subject: id }, () => deliveries.redeliver(host.ready(), id)),
      )
    },

    async claimDelivery(id) {
      return host.isClosed ? NOTHING : deliveries.claimDelivery(host.store, id)
    },

    async closeDelivery(id, attempt, outcome) {
      return host.afterChange(deliveries.closeDelivery(host.store, id, attempt, outcome))
    },
  }
}
