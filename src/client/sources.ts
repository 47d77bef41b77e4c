/** Sources: pages of the web, each kept as a document, looked at by schedule. */
import type { CallCorpus } from './operations'
import type { NewSource, Page, Paging, Source } from './types'

export interface SourcesClient {
  /** Its first look is under way when this returns. */
  create(source: NewSource): Promise<Source>
  list(paging?: Paging): Promise<Page<Source>>
  get(id: string): Promise<Source>
  /** Looks now; how it ended stands in the source once it has. */
  fetch(id: string): Promise<Source>
  /** Its document stays. */
  remove(id: string): Promise<void>
}

export function sourcesOf(call: CallCorpus): SourcesClient {
  return {
    create: (source) => call('createSource', { body: source }),
    list: (paging = {}) => call('listSources', { query: { ...paging } }),
    get: (id) => call('getSource', { path: { source: id } }),
    fetch: (id) => call('fetchSource', { path: { source: id } }),
    remove: (id) => call('deleteSource', { path: { source: id } }),
  }
}
