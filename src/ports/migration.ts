/** A corpus's move to another embedding model, as its object knows it. */
import type { Migration } from '../contract/migrations'
import type { Spent } from '../contract/usage'
import type { EmbeddingModel, EmbeddingSettings } from '../core/settings'
import type { Accepted } from './jobs'

export interface MigrationState extends Pick<Migration, 'job' | 'step'> {
  /** The model it is served with now, and the one it will be served with. */
  readonly served: EmbeddingSettings
  readonly settings: EmbeddingSettings
  /** Texts to embed. */
  readonly texts: number
  readonly tokens: number
  readonly seconds: number | null
  /** Texts to write again, at most. */
  readonly rewritten: Spent
}

/**
 * Why it cannot begin: the corpus has this model; other work on the whole corpus is in progress, or an index that it left is being emptied;
 * both models use one index.
 */
export type MoveRefusal = 'same' | 'busy' | 'no_index'

/** The corpus's own object moves all partitions together: what it tells one of them. Each may come twice. */
export type ModelOrder =
  /** Could it begin? */
  | { readonly what: 'ask'; readonly to: EmbeddingModel }
  | { readonly what: 'begin'; readonly job: string; readonly to: EmbeddingModel }
  /** It embeds, derives and sends what has come since, so that it is ready. */
  | { readonly what: 'state'; readonly job: string }
  /** It refuses to be written, or takes it again. */
  | { readonly what: 'close'; readonly isClosed: boolean }
  /** It changes to the other model. */
  | { readonly what: 'switch'; readonly job: string }
  /** It stays with the model that it has. */
  | { readonly what: 'cancel'; readonly job: string }

export type ModelAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly why: MoveRefusal | Exclude<Accepted, { readonly kind: 'accepted' }> }
  | { readonly kind: 'state'; readonly state: ModelState }
  /** There is nothing here. */
  | { readonly kind: 'empty' }

export interface ModelState {
  /** working: it lacks something · ready: it has everything from the other model, and waits · moved: it is served with it · ended: it failed, or was cancelled · none */
  readonly at: 'none' | 'working' | 'ready' | 'moved' | 'ended'
  /** Documents that were accepted are not in the graph yet, and do not wait for a budget. */
  readonly isBusy: boolean
  /** Why its job failed. */
  readonly error?: string
}

export interface ModelMovingObject {
  /** In a partition. */
  moveModel(order: ModelOrder): Promise<ModelAnswer>
}
