/**
 * What can be asked of a corpus and what comes back. Requests mirror the HTTP bodies in camelCase; results are the HTTP bodies
 * themselves. Declarations only.
 */
import type { Asker } from '../core/access/labels'
import type { Evidence } from '../core/evidence'
import type { Json } from '../core/graph/types'
import type { Outcome as SupportOutcome } from '../core/support/check'
import type { Reason } from '../core/support/reason'
import type { CorpusConfig } from '../ports/corpus'
import type { Message, ModelFault, Models } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import type { RetrieveRequest } from '../ports/retrieval'
import type { VectorIndex } from '../ports/vector-index'
import type { KeyKeeper } from './allowance'

export interface AskDeps {
  readonly corpus: CorpusObject
  readonly config: CorpusConfig
  readonly models: Models
  /** Whose text model says whether claims are supported. Null: rules alone do. */
  readonly judge?: Models | null
  readonly index: VectorIndex
  /** Of a key that may spend so much a day. */
  readonly key?: KeyKeeper | undefined
  /** For whom. Absent: for nobody in particular. */
  readonly asker?: Asker
  /** Milliseconds. */
  now(): number
  /** Runs beside the answer, which does not wait for it. Never rejects. */
  later(work: Promise<unknown>): void
}

/** How much evidence may be returned. */
export interface EvidenceLimit {
  readonly topK: number
  /** Tokens of all of it together. */
  readonly budget: number
}

export interface SearchRequest {
  readonly query: string
  /** Default: `auto`. */
  readonly strategy?: string
  readonly topK?: number
  readonly tokenBudget?: number
  readonly options?: { readonly [key: string]: Json }
  readonly filters?: RetrieveRequest['filters']
  readonly minVersion?: number
  readonly trace?: boolean
}

export interface QueryRequest extends SearchRequest {
  /** Earlier turns, oldest first; system messages are ignored. */
  readonly history?: readonly Message[]
  /** The form of the answer in a few words, e.g. "one sentence". */
  readonly responseType?: string
  /** Without a text model: refuse below this confidence. Default: `ANSWERED`; 0 never refuses. */
  readonly minConfidence?: number
  /** What becomes of a claim that is not supported. Default: `mark`. */
  readonly unsupported?: 'mark' | 'drop'
}

export interface CompareRequest extends Omit<QueryRequest, 'strategy' | 'history'> {
  readonly strategies: readonly string[]
}

export interface Usage {
  readonly in: number
  readonly out: number
  readonly embedded: number
  /** Model calls of every kind. */
  readonly calls: number
}

export type Timing = { readonly [step: string]: number }

/**
 * What was not as it should be, though there is an answer: `budget` used up · `embedding` model or vector `index` unreachable ·
 * `reranker` or `text_model` unreachable · `scorer`: paths were scored by embeddings because the corpus kept changing ·
 * `judge` unreachable: rules alone said what is supported
 */
export type Degraded = 'budget' | 'embedding' | 'index' | 'reranker' | 'text_model' | 'scorer' | 'judge'

export interface SearchResult {
  readonly strategy: string
  readonly evidence: readonly Evidence[]
  readonly trace?: Json
  readonly version: number
  readonly degraded: readonly Degraded[]
  readonly usage: Usage
  readonly timing_ms: Timing
}

export interface Citation {
  /** The piece of evidence that holds the quote. */
  readonly id: string
  /** The number the answer cites it by, 1 for the first piece of evidence. */
  readonly marker: number
  readonly document: string
  readonly chunk: string | null
  readonly start: number
  readonly end: number
  readonly quote: string
  readonly title?: string
  readonly url?: string | null
  /** The statement of the answer it supports: `answer.slice(start, end)`. */
  readonly span: { readonly start: number; readonly end: number }
  readonly verified: true
}

/** A sentence of the documents that is near a question they do not answer. */
export interface Nearest {
  /** The piece of evidence that holds it. */
  readonly id: string
  readonly document: string
  readonly title?: string
  readonly start: number
  readonly end: number
  readonly quote: string
}

/** A statement of the answer, and whether what it cites says so. */
export interface ClaimSupport {
  /** Without its markers. */
  readonly claim: string
  /** `answer.slice(start, end)`; null: left out of the answer. */
  readonly span: { readonly start: number; readonly end: number } | null
  readonly outcome: SupportOutcome
  /** Who said so. */
  readonly by: 'rules' | 'judge'
  /** Share of what it says that its sources say, by the rules. */
  readonly score: number
  /** Markers of its verified citations. */
  readonly citations: readonly number[]
  readonly reasons: readonly Reason[]
  /** Numbers of other evidence that would support it. */
  readonly supported_by?: readonly number[]
}

export interface QueryResult extends SearchResult {
  readonly answer: string
  readonly citations: readonly Citation[]
  readonly generator: 'model' | 'extractive'
  /** Every statement of the answer is supported by what it cites. */
  readonly grounded: boolean
  /** Each statement, in order; also those left out. */
  readonly support: readonly ClaimSupport[]
  /** The evidence answers the question. False: the answer says that it does not, and `nearest` what is near. */
  readonly answered: boolean
  /** The contrary of `answered`. */
  readonly insufficient: boolean
  /** How sure it is, from 0 to 1, that the evidence answers: by its words, whoever writes the answer. */
  readonly confidence: number
  /** What comes nearest, where the question is not answered; else empty. */
  readonly nearest: readonly Nearest[]
  /** Citations left out because their quote could not be found or verified. */
  readonly dropped: number
}

export interface CompareResult {
  readonly query: string
  readonly results: readonly ((QueryResult & { readonly cost_usd: number }) | { readonly strategy: string; readonly error: RefusalCode })[]
}

export type RefusalCode = 'strategy_not_enabled' | 'behind' | 'gone'
export type Refusal = { readonly kind: 'refused'; readonly code: RefusalCode; readonly version?: number }
export type Outcome<T> = { readonly kind: 'answered'; readonly result: T } | Refusal

/** Server-sent events of a streamed answer. `error` ends the stream; as the first event it means that nothing was sent and a status can still tell. */
export type AskEvent =
  | { readonly event: 'retrieval'; readonly data: SearchResult }
  | { readonly event: 'delta'; readonly data: { readonly text: string } }
  | { readonly event: 'citation'; readonly data: Citation }
  | { readonly event: 'usage'; readonly data: Usage & { readonly timing_ms: Timing } }
  | { readonly event: 'done'; readonly data: Omit<QueryResult, 'evidence' | 'trace'> }
  | {
      readonly event: 'error'
      readonly data: { readonly code: RefusalCode | ModelFault; readonly version?: number; readonly retry_after?: number }
    }
