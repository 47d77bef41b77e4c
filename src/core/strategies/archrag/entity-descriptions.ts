/**
 * One description from many: what models said of an entity in different chunks, merged by a model once there is more than a report can hold, and
 * again only when it has doubled. A deletion also deletes a merged text that contains what is gone, and asks for no other: until the next arrival
 * the descriptions themselves serve. Only ever made from the descriptions of chunks that are there.
 */
import { KNOWLEDGE, knowledgeOf, unpackedKnowledge } from '../../builders/knowledge-row'
import type { GraphReader } from '../../graph/reader'
import type { Patch } from '../../graph/types'
import { fingerprint } from '../../ids'
import { keyOfRole, type Settings } from '../../settings'
import type { Brief, Reply, Task } from '../../strategy'
import { countTokens } from '../../text/tokens'
import type { Clustering } from './clustering-state'

export const DESCRIPTIONS = 'archrag/told' // space; key = entity; value: text, the chunks it was merged from, size
const GROWN = 2 // times the tokens a text was merged from, at which it is merged again
export const descriptionLimits = {
  chunks: 32, // whose descriptions are read: those that name the entity most often
  tokens: 75, // of descriptions that need no merging; what `described` shows of an entity
} as const

interface MergedDescription {
  readonly text: string
  readonly from: readonly string[]
  /** Tokens of the descriptions it was merged from. */
  readonly size: number
}

/** A merged description that still holds. Assumed to be what `keepDescription` wrote. */
export function mergedDescription(graph: GraphReader, entity: string): MergedDescription | undefined {
  const value = graph.value(DESCRIPTIONS, entity) as readonly [string, readonly string[], number] | undefined
  return value && { text: value[0], from: value[1], size: value[2] }
}

interface Descriptions {
  readonly texts: readonly string[]
  readonly from: readonly string[]
  readonly size: number
}

function descriptionsOf(graph: GraphReader, entity: string): Descriptions {
  const said = new Map<string, string>()
  for (const { source } of graph.edgesTo('mentions', entity, descriptionLimits.chunks)) {
    const description = knowledgeOf(graph, source)?.entities.find((one) => one.entity === entity)?.description ?? ''
    if (description !== '' && !said.has(description)) said.set(description, source)
  }
  const texts = [...said.keys()]
  return { texts, from: [...said.values()], size: texts.reduce((sum, text) => sum + countTokens(text), 0) }
}

/** Entities that get or lose descriptions by these changes. */
export function describedIn(changes: Patch): readonly string[] {
  return changes.flatMap((change) =>
    change.op === 'put-value' && change.space === KNOWLEDGE
      ? (unpackedKnowledge(change.value)?.entities.map((one) => one.entity) ?? [])
      : [],
  )
}

/** Forgets what no longer holds, and asks for a merge of what has grown. */
export function requestDescription({ draft, shrunk }: Clustering, entity: string, settings: Settings): Task | undefined {
  const known = mergedDescription(draft, entity)
  const holds = known?.from.every((chunk) => draft.edge('mentions', chunk, entity)) ?? true
  if (known && (!holds || !draft.node(entity))) draft.dropValue(DESCRIPTIONS, entity)
  if (!settings.writer || shrunk || !draft.node(entity)) return undefined
  const { texts, size } = descriptionsOf(draft, entity)
  const due = texts.length > 1 && size > descriptionLimits.tokens && size >= GROWN * (holds ? (known?.size ?? 0) : 0)
  if (!due) return undefined
  return {
    builder: 'archrag',
    kind: 'summarize',
    node: entity,
    input: inputOf(texts, settings),
    urgent: settings.archrag.writing === 'eager',
  }
}

export function descriptionBrief(graph: GraphReader, task: Task, settings: Settings): Brief | undefined {
  const { texts } = descriptionsOf(graph, task.node)
  if (task.input !== inputOf(texts, settings)) return undefined
  const subject = graph.node(task.node)?.text ?? ''
  return { kind: 'summarize', role: 'entity', subject, texts, tokens: descriptionLimits.tokens, fallback: texts.join(' ') }
}

/** The chunks a merged text comes from: its cached reply is dropped with any of them. */
export function descriptionSources(graph: GraphReader, entity: string): readonly string[] {
  return descriptionsOf(graph, entity).from
}

/** A reply that still fits is kept, unless it is an extract: the descriptions themselves are better. */
export function keepDescription({ draft }: Clustering, reply: Reply, settings: Settings): void {
  if (reply.kind !== 'summarize' || reply.generator !== 'model') return
  const { texts, from, size } = descriptionsOf(draft, reply.node)
  if (reply.input !== inputOf(texts, settings)) return
  draft.putValue(DESCRIPTIONS, reply.node, [reply.text, [...from].sort(), size])
}

function inputOf(texts: readonly string[], settings: Settings): string {
  return fingerprint('telling', settings.models, descriptionLimits.tokens, ...keyOfRole(settings, 'describe'), ...texts)
}
