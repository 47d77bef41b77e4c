/**
 * What can be asked of a corpus and what comes back. Requests mirror the HTTP bodies in camelCase; results are the HTTP bodies
 * themselves. Declarations only.
 */
import type { RefusalCode } from '../contract/questions'
import type { ToolUse } from '../contract/tools'
import type { Asker } from '../core/access/labels'
import type { Json } from '../core/graph/types'
import type { EmbeddingSettings } from '../core/settings'
import type { Period } from '../core/text/iso-date'
import type { CorpusConfig } from '../ports/corpus'
import type { Message, Models } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import type { RetrieveRequest } from '../ports/retrieval'
import type { VectorIndex } from '../ports/vector-index'
import type { KeyKeeper } from './allowance'

export interface AskDeps {
  readonly corpus: CorpusObject
  readonly config: CorpusConfig
  readonly models: Models
  /** The judge that says whether claims are supported. Null: only rules do. */
  readonly judge?: Models | null
  readonly index: VectorIndex
  /** The models and the index of a corpus whose vectors are now from this model. */
  moved?(embedding: EmbeddingSettings): Pick<AskDeps, 'models' | 'index'>
  /** For a key with a daily limit. */
  readonly key?: KeyKeeper | undefined
  /** The asker. Absent: one without principals. */
  readonly asker?: Asker
  /** For a traced request: a span for a part of the question, and the same dependencies with their calls under it. */
  inSpan?(name: string): { readonly deps: AskDeps; end(fault?: unknown): void }
  /** Milliseconds. */
  now(): number
  /** Runs in the background; the answer does not wait for it. Never rejects. */
  later(work: Promise<unknown>): void
}

/** What an answer is written and checked with, once there is evidence. */
export type AnswerDeps = Pick<AskDeps, 'models' | 'judge' | 'now'> & { readonly corpus: Pick<CorpusObject, 'verify'> }

/** How much evidence may be returned. */
export interface EvidenceLimit {
  readonly topK: number
  /** Tokens of all evidence together. */
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
  readonly period?: Period
  /** How much of its score an older document loses; 0, the default: nothing. */
  readonly freshness?: number
  readonly boosts?: RetrieveRequest['boosts']
  readonly facets?: readonly string[]
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
  /** The reader answers, even if there is a text model. */
  readonly generator?: 'extractive'
  /** What happens to a claim that is not supported. Default: `mark`. */
  readonly unsupported?: 'mark' | 'drop'
  /** The caller's functions. */
  readonly tools?: ToolUse
  /** False: neither answered from the cache nor kept in it. */
  readonly cache?: boolean
}

export interface CompareRequest extends Omit<QueryRequest, 'strategy' | 'history'> {
  readonly strategies: readonly string[]
}

export type Refusal = { readonly kind: 'refused'; readonly code: RefusalCode; readonly version?: number; readonly filter?: string }
export type Outcome<T> = { readonly kind: 'answered'; readonly result: T } | Refusal
