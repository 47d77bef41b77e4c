/** The bindings and variables of wrangler.toml, as the code sees them. */
import type { Namespace } from './adapters/corpus'
import type { QueueLike } from './adapters/outbound'
import type { AiBinding } from './ports/models'

export interface Env {
  readonly AI: AiBinding
  readonly VECTORIZE: unknown
  readonly DB: D1Database
  readonly CORPUS: Namespace
  readonly GOVERNOR: Namespace
  readonly KEY_USAGE: Namespace
  readonly METRICS_OBJECT: Namespace
  readonly REPLICA: Namespace
  /** The log that replicas of corpora follow (docs/replicas.md). Absent: no corpus has any. */
  readonly REPLICATION?: R2Bucket
  readonly INGEST: Pick<Workflow<{ readonly uid: string }>, 'create'>
  readonly OUTBOUND: QueueLike
  readonly ASSETS: Fetcher
  /** Of requests without a key to public corpora. */
  readonly PUBLIC_LIMIT: RateLimit
  /** Grants of OAuth, by which clients of MCP come in without a key (docs/clients.md). Absent: there is no OAuth. */
  readonly OAUTH_KV?: KVNamespace
  /** Of keys that open nothing. */
  readonly KEY_LIMIT: RateLimit
  readonly EMBEDDING_MODEL: string
  readonly EMBEDDING_DIMENSIONS: string
  readonly EMBEDDING_WINDOW: string
  /** The embedding model that corpora were made with before, and its index, until they are migrated (docs/migrating.md). All four, or none. */
  readonly EMBEDDING_MODEL_PREVIOUS?: string
  readonly EMBEDDING_DIMENSIONS_PREVIOUS?: string
  readonly EMBEDDING_WINDOW_PREVIOUS?: string
  readonly VECTORIZE_PREVIOUS?: unknown
  readonly TEXT_MODEL: string
  readonly TEXT_WINDOW: string
  /** Text models that a corpus may choose for a role, besides those named here (docs/models.md). */
  readonly TEXT_MODELS?: string
  readonly RERANKER_MODEL: string
  /** Says whether the claims of an answer are supported. Absent: rules alone do (docs/support.md). */
  readonly JUDGE_MODEL?: string
  /** Models of their own for what is written, in place of the text model (docs/models.md), each with the tokens of its context. */
  readonly EXTRACT_MODEL?: string
  readonly EXTRACT_WINDOW?: string
  readonly SUMMARISE_MODEL?: string
  readonly SUMMARISE_WINDOW?: string
  readonly DESCRIBE_MODEL?: string
  readonly DESCRIBE_WINDOW?: string
  readonly ANSWER_MODEL?: string
  readonly ANSWER_WINDOW?: string
  readonly CLASSIFY_MODEL?: string
  readonly CLASSIFY_WINDOW?: string
  /** Tokens of its context. Default: those of the text model. */
  readonly JUDGE_WINDOW?: string
  /** `on`: isolates count requests, questions and model calls for `GET /metrics` (docs/observability.md). */
  readonly METRICS?: string
  /** Where spans of OpenTelemetry are sent, by OTLP/HTTP as JSON. Absent: nothing is traced (docs/observability.md). */
  readonly OTLP_ENDPOINT?: string
  /** `name=value,…`, for the collector. A secret. */
  readonly OTLP_HEADERS?: string
  /** Share of the requests without a `traceparent` that are traced. Default 1. */
  readonly OTLP_RATIO?: string
  /** `on`: questions stand in spans. */
  readonly OTLP_TEXTS?: string
  readonly ADMIN_KEY: string
  readonly MASTER_KEY?: string
  /** Seals in place of MASTER_KEY while the one replaces the other (docs/deploy.md). */
  readonly MASTER_KEY_NEXT?: string
  /** Older master keys that still open, one a line. */
  readonly MASTER_KEY_PREVIOUS?: string
  /** Which R2 bindings are which buckets, for sources of kind `r2` (docs/sources.md): `BUCKET_0=documents`, parted by spaces. */
  readonly BUCKETS?: string
  /** Calls of one model at once, for the whole account: `24`, or with models of their own `24 @cf/baai/bge-m3=48`. */
  readonly MODEL_SLOTS?: string
  /** Calls begun a minute, for the whole account: `text=600`, `@cf/some/model=1500`, one or more. Default: the documented limits of each task type. */
  readonly MODEL_RATES?: string
  /** `on`: Workers AI describes the pictures of corpora that have it switched on (docs/formats.md). */
  readonly CONVERSION?: string
  /** What reads pictures and scans, of corpora that have them described. Default: a model of Workers AI, where CONVERSION is `on` (docs/formats.md). */
  readonly VISION_MODEL?: string
  /** What transcribes the recordings of corpora that have it switched on. Default: Whisper of Workers AI, where CONVERSION is `on` (docs/formats.md). */
  readonly TRANSCRIPTION_MODEL?: string
  /** An OpenAI-compatible server for models whose ids have no `@` before them: what stands before `/chat/completions` (docs/models.md). */
  readonly MODEL_SERVER_URL?: string
  /** Its key, and further headers as `name=value,…`. Secrets. */
  readonly MODEL_SERVER_KEY?: string
  readonly MODEL_SERVER_HEADERS?: string
  /** What models cost that Workers AI has no price for, in dollars per million tokens read and written: `gpt-5-mini=0.25/2`, one or more. */
  readonly MODEL_PRICES?: string
  /** The id of an AI Gateway that model calls go through. */
  readonly AI_GATEWAY?: string
  /** Set by `npm start` alone: the models that run in a process of this machine (JSON, an array of ids), and `on` where a server has the others. */
  readonly LOCAL_MODELS?: string
  readonly MODEL_SERVER?: string
  /** `off`: the AI binding takes no `AbortSignal`, since it is not the real one. */
  readonly AI_SIGNAL?: string
  /** Seconds a call that writes may take. Default 120, after which the platform ends it; locally a model may think for longer. */
  /** Ids of models that call functions, besides those that are known to; `*`: all. */
  readonly TOOL_MODELS?: string
  readonly MODEL_SECONDS?: string
  /** Seconds a call may keep its slot. Default 150. */
  readonly SLOT_SECONDS?: string
  /** Documents and chunks one corpus may hold. Default 100,000 each. */
  readonly CORPUS_DOCUMENTS?: string
  readonly CORPUS_CHUNKS?: string
  /** Bytes of storage a corpus may hold before it takes no further documents. Default 8 GB of the 10 that an object may hold. */
  readonly CORPUS_BYTES?: string
  /** `on`: the object's storage refuses locally what it refuses in production (durable-objects/strict.ts). */
  readonly STRICT_STORAGE?: string
  /** Bytes a data database may hold before it takes no further documents. Default 8 GB of the 10 that D1 allows; on the free plan 400000000 of 500 MB. */
  readonly DATABASE_BYTES?: string
  /** Seconds between two looks at work that is still open. Default 60; locally 5. */
  readonly ALARM_SECONDS?: string
  /** Seconds a runner keeps its tasks. Default 300. */
  readonly LEASE_SECONDS?: string
  /** Whose signed tokens say for whom a request asks (docs/access.md): the issuer, whom its tokens are for, and where its keys are. All three, or none. */
  readonly IDENTITY_ISSUER?: string
  readonly IDENTITY_AUDIENCE?: string
  readonly IDENTITY_JWKS_URL?: string
  /** Default: `email=user groups=group`. */
  readonly IDENTITY_CLAIMS?: string
  /** `anywhere`: webhooks and sources may also be plain http and addresses of this machine and its network. Never in production. */
  readonly OUTBOUND_TARGETS?: string
}
