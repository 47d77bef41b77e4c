/** What every handler is given: the wired world, who calls, and (inside a corpus) which corpus. */
import type { Context } from 'hono'
import type { AuditAction, Door } from '../contract/audit'
import type { Asker } from '../core/access/labels'
import type { Actor } from '../ports/audit'
import type { CorpusRecord } from '../ports/catalogue'
import type { Standing } from '../ports/key-usage'
import type { CorpusObject } from '../ports/object'
import type { OutboundObject } from '../ports/outbound'
import type { Tracer } from '../ports/tracing'
import { callAs } from './acting'
import type { Caches } from './caches'
import type { Operation } from './operation'
import type { Principal } from './principal'
import type { Turn } from './turn'
import type { Wired } from './wired'

const NOBODY = 'nobody' // in the audit log: no key was sent

export interface Http {
  Bindings: object
  Variables: {
    readonly world: Wired
    /** The same without a span around each call. */
    readonly untraced: Wired
    readonly caches: Caches
    /** Our own API, for interfaces that speak another protocol: nothing is allowed there that is not allowed here. */
    readonly inside: (request: Request) => Promise<Response>
    readonly requestId: string
    /** Of a request that is traced. */
    readonly tracer: Tracer | undefined
    /** It came through one of those interfaces and has already been counted. */
    readonly isInside: boolean
    /** The interface the request came through, as the audit log calls it. */
    readonly door: Door
    /** The state of the key's limits after this request; undefined: it has none that are counted per call. */
    readonly standing: readonly Standing[] | undefined
    readonly isQuestionCounted: boolean | undefined
    /** Null: no key was sent. */
    readonly principal: Principal | null
    /** For a request with an OAuth token, which was replaced by its key: the scopes that were granted. */
    readonly granted: readonly string[] | undefined
    /** On whose behalf the request asks, once that has been determined (asker.ts). */
    readonly asker: Promise<Asker> | undefined
    /** Set by `requireScope`. */
    readonly corpus: CorpusRecord
    /** The declaration of the request's operation. */
    readonly operation: Operation
    /** All declared operations: the reference is made from them. */
    readonly operations: readonly Operation[]
    /** The body, once read, until it is parsed. */
    readonly bytes: Uint8Array<ArrayBuffer> | undefined
    /** Of a request with a large body, while it is read. */
    readonly turn: Turn | undefined
    /** Identifies this request across its repetitions; set if it carries an Idempotency-Key. */
    readonly repeatId: string | undefined
  }
}

export type Ctx = Context<Http>

/** The object of the corpus that the request is about. What it is told to do is recorded in the audit log under the caller. */
export function objectOf(c: Ctx): CorpusObject {
  return callAs(c.get('world').corpus(c.get('corpus').uid), actorOf(c))
}

/** The same object, for what the corpus sends out and fetches. */
export function outboundObjectOf(c: Ctx): OutboundObject {
  return callAs(c.get('world').outbound(c.get('corpus').uid), actorOf(c))
}

export function actorOf(c: Ctx): Actor {
  return { key: c.get('principal')?.id ?? NOBODY, door: c.get('door') }
}

/** What the operation records in an audit log, as declared. */
export function enteredAction(c: Ctx): AuditAction {
  const { id, enters } = c.get('operation')
  if (!enters) throw new Error(`${id}: declares nothing to record in the audit log`)
  return enters
}
