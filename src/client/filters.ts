/** Saved filters: questions call them by `filters.saved`. */
import type { CallCorpus } from './operations'
import type { NewFilter, SavedFilter } from './types'

export interface FiltersClient {
  /** In the place of one of that name. */
  put(name: string, filter: NewFilter): Promise<SavedFilter>
  list(): Promise<{ readonly data: readonly SavedFilter[] }>
  get(name: string): Promise<SavedFilter>
  remove(name: string): Promise<void>
}

export function filtersOf(call: CallCorpus): FiltersClient {
  return {
    put: (filter, content) => call('putFilter', { path: { filter }, body: content }),
    list: () => call('listFilters'),
    get: (filter) => call('getFilter', { path: { filter } }),
    remove: (filter) => call('deleteFilter', { path: { filter } }),
  }
}
