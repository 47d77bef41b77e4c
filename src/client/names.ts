/** Which entities are one thing under two names. Where the corpus has ArchRAG switched on; else rejects with `strategy_not_enabled`. */
import type { CallCorpus } from './operations'
import type { Decided, NameOperation, Page, Paging } from './types'

export interface NamesClient {
  /** Which entities were merged and split, oldest first. */
  merges(paging?: Paging): Promise<Page<NameOperation>>
  /** In force when this returns. */
  merge(entity: string, other: string): Promise<Decided>
  /** From one other, or from all it was merged with. */
  unmerge(entity: string, from?: string): Promise<Decided>
}

export function namesOf(call: CallCorpus): NamesClient {
  return {
    merges: (paging = {}) => call('listMerges', { query: { ...paging } }),
    merge: (entity, other) => call('mergeEntity', { path: { entity }, body: { with: other } }),
    unmerge: (entity, from) => call('unmergeEntity', { path: { entity }, body: from === undefined ? {} : { from } }),
  }
}
