/** Requests from replicas of the corpus to its object. */
import type { ReplicatedObject } from '../../../src/ports/replication'
import type { CorpusHost } from '../host'
import { copy, follow, release } from '../replication/writer'
import { promoteTexts } from './questions'

export function replicationCalls(host: CorpusHost): ReplicatedObject {
  return {
    async follow(report) {
      const context = host.served()
      if (!context || !host.followed.admits(context, report.replica)) return { kind: 'off' }
      const told = follow(context, report)
      host.sendMeanwhile()
      return told
    },

    async copy(epoch, place) {
      const context = host.served()
      const page = context ? copy(context, epoch, place) : null
      if (page && !page.next) host.sendMeanwhile() // a segment follows the last page
      return page
    },

    async leave(replica) {
      if (!host.context) return
      release(host.store, replica)
      await host.changed()
    },

    async promote(ids) {
      if (host.served()) await promoteTexts(host, ids)
    },
  }
}
