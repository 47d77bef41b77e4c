/** Sources: rows here, fetched by the queue. */
import type { OutboundObject } from '../../../src/ports/outbound'
import { withAuditEntry } from '../audit/log'
import { openPart, refuseClosed } from '../division/closed'
import type { CorpusHost } from '../host'
import * as sources from '../sources/sources'

const NOTHING = { kind: 'nothing' } as const // is done for a deleted corpus

export function sourcesCalls(
  host: CorpusHost,
): Pick<
  OutboundObject,
  | 'sources'
  | 'source'
  | 'addSource'
  | 'removeSource'
  | 'askSource'
  | 'claimSource'
  | 'closeSource'
  | 'plannedFor'
  | 'provided'
  | 'sourceItems'
> {
  return {
    async sources(cursor, limit, asker) {
      return sources.sources(host.ready(), cursor, limit, asker)
    },

    async source(id, asker) {
      return sources.sourceFor(host.ready(), id, asker)
    },

    async addSource(input, by) {
      return host.afterChange(
        withAuditEntry(host.store, by, 'source.create', { subject: input.id }, () => sources.addSource(openPart(host), input)),
      )
    },

    async removeSource(id, documents, by) {
      return host.afterChange(
        withAuditEntry(host.store, by, 'source.delete', { subject: id, outcome: (removed) => (removed ? 'done' : 'none') }, () =>
          sources.removeSource(openPart(host), id, documents),
        ),
      )
    },

    async sourceItems(id, page, asker) {
      return sources.sourceItems(host.ready(), id, page, asker)
    },

    async askSource(id, why, by) {
      const action = why.kind === 'credential' ? 'source.rotate' : 'source.fetch'
      return host.afterChange(withAuditEntry(host.store, by, action, { subject: id }, () => sources.askSource(openPart(host), id, why)))
    },

    async claimSource(id) {
      if (host.isClosed) return NOTHING
      refuseClosed(host.store.sql)
      return sources.claimSource(host.store, id)
    },

    async plannedFor(id, attempt, outcome) {
      return host.served() ? sources.plannedFor(host.store, id, attempt, outcome) : null
    },

    async provided(documents) {
      return sources.provided(host.store, documents)
    },

    async closeSource(id, attempt, outcome, took) {
      if (outcome.kind === 'fetched' || outcome.kind === 'listed' || outcome.kind === 'looked') await host.refreshStoreSizes()
      const context = host.served()
      if (!context) return
      sources.closeSource(openPart(host), id, attempt, outcome, took)
      await host.changed()
    },
  }
}
