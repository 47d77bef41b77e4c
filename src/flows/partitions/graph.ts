/**
 * The graphs of all partitions as one, for those who look at it. A name has the same id in every partition, so what partitions have of a
 * node or an edge is put together by its id. Nothing here decides who may see something: each partition has.
 */
import type { EntityDetails } from '../../contract/entities'
import { joinedName } from '../../core/builders/mentions'
import { joinedWeight } from '../../core/builders/relations'
import { nameId } from '../../core/builders/sense-list'
import type { ListedEdge, ListedNode, Neighbourhood } from '../../core/graph/listed'
import { compareText } from '../../core/graph/ordered-map'
import { nameKey } from '../../core/text/names'

const limits = { descriptions: 10, relations: 20, documents: 50, of: 5 } as const // as of one object (contract/entities.ts)

/** In order of id, from the first rows that each partition has after the same place: the first of all are among them. */
export function joinNodes(lists: readonly (readonly ListedNode[])[], limit: number): readonly ListedNode[] {
  const groups = Map.groupBy(lists.flat(), ({ id }) => id)
  const nodes = [...groups.values()].flatMap((same) => joinNode(same) ?? [])
  return nodes.sort((a, b) => compareText(a.id, b.id)).slice(0, limit)
}

/** An entity's chunks and surfaces are added up; the rest is what the partition says that mentions it most. */
export function joinNode(same: readonly ListedNode[]): ListedNode | undefined {
  const [most] = [...same].sort((a, b) => chunksOf(b) - chunksOf(a))
  if (!most || same.length === 1) return most
  const chunks = same.reduce((sum, one) => sum + chunksOf(one), 0)
  if (most.kind !== 'entity') return chunks === 0 ? most : { ...most, data: { ...(most.data as object), chunks } }
  return { ...most, text: joinedName([most, ...same.filter((one) => one !== most)]), data: { ...(most.data as object), chunks } }
}

function chunksOf({ data }: ListedNode): number {
  const { chunks } = (data ?? {}) as { readonly chunks?: unknown }
  return typeof chunks === 'number' ? chunks : 0
}

/** Null: no partition has it. Nodes of all partitions in turn, nearest first in each, until there are `limit`. */
export function joinNeighbourhoods(all: readonly (Neighbourhood | null)[], limit: number): Neighbourhood | null {
  const found = all.flatMap((one) => one ?? [])
  if (found.length === 0) return null
  const depth = Math.max(...found.map(({ nodes }) => nodes.length))
  const inTurn = Array.from({ length: depth }, (_, rank) => found.flatMap(({ nodes }) => nodes[rank] ?? [])).flat()
  const groups = Map.groupBy(inTurn, ({ id }) => id)
  const nodes = [...groups.values()].slice(0, limit).flatMap((same) => joinNode(same) ?? [])
  const shown = new Set(nodes.map(({ id }) => id))
  const between = found.flatMap(({ edges }) => edges.filter(({ source, target }) => shown.has(source) && shown.has(target)))
  const edges = Map.groupBy(between, ({ kind, source, target }) => JSON.stringify([kind, source, target]))
  return {
    nodes,
    edges: [...edges.values()].flatMap(joinEdge),
    truncated: groups.size > limit || found.some((one) => one.truncated),
  }
}

function joinEdge(same: readonly ListedEdge[]): readonly ListedEdge[] {
  const [first] = same
  return first ? [{ ...first, weight: joinedWeight(same) }] : []
}

/** Null: no partition has it, for this asker. */
export function joinEntity(all: readonly (EntityDetails | null)[]): EntityDetails | null {
  const told = all.flatMap((one) => one ?? []).sort((a, b) => b.chunks - a.chunks)
  const [first] = told
  if (!first || told.length === 1) return first ?? null
  const types = Map.groupBy(
    told.flatMap((one) => one.types),
    ({ type }) => type,
  )
  const descriptions = new Map(told.flatMap((one) => one.descriptions).map((one) => [one.text, one]))
  const names = distinct(told.flatMap(({ name, also }) => [name, ...also]))
  // A partition that has only what was merged into it shows it under that name.
  const name = told.map((one) => one.name).find((one) => nameId(nameKey(one)) === first.id) ?? first.name
  return {
    ...first,
    name,
    also: names.filter((one) => one !== name),
    types: [...types]
      .map(([type, same]) => ({ type, chunks: same.reduce((sum, { chunks }) => sum + chunks, 0) }))
      .sort((a, b) => b.chunks - a.chunks || compareText(a.type, b.type)),
    descriptions: [...descriptions.values()].slice(0, limits.descriptions),
    relations: joinRelations(told.flatMap((one) => one.relations)),
    chunks: told.reduce((sum, one) => sum + one.chunks, 0),
    documents: distinct(told.flatMap((one) => one.documents)).slice(0, limits.documents),
  }
}

type Relation = EntityDetails['relations'][number]

function joinRelations(all: readonly Relation[]): readonly Relation[] {
  const groups = [...Map.groupBy(all, ({ id }) => id).values()]
  const relations = groups.flatMap((same): Relation[] => {
    const [strongest] = [...same].sort((a, b) => b.strength - a.strength)
    if (!strongest) return []
    const documents = distinct(same.flatMap((one) => one.documents)).slice(0, limits.of)
    const by = strongest.by.concat(same.flatMap((one) => one.by)).filter((one, at, list) => list.indexOf(one) === at)
    const people = same.map((one) => one.by_people ?? 0)
    const strength = same.reduce((sum, one) => sum + one.strength, 0) - people.reduce((sum, one) => sum + one, 0) + Math.max(...people)
    return [{ ...strongest, strength, by, documents }]
  })
  return relations.sort((a, b) => b.strength - a.strength || compareText(a.id, b.id)).slice(0, limits.relations)
}

const distinct = (items: readonly string[]): string[] => [...new Set(items)]
