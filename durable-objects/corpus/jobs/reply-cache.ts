/** Replies that were paid for, kept under what they answer: the same question is not asked twice. */
import type { Json } from '../../../src/core/graph/types'
import { PROMPTS } from '../../../src/core/prompt-version'
import type { Reply } from '../../../src/core/strategy'
import type { Sql } from '../../sql'
import type { CorpusContext } from '../store'
import { putCachedReply, readCachedReply, readPromptsOf } from '../tables/cache'
import { CANDIDATE_PREFIX, isOfCandidate } from '../tables/task'

/** Keeps a reply under its input. `sources` are the nodes whose text it was made from: it dies with any of them. */
export function storeReply(sql: Sql, reply: Reply, sources: readonly string[], builder?: string): void {
  const text = encode(reply)
  // What is read from here and comes back as it was is as old as it was.
  const prompts = readPromptsOf(sql, reply.input, text) ?? PROMPTS
  const extracted = builder !== undefined && reply.kind === 'extract' ? { builder: ofServed(builder), prompts } : undefined
  putCachedReply(sql, { input: reply.input, node: reply.node, reply: text, extracted }, sources)
}

function ofServed(builder: string): string {
  return isOfCandidate(builder) ? builder.slice(CANDIDATE_PREFIX.length) : builder
}

export function findReply(sql: Sql, input: string): Reply | undefined {
  const text = readCachedReply(sql, input)
  return text === undefined ? undefined : decode(text)
}

/** Vectors among it become lists of numbers, and come back. */
export function encode(reply: object): string {
  return JSON.stringify(reply, (_key, value: unknown) => (value instanceof Int8Array ? { int8: [...value] } : value))
}

export function decode<T = Reply>(text: string): T {
  return JSON.parse(text, (_key, value: Json) => {
    if (value !== null && typeof value === 'object' && 'int8' in value) return Int8Array.from(value.int8 as number[])
    return value
  }) as T
}

/** Replies that cost a text model are kept under their input, and die with the nodes they were made from. */
export function keepReply(context: CorpusContext, builder: string, reply: Reply): void {
  if (reply.kind === 'embed' || reply.kind === 'rerank' || reply.kind === 'unusable') return
  // An extract made while the writer was out is no answer to keep: when it is back, it is asked.
  if ('generator' in reply && reply.generator === 'extractive') return
  const sources = context.builders.find((one) => one.name === builder)?.sources?.(context.graph, reply)
  const members = sources ?? context.graph.edgesTo('member', reply.node).map((edge) => edge.source)
  storeReply(context.sql, reply, members.length > 0 ? members : [reply.node], builder)
}
