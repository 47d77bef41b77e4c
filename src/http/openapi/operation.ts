/** How a route is described: one entry per method and path, from which its part of the OpenAPI document is made. Declarations only. */
import type { z } from 'zod'
import type { Scope } from '../../ports/keys'
import type { ProblemCode } from '../problem'

/**
 * open: to anyone · signed: to who holds a webhook's secret · key: any valid key · admin: an admin key, for what its corpora let it · else any one of the scopes on the corpus, where
 * `read` also means: or nobody, if the corpus is public
 */
export type Access = 'open' | 'signed' | 'key' | 'admin' | readonly Scope[]

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly schema: object
}

export interface Content {
  /** Absent: of no particular form. */
  readonly schema?: z.ZodType
  /** Default: `application/json`. */
  readonly type?: string
  readonly example?: unknown
}

export interface Answer extends Content {
  readonly description: string
}

export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete'
  /** As OpenAPI writes it: `/v1/corpora/{corpus}:reindex`. */
  readonly path: string
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  readonly access: Access
  readonly parameters?: readonly Parameter[]
  readonly body?: Content & {
    /** Other media types it may be sent as, each with what they are. */
    readonly raw?: { readonly [type: string]: string }
    /** An empty body is an empty object. */
    readonly optional?: boolean
  }
  readonly answers: { readonly [status: number]: Answer }
  /** Besides those that follow from access, body and `repeatable`. */
  readonly problems?: readonly ProblemCode[]
  /** Honours Idempotency-Key. */
  readonly repeatable?: boolean
  /** Errors have OpenAI's shape. */
  readonly foreign?: boolean
}

export const tags = {
  corpora: 'A corpus is a set of documents and the graph that grows over them.',
  documents: 'Documents come and go; each change is a job.',
  jobs: 'Work that is under way, with the receipt of what it touched and cost.',
  questions: 'Evidence and answers with checked citations.',
  classification: 'Labels, and texts classified by them (GORAG).',
  graph: 'The graph itself: neighbourhoods, entities, layers, exports.',
  hooks: 'Webhooks: other systems send documents, signed.',
  events: 'Endpoints: other systems are told what happens, signed.',
  sources: 'Pages on the web that documents are kept like.',
  keys: 'Who may do what.',
  chat: 'The chat interface of OpenAI over a corpus.',
  agents: 'The Model Context Protocol.',
  service: 'The service itself.',
} as const

export type Tag = keyof typeof tags

export const limit: Parameter = {
  name: 'limit',
  in: 'query',
  description: 'How many at most.',
  schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
}
export const cursor: Parameter = {
  name: 'cursor',
  in: 'query',
  description: 'The `next_cursor` of the page before.',
  schema: { type: 'string', maxLength: 2048 },
}

export const wait: Parameter = {
  name: 'wait',
  in: 'query',
  description: 'Seconds to wait for the job’s end before answering as it stands.',
  schema: { type: 'integer', minimum: 0, maximum: 60, default: 0 },
}

/** False unless told. */
export function flag(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'boolean', default: false } }
}
