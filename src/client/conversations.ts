/** Conversations that questions of this key asked to be kept (`store: true`). */
import type { CallCorpus, FetchOperation } from './operations'
import type { Conversation, ConversationHead, Page, Paging } from './types'

export interface ConversationsClient {
  /** Latest first. */
  list(paging?: Paging): Promise<Page<ConversationHead>>
  /** With what this key may see of it now. */
  get(conversation: string): Promise<Conversation>
  /** As Markdown. */
  export(conversation: string): Promise<string>
  rename(conversation: string, title: string): Promise<ConversationHead>
  delete(conversation: string): Promise<void>
  deleteAll(): Promise<void>
}

export function conversationsOf(call: CallCorpus, fetch: FetchOperation<'corpus'>): ConversationsClient {
  return {
    list: (paging = {}) => call('listConversations', { query: { ...paging } }),
    get: (conversation) => call('getConversation', { path: { conversation } }),
    export: async (conversation) => (await fetch('getConversation', { path: { conversation }, query: { format: 'markdown' } })).text(),
    rename: (conversation, title) => call('renameConversation', { path: { conversation }, body: { title } }),
    delete: (conversation) => call('deleteConversation', { path: { conversation } }),
    deleteAll: () => call('deleteConversations'),
  }
}
