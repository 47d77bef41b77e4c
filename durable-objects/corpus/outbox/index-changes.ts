/** What the vector index holds of a corpus: vectors of the kinds by which a strategy enters the graph, and nothing else. */

import { INDEXED_UNITS, isNameId, nameIdOf, nameVector } from '../../../src/core/builders/entry-vectors'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { NodeKind, Vector } from '../../../src/core/graph/types'
import { kindOf, passageId, unitId } from '../../../src/core/ids'
import { strategies } from '../../../src/core/strategies/registry'
import type { OutboxEntry } from '../tables/outbox'

/** A name's vector belongs to an entity, in addition to the entity's other vectors in the index. */
export type IndexedKind = NodeKind | 'name'

export const INDEXED_KINDS: ReadonlySet<IndexedKind> = new Set(
  [...strategies.values()].flatMap((one) => one.entries.map(({ kind, of }) => (of === 'names' ? 'name' : kind))),
)

export interface IndexVector {
  readonly id: string
  readonly kind: IndexedKind
  readonly layer: number
  readonly vector: Vector
}

/** What the index should hold of an entry now, and what it may still hold but should not. */
export interface IndexChanges {
  readonly puts: readonly IndexVector[]
  readonly drops: readonly string[]
}

const NOTHING: IndexChanges = { puts: [], drops: [] }

/**
 * A node that lacks a vector is not removed: the index never had it, or the node has lost it (a summary that is being written), in which case answers
 * ignore it and the sweep finds it.
 */
export function indexChangesOf(graph: GraphReader, entry: OutboxEntry): IndexChanges {
  if (entry[0] === 'c') return passagesOf(graph, entry[1], entry[2])
  if (entry[0] === 'u') return unitsOf(graph, entry[1], entry[2])
  if (entry[0] === 'v') return nameOf(graph, entry[1])
  if (entry[0] !== 'n') return NOTHING
  const [, id] = entry
  const kind = kindOf(id)
  if (!kind || !INDEXED_KINDS.has(kind)) return NOTHING
  const node = graph.node(id)
  if (!node) return { puts: [], drops: [id] }
  const found = node.kind !== 'keyword' || node.data.published === true // other strategies' keywords are not entry points
  return node.vector && isDirected(node.vector) && found
    ? { puts: [{ id, kind, layer: node.layer, vector: node.vector }], drops: [] }
    : NOTHING
}

/** Ids under which the index may know of an entry. */
export function indexIdsOf(entry: OutboxEntry): readonly string[] {
  if (entry[0] === 'c') return Array.from({ length: entry[2] }, (_, i) => passageId(entry[1], i))
  if (entry[0] === 'u') return Array.from({ length: entry[2] }, (_, i) => unitId(entry[1], i))
  if (entry[0] === 'v') return [nameIdOf(entry[1])]
  return entry[0] === 'n' ? [entry[1]] : []
}

/** The kind of an entry's vectors. */
export function indexKindOf(entry: OutboxEntry): IndexedKind | undefined {
  if (entry[0] === 'c') return 'passage'
  if (entry[0] === 'u') return 'unit'
  if (entry[0] === 'v') return 'name'
  return entry[0] === 'n' ? kindOf(entry[1]) : undefined
}

export const kindInIndex = (id: string): IndexedKind | undefined => (isNameId(id) ? 'name' : kindOf(id))

/** The zero vector, of a blank text or one whose vector was refused, is close to nothing; an index of cosines may refuse it. */
const isDirected = (vector: Vector): boolean => vector.some((value) => value !== 0)

/** A chunk is written and dropped as a whole: its id identifies its text, and so its passages. */
function passagesOf(graph: GraphReader, chunk: string, count: number): IndexChanges {
  const ids = indexIdsOf(['c', chunk, count])
  const puts = ids.flatMap((id): IndexVector[] => {
    const vector = graph.vector(id)
    return vector && isDirected(vector) ? [{ id, kind: 'passage', layer: 0, vector }] : []
  })
  return puts.length > 0 ? { puts, drops: [] } : { puts, drops: ids } // it comes with its vectors, or does not exist
}

/** All of a chunk's sentences, or none: a row of the graph says which. */
function unitsOf(graph: GraphReader, chunk: string, count: number): IndexChanges {
  const ids = indexIdsOf(['u', chunk, count])
  if (graph.value(INDEXED_UNITS, chunk) === undefined) return { puts: [], drops: ids }
  const puts = ids.flatMap((id): IndexVector[] => {
    const vector = graph.vector(id)
    return vector && isDirected(vector) ? [{ id, kind: 'unit', layer: 0, vector }] : []
  })
  return { puts, drops: [] }
}

function nameOf(graph: GraphReader, entity: string): IndexChanges {
  const vector = nameVector(graph, entity)
  const id = nameIdOf(entity)
  if (!vector) return { puts: [], drops: [id] }
  return isDirected(vector) ? { puts: [{ id, kind: 'name', layer: 0, vector }], drops: [] } : NOTHING
}
