/** Conversations kept for askers: what they may see of them is decided at each call. */
import type { Asker } from '../../../src/core/access/labels'
import type { ConversationObject, SeenDocuments } from '../../../src/ports/conversations'
import { withAuditEntry } from '../audit/log'
import { conversationsOf, earlier, forget, keepTurn, readWhole, rename, restsOn, type Sight } from '../conversations/kept'
import type { CorpusHost } from '../host'
import { readableBy, sightOf, visibleGraph } from '../query/visibility'

export function conversationsCalls(host: CorpusHost): ConversationObject {
  return {
    async conversations(by) {
      return conversationsOf(host.ready(), by)
    },

    async conversation(place, asker) {
      return readWhole(host.ready(), place, sightFor(host, asker))
    },

    async restsOn(named) {
      return restsOn(host.ready(), named)
    },

    async earlierTurns(named, asker) {
      return earlier(host.ready(), named, sightFor(host, asker))
    },

    async keepTurn(place, turn) {
      const context = host.served()
      if (!context) return false
      const isKept = context.atomically(() => keepTurn(context, place, turn))
      await host.alarm.set()
      return isKept
    },

    async renameConversation(place, title) {
      const context = host.ready()
      return context.atomically(() => rename(context, place, title))
    },

    async forgetConversations(place, by) {
      const subject = place.id === null ? {} : { subject: place.id }
      return withAuditEntry(host.store, by, 'conversation.forget', subject, () => forget(host.ready(), place))
    },
  }
}

function sightFor(host: CorpusHost, asker: Asker | SeenDocuments): Sight {
  if (asker !== 'all' && 'documents' in asker) {
    const seen = new Set(asker.documents)
    return { document: (id) => seen.has(id), node: () => false }
  }
  const context = host.ready()
  const sight = readableBy(context, asker)
  if (!sight) return { document: () => true, node: () => true }
  const graph = visibleGraph(context, sightOf(context, asker))
  return { document: (id) => sight.document(id), node: (id) => graph.node(id) !== undefined }
}
