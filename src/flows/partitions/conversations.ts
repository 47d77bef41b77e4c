/**
 * Kept conversations of a partitioned corpus: its own object keeps them, and the partitions know who may read the documents that answers rest
 * on. A turn that is added meanwhile rests on documents that were not asked about, and is withheld.
 */
import type { Asker } from '../../core/access/labels'
import type { ConversationObject, Named, SeenDocuments } from '../../ports/conversations'
import type { CorpusObject } from '../../ports/object'
import { seen } from './documents'

export function partitionedConversations(whole: ConversationObject, parts: readonly CorpusObject[]): ConversationObject {
  const seenBy = async (named: Named, asker: Asker | SeenDocuments): Promise<Asker | SeenDocuments> => {
    if (asker === 'all' || 'documents' in asker) return asker
    const documents = await whole.restsOn(named)
    const found = documents.length > 0 ? await seen(parts, { documents, withInactive: true }, asker) : { documents: {} }
    return { documents: Object.keys(found.documents) }
  }
  return {
    ...whole,
    conversation: async (place, asker) => whole.conversation(place, await seenBy(place, asker)),
    earlierTurns: async (named, asker) => whole.earlierTurns(named, await seenBy(named, asker)),
  }
}
