/** Secrets that are sealed again under another master key. */
import type { Secrets } from './deliveries'

export interface SealedSecrets {
  /** What they are sealed for: a webhook or an endpoint. */
  readonly id: string
  readonly secrets: Secrets
}

/** One for the deployment. */
export interface ResealState {
  /** Ids of the keys it is about: the one that seals, then those that only open. */
  readonly keys: readonly string[]
  /** Milliseconds since the epoch: when these keys were first met. */
  readonly since: number
  /** When all was sealed again that could be. Null: not yet. */
  readonly done: number | null
  /** What is looked at next: webhooks behind this id, then the endpoints of the corpora behind this uid. */
  readonly stage: 'webhooks' | 'endpoints'
  readonly after: string
  /** Secrets sealed again since then, and of this pass: those that none of the keys opens, and places that must be looked at again. */
  readonly resealed: number
  readonly unreadable: number
  readonly again: number
}

/** Beside the catalogue. */
export interface ResealStore {
  state(): Promise<ResealState | null>
  /** False where it is not `before` any more. */
  advance(before: ResealState | null, after: ResealState): Promise<boolean>
  /** Secrets of webhooks by id, from an id on (exclusive). */
  webhooks(after: string, limit: number): Promise<readonly SealedSecrets[]>
  /** False where they are not `before` any more: somebody has changed them. */
  replace(id: string, before: Secrets, after: Secrets): Promise<boolean>
  /** Uids of corpora that are there or can be undeleted, from one on (exclusive). */
  corpora(after: string, limit: number): Promise<readonly string[]>
  /** How many are behind these. */
  left(webhook: string | null, corpus: string): Promise<{ readonly webhooks: number; readonly corpora: number }>
}
