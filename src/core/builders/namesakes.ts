/**
 * When are two documents with one name about two things? Where their titles differ ("Mercury (planet)", "Mercury (mythology)") and so do their contexts;
 * or, if only their contexts differ, when those have almost nothing in common, not even another name. Similarity alone cannot tell: two passages about one
 * thing are often less similar than those of namesakes (docs/archrag.md has the measurement).
 */
import type { GraphReader } from '../graph/reader'
import type { DocumentRecord } from '../graph/types'
import { nodeId } from '../ids'
import { bareTitle, nameKey } from '../text/names'
import { accumulate, cosine } from '../vectors'
import { documentsNamed } from './document-names'
import { resolutionLimits } from './resolution'
import { saidMentions } from './said'
import { nameId, type Sense } from './sense-list'

export const namesakeLimits = {
  titled: resolutionLimits.context, // cosine below which different titles mean different things
  untitled: 0.25, // cosine below which the same title does: of 188 pairs of paragraphs of one article the least alike had .28
  documents: 16, // that have one name; more are a series ("Annual report"), whose name stands undivided
  chunks: 8, // of a document that make its context
} as const

export interface Bearer {
  readonly document: DocumentRecord
  readonly context: Int32Array
}

/** The name a document has; empty where it is no name. */
export function borneBy(document: DocumentRecord): string {
  return nameKey(bareTitle(document.name))
}

/** Documents that have exactly this name, or none if they are too many to be told apart. */
export function bearersOf(graph: GraphReader, key: string): readonly Bearer[] {
  const ids = documentsNamed(graph, key, namesakeLimits.documents + 1)
  if (ids.length < 2 || ids.length > namesakeLimits.documents) return []
  return [...ids].sort().flatMap((id) => {
    const document = graph.document(id)
    return document && borneBy(document) === key ? [{ document, context: contextOf(graph, document) }] : []
  })
}

/** The things these documents are about: each with those connected by likeness, in order of the first document. The first keeps the name's id. */
export function distinguishNamesakes(graph: GraphReader, key: string, bearers: readonly Bearer[]): readonly Sense[] {
  const groups: Bearer[][] = []
  for (const one of bearers) {
    const mine = groups.filter((group) => group.some((other) => isSameThing(graph, key, one, other)))
    const joined = [...mine.flat(), one]
    for (const group of mine) groups.splice(groups.indexOf(group), 1)
    groups.push(joined)
  }
  const documents = groups.map((group) => group.map((one) => one.document.id).sort())
  const order = documents.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return order.map((ids, i) => ({ entity: i === 0 ? nameId(key) : nodeId('entity', key, 'sense', ids[0] ?? ''), documents: ids }))
}

/** Sum of its first chunks' vectors; all zeros where there are none. */
export function contextOf(graph: GraphReader, document: DocumentRecord): Int32Array {
  const sum = new Int32Array(graph.dimensions)
  for (const { chunk } of document.chunks.slice(0, namesakeLimits.chunks)) accumulate(sum, graph.vector(chunk) ?? [])
  return sum
}

function isSameThing(graph: GraphReader, key: string, a: Bearer, b: Bearer): boolean {
  if (!hasContext(a) || !hasContext(b)) return true
  const likeness = cosine(a.context, b.context)
  if (a.document.name !== b.document.name) return likeness >= namesakeLimits.titled
  return likeness >= namesakeLimits.untitled || hasNameInCommon(graph, key, a, b)
}

function hasContext({ context }: Bearer): boolean {
  return context.some((one) => one !== 0)
}

function hasNameInCommon(graph: GraphReader, key: string, a: Bearer, b: Bearer): boolean {
  const others = namesIn(graph, a.document)
  others.delete(key)
  return [...namesIn(graph, b.document)].some((one) => others.has(one))
}

function namesIn(graph: GraphReader, document: DocumentRecord): Set<string> {
  const chunks = document.chunks.slice(0, namesakeLimits.chunks)
  return new Set(chunks.flatMap(({ chunk }) => saidMentions(graph, chunk).map((one) => one.key)))
}
