/** Sealing secrets again under another master key. */
import type { Secrets } from './deliveries'

export interface SealedSecrets {
  /** What the secrets belong to: a webhook or an endpoint. */
  readonly id: string
  readonly secrets: Secrets
}

/** One per deployment. */
export interface ResealState {
  /** Ids of the keys involved: first the one that seals, then those that only open. */
  readonly keys: readonly string[]
  /** Milliseconds since the epoch: when these keys were first seen. */
  readonly since: number
  /** When everything that could be sealed again was. Null: not yet. */
  readonly done: number | null
  /** What is processed next: webhooks after this id, then the endpoints of the corpora after this uid. */
  readonly stage: 'webhooks' | 'endpoints'
  readonly after: string
  /** Secrets sealed again since then; and in this pass, those that no key opens, and places that must be visited again. */
  readonly resealed: number
  readonly unreadable: number
  readonly again: number
}

/** Stored next to the catalogue. */
export interface ResealStore {
  state(): Promise<ResealState | null>
  /** False if it is no longer `before`. */
  advance(before: ResealState | null, after: ResealState): Promise<boolean>
  /** Secrets of webhooks by id, after an id (exclusive). */
  webhooks(after: string, limit: number): Promise<readonly SealedSecrets[]>
  /** False if they are no longer `before`: somebody has changed them. */
  replace(id: string, before: Secrets, after: Secrets): Promise<boolean>
  /** Uids of corpora that exist or can be undeleted, after one (exclusive). */
  corpora(after: string, limit: number): Promise<readonly string[]>
  /** How many come after these. */
  left(webhook: string | null, corpus: string): Promise<{ readonly webhooks: number; readonly corpora: number }>
}
