/** Saved filters: questions call them by `filters.saved`. */
import type { CallCorpus } from './operations'
import type { NewFilter, SavedFilter } from './types'

export interface FiltersClient {
  /** Replaces one with that name. */
  put(name: string, filter: NewFilter): Promise<SavedFilter>
  list(): Promise<{ readonly data: readonly SavedFilter[] }>
  get(name: string): Promise<SavedFilter>
  /** It filters as it did; rejects with `conflict` where another has that name. */
  rename(name: string, to: string): Promise<SavedFilter>
  remove(name: string): Promise<void>
}

export function filtersOf(call: CallCorpus): FiltersClient {
  return {
    put: (filter, content) => call('putFilter', { path: { filter }, body: content }),
    list: () => call('listFilters'),
    get: (filter) => call('getFilter', { path: { filter } }),
    rename: (filter, to) => call('renameFilter', { path: { filter }, body: { to } }),
    remove: (filter) => call('deleteFilter', { path: { filter } }),
  }
}
