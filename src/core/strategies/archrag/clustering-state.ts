/** The layers during one update: layer 0 holds the entities, each layer above it the communities of the one below; and what has been read of them. */
import type { Scored } from '../../algorithms/c-hnsw-search'
import type { Draft } from '../../graph/draft'
import { neighboursOf } from '../../graph/neighbours'
import type { GraphReader, Neighbours } from '../../graph/reader'
import { kindOf } from '../../ids'
import { backlogSize } from './backlog'
import { type ClusteringSteps, paperSteps } from './clustering-steps'
import { type Rows, rowsOf } from './rows'
import { type ArchSettings, archDefaults } from './settings'

const ASKED_OFTEN = [
  { space: 'archrag/entry', keys: ['0', '1'] },
  { space: 'archrag/linking', keys: ['at'] },
  { space: 'archrag/state', keys: ['0', '1', '2', '3', '4'] },
]

const GROWTH = 2 // times the nodes the layer had when its state was taken

/** What a layer is clustered with: kept until it has doubled or is clustered in full, so that one document changes nothing far away. */
export interface State {
  /** Nodes of the layer when the next three were taken. */
  readonly size: number
  /** Cosine above which nodes are linked by likeness. */
  readonly threshold: number
  /** The most such links that a node makes. */
  readonly cap: number
  /** Mean of the nodes' strengths. */
  readonly mean: number
  /** Nodes of the layer when all of it was last clustered, and the quality then: modularity, mean cosine of members to their community. */
  readonly clustered: number
  readonly modularity: number
  readonly likeness: number
}

export interface Clustering {
  readonly draft: Draft
  readonly settings: ArchSettings
  readonly steps: ClusteringSteps
  readonly rows: Rows
  /** What was near the entities that arrived in this update, at the time they arrived. */
  readonly arrived: Map<string, readonly Scored[]>
  /** What has been read about nodes and may be asked again and again. */
  readonly known: Known
  /** Has this update taken text away? */
  readonly shrunk: boolean
}

interface Known {
  /** An entity's other names; forgotten when names are joined or parted. */
  readonly names: Map<string, readonly string[]>
  /** Has any entity other names? Undefined: not checked yet. */
  hasNames: boolean | undefined
  /** The community a node is in; forgotten when it enters or leaves one. */
  readonly homes: Map<string, string | undefined>
  /** Relations of an entity; an update changes none of them. */
  readonly relations: Map<string, Neighbours>
  /** Entities that a chunk names; an update of communities changes none of that. */
  readonly named: Map<string, readonly string[]>
  /** Links of communities to others of their layer (`relationWeights`), by layer; forgotten when memberships change below them. */
  readonly weights: Map<string, ReadonlyMap<string, number>>[]
  /** How many are held in `relations` and `weights`, for all nodes together. */
  kept: number
}

/** A setting that is newer than the corpus has its default. */
export function clusteringOf(draft: Draft, settings: ArchSettings, shrunk: boolean, steps: ClusteringSteps = paperSteps): Clustering {
  draft.preload({ values: ASKED_OFTEN })
  const known: Known = {
    names: new Map(),
    hasNames: undefined,
    homes: new Map(),
    relations: new Map(),
    named: new Map(),
    weights: [],
    kept: 0,
  }
  return { draft, settings: { ...archDefaults, ...settings }, steps, rows: rowsOf(draft), arrived: new Map(), known, shrunk }
}

export function stateOf(graph: GraphReader, layer: number): State | undefined {
  const value = graph.value('archrag/state', String(layer))
  return value === undefined ? undefined : (value as unknown as State) // assumed to be what `keepState` wrote
}

export function keepState(draft: Draft, layer: number, state: State | undefined): void {
  if (state) draft.putValue('archrag/state', String(layer), { ...state })
  else draft.dropValue('archrag/state', String(layer))
}

/** Has the layer doubled since its state was taken? */
export function isOutgrown(clustering: Pick<Clustering, 'draft'>, layer: number, { size }: State): boolean {
  return sizeOf(clustering, layer) >= GROWTH * size
}

/** How many nodes a layer has. O(1). */
export function sizeOf({ draft }: Pick<Clustering, 'draft'>, layer: number): number {
  return layer === 0 ? draft.count('entity') - backlogSize(draft) : draft.count('community', layer)
}

/** The community a node is a member of. */
export function parentOf(graph: GraphReader, id: string): string | undefined {
  return graph.edges('member', id).find((edge) => kindOf(edge.target) === 'community')?.target
}

/** The same within an update, which asks this about the same nodes again and again. */
export function homeOf({ draft, known: { homes } }: Clustering, id: string): string | undefined {
  if (homes.has(id)) return homes.get(id)
  const home = parentOf(draft, id)
  homes.set(id, home)
  return home
}

/** Reads together the homes of nodes that are about to be asked for. */
export function fetchHomes({ draft, known: { homes } }: Clustering, ids: Iterable<string>): void {
  const missing: string[] = []
  for (const id of ids) {
    if (homes.has(id)) continue
    homes.set(id, undefined) // so that each is read once
    missing.push(id)
  }
  if (missing.length === 0) return
  for (const [i, { ids }] of neighboursOf(draft, 'member', missing).entries())
    homes.set(
      missing[i] as string,
      ids.find((id) => kindOf(id) === 'community'),
    )
}

export function membersOf(graph: GraphReader, community: string): readonly string[] {
  const members = graph.node(community)?.data.members
  return Array.isArray(members) ? (members as readonly string[]) : []
}

/** The same; it also records this community as each member's home, so that it need not be asked one by one. */
export function membersAtHome({ draft, known: { homes } }: Clustering, community: string): readonly string[] {
  const members = membersOf(draft, community)
  for (const member of members) if (!homes.has(member)) homes.set(member, community)
  return members
}

/**
 * What nodes of a layer are grouped by: an entity's vector; a community's report's, or the sum of its entities' if that is the setting or no report
 * is written.
 */
export function grouping({ draft, rows, settings }: Clustering, layer: number, id: string): ArrayLike<number> {
  if (layer === 0) return rows.read(0, id)?.vector ?? new Int8Array(draft.dimensions)
  const node = draft.node(id)
  return (settings.layerVectors === 'reports' ? node?.vector : node?.sum) ?? new Int8Array(draft.dimensions)
}
