/** A corpus that is moved to another embedding model, as its object knows it. */
import type { Migration } from '../contract/migrations'
import type { Spent } from '../contract/usage'
import type { EmbeddingSettings } from '../core/settings'

export interface MigrationState extends Pick<Migration, 'job' | 'step'> {
  /** What it is served with, and what it is to be served with. */
  readonly served: EmbeddingSettings
  readonly settings: EmbeddingSettings
  /** To be embedded. */
  readonly texts: number
  readonly tokens: number
  readonly seconds: number | null
  /** Written again, at most. */
  readonly rewritten: Spent
}

/** Why it cannot be begun: it has this model; other work on the whole corpus is under way, or an index that it left is being emptied; both models have one index. */
export type MoveRefusal = 'same' | 'busy' | 'no_index'
