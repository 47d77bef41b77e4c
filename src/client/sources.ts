/** Sources: web pages, one by one or as a site lists them, kept as documents and checked on a schedule. */
import type { CallCorpus } from './operations'
import type { NewSource, Page, Paging, Source, SourceCredential, SourceItem } from './types'

export interface SourcesClient {
  /** Its first check is in progress when this returns. */
  create(source: NewSource): Promise<Source>
  list(paging?: Paging): Promise<Page<Source>>
  get(id: string): Promise<Source>
  /** Checks now; the result is in the source once it has ended. */
  fetch(id: string): Promise<Source>
  /** Uses this credential from now on, and checks now. */
  rotate(id: string, credential: SourceCredential): Promise<Source>
  /** What a source of many documents has named, and how each fares. */
  items(id: string, paging?: Paging & { readonly status?: SourceItem['status'] }): Promise<Page<SourceItem>>
  /** What it brought stays, or is deleted with it: of a source of many documents bit by bit, and it is answered, `removing`. */
  remove(id: string, options?: { readonly documents?: 'keep' | 'delete' }): Promise<Source | undefined>
}

export function sourcesOf(call: CallCorpus): SourcesClient {
  return {
    create: (source) => call('createSource', { body: source }),
    list: (paging = {}) => call('listSources', { query: { ...paging } }),
    get: (id) => call('getSource', { path: { source: id } }),
    fetch: (id) => call('fetchSource', { path: { source: id } }),
    rotate: (id, credential) => call('rotateSource', { path: { source: id }, body: credential }),
    items: (id, paging = {}) => call('listSourceItems', { path: { source: id }, query: { ...paging } }),
    remove: (id, options = {}) => call('deleteSource', { path: { source: id }, query: { ...options } }),
  }
}
