/** What the corpus's object is wired with: the composition root decides what implements the ports. */
import type { Env } from '../../src/env'
import type { Catalogue, Watch } from '../../src/ports/catalogue'
import type { CorpusConfig } from '../../src/ports/corpus'
import type { Deletions } from '../../src/ports/deletion'
import type { CorpusObject } from '../../src/ports/object'
import type { AskProbe } from '../../src/ports/probes'
import type { Recoveries } from '../../src/ports/recovery'
import type { Replication } from '../../src/ports/replication'
import type { Sinks } from './outbox/drain'

export type HostSinks = Sinks & {
  readonly watch: Pick<Watch, 'expect'>
  readonly deletions: Pick<Deletions, 'state' | 'confirm' | 'finish'>
  readonly recoveries: Recoveries
  readonly catalogue: Pick<Catalogue, 'recordEmbedding' | 'recordExamples' | 'recordLayout'>
  /** A corpus, called as any other: the object of one in partitions asks whether all of them have settled. */
  readonly corpus?: (uid: string) => Pick<CorpusObject, 'view'>
  /** Partitions, given orders by the corpus's own object, which changes their number or moves them to another embedding model. */
  readonly moving?: (uid: string) => Pick<CorpusObject, 'move' | 'moveModel'>
  /** Asks a probe over a corpus in partitions; null: not all of them answered. */
  readonly askProbe?: AskProbe
  /** Absent: the deployment has no log for replicas, and there are none. */
  readonly replication?: Replication | null
}

export interface HostParts {
  readonly ctx: DurableObjectState
  readonly env: Env
  readonly sinks: HostSinks
  /** What the alarm does for a deleted corpus. */
  readonly reconcile: (corpus: CorpusConfig) => Promise<unknown>
}
