/** Labels, and which entities are one. */
import { mergeEntities, unmergeEntities } from '../../../src/core/strategies/archrag/entity-merge'
import type { CorpusObject } from '../../../src/ports/object'
import { withAuditEntry } from '../audit/log'
import type { CorpusHost } from '../host'
import { labelsOf } from '../query/labels'
import { decideNames, nameOperations } from '../query/names'
import { refuseMoved } from '../query/retrieve'

export function labelsCalls(
  host: CorpusHost,
): Pick<
  CorpusObject,
  'putLabel' | 'labels' | 'dropLabel' | 'classify' | 'learn' | 'unlearn' | 'nameOperations' | 'mergeEntities' | 'partEntities'
> {
  const labels = labelsOf(() => host.ready())
  return {
    async putLabel(label, by) {
      await host.waitForIntegration()
      refuseMoved(host.ready(), label.embedded)
      return host.afterChange(withAuditEntry(host.store, by, 'label.put', { subject: label.id }, () => labels.put(label)))
    },

    async labels(cursor, limit) {
      return labels.list(cursor, limit)
    },

    async dropLabel(id, by) {
      await host.waitForIntegration()
      return host.afterChange(withAuditEntry(host.store, by, 'label.delete', { subject: id }, () => labels.drop(id)))
    },

    async classify(input) {
      refuseMoved(host.ready(), input.embedded)
      return labels.classify(input)
    },

    async learn(input, by) {
      await host.waitForIntegration()
      return host.afterChange(
        withAuditEntry(host.store, by, 'label.learn', { subject: input.label, outcome: (id) => (id === null ? 'none' : 'done') }, () =>
          labels.learn(input),
        ),
      )
    },

    async unlearn(which, by) {
      await host.waitForIntegration()
      const subject = 'id' in which ? { subject: which.id } : {}
      return host.afterChange(withAuditEntry(host.store, by, 'label.unlearn', subject, () => labels.unlearn(which)))
    },

    async nameOperations(cursor, limit, asker) {
      return nameOperations(host.ready(), cursor, limit, asker)
    },

    async mergeEntities(a, b, by) {
      await host.waitForIntegration()
      const decide = () => decideNames(host.ready(), () => mergeEntities(host.ready().graph, a, b, Date.now()))
      return host.afterChange(withAuditEntry(host.store, by, 'entity.merge', { subject: a, outcome: (kind) => kind }, decide))
    },

    async partEntities(a, b, by) {
      await host.waitForIntegration()
      const decide = () => decideNames(host.ready(), () => unmergeEntities(host.ready().graph, a, b, Date.now()))
      return host.afterChange(withAuditEntry(host.store, by, 'entity.part', { subject: a, outcome: (kind) => kind }, decide))
    },
  }
}
