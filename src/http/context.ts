/** What every handler is given: the wired world, who calls, and (inside a corpus) which corpus. */
import type { Context } from 'hono'
import type { Door } from '../contract/audit'
import type { Asker } from '../core/access/labels'
import type { Vault } from '../hooks/seal'
import type { Network } from '../outbound/reach'
import type { Actor } from '../ports/audit'
import type { Identity, Limiter } from '../ports/callers'
import type { Catalogue, CorpusRecord } from '../ports/catalogue'
import type { Converter } from '../ports/conversion'
import type { Deletions } from '../ports/deletion'
import type { DeploymentAudit } from '../ports/deployment-audit'
import type { Hooks } from '../ports/hooks'
import type { Answers } from '../ports/idempotency'
import type { KeyUsageObject } from '../ports/key-usage'
import type { Keys } from '../ports/keys'
import type { DataPool, Listings } from '../ports/listings'
import type { Models } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import type { OutboundObject } from '../ports/outbound'
import type { ResealStore } from '../ports/reseal'
import type { VectorIndex } from '../ports/vector-index'
import { acting } from './acting'
import type { Caches } from './caches'
import type { Operation } from './operation'
import type { Principal } from './principal'

const NOBODY = 'nobody' // in the audit log: no key was sent

/** The composition root's answer to: who stands behind which port? */
export interface Wired {
  readonly version: string
  /** The secret ADMIN_KEY; empty: nobody is admin. */
  readonly adminKey: string
  readonly models: Models
  /** Says whether claims are supported. Null: none is configured. */
  readonly judge: Models | null
  readonly index: VectorIndex
  /** `locationHint`: where the object is to be made, if this is the first call. */
  corpus(uid: string, locationHint?: string): CorpusObject
  /** The same object, for what leaves the corpus and what it fetches. */
  outbound(uid: string): OutboundObject
  /** What a key with limits uses in a day. */
  keyUsage(id: string): KeyUsageObject
  readonly network: Network
  readonly catalogue: Catalogue
  readonly keys: Keys
  readonly deletions: Deletions
  /** Of the deployment: what is done to keys and to whole corpora. A corpus keeps its own. */
  readonly audit: DeploymentAudit
  readonly answers: Answers
  readonly pool: DataPool
  readonly listings: Listings
  readonly hooks: Hooks
  /** Null: without MASTER_KEY no webhook secret can be kept. */
  readonly vault: Vault | null
  /** How far secrets have been sealed anew under another master key. */
  readonly reseal: ResealStore
  /** Of requests without a key. */
  readonly limit: Limiter
  /** Of keys that opened nothing, by address. */
  readonly limitFailed: Limiter
  /** Reads tokens of the deployment's identity provider. Null: none is configured. */
  readonly identity: Identity | null
  readonly convert: Converter
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs beside the answer, which does not wait for it. Never rejects. */
  later(work: Promise<unknown>): void
}

export interface Http {
  Bindings: object
  Variables: {
    readonly world: Wired
    readonly caches: Caches
    /** Our own front door, for doors that speak another language: nothing is allowed there that is not allowed here. */
    readonly inside: (request: Request) => Promise<Response>
    readonly requestId: string
    /** It came through one of those doors, which has been counted. */
    readonly isInside: boolean
    /** Through which the request came: what the audit log calls it. */
    readonly door: Door
    /** Null: no key was sent. */
    readonly principal: Principal | null
    /** For whom the request asks, once that was looked at (asker.ts). */
    readonly asker: Promise<Asker> | undefined
    /** Set by `within`. */
    readonly corpus: CorpusRecord
    /** What the request is, as it was declared. */
    readonly operation: Operation
    /** All that are declared: the reference is made from them. */
    readonly operations: readonly Operation[]
    /** The body, once read. */
    readonly bytes: Uint8Array
    /** Names this request across its repeats; set when it carries an Idempotency-Key. */
    readonly repeatId: string | undefined
  }
}

export type Ctx = Context<Http>

/** The object of the corpus the request is about. What it is told to do is entered into the audit log under the caller's name. */
export function objectOf(c: Ctx): CorpusObject {
  return acting(c.get('world').corpus(c.get('corpus').uid), actorOf(c))
}

/** The same object, for what leaves the corpus and what it fetches. */
export function outboundObjectOf(c: Ctx): OutboundObject {
  return acting(c.get('world').outbound(c.get('corpus').uid), actorOf(c))
}

export function actorOf(c: Ctx): Actor {
  return { key: c.get('principal')?.id ?? NOBODY, door: c.get('door') }
}
