/** Webhooks in: other systems send documents, signed. */
import type { CallCorpus } from './operations'
import type { Hook, MadeHook, NewHook, NewSecret, Page, Paging } from './types'

export interface HooksClient {
  /** The secret is in this answer and never again. */
  create(hook: NewHook): Promise<MadeHook>
  list(paging?: Paging): Promise<Page<Hook>>
  get(id: string): Promise<Hook>
  /** A new secret; the old one stays valid for `overlap` seconds. */
  rotate(id: string, secret?: NewSecret): Promise<MadeHook>
  remove(id: string): Promise<void>
}

export function hooksOf(call: CallCorpus): HooksClient {
  return {
    create: (hook) => call('createHook', { body: hook }),
    list: (paging = {}) => call('listHooks', { query: { ...paging } }),
    get: (id) => call('getHook', { path: { hook: id } }),
    rotate: (id, secret = {}) => call('rotateHook', { path: { hook: id }, body: secret }),
    remove: (id) => call('deleteHook', { path: { hook: id } }),
  }
}
