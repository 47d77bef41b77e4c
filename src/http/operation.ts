/**
 * What a route is, declared once: its routing, its access, the checks of its query string and body, its part of the OpenAPI document
 * and the list that clients and the command line read are made from this (route.ts, openapi/document.ts). Only types.
 */

import type { z } from 'zod'
import type { AuditAction } from '../contract/audit'
import type { Scope } from '../contract/keys'
import type { ProblemCode } from '../contract/problem'
import type { Parameter } from './parameters'

/**
 * open: anyone · signed: anyone with a webhook's secret · body: anyone who may ask the corpus that the body names, which our own API
 * checks · key: any valid key · reader: a key that may read · self: the key that the path names, or an admin key · admin: an admin
 * key, for what its corpora let it · deployment: an admin key for all corpora · else any one of the scopes on the corpus, where
 * `read` also means: or nobody, if the corpus is public
 */
export type Access = 'open' | 'signed' | 'body' | 'key' | 'reader' | 'self' | 'admin' | 'deployment' | readonly [Scope, ...Scope[]]

export interface Content {
  /** Absent: no particular form. */
  readonly schema?: z.ZodType
  /** Default: `application/json`. */
  readonly type?: string
  readonly example?: unknown
}

export interface Answer extends Content {
  readonly description: string
  /** An example of its form as server-sent events, if it can be streamed. */
  readonly events?: string
}

export interface Body extends Content {
  /** Bytes; default: JSON_LIMIT. */
  readonly limit?: number
  /** Other media types it may be sent as, each with a description. */
  readonly raw?: { readonly [type: string]: string }
  /** An empty body is an empty object. */
  readonly optional?: boolean
  /** The handler reads it, because it is not always JSON of this schema or its limit depends on the caller. */
  readonly readBy?: 'handler'
  /** It may be large or contain files: it is read in turn (reading-turn.ts). `twice`: its content comes through our own API again. */
  readonly inTurn?: 'once' | 'twice'
}

export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete'
  /** As OpenAPI writes it: `/v1/corpora/{corpus}:reindex`. */
  readonly path: string
  /** Clients are generated from it: it never changes. */
  readonly id: string
  readonly tag: Tag
  /** A verb phrase without a full stop. */
  readonly summary: string
  readonly description?: string
  readonly access: Access
  /** A key is needed here even for a public corpus. */
  readonly needsKey?: boolean
  /** Creates the corpus if there is none: requires an admin key that may create one with this name. */
  readonly makesCorpus?: boolean
  /** Is about everything in the corpus, and not for callers who may read only a part of it. */
  readonly needsWholeSight?: boolean
  /** Not for keys with daily limits: otherwise a holder could create keys and have the limit once for each. */
  readonly needsUnlimitedKey?: boolean
  /** The scope that this body requires. */
  readonly scopeFor?: (body: never) => Scope
  /** What is recorded in an audit log before it is done. The corpus's object itself records what it changes, when it changes it. */
  readonly enters?: AuditAction
  /** Of the query string and headers; those of the path follow from it. */
  readonly parameters?: readonly Parameter[]
  readonly body?: Body
  readonly answers: { readonly [status: number]: Answer }
  /** Besides those that follow from access, body and `repeatable`. */
  readonly problems?: readonly ProblemCode[]
  /** Honours Idempotency-Key. */
  readonly repeatable?: boolean
  /** Made for clients of OpenAI: errors have its shape, and the query string may hold anything. */
  readonly foreign?: boolean
}

export const tags = {
  corpora: 'A corpus is a set of documents and the graph built from them.',
  documents: 'Documents are added and deleted; each change is a job.',
  jobs: 'Work in progress and finished work, with the receipt of what it touched and cost.',
  questions: 'Evidence and answers with checked citations.',
  classification: 'Labels, and texts classified by them (GORAG).',
  graph: 'The graph itself: neighbourhoods, entities, layers, exports.',
  hooks: 'Webhooks: other systems send documents, signed.',
  events: 'Endpoints: other systems are notified of what happens, signed.',
  sources: 'Web pages, feeds, repositories and buckets kept as documents.',
  keys: 'Keys and what they may do.',
  chat: 'An OpenAI-compatible chat interface to a corpus.',
  agents: 'The Model Context Protocol.',
  service: 'The service itself.',
} as const

export type Tag = keyof typeof tags
