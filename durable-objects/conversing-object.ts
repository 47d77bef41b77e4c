/** The part of a corpus's object that keeps conversations: only RPC, as in corpus.ts. */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../src/env'
import type { ConversationObject } from '../src/ports/conversations'

type Args<Name extends keyof ConversationObject> = Parameters<ConversationObject[Name]>

export abstract class ConversingObject extends DurableObject<Env> implements ConversationObject {
  protected abstract readonly watched: ConversationObject

  conversations(...args: Args<'conversations'>) {
    return this.watched.conversations(...args)
  }
  conversation(...args: Args<'conversation'>) {
    return this.watched.conversation(...args)
  }
  restsOn(...args: Args<'restsOn'>) {
    return this.watched.restsOn(...args)
  }
  earlierTurns(...args: Args<'earlierTurns'>) {
    return this.watched.earlierTurns(...args)
  }
  keepTurn(...args: Args<'keepTurn'>) {
    return this.watched.keepTurn(...args)
  }
  renameConversation(...args: Args<'renameConversation'>) {
    return this.watched.renameConversation(...args)
  }
  forgetConversations(...args: Args<'forgetConversations'>) {
    return this.watched.forgetConversations(...args)
  }
}
