/** Labels, and what people decide about entities and relations. */
import type { Outcome } from '../../../src/contract/decisions'
import { unmergeEntities } from '../../../src/core/strategies/archrag/entity-merge'
import type { DecidingObject } from '../../../src/ports/deciding'
import type { CorpusObject } from '../../../src/ports/object'
import { withAuditEntry } from '../audit/log'
import type { CorpusHost } from '../host'
import { tellPartitions, untoldPartitions } from '../outbox/tell-partitions'
import {
  listDecisions,
  makeDecision,
  namedHere,
  pinnedEntities,
  takeRulings,
  undoDecision,
  undoMerges,
  weighWish,
} from '../query/decisions'
import { labelsOf } from '../query/labels'
import { decideNames, nameOperations } from '../query/names'
import { refuseMoved } from '../query/retrieve'
import { pause } from '../schedule/timers'
import { lastRuling } from '../tables/ruling'

const PATIENCE = 10_000 // ms that partitions have to take a decision while its caller waits

export function labelsCalls(
  host: CorpusHost,
): DecidingObject &
  Pick<
    CorpusObject,
    | 'putLabel'
    | 'labels'
    | 'dropLabel'
    | 'classify'
    | 'learn'
    | 'unlearn'
    | 'nameOperations'
    | 'partEntities'
    | 'decide'
    | 'undecide'
    | 'decisions'
    | 'pinned'
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

    async partEntities(a, b, by) {
      await host.waitForIntegration()
      const part = (): Outcome => {
        const context = host.ready()
        const undone = undoMerges(context, a, b)
        const parted = decideNames(context, () => unmergeEntities(context.graph, a, b, Date.now()))
        if (parted === 'done') return { kind: 'done', n: null }
        return undone ?? (parted === 'missing' ? { kind: 'missing', what: 'entity' } : { kind: 'unchanged', n: null })
      }
      return host.afterChange(withAuditEntry(host.store, by, 'entity.part', { subject: a, outcome: ({ kind }) => kind }, part))
    },

    async decide(wish, asker, by) {
      await host.waitForIntegration()
      const work = (): Outcome => makeDecision(host.ready(), wish, by?.key ?? 'nobody', asker)
      return host.afterChange(withAuditEntry(host.store, by, ENTERED[wish.op], { subject: wish.entity, outcome: ({ kind }) => kind }, work))
    },

    async undecide(n, by) {
      await host.waitForIntegration()
      const work = (): Outcome => undoDecision(host.ready(), n)
      return host.afterChange(withAuditEntry(host.store, by, 'decision.undo', { subject: String(n), outcome: ({ kind }) => kind }, work))
    },

    async decisions(cursor, limit, asker) {
      return listDecisions(host.ready(), cursor, limit, asker)
    },

    async weigh(wish, asker) {
      return weighWish(host.ready(), wish, asker)
    },

    async takeRulings(rulings) {
      await host.waitForIntegration()
      takeRulings(host.ready(), rulings)
      await host.changed()
    },

    async named(about, asker) {
      return namedHere(host.ready(), about, asker)
    },

    async tellPartitions() {
      const context = host.ready()
      const last = lastRuling(context.sql)
      const telling = host.sinks.partition ? tellPartitions(context, host.sinks.partition) : undefined
      await Promise.race([telling?.catch(() => undefined), pause(PATIENCE)])
      return untoldPartitions(context, last)
    },

    async pinned(asker) {
      return pinnedEntities(host.ready(), asker)
    },
  }
}

const ENTERED = {
  add: 'entity.add',
  merge: 'entity.merge',
  split: 'entity.split',
  rename: 'entity.rename',
  hide: 'entity.hide',
  pin: 'entity.pin',
  relate: 'relation.add',
  unrelate: 'relation.remove',
} as const
