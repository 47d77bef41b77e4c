/**
 * What Loam needs from the world. Declared here once; implemented in `src/adapters`, `durable-objects` and, for tests and
 * local runs, behind the same bindings by `local/`. Nothing here computes.
 */

import type { Actor, AuditEntry, AuditEvent, AuditPlace, AuditSettings } from './audit-ports'
import type { Asker } from './core/access/labels'
import type { From } from './core/access/neighbourhood'
import type { Measured } from './core/estimate/measured'
import type { Evidence } from './core/evidence'
import type { Neighbourhood } from './core/graph/listed'
import type { Chunk, DocumentRecord, Edge, EdgeKind, GraphNode, Json, Patch, Value } from './core/graph/types'
import type { Meaning } from './core/reader/likeness'
import type { Settings } from './core/settings'
import type { NameOperation } from './core/strategies/archrag/same'
import type { Classification } from './core/strategies/gorag/classify'
import type { LabelView } from './core/strategies/gorag/gorag'
import type { LearnInput } from './core/strategies/gorag/learn'
import type { Brief, Reply, Report } from './core/strategy'

// ---------------------------------------------------------------- models

/** The shape of `env.AI`, as narrow as we use it. `@cloudflare/ai` is deprecated by its authors in its favour. */
export interface AiBinding {
  run(model: string, inputs: unknown, options?: unknown): Promise<unknown>
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface Spent {
  readonly in: number
  readonly out: number
  readonly embedded: number
}

/** What one stage (embed, extract, summarize, report, rerank, answer, …) has cost. */
export interface StageSpent extends Spent {
  readonly calls: number
}
export type StagesSpent = { readonly [stage: string]: StageSpent }

/** US dollars per million tokens of each sort, and the date of the price table they come from. */
export interface Prices extends Spent {
  /** Tokens a reranker reads. Absent: as those the text model reads. */
  readonly reranked?: number
  /** Of a judge of its own. Absent: as those of the text model. */
  readonly judged?: { readonly in: number; readonly out: number }
  readonly date?: string
}

/**
 * What work comes to at most, in all and by stage, set aside under its id before any of it is done: a ceiling counts it as spent until the
 * work is charged. Sent again with more, it is raised.
 */
export interface Hold {
  /** Random: no two pieces of work share it. */
  readonly id: string
  readonly most: { readonly [stage: string]: Spent }
}

/** What is left of a budget; null: no such ceiling. */
export interface RemainingBudget {
  readonly tokens: number | null
  readonly usd: number | null
}

/**
 * Why a model gave nothing. Codes, never texts: an upstream message may quote the document.
 * capacity: try again soon · quota: not before `retryAfter` · too_large: this input never · timeout, down: try again ·
 * invalid: the reply does not parse · missing: no such model is configured
 */
export type ModelFault = 'capacity' | 'quota' | 'too_large' | 'timeout' | 'down' | 'invalid' | 'missing'

/** What a call may be ended by before its time. An aborted call rejects with `timeout`. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** Every call rejects with an Error whose `name` is `ModelError` and whose `message` is a `ModelFault`, optionally followed by a space and seconds to wait. Survives RPC; branch with `faultOf` (flows/faults.ts). */
export interface Models {
  readonly embedding: { readonly id: string; readonly dimensions: number /** Tokens it reads. */; readonly window: number }
  readonly text: { readonly id: string /** Tokens of context. */; readonly window: number } | null
  readonly reranker: { readonly id: string } | null
  /** The encoder that comes with Loam, for reading without a model; undefined where its file is not there. Never rejects. */
  encoder?(): Promise<Meaning | undefined>
  /**
   * Any number of texts, each within the window; batched, and few calls at a time. `calls`: how many it took. A text for which the model
   * has no vector of use (of another length, not of numbers, all zeros), asked for it three times, has an empty one.
   */
  embed(
    texts: readonly string[],
    options?: CallOptions,
  ): Promise<{ readonly vectors: readonly ArrayLike<number>[]; readonly spent: Spent; readonly calls?: number }>
  /** Scores from 0 to 1, in the order of the texts. */
  rerank(
    query: string,
    texts: readonly string[],
    options?: CallOptions,
  ): Promise<{ readonly scores: readonly number[]; readonly spent: Spent }>
  /**
   * With `schema` (JSON Schema) the reply is asked for, and returned, as JSON text; the caller parses and checks it. `truncated`: the
   * reply was cut where `tokens` ended, and what followed is lost.
   */
  write(
    messages: readonly Message[],
    options: CallOptions & { readonly tokens: number; readonly schema?: unknown },
  ): Promise<{ readonly text: string; readonly spent: Spent; readonly truncated?: boolean }>
  /** The same as text deltas. Rejects before the first delta if the model cannot start. */
  stream(
    messages: readonly Message[],
    options: CallOptions & { readonly tokens: number },
  ): Promise<{ readonly deltas: AsyncIterable<string>; spent(): Spent }>
}

/** The task types of Workers AI whose calls are counted by the minute, each apart. */
export type CallKind = 'text' | 'embedding' | 'rerank'
export interface ModelCall {
  readonly model: string
  readonly kind: CallKind
}

/** rate: the account made too many calls of this task type in a minute · capacity: the model is out of it */
export type CallTrouble = 'rate' | 'capacity'

/** Leave to call a model of the account: calls of many corpora share what the vendor allows. Never rejects by itself; a call's own error passes. */
export interface CallSlots {
  with<T>(call: ModelCall, run: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Calls of a model that questions have made, and the last trouble they had. */
export interface QuestionCalls extends ModelCall {
  readonly calls: number
  readonly trouble?: CallTrouble
}

/** The one object that lends calls: so many at once of a model, so many a minute of a task type. */
export interface GovernorObject {
  /** The id of a slot, or `null`: none came free within `patience` milliseconds, ask again. */
  acquire(call: ModelCall & { readonly party: string; readonly patience: number }): Promise<string | null>
  release(id: string, trouble?: CallTrouble): Promise<void>
  /** Questions ask nobody and are counted afterwards: indexing makes room for them. */
  note(calls: readonly QuestionCalls[]): Promise<void>
}

// ---------------------------------------------------------------- vector index

export interface VectorEntry {
  /** Of the node; unique within its corpus. */
  readonly id: string
  /** Of any length: the index compares by cosine. */
  readonly vector: ArrayLike<number>
  readonly kind: string
  readonly layer: number
}

/**
 * One index for all corpora, each of which sees its own vectors alone. Eventually consistent: writes become visible later, in the order in
 * which they were made. Every call may be repeated, takes any number of things, and rejects with a `VectorFault` (vector-faults.ts).
 */
export interface VectorIndex {
  upsert(corpus: string, entries: readonly VectorEntry[]): Promise<void>
  remove(corpus: string, ids: readonly string[]): Promise<void>
  /** Those of these ids that are visible, in any order. */
  fetch(corpus: string, ids: readonly string[]): Promise<readonly VectorEntry[]>
  query(
    corpus: string,
    vector: ArrayLike<number>,
    where: { readonly kind: string; readonly k: number },
  ): Promise<readonly { readonly id: string; readonly score: number }[]>
  /** How many vectors the index holds, of all corpora, and how many it may before no corpus takes further documents. */
  size(): Promise<{ readonly vectors: number; readonly max: number }>
  /** Removes what an earlier release wrote for this corpus under the nodes' bare ids. */
  removeUnnamed(corpus: string, ids: readonly string[]): Promise<void>
}

// ---------------------------------------------------------------- the read model (D1)

/** What the outbox tells the read model. Vectors, ordered indexes and builders' values stay in the object. */
export type Published =
  | { readonly op: 'put-document'; readonly document: DocumentRecord }
  | { readonly op: 'drop-document'; readonly id: string }
  | { readonly op: 'put-chunk'; readonly chunk: Chunk }
  | { readonly op: 'drop-chunk'; readonly id: string }
  /** `bearer`: of an entity that shares its name with another, the first document that bears the name and is about this one. */
  | { readonly op: 'put-node'; readonly node: Omit<GraphNode, 'vector' | 'sum'>; readonly bearer?: string }
  | { readonly op: 'drop-node'; readonly id: string }
  | { readonly op: 'put-edge'; readonly edge: Edge }
  | { readonly op: 'drop-edge'; readonly kind: EdgeKind; readonly source: string; readonly target: string }

/** A corpus, and the database its rows are in. Absent: the control database, which held all of them before there was a pool. */
export interface CorpusRef {
  readonly uid: string
  readonly database?: string
}

export type RowTable = 'document' | 'chunk' | 'node' | 'edge'

/** A row of the read model, as far as an export carries it (core/graph/state.ts hashes the same). */
export type StoredRow =
  | { readonly table: 'document'; readonly row: Omit<DocumentRecord, 'name'> }
  | { readonly table: 'chunk'; readonly row: Pick<Chunk, 'id' | 'title' | 'text' | 'tokens' | 'own'> }
  | { readonly table: 'node'; readonly row: Omit<GraphNode, 'vector' | 'sum'> }
  | { readonly table: 'edge'; readonly row: Edge }

export interface StoredPage {
  readonly rows: readonly StoredRow[]
  /** What they amount to, about. */
  readonly bytes: number
  /** The key to go on from; null: there are no more. */
  readonly next: string | null
}

/** From a key on (exclusive; '' for the first): at most so many rows, and no more once they amount to so many bytes. One row at least. */
export interface RowPage {
  readonly after: string
  readonly rows: number
  readonly bytes: number
}

/** D1. Each call is atomic and may be repeated; rows carry the version that wrote them and an older version never overwrites a newer one. */
export interface ReadModel {
  /**
   * `version`: of the state the changes were read from. `upto`: everything up to this version is there once this call has ended.
   * `rows`: how many were written, those of indexes included: each is paid for. `bytes`: what the database, shared with other corpora, holds now.
   */
  publish(
    corpus: CorpusRef,
    at: { readonly version: number; readonly upto: number },
    changes: readonly Published[],
  ): Promise<{ readonly rows: number; readonly bytes: number }>
  /** Forgets every row of the corpus. Called in slices until it returns 0. */
  drop(corpus: CorpusRef): Promise<number>
  /** Forgets the last row of one that was dropped, which lets no late write in: once no call can be that late any more. */
  forget(corpus: CorpusRef): Promise<void>
  /**
   * Keys of a table, from a key on (exclusive; '' for the first), in the order of the database. A document, chunk or node has its id for
   * a key, an edge the JSON list of source, kind and target. With `rows` it says whether D1 holds what the object holds.
   */
  keys(corpus: CorpusRef, table: RowTable, after: string, limit: number): Promise<readonly string[]>
  /** Those of these rows that are there. */
  rows(corpus: CorpusRef, table: RowTable, keys: readonly string[]): Promise<readonly StoredRow[]>
  /** Bytes the corpus's database holds, those of other corpora included, and how many it may before it takes nothing more. */
  size(corpus: CorpusRef): Promise<{ readonly bytes: number; readonly max: number }>
}

// ---------------------------------------------------------------- the corpus object

export interface DocumentInput {
  readonly id: string
  readonly text: string
  readonly title: string
  readonly url: string | null
  readonly metadata: { readonly [key: string]: Json }
  /** Labels (core/access/labels.ts), sorted. Absent: those it has; none of a new one. */
  readonly access?: readonly string[]
}

export type DocumentStatus = 'queued' | 'indexing' | 'ready' | 'partial' | 'failed'
export type JobKind = 'ingest' | 'delete' | 'batch' | 'reindex' | 'consolidate' | 'rebuild' | 'drop'
export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'paused_budget'

export interface Receipt {
  readonly version: number
  readonly touched: {
    readonly documents: number
    readonly chunks: number
    readonly passages: number
    readonly units: number
    readonly entities: number
    readonly keywords: number
    readonly segments: number
    readonly summaries: number
    readonly communities: number
    readonly edges: number
  }
  readonly rows_written: number
  readonly model_calls: { readonly [kind: string]: number }
  readonly tokens: Spent
  /** Passages and sentences that were embedded, by a model that is paid for or by the encoder that is not. */
  readonly texts_embedded?: number
  readonly ms: number
  readonly shared_with?: readonly string[]
}

/** What one commit did, chained to all before it. Offline, an export's rows can be added up and compared with the last `state`. */
export interface CommitReceipt {
  readonly version: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Jobs it worked for, at most twenty. */
  readonly jobs: readonly string[]
  /** Changes made; `other`: places and values, which never leave the object. */
  readonly touched: {
    readonly documents: number
    readonly chunks: number
    readonly nodes: number
    readonly edges: number
    readonly other: number
  }
  /** `state` less the state before, modulo 2²⁵⁶. */
  readonly change: string
  /** Sum of the hashes of all exported rows (core/graph/state.ts), 64 hex digits. */
  readonly state: string
  /** SHA-256 over the hash before and this receipt without it. */
  readonly hash: string
}

/** A question and the documents that must answer it. */
export interface ProbeInput {
  readonly query: string
  readonly expect: readonly string[]
  /** Absent: the embedding model was out; words alone are looked up. */
  readonly vector?: Int8Array
}

export interface ProbesView {
  readonly probes: readonly { readonly query: string; readonly expect: readonly string[] }[]
  readonly k: number
  /** How much recall@k of a strategy may fall, 0 to 1. */
  readonly tolerance: number
  /** Names what is pinned: the same for the same questions, documents and bounds. */
  readonly revision: string
}

/** How well a strategy found what a probe expects. */
export interface Finding {
  /** Share of its documents that are among the first k pieces of evidence. */
  readonly recall: number
  /** Place of the first piece from one of them, 1 for the best; null: none was found. */
  readonly rank: number | null
}

/** What was found for a probe last, each by strategy. Null: not asked yet. A strategy is left out where none of the documents is in the corpus. */
export interface ProbeResults {
  /** By the schedule. */
  readonly last: { readonly at: number; readonly found: { readonly [strategy: string]: Finding } } | null
  /** At the last gate, on both graphs. */
  readonly gate: {
    readonly at: number
    readonly job: string
    readonly kind: JobKind
    readonly found: { readonly [strategy: string]: { readonly before: Finding; readonly after: Finding } }
  } | null
}

export interface MeasuredProbes extends ProbesView {
  readonly probes: readonly (ProbesView['probes'][number] & ProbeResults)[]
}

/** What the gate last said. */
export interface GateView {
  readonly at: number
  readonly job: string
  readonly kind: JobKind
  readonly promoted: boolean
  readonly k: number
  readonly tolerance: number
  readonly recall: { readonly [strategy: string]: { readonly before: number; readonly after: number } }
}

/** Of the vector index or the read model. */
export interface SinkView {
  /** What it has failed with since it was told last; the vendor's code, 0 where it gave none. */
  readonly fault: { readonly code: number; readonly at: number; readonly tries: number } | null
  /** Rows or vectors it lacked, or held otherwise, and those it should not have had: found and put right, since the corpus was made. */
  readonly missing: number
  readonly foreign: number
}

export interface HealthView {
  readonly version: number
  /** Hash and state of the last receipt; null before the first. */
  readonly head: { readonly hash: string; readonly state: string } | null
  /** Milliseconds since the epoch; null: the schedule has not been here yet. */
  readonly last_tend: number | null
  /** Of the last whole look at all derived nodes, a page each time; null before it. */
  readonly nodes: {
    readonly at: number
    readonly seen: number
    /** Entities nothing mentions, summaries and communities without members. */
    readonly orphans: number
    readonly stale: number
    /** Mean and largest number of members of summaries and communities. */
    readonly size: { readonly mean: number; readonly most: number }
    /** Mean and largest number of mentions of an entity. */
    readonly degree: { readonly mean: number; readonly most: number }
  } | null
  /** How far the means have moved since the graph was last put in order, as a share; null where that is not known. */
  readonly drift: { readonly size: number; readonly degree: number; readonly churn: number } | null
  /**
   * How far structures that grow locally have fallen behind one made anew, as last measured: `lost` is a share, beyond `bound` a consolidation
   * makes it anew. Null where nothing was measured.
   */
  readonly quality: {
    readonly at: number
    readonly measures: readonly { readonly strategy: string; readonly measure: string; readonly lost: number; readonly bound: number }[]
  } | null
  /** Texts extracted because the text model was out, which it is still asked for; when it is tried next, null unless it is out. */
  readonly owed: { readonly texts: number; readonly retry_at: number | null }
  /** Documents a model could not read in part, or whose vectors could not be had. */
  readonly quarantined: number
  readonly outbox: { readonly entries: number; readonly versions_behind: number }
  readonly sinks: {
    /** `refused`: vectors it would not take. `delay_ms`: until what was sent last was known to be visible. */
    readonly index: SinkView & { readonly refused: number; readonly delay_ms: number | null }
    readonly model: SinkView
    /** When both were last compared with the object; null: not yet. */
    readonly swept_at: number | null
  }
  /** Bytes of the corpus's own storage, those with which it takes no further documents, and the one as a share of the other. */
  readonly storage: { readonly bytes: number; readonly limit: number; readonly share: number }
  readonly probes: {
    readonly count: number
    readonly k: number
    readonly tolerance: number
    readonly recall: { readonly [strategy: string]: number }
    readonly at: number | null
  }
  readonly gate: GateView | null
  /** True while other settings were asked for than the graph that is served was made with. */
  readonly pending: boolean
}

export interface Count {
  readonly done: number
  readonly total: number
}

/** How far work is, by what is counted; kept by the transactions that do it. */
export interface Progress {
  /** Those that can be found, of those that come; and those that are gone, of those that leave. */
  readonly documents: Count
  /** In the graph; readers see a batch's when all of them are. */
  readonly chunks: Count
  /** Passages, and sentences where a strategy wants them: embedded, of those that have no vectors yet. */
  readonly texts: Count
  /** So many a second, lately, in this corpus. */
  readonly rate?: { readonly texts?: number; readonly chunks?: number; readonly tasks?: number }
  /** Seconds until it has ended, at that rate and after all that was accepted before. Absent: not known, or nothing is left. */
  readonly seconds_left?: number
}

export interface JobView {
  readonly job: string
  readonly kind: JobKind
  readonly status: JobStatus
  /** `done` and `total`: its tasks, of every kind. */
  readonly progress: Count & Progress
  readonly usage: Spent
  readonly receipt?: Receipt
  readonly error?: string
}

export interface DocumentView {
  readonly document: string
  readonly title: string
  readonly url: string | null
  readonly metadata: { readonly [key: string]: Json }
  /** Labels. Empty: those of the corpus, or none. */
  readonly access: readonly string[]
  readonly status: DocumentStatus
  readonly content_version: number
  readonly indexed_version: number
  readonly chunks: number
  readonly error?: string
  readonly text?: string
}

/** Things of the graph by what names them. */
export interface Seeable {
  readonly documents?: readonly string[]
  readonly chunks?: readonly string[]
  readonly nodes?: readonly string[]
  readonly edges?: readonly Pick<Edge, 'kind' | 'source' | 'target'>[]
}

export interface Seen {
  /** The labels of each document, by id. */
  readonly documents: { readonly [id: string]: readonly string[] }
  readonly chunks: readonly string[]
  readonly nodes: readonly Omit<GraphNode, 'vector' | 'sum'>[]
  readonly edges: readonly Edge[]
  /** The asker sees all there is: nothing was compared, and only `documents` is filled in. */
  readonly all: boolean
}

export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

export interface Link {
  readonly kind: 'contains' | 'mentions'
  readonly source: string
  readonly target: string
  /** Of a mention: the units that mention it. */
  readonly weight: number
}

/** What the catalogue knows of a corpus; the object is told at each change and keeps a copy. */
export interface CorpusConfig {
  readonly uid: string
  readonly name: string
  /** Enabled strategies of the five. */
  readonly strategies: readonly string[]
  readonly settings: Settings
  readonly budget: { readonly tokens?: number; readonly usd?: number }
  /** From the price table of the deployment's models. */
  readonly prices?: Prices
  /** Binding of the database its rows are in. Absent: the control database. */
  readonly database?: string
  /** Labels of documents that have none. Absent: they are for every reader. */
  readonly defaultAccess?: readonly string[]
  /** Of the audit log. Absent: the defaults. */
  readonly audit?: AuditSettings
}

export interface CorpusView {
  readonly status: 'settled' | 'indexing' | 'paused_budget'
  /** `auto` has not measured its channels yet, or does so now: it answers by a guess that is as good as `hybrid`. */
  readonly tuning: boolean
  /** Of all jobs under way together, since the corpus was last settled. Absent: it is settled. */
  readonly progress?: Progress
  readonly version: number
  readonly counts: { readonly [kind: string]: number }
  readonly usage: Spent & { readonly usd: number }
}

type Amounts = StageSpent & { readonly usd: number; readonly neurons: number }

/** The ledger of money. `shared`: what serves several documents or none (summaries, questions, documents that are gone). */
export interface UsageView {
  readonly total: Amounts
  readonly stages: { readonly [stage: string]: Amounts }
  readonly shared: Amounts & { readonly stages: { readonly [stage: string]: Amounts } }
  /** Rows written to the read model since the corpus was made. */
  readonly rows_published: number
  readonly budget: CorpusConfig['budget']
  /** Set aside for work under way. */
  readonly held: { readonly tokens: number; readonly usd: number }
  readonly prices?: Prices
  /** What further documents are estimated by. */
  readonly measured: Measured | null
  /** One page of documents, by id. */
  readonly data: readonly (Amounts & { readonly document: string; readonly stages: { readonly [stage: string]: Amounts } })[]
  readonly next_cursor: string | null
}

export type Accepted =
  | {
      readonly kind: 'accepted'
      readonly job: string
      readonly documents: readonly { readonly document: string; readonly status: DocumentStatus | 'unchanged' }[]
    }
  /** Every document given is already here, word for word. `version`: with it other labels came into force. */
  | {
      readonly kind: 'unchanged'
      readonly documents: readonly { readonly document: string; readonly status: 'unchanged' }[]
      readonly version?: number
    }
  /** One of the events named has been taken in before, with this job (null: it changed nothing). */
  | { readonly kind: 'duplicate'; readonly job: string | null }
  | { readonly kind: 'over_budget'; readonly estimate: number; readonly left: number }
  /** The corpus would hold more than it may. */
  | {
      readonly kind: 'full'
      readonly what: 'documents' | 'chunks' | 'database_bytes' | 'storage_bytes' | 'index_vectors'
      readonly most: number
    }
  | { readonly kind: 'precondition_failed' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'gone' }

/** Of a corpus with a budget: is what was asked for set aside? `unasked`: nothing was asked for. */
export type Held = 'granted' | 'refused' | 'unasked'

export interface RetrieveRequest {
  readonly strategy: string
  readonly text: string
  /** Quantised; absent while the embedding model is down. */
  readonly vector?: Int8Array
  /** From the vector index, by kind. */
  readonly near: { readonly [kind: string]: readonly { readonly id: string; readonly score: number }[] }
  readonly scores?: readonly (readonly [string, number])[]
  /** The version the wanted scores were asked for. */
  readonly version?: number
  readonly topK: number
  readonly budget: number
  readonly trace: boolean
  readonly options: { readonly [key: string]: Json }
  readonly filters?: { readonly document?: readonly string[]; readonly metadata?: { readonly [key: string]: Json } }
  readonly minVersion?: number
  /** To be set aside on the way, for what the question will call afterwards. */
  readonly hold?: Hold
  /** For whom. */
  readonly asker?: Asker
}

export type RetrieveResult =
  | {
      readonly kind: 'evidence'
      readonly evidence: readonly Evidence[]
      readonly trace?: Json
      readonly version: number
      /** The question's terms, in how many passages of the corpus each is. */
      readonly frequencies: readonly (readonly [term: string, passages: number])[]
      /** Passages of the corpus. */
      readonly passages: number
      /** Ln-odds that this corpus asks for beyond others before a question counts as answered. */
      readonly strictness?: number
      /** Some vectors that the index does not show were not compared either: they were too many. */
      readonly partial?: true
      readonly held?: Held
    }
  | {
      readonly kind: 'wanted'
      readonly pairs: readonly { readonly key: string; readonly text: string }[]
      readonly version: number
      readonly held?: Held
    }
  /** The version asked for has not been reached in time. */
  | { readonly kind: 'behind'; readonly version: number }
  | { readonly kind: 'strategy_not_enabled' }
  | { readonly kind: 'gone' }

/** A leased task with what to ask. `reply` is there when the cache already knows the answer. */
export interface LeasedTask {
  readonly id: number
  readonly input: string
  readonly node: string
  readonly brief: Brief
}

export interface TaskResult {
  readonly id: number
  readonly reply: Reply
  readonly spent: Spent
  readonly calls: { readonly [kind: string]: number }
  /** What the reply said and the text does not bear out, by kind: left out, and counted here. */
  readonly dropped?: { readonly [kind: string]: number }
  /** Under which its cost was set aside. */
  readonly hold?: string
}

export interface Round {
  readonly tasks: readonly LeasedTask[]
  /** Open tasks, leased or not, after this lease. */
  readonly left: number
  readonly paused: boolean
  /** Milliseconds the tasks are lent for: nothing may be under way any more when they are over. */
  readonly ms?: number
  /** Another round of this runner is still under way, or what is left of the budget is set aside for others: nothing is lent for at most so many milliseconds. */
  readonly wait?: number
  /** There is a budget: what a task comes to is set aside before it is begun. */
  readonly isCapped?: true
}

/**
 * Which round of a runner asks. A step whose time is up is repeated while its first attempt runs on; both would be lent the same tasks, and
 * each would be paid for twice. So a round that has a name keeps others of its runner out until one that comes after it says so, or its
 * time is over.
 */
export interface Turn {
  readonly id: string
  /** The round of this runner that has ended. */
  readonly after?: string
  /** How many tasks for a model that writes to lend at most. */
  readonly written?: number
}

/** Citations are checked against the stored text, at one version: `text.slice(start, end) === quote`. */
export interface Quote {
  readonly document: string
  readonly start: number
  readonly end: number
  readonly quote: string
}

export interface LabelContent {
  readonly id: string
  readonly description: string
  readonly vector?: Int8Array
  readonly examples: readonly { readonly id: string; readonly text: string; readonly vector?: Int8Array }[]
}

/**
 * The Durable Object of one corpus, addressed by uid. The only writer. Answers are values, never custom errors.
 * Every writing call is idempotent under its key; a call that fails half-way has changed nothing (one transaction).
 * `asker`: for whom something is read; absent, for nobody in particular, who sees what everybody may.
 * `by`: who is entered into the audit log for it, in the same transaction; absent: nobody is.
 */
/** open: it is served · closed: deleted, all is kept · clearing: what it has is being removed · empty: nothing is left, or never was */
export type Reconciled = 'open' | 'closed' | 'clearing' | 'empty'

export interface CorpusObject {
  configure(config: CorpusConfig, by?: Actor): Promise<void>
  view(asker?: Asker): Promise<CorpusView | null>
  accept(
    request: {
      readonly kind: JobKind
      readonly upserts: readonly DocumentInput[]
      readonly deletes: readonly string[]
      readonly ifMatch?: number
      /** Names of the event that brought this: taken in together with it, once. */
      readonly events?: readonly string[]
    },
    by?: Actor,
  ): Promise<Accepted>
  maintain(kind: 'reindex' | 'consolidate' | 'rebuild', options: { readonly strategies?: readonly string[] }, by?: Actor): Promise<Accepted>
  /** Looks into the catalogue whether the corpus is deleted, and does what that asks for. May be called by anybody at any time. */
  reconcile(corpus: CorpusRef): Promise<Reconciled>
  job(id: string, waitMs: number): Promise<JobView | null>
  jobs(cursor: string | null, limit: number): Promise<Page<JobView>>
  /** Of commits, oldest first; the cursor is a version. */
  receipts(cursor: string | null, limit: number): Promise<Page<CommitReceipt>>
  /** `changed`: others are pinned than the revision `ifMatch` names, and nothing was written. */
  putProbes(
    probes: readonly ProbeInput[],
    bounds: Pick<ProbesView, 'k' | 'tolerance'>,
    ifMatch?: string,
    by?: Actor,
  ): Promise<ProbesView | 'changed'>
  probes(asker?: Asker): Promise<MeasuredProbes>
  health(): Promise<HealthView | null>
  cancel(id: string, by?: Actor): Promise<JobView | null>
  retry(id: string, by?: Actor): Promise<JobView | null>
  documents(cursor: string | null, limit: number, asker?: Asker): Promise<Page<DocumentView>>
  document(id: string, asker?: Asker): Promise<DocumentView | null>
  /** Other labels for a document that the asker may read, in force at the version returned. Null: there is none, or not for him. */
  setAccess(id: string, access: readonly string[], asker?: Asker, by?: Actor): Promise<{ readonly version: number } | null>
  /** Those of these things that the asker may see, each as he may see it. */
  seen(things: Seeable, asker?: Asker): Promise<Seen>
  retrieve(request: RetrieveRequest): Promise<RetrieveResult>
  verify(quotes: readonly Quote[]): Promise<readonly boolean[]>
  /** Which of these could be set aside within the budget, and now are. One that could not keeps what it had. */
  reserve(holds: readonly Hold[]): Promise<readonly boolean[]>
  /** Counts what work cost, and ends what was set aside for it. */
  charge(stages: StagesSpent, holds?: readonly string[]): Promise<void>
  usage(cursor: string | null, limit: number, asker?: Asker): Promise<UsageView>
  openTasks(runner: string, limit: number, turn?: Turn): Promise<Round>
  /** Refused (`lost`) if the lease has expired. */
  commit(
    runner: string,
    results: readonly TaskResult[],
  ): Promise<{ readonly kind: 'committed'; readonly left: number } | { readonly kind: 'lost' }>
  /** The runner ends though work is left: another may begin at once. Nothing happens where it holds no lease. */
  release(runner: string): Promise<void>
  /** Labels and classification (GORAG). Synchronous: what returned is in force. */
  putLabel(label: LabelContent, by?: Actor): Promise<LabelView>
  labels(cursor: string | null, limit: number): Promise<Page<LabelView>>
  dropLabel(id: string, by?: Actor): Promise<boolean>
  classify(input: { readonly text: string; readonly vector?: Int8Array }): Promise<Classification>
  /** Null where nothing is learned: below the confidence, labelled already, or no such label. */
  learn(input: Omit<LearnInput, 'at'>, by?: Actor): Promise<string | null>
  /** One learned text, or all learned at or after a time (milliseconds since the epoch). False: there was nothing to undo. */
  unlearn(which: { readonly id: string } | { readonly since: number }, by?: Actor): Promise<boolean>
  /** Entities that are one thing under two names: the audit, and a caller's decisions. In force when they return. */
  nameOperations(cursor: string | null, limit: number, asker?: Asker): Promise<Page<NameOperation>>
  mergeEntities(a: string, b: string, by?: Actor): Promise<'done' | 'unchanged' | 'missing'>
  /** Null: from all it was merged with. */
  partEntities(a: string, b: string | null, by?: Actor): Promise<'done' | 'unchanged' | 'missing'>
  /**
   * A visit of upkeep, whether or not it is due: consolidates where enough has changed, writes what was left for later, forgets old jobs.
   * Sets the alarm, if it was lost. False: there is no corpus here.
   */
  tend(): Promise<boolean>
  /** What the read model has no rows of, around these nodes: which document contains a chunk, what it mentions, who mentions an entity. At most so many. */
  links(ids: readonly string[], limit: number, asker?: Asker): Promise<readonly Link[]>
  /** The neighbourhood of a node as the asker may see it; `all`: he sees everything, and the read model knows it. Null: no such node for him. */
  around(from: From, asker?: Asker): Promise<Neighbourhood | null | 'all'>
  /** The `data` of a derived node (by its id) or an edge (by source, kind and target) that the read model could not hold. Undefined: it is gone. */
  dataOf(row: string | { readonly kind: EdgeKind; readonly source: string; readonly target: string }): Promise<Json | undefined>
  /** The audit log, newest first. */
  audit(place: AuditPlace): Promise<readonly AuditEntry[]>
  /** Enters what is about this corpus and is not kept here: before it is done, so that nothing is missing. */
  noteAudit(events: readonly AuditEvent[], by: Actor): Promise<void>
  /** Sends what the outbox holds to the sinks; returns how much is left. */
  drain(): Promise<{ readonly left: number }>
}

export type { Brief, Classification, Evidence, Json, LabelView, Patch, Reply, Report, Value }
