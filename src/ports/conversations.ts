/** Conversations that a corpus's object keeps on request. `owner`: whose they are; for anyone else they do not exist. */
import type { KeptTurn as AnsweredTurn } from '../contract/conversations'
import type { Citation } from '../contract/questions'
import type { Asker } from '../core/access/labels'
import type { Actor } from './audit'

export interface ConversationHead {
  readonly id: string
  readonly title: string | null
  readonly turns: number
  /** Milliseconds since the epoch; `changed`: the time of the last turn. */
  readonly created: number
  readonly changed: number
}

export type KeptTurn = Omit<AnsweredTurn, 'at'> & { readonly at: number }

export interface Place {
  readonly owner: string
  readonly id: string
}

/** By its own id, or by that of its last turn. */
export type Named = { readonly owner: string } & ({ readonly id: string } | { readonly turn: string })

export interface Earlier {
  readonly kind: 'found'
  readonly id: string
  /** Oldest first: the latest turns that the asker may see now, stopping at one that they may not. */
  readonly turns: readonly { readonly question: string; readonly answer: string }[]
  /** The first turn that the following answer builds on; null: none. */
  readonly leans: number | null
}

export interface NewTurn {
  readonly id: string
  readonly question: string
  readonly answer: string
  readonly answered: boolean
  readonly citations: readonly Citation[]
  readonly version: number
  /** From the evidence. */
  readonly documents: readonly string[]
  /** What else the answer may draw on: summaries, communities. Empty if documents alone support everything it says. */
  readonly nodes: readonly string[]
  readonly leans: number | null
}

/** In a corpus in partitions, whose own object has no documents: those that the asker may read. Summaries they may not. */
export interface SeenDocuments {
  readonly documents: readonly string[]
}

export interface ListedBy {
  readonly owner: string
  /** The last one on the page before. */
  readonly after: { readonly changed: number; readonly id: string } | null
  readonly limit: number
}

/** The part of the corpus object that this is about. */
export interface ConversationObject {
  /** Newest first. */
  conversations(by: ListedBy): Promise<readonly ConversationHead[]>
  /** With what the asker may see of it now. Null: the owner has no such conversation. */
  conversation(place: Place, asker: Asker | SeenDocuments): Promise<(ConversationHead & { readonly data: readonly KeptTurn[] }) | null>
  /** The documents that its answers rest on; none: there is no such conversation. */
  restsOn(named: Named): Promise<readonly string[]>
  /** The turns before a follow-up question. `moved`: the turn is no longer the last. */
  earlierTurns(named: Named, asker: Asker | SeenDocuments): Promise<Earlier | { readonly kind: 'missing' | 'full' | 'moved' }>
  /** `begins`: there is no such conversation yet. False: it was not kept (deleted meanwhile, full, or too large). */
  keepTurn(place: Place & { readonly begins: boolean }, turn: NewTurn): Promise<boolean>
  renameConversation(place: Place, title: string): Promise<ConversationHead | null>
  /** Null: all of the owner's. Returns how many were deleted. */
  forgetConversations(place: { readonly owner: string; readonly id: string | null }, by?: Actor): Promise<number>
}
