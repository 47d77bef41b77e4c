/** What the composition root passes to the HTTP app: what implements which port. */
import type { ReplicaSettings } from '../core/settings'
import type { Vault } from '../hooks/seal'
import type { Network } from '../outbound/reach'
import type { BucketRoutes, Buckets } from '../ports/buckets'
import type { Identity, Limiter } from '../ports/callers'
import type { Catalogue } from '../ports/catalogue'
import type { ConversationObject } from '../ports/conversations'
import type { Converter, Describer, Seer, Transcriber } from '../ports/conversion'
import type { Deletions } from '../ports/deletion'
import type { DeploymentAudit } from '../ports/deployment-audit'
import type { Hooks } from '../ports/hooks'
import type { Answers } from '../ports/idempotency'
import type { KeyUsageObject } from '../ports/key-usage'
import type { Keys } from '../ports/keys'
import type { DataPool, Listings } from '../ports/listings'
import type { Meters, MetricsObject } from '../ports/metrics'
import type { ModelPlaces, Models } from '../ports/models'
import type { OAuth } from '../ports/oauth'
import type { CorpusObject } from '../ports/object'
import type { OutboundObject } from '../ports/outbound'
import type { Recoveries } from '../ports/recovery'
import type { ResealStore } from '../ports/reseal'
import type { SeeingObject } from '../ports/seeing'
import type { Tracing } from '../ports/tracing'
import type { VectorIndex } from '../ports/vector-index'

/** What implements each port. */
export interface Wired {
  readonly version: string
  /** The secret ADMIN_KEY; empty: there is no admin key. */
  readonly adminKey: string
  readonly models: Models
  /** The judge, which says whether claims are supported. Null: none is configured. */
  readonly judge: Models | null
  readonly modelPlaces: ModelPlaces
  readonly index: VectorIndex
  /** For the previous embedding model. Null: none is configured. */
  readonly previousIndex: VectorIndex | null
  /** `locationHint`: where the object is to be created, if this is the first call. `replicas`: they answer its questions if they can. */
  corpus(uid: string, locationHint?: string, replicas?: ReplicaSettings): CorpusObject
  /** Corpora may have replicas. Absent: they may not. */
  readonly hasReplication?: boolean
  /** The same object, for what the corpus sends out and fetches. */
  outbound(uid: string): OutboundObject
  /** The same object, for monitoring. */
  seeing(uid: string): SeeingObject
  conversations(uid: string): ConversationObject
  /** What requests are counted with. Null: METRICS is off. */
  readonly meters: Meters | null
  /** Null: no collector is named. */
  readonly tracing: Tracing | null
  /** What all isolates have counted. */
  metrics(): MetricsObject
  /** What a key with limits uses in a day. */
  keyUsage(id: string): KeyUsageObject
  readonly network: Network
  readonly catalogue: Catalogue
  readonly keys: Keys
  readonly deletions: Deletions
  readonly recoveries: Recoveries
  /** The deployment's audit log: what is done to keys and to whole corpora. A corpus keeps its own. */
  readonly audit: DeploymentAudit
  readonly answers: Answers
  readonly pool: DataPool
  readonly listings: Listings
  readonly hooks: Hooks
  /** Buckets that are bound to the deployment. */
  readonly buckets: Buckets
  readonly bucketRoutes: BucketRoutes
  /** Null: without MASTER_KEY no webhook secret can be kept. */
  readonly vault: Vault | null
  /** How far secrets have been resealed under another master key. */
  readonly reseal: ResealStore
  /** Of requests without a key. */
  readonly limit: Limiter
  /** Of keys that opened nothing, by address. */
  readonly limitFailed: Limiter
  /** Reads tokens of the deployment's identity provider. Null: none is configured. */
  readonly identity: Identity | null
  readonly convert: Converter
  /** Describes pictures. Null: nothing here does. */
  readonly describer: Describer | null
  /** Reads what is written in pictures and scans. Null: nothing here does. */
  readonly seer: Seer | null
  /** Transcribes recordings. Null: nothing here does. */
  readonly transcriber: Transcriber | null
  /** Lets MCP clients in through OAuth. Null: no namespace for its grants is bound. */
  readonly oauth: OAuth | null
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs in the background; the answer does not wait for it. Never rejects. */
  later(work: Promise<unknown>): void
}
