/** Another embedding model, in place: of a corpus, or of all partitions of one together. */
import { isEmbeddedBy } from '../../../src/core/settings'
import type { Accepted } from '../../../src/ports/jobs'
import type { MoveRefusal } from '../../../src/ports/migration'
import type { CorpusObject } from '../../../src/ports/object'
import { withAuditEntry } from '../audit/log'
import { isMovingModel } from '../division/model-move'
import { isRepartitioning } from '../division/state'
import type { CorpusHost } from '../host'
import { followMove, isAtWork } from '../maintenance/follow-move'
import { startMove } from '../maintenance/lead-move'
import { migrationState } from '../maintenance/migration-view'

export function migrationCalls(host: CorpusHost): Pick<CorpusObject, 'migration' | 'migrate' | 'moveModel'> {
  return {
    async migration() {
      const context = host.served()
      return context ? migrationState(context) : null
    },

    async migrate(to, by) {
      const context = host.served()
      if (!context) return { kind: 'gone' }
      await host.waitForIntegration()
      const isBusy = isAtWork(context) || isRepartitioning(context) || isMovingModel(context)
      const outcomeOf = (outcome: Accepted | MoveRefusal) => (typeof outcome === 'string' ? outcome : outcome.kind)
      const accepted = withAuditEntry(host.store, by, 'corpus.migrate', { outcome: outcomeOf }, () =>
        host.sinks.previousIndex || isEmbeddedBy(context.config.settings, to) ? startMove(context, to, isBusy) : 'no_index',
      )
      await host.changed()
      return accepted
    },

    async moveModel(order) {
      await host.waitForIntegration()
      const context = host.served()
      if (!context) return { kind: 'empty' }
      const answer = followMove(context, order)
      if (order.what !== 'ask') await host.changed()
      return answer
    },
  }
}
