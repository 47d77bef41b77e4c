/** A corpus's move to another embedding model, as its object knows it. */
import type { Migration } from '../contract/migrations'
import type { Spent } from '../contract/usage'
import type { EmbeddingSettings } from '../core/settings'

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
