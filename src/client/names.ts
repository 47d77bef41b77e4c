/** Which entities are one thing under two names. */
import type { CallCorpus } from './operations'
import type { DecisionStatus, NameOperation, Page, Paging } from './types'

export interface NamesClient {
  /** Which entities were merged by similarity and separated, oldest first. If the corpus lacks ArchRAG, rejects with `strategy_not_enabled`. */
  merges(paging?: Paging): Promise<Page<NameOperation>>
  /** In force when this returns. */
  merge(entity: string, other: string): Promise<DecisionStatus>
  /** From one other, or from all it was merged with. */
  unmerge(entity: string, from?: string): Promise<DecisionStatus>
}

export function namesOf(call: CallCorpus): NamesClient {
  return {
    merges: (paging = {}) => call('listMerges', { query: { ...paging } }),
    merge: (entity, other) => call('mergeEntity', { path: { entity }, body: { with: other } }),
    unmerge: (entity, from) => call('unmergeEntity', { path: { entity }, body: from === undefined ? {} : { from } }),
  }
}
