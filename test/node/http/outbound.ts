/** What leaves a corpus and what it fetches, in memory: as much as the HTTP face can see of it. */

import type { Network } from '../../../src/outbound/reach'
import type { DeliveryView, EndpointRecord } from '../../../src/ports/deliveries'
import type { OutboundObject } from '../../../src/ports/outbound'
import type { SourceRecord } from '../../../src/ports/sources'

/** Names ending in `.inside.example` lead inside; `nowhere.example` leads nowhere. Nothing is fetched. */
export const fakeNetwork: Network = {
  rules: { anywhere: false },
  fetch: async () => Promise.reject(new Error('no network')),
  addresses: async (host) =>
    host.endsWith('.inside.example') ? ['93.184.216.34', '10.0.0.1'] : host === 'nowhere.example' ? [] : ['93.184.216.34'],
}

export function fakeOutbound(): OutboundObject {
  const endpoints = new Map<string, EndpointRecord>()
  const sources = new Map<string, SourceRecord>()
  const delivery = (id: string): DeliveryView => {
    return {
      delivery: id,
      endpoint: 'ep_1',
      event: 'evt_1',
      type: 'document.ready',
      status: 'pending',
      attempts: 0,
      created: 0,
      due: 0,
      last: null,
    }
  }
  return {
    endpoints: async () => [...endpoints.values()],
    addEndpoint: async (record) => endpoints.size < 20 && !!endpoints.set(record.id, record),
    renewEndpoint: async (id, secrets) => {
      const held = endpoints.get(id)
      if (held) endpoints.set(id, { ...held, secrets })
      return held !== undefined
    },
    endpointSecrets: async () => [...endpoints.values()].map(({ id, secrets }) => ({ id, secrets })),
    replaceSecrets: async (id, before, after) => {
      const held = endpoints.get(id)
      if (!held || JSON.stringify(held.secrets) !== JSON.stringify(before)) return false
      endpoints.set(id, { ...held, secrets: after })
      return true
    },
    removeEndpoint: async (id) => endpoints.delete(id),
    deliveries: async () => ({ data: [delivery('dl_1')], next_cursor: '1' }),
    redeliver: async (id) => (id === 'dl_1' ? delivery(id) : null),
    claimDelivery: async () => ({ kind: 'nothing' }),
    closeDelivery: async () => null,
    sources: async (after, limit) => {
      const data = [...sources.values()].filter(({ id }) => id > (after ?? '')).sort((a, b) => (a.id < b.id ? -1 : 1))
      return { data: data.slice(0, limit), next_cursor: null }
    },
    source: async (id) => sources.get(id) ?? null,
    addSource: async (input) => {
      if ([...sources.values()].some(({ document }) => document === input.document)) return 'taken'
      const options = input.options ?? { include: [], exclude: [], maxItems: 1000, content: 'linked' }
      const { secrets, ...given } = input
      const made = { ...given, kind: input.kind ?? 'page', goneAfter: input.goneAfter ?? 2, options, items: null }
      sources.set(input.id, {
        ...made,
        credential: secrets ? 'set' : null,
        status: 'new',
        failures: 0,
        last: null,
        seen: null,
        changed: null,
        due: 0,
      })
      return 'added'
    },
    removeSource: async (id, documents) => {
      const held = sources.get(id)
      if (held && held.kind !== 'page' && documents === 'delete') {
        sources.set(id, { ...held, status: 'removing' })
        return 'removing'
      }
      return sources.delete(id) ? 'removed' : null
    },
    sourceItems: async (id) => {
      const item = {
        item: 'https://example.org/a',
        document: 'https://example.org/a',
        status: 'ok',
        failures: 0,
        last: 'changed',
        seen: 0,
        due: null,
      } as const
      return { data: sources.get(id)?.kind === 'page' ? [] : [item], next_cursor: null }
    },
    askSource: async (id) => sources.get(id) ?? null,
    claimSource: async () => ({ kind: 'nothing' }),
    plannedFor: async () => null,
    provided: async () => [],
    closeSource: async () => undefined,
  }
}
