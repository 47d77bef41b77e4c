/** Sources: pages of the web, each kept as a document, looked at by schedule. */
import type { CallCorpus } from './call'
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
  const one = (id: string): string => `/sources/${encodeURIComponent(id)}`
  return {
    create: (source) => call('POST', '/sources', { body: source }),
    list: (paging = {}) => call('GET', '/sources', { query: { ...paging } }),
    get: (id) => call('GET', one(id)),
    fetch: (id) => call('POST', `${one(id)}:fetch`),
    remove: (id) => call('DELETE', one(id)),
  }
}
