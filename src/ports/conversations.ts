/** Conversations that a corpus's object keeps on request. `owner`: whose they are; for anybody else they do not exist. */
import type { KeptTurn as AnsweredTurn } from '../contract/conversations'
import type { Citation } from '../contract/questions'
import type { Asker } from '../core/access/labels'
import type { Actor } from './audit'

export interface ConversationHead {
  readonly id: string
  readonly title: string | null
  readonly turns: number
  /** Milliseconds since the epoch; `changed`: of the last turn. */
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
  /** Oldest first: the latest that the asker may see now, with none between them that they may not. */
  readonly turns: readonly { readonly question: string; readonly answer: string }[]
  /** Of the first turn that what follows rests on; null: on none. */
  readonly leans: number | null
}

export interface NewTurn {
  readonly id: string
  readonly question: string
  readonly answer: string
  readonly answered: boolean
  readonly citations: readonly Citation[]
  readonly version: number
  /** Of the evidence. */
  readonly documents: readonly string[]
  /** What else the answer may say something of: summaries, communities. Empty where all that it says is said by documents. */
  readonly nodes: readonly string[]
  readonly leans: number | null
}

export interface ListedBy {
  readonly owner: string
  /** The last that was given. */
  readonly after: { readonly changed: number; readonly id: string } | null
  readonly limit: number
}

/** The part of the corpus object that this is about. */
export interface ConversationObject {
  /** Newest first. */
  conversations(by: ListedBy): Promise<readonly ConversationHead[]>
  /** With what the asker may see of it now. Null: there is none of theirs. */
  conversation(place: Place, asker: Asker): Promise<(ConversationHead & { readonly data: readonly KeptTurn[] }) | null>
  /** What a further question follows. `moved`: the turn is no longer the last. */
  earlierTurns(named: Named, asker: Asker): Promise<Earlier | { readonly kind: 'missing' | 'full' | 'moved' }>
  /** `begins`: there is no such conversation yet. False: it was not kept (deleted meanwhile, full, or too large). */
  keepTurn(place: Place & { readonly begins: boolean }, turn: NewTurn): Promise<boolean>
  renameConversation(place: Place, title: string): Promise<ConversationHead | null>
  /** Null: all of the owner's. How many were deleted. */
  forgetConversations(place: { readonly owner: string; readonly id: string | null }, by?: Actor): Promise<number>
}
