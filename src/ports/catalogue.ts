/** Which corpora exist. */
import type { WorkedExample } from '../core/guidance'
import type { EmbeddingSettings, Settings } from '../core/settings'
import type { Layout } from '../partition-layout'
import type { AuditSettings } from './audit'
import type { CorpusRef } from './corpus'

export interface CorpusRecord {
  readonly uid: string
  readonly name: string
  readonly strategies: readonly string[]
  readonly settings: Settings
  readonly budget: { readonly tokens?: number; readonly usd?: number }
  readonly public: boolean
  /** Milliseconds since the epoch. */
  readonly created: number
  /** Binding of the database with its rows; it never changes. Absent: the control database. */
  readonly database?: string
  /** Where its object was created. */
  readonly locationHint?: string
  /** Absent: the defaults. */
  readonly audit?: AuditSettings
  /** Labels for documents that have none. Absent: every reader may read such a document. */
  readonly defaultAccess?: readonly string[]
  /** How long it can be undeleted. Absent: not at all. */
  readonly undeleteSeconds?: number
  /** How often worked examples have been removed with their documents. Absent: never. */
  readonly exampleRemovals?: number
  /** It is being restored to a moment, and answers nobody. */
  readonly isRecovering?: true
}

export type Dropped = CorpusRef & { readonly state: 'recoverable' | 'clearing' | 'cleared' }

export interface Catalogue {
  /** The existing corpus with this name. `seeing`: the asker sees only public corpora and the one with this uid; any other costs the same as a free name. */
  corpus(name: string, seeing?: string): Promise<CorpusRecord | null>
  /** Existing corpora by name, after a given name, limited to these uids or (null) unlimited. */
  corpora(uids: readonly string[] | null, after: string, limit: number): Promise<readonly CorpusRecord[]>
  /** Are there at least this many corpora? Reads at most as many rows. */
  hasCorpora(count: number): Promise<boolean>
  /** False if the name is taken. */
  create(record: CorpusRecord): Promise<boolean>
  /** False if it no longer exists, or if worked examples went with their document since it was read, unless the record has just those that are left. */
  change(record: CorpusRecord): Promise<boolean>
  /** The corpus was moved to another embedding model. */
  recordEmbedding(uid: string, embedding: EmbeddingSettings): Promise<void>
  /** Some of its worked examples went with their document: these are left. */
  recordExamples(uid: string, examples: readonly WorkedExample[] | null): Promise<void>
  /** Its partitions changed, and the strategies that it has with them; an older layout than is recorded changes nothing. */
  recordLayout(uid: string, layout: Layout, strategies?: readonly string[]): Promise<void>
  /** The deleted corpus of this name that this job removes. */
  dropped(name: string, job: string): Promise<Dropped | null>
}

/** By when corpora with something due should have reported: an overdue one has lost its alarm. */
export interface Watch {
  /** Null: nothing is due any more. */
  expect(uid: string, by: number | null): Promise<void>
  /** Some overdue corpora. Each is now expected by `until`, so that one that cannot be woken does not keep the others waiting. */
  overdue(now: number, until: number, limit: number): Promise<readonly string[]>
}
