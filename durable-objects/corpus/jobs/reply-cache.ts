/** Replies that were paid for, cached under their input: the same question is not asked twice. */
import { memberEdges } from '../../../src/core/graph/members'
import type { Json } from '../../../src/core/graph/types'
import { promptsOf } from '../../../src/core/prompt-version'
import type { Settings } from '../../../src/core/settings'
import type { Reply } from '../../../src/core/strategy'
import type { Sql } from '../../sql'
import type { CorpusContext } from '../store'
import { putCachedReply, readCachedReply, readPromptsOf } from '../tables/cache'
import { CANDIDATE_PREFIX, isOfCandidate } from '../tables/task'

interface KnownReply {
  readonly reply: Reply
  /** Its vectors are from the embedding model wanted. */
  readonly isEmbedded: boolean
}

type Keeper = Pick<CorpusContext, 'sql' | 'config' | 'builders'>

/** Whose task it answers. `prompts`: those it was asked with; absent: those in force. */
interface Asked {
  readonly builder: string
  readonly prompts?: string | undefined
}

/** Stores a reply under its input. `sources` are the nodes whose text it was made from: it is deleted with any of them. */
function storeReply({ sql, config, builders }: Keeper, reply: Reply, sources: readonly string[], asked: Asked): void {
  const { embedding } = config.settings
  const text = encode(embedding === undefined ? reply : { ...reply, embedding })
  const before = readCachedReply(sql, reply.input)
  // A reply that is read from here and comes back unchanged, or only with other vectors, keeps its age.
  const isKnown = before !== undefined && withoutVectors(before) === withoutVectors(text)
  const builder = ofServed(asked.builder)
  const own = builders.find(({ name }) => name === builder) ?? {}
  const prompts = (isKnown ? readPromptsOf(sql, reply.input, before) : undefined) ?? asked.prompts ?? promptsOf(own, config.settings)
  const extracted = reply.kind === 'extract' ? { builder, prompts } : undefined
  putCachedReply(sql, { input: reply.input, node: reply.node, reply: text, extracted }, sources)
}

const withoutVectors = (text: string): string => text.replaceAll(/\{"int8":\[[^\]]*\]\}/g, '').replace(/,"embedding":"[^"]*"\}$/, '}')

function ofServed(builder: string): string {
  return isOfCandidate(builder) ? builder.slice(CANDIDATE_PREFIX.length) : builder
}

/** `wanted`: by the graph that asks. Written text stays valid whatever embeds it. */
export function findReply(sql: Sql, input: string, wanted: Pick<Settings, 'embedding'>): KnownReply | undefined {
  const text = readCachedReply(sql, input)
  if (text === undefined) return undefined
  const { embedding, ...reply } = decode<Reply & { readonly embedding?: string }>(text)
  return { reply: reply as Reply, isEmbedded: embedding === wanted.embedding }
}

/** Vectors in it are stored as lists of numbers, and converted back. */
export function encode(reply: object): string {
  return JSON.stringify(reply, (_key, value: unknown) => (value instanceof Int8Array ? { int8: [...value] } : value))
}

export function decode<T = Reply>(text: string): T {
  return JSON.parse(text, (_key, value: Json) => {
    if (value !== null && typeof value === 'object' && 'int8' in value) return Int8Array.from(value.int8 as number[])
    return value
  }) as T
}

/** Replies that cost a text model call are stored under their input, and deleted with the nodes they were made from. */
export function keepReply(context: CorpusContext, builder: string, reply: Reply, prompts?: string): void {
  if (reply.kind === 'embed' || reply.kind === 'rerank' || reply.kind === 'unusable') return
  // An extract made while the model was unavailable is not cached: when it is back, it is asked.
  if ('generator' in reply && reply.generator === 'extractive') return
  const sources = context.builders.find((one) => one.name === builder)?.sources?.(context.graph, reply)
  const members = sources ?? memberEdges(context.graph, reply.node).map((edge) => edge.source)
  storeReply(context, reply, members.length > 0 ? members : [reply.node], { builder, prompts })
}
