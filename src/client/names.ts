/** Which entities are one thing under two names. Where the corpus has ArchRAG switched on; else rejects with `strategy_not_enabled`. */
import type { CallCorpus } from './call'
import type { Decided, NameOperation, Page, Paging } from './types'

export interface NamesClient {
  /** Who was taken for whom, and parted again, oldest first. */
  merges(paging?: Paging): Promise<Page<NameOperation>>
  /** In force when this returns. */
  merge(entity: string, other: string): Promise<Decided>
  /** From one other, or from all it was merged with. */
  unmerge(entity: string, from?: string): Promise<Decided>
}

export function namesOf(call: CallCorpus): NamesClient {
  const one = (id: string): string => `/entities/${encodeURIComponent(id)}`
  return {
    merges: (paging = {}) => call('GET', '/entities/merges', { query: { ...paging } }),
    merge: (entity, other) => call('POST', `${one(entity)}:merge`, { body: { with: other } }),
    unmerge: (entity, from) => call('POST', `${one(entity)}:unmerge`, { body: from === undefined ? {} : { from } }),
  }
}
