/** Webhooks in: other systems send documents, signed. */
import type { CallCorpus } from './call'
import type { Hook, MadeHook, NewHook, NewSecret, Page, Paging } from './types'

export interface HooksClient {
  /** The secret is in this answer and never again. */
  create(hook: NewHook): Promise<MadeHook>
  list(paging?: Paging): Promise<Page<Hook>>
  get(id: string): Promise<Hook>
  /** A new secret; the old one stays good for `overlap` seconds. */
  rotate(id: string, secret?: NewSecret): Promise<MadeHook>
  remove(id: string): Promise<void>
}

export function hooksOf(call: CallCorpus): HooksClient {
  const one = (id: string): string => `/hooks/${encodeURIComponent(id)}`
  return {
    create: (hook) => call('POST', '/hooks', { body: hook }),
    list: (paging = {}) => call('GET', '/hooks', { query: { ...paging } }),
    get: (id) => call('GET', one(id)),
    rotate: (id, secret = {}) => call('POST', `${one(id)}:rotate`, { body: secret }),
    remove: (id) => call('DELETE', one(id)),
  }
}
