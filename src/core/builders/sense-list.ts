/**
 * Which things have one name. An entity is a spelling until two documents have the name and are clearly about different things: then each is a separate
 * entity, the first under the name's own id. A row for each such name; what decides is in namesakes.ts.
 */
import type { GraphReader } from '../graph/reader'
import type { Json } from '../graph/types'
import { nodeId } from '../ids'
import type { Mentioned } from './mention-list'
import { saidMentions } from './said'

export const SENSES = 'senses' // space; key = id of the name

/** One of the things a name stands for. */
export interface Sense {
  readonly entity: string
  /** The documents that have the name and are about it. */
  readonly documents: readonly string[]
}

/** Id of the entity a name is while it stands for one thing. */
export function nameId(key: string): string {
  return nodeId('entity', key)
}

/** One where the name belongs to more than one document but stands undivided; none where it belongs to fewer. */
export function sensesOf(graph: GraphReader, name: string): readonly Sense[] {
  return rowOf(graph, name)?.senses ?? []
}

/** The key of a name that more than one document has. */
export function sharedName(graph: GraphReader, name: string): string | undefined {
  return rowOf(graph, name)?.key
}

/** The first document about an entity that has namesakes: by its title they are told apart. */
export function bearerOf(graph: GraphReader, entity: string, key: string): string | undefined {
  const senses = sensesOf(graph, nameId(key))
  return senses.length > 1 ? senses.find((one) => one.entity === entity)?.documents[0] : undefined
}

export function packedSenses(key: string, senses: readonly Sense[]): Json {
  return [key, senses.map(({ entity, documents }) => [entity, documents])]
}

/** Believed to be what `packedSenses` made. */
function rowOf(graph: GraphReader, name: string): { readonly key: string; readonly senses: readonly Sense[] } | undefined {
  const row = graph.value(SENSES, name) as readonly [string, readonly (readonly [string, readonly string[]])[]] | undefined
  return row && { key: row[0], senses: row[1].map(([entity, documents]) => ({ entity, documents })) }
}

/** Entities a name may stand for, by its id; those that are in the graph. */
export function meantBy(graph: GraphReader, name: string): readonly string[] {
  return [...new Set([name, ...sensesOf(graph, name).map((one) => one.entity)])].filter((id) => graph.node(id))
}

/** What a chunk mentions by the names it says, whatever they stand for: as a reading of its text alone gives it. */
export function asSaid(graph: GraphReader, chunk: string): readonly Mentioned[] {
  const list = saidMentions(graph, chunk)
  if (graph.values(SENSES, '', 1).length === 0) return list
  return list.map((one) => ({ ...one, entity: nameId(one.key) })).sort((a, b) => (a.entity < b.entity ? -1 : 1))
}
