/**
 * The layers of one update under way: layer 0 are the entities, each layer above holds the communities of the one below. Which nodes are
 * linked, and how much a link weighs (ArchRAG, Algorithm 1, lines 3 to 5 and 9): what the texts relate, and what is alike.
 */
import type { Scored } from '../../algorithms/c-hnsw-search'
import { closenessTo } from '../../algorithms/nearness'
import { sameAs, sameAsEach } from '../../builders/resolution'
import type { Draft } from '../../graph/draft'
import { otherEnd } from '../../graph/edge-ends'
import type { GraphReader } from '../../graph/reader'
import { kindOf } from '../../ids'
import { cosine, dot, norm } from '../../vectors'
import { backlogSize } from './backlog'
import { type ClusteringSteps, paperSteps } from './clustering-steps'
import { type Row, type Rows, rowsOf } from './rows'
import { type ArchSettings, archDefaults } from './settings'

const RELATIONS = 256 // of one entity that are walked, strongest first: a hub's further ones tell nothing
const SAME_WEIGHT = 10 // of the link between two names of one thing: a relation as strong as they come
const KEPT = 50_000 // relations remembered during an update: some 5 MB
const ASKED_OFTEN = [
  { space: 'archrag/entry', keys: ['0', '1'] },
  { space: 'archrag/linking', keys: ['at'] },
  { space: 'archrag/state', keys: ['0', '1', '2', '3', '4'] },
]
const FLOOR = 0.01 // least weight of a link: texts that relate two unlike things still relate them

/** What a layer is clustered with: kept until it has doubled or is clustered in full, so that one document changes nothing far away. */
export interface State {
  /** Nodes of the layer when the next three were taken. */
  readonly size: number
  /** Cosine above which nodes are linked by likeness. */
  readonly threshold: number
  /** Most such links a node makes. */
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
  /** What was near the entities that came in this update, when they came. */
  readonly arrived: Map<string, readonly Scored[]>
  /** What has been read of nodes and may be asked again and again. */
  readonly known: Known
  /** Has this update taken text away? */
  readonly shrunk: boolean
}

interface Known {
  /** An entity's other names; forgotten wherever names are joined or parted. */
  readonly names: Map<string, readonly string[]>
  /** The community a node is in; forgotten wherever it enters or leaves one. */
  readonly homes: Map<string, string | undefined>
  /** Relations of an entity, strength by entity; an update changes none of them. */
  readonly relations: Map<string, ReadonlyMap<string, number>>
  /** Links of communities to others of their layer (`relationWeights`), by layer; forgotten wherever memberships change below them. */
  readonly weights: Map<string, ReadonlyMap<string, number>>[]
  /** In `relations` and `weights`, of all nodes together. */
  kept: number
}

/** A setting that is younger than the corpus has its default. */
export function clusteringOf(draft: Draft, settings: ArchSettings, shrunk: boolean, steps: ClusteringSteps = paperSteps): Clustering {
  draft.preload({ values: ASKED_OFTEN })
  const known: Known = { names: new Map(), homes: new Map(), relations: new Map(), weights: [], kept: 0 }
  return { draft, settings: { ...archDefaults, ...settings }, steps, rows: rowsOf(draft), arrived: new Map(), known, shrunk }
}

export function stateOf(graph: GraphReader, layer: number): State | undefined {
  const value = graph.value('archrag/state', String(layer))
  return value === undefined ? undefined : (value as unknown as State) // believed to be what `keepState` wrote
}

export function keepState(draft: Draft, layer: number, state: State | undefined): void {
  if (state) draft.putValue('archrag/state', String(layer), { ...state })
  else draft.dropValue('archrag/state', String(layer))
}

/** How many nodes a layer has. O(1). */
export function sizeOf({ draft }: Pick<Clustering, 'draft'>, layer: number): number {
  return layer === 0 ? draft.count('entity') - backlogSize(draft) : draft.count('community', layer)
}

/** The community a node is a member of. */
export function parentOf(graph: GraphReader, id: string): string | undefined {
  return graph.edges('member', id).find((edge) => kindOf(edge.target) === 'community')?.target
}

/** The same within an update, which asks it of the same nodes again and again. */
export function homeOf({ draft, known: { homes } }: Clustering, id: string): string | undefined {
  if (homes.has(id)) return homes.get(id)
  const home = parentOf(draft, id)
  homes.set(id, home)
  return home
}

export function membersOf(graph: GraphReader, community: string): readonly string[] {
  const members = graph.node(community)?.data.members
  return Array.isArray(members) ? (members as readonly string[]) : []
}

/** The same, and whose home each of them is in is known from now on: so that it need not be asked one by one. */
export function membersAtHome({ draft, known: { homes } }: Clustering, community: string): readonly string[] {
  const members = membersOf(draft, community)
  for (const member of members) if (!homes.has(member)) homes.set(member, community)
  return members
}

/** What nodes of a layer are grouped by: an entity's vector; a community's report's, or the sum of its entities' where that is chosen or none is written. */
export function grouping({ draft, rows, settings }: Clustering, layer: number, id: string): ArrayLike<number> {
  if (layer === 0) return rows.read(0, id)?.vector ?? new Int8Array(draft.dimensions)
  const node = draft.node(id)
  return (settings.layerVectors === 'reports' ? node?.vector : node?.sum) ?? new Int8Array(draft.dimensions)
}

/** Nodes of the layer a node is linked to, each with the link's weight. Not kept: those of a whole layer would fill the object's memory. */
export function linksOf(clustering: Clustering, layer: number, id: string): ReadonlyMap<string, number> {
  return weighLinks(clustering, layer, id, relationWeights(clustering, layer, id), clustering.rows.read(layer, id))
}

function relationsOf({ draft, known }: Clustering, id: string): ReadonlyMap<string, number> {
  const before = known.relations.get(id)
  if (before) return before
  const read = new Map(draft.edges('relates', id, RELATIONS).map((edge) => [otherEnd(edge, id), edge.weight]))
  if (known.kept + read.size > KEPT) return read
  known.kept += read.size + 1
  known.relations.set(id, read)
  return read
}

/** Other names of entities that are about to be looked at, read together. */
export function fetchNames({ draft, known: { names } }: Clustering, ids: readonly string[]): void {
  const missing = ids.filter((id) => !names.has(id))
  if (missing.length === 0) return
  for (const [i, others] of sameAsEach(draft, missing).entries()) names.set(missing[i] as string, others)
}

function namesOf({ draft, known: { names } }: Clustering, id: string): readonly string[] {
  const before = names.get(id)
  if (before) return before
  const read = sameAs(draft, id)
  names.set(id, read)
  return read
}

/** Has a node any link at all? */
export function isJoined(clustering: Clustering, layer: number, id: string): boolean {
  const near = clustering.rows.read(layer, id)?.near ?? []
  const holds = (other: string): boolean => other !== id && clustering.rows.read(layer, other) !== undefined
  return near.some(holds) || [...relationWeights(clustering, layer, id).keys()].some(holds)
}

/** Without the links by likeness: strength by node. Communities are linked where their members are. */
export function relationWeights(clustering: Clustering, layer: number, id: string): ReadonlyMap<string, number> {
  if (layer === 0) {
    const relations = relationsOf(clustering, id)
    const names = namesOf(clustering, id)
    if (names.length === 0) return relations
    const all = new Map(relations)
    for (const other of names) all.set(other, (all.get(other) ?? 0) + SAME_WEIGHT)
    return all
  }
  const before = clustering.known.weights[layer]?.get(id)
  if (before) return before
  const out = new Map<string, number>()
  const members = membersAtHome(clustering, id)
  if (layer === 1) fetchNames(clustering, members)
  for (const member of members) {
    for (const other of relationWeights(clustering, layer - 1, member).keys()) {
      const parent = homeOf(clustering, other)
      if (parent !== undefined && parent !== id) out.set(parent, (out.get(parent) ?? 0) + 1)
    }
  }
  rememberWeights(clustering, layer, id, out)
  return out
}

function rememberWeights({ known }: Clustering, layer: number, id: string, weights: ReadonlyMap<string, number>): void {
  if (known.kept + weights.size > KEPT) return
  known.kept += weights.size + 1
  known.weights[layer] ??= new Map()
  known.weights[layer].set(id, weights)
}

/** Nodes of a layer have moved to other homes: what was read of the links of those above holds no longer. */
export function forgetWeightsFrom({ known }: Clustering, layer: number): void {
  for (let at = layer; at < known.weights.length; at++) {
    for (const weights of known.weights[at]?.values() ?? []) known.kept -= weights.size + 1
    known.weights[at] = new Map()
  }
}

function weighLinks(
  clustering: Clustering,
  layer: number,
  id: string,
  strengths: ReadonlyMap<string, number>,
  row: Row | undefined,
): Map<string, number> {
  const close = likenessTo(grouping(clustering, layer, id))
  const same = new Set(layer === 0 ? namesOf(clustering, id) : [])
  const likeness = (other: string): number => (same.has(other) ? 1 : close(grouping(clustering, layer, other)))
  const weigh = clustering.steps.weighLinks(likeness, strengths)
  const out = new Map<string, number>()
  for (const other of new Set([...strengths.keys(), ...(row?.near ?? [])])) {
    if (other === id || !clustering.rows.read(layer, other)) continue
    out.set(other, Math.max(FLOOR, weigh(other)))
  }
  return clustering.steps.keepLinks(out, id, (other) => neighboursOf(clustering, layer, other))
}

function neighboursOf(clustering: Clustering, layer: number, id: string): ReadonlySet<string> {
  return new Set([...relationWeights(clustering, layer, id).keys(), ...(clustering.rows.read(layer, id)?.near ?? [])])
}

const lengths = new WeakMap<ArrayLike<number>, number>() // of sums, which are never written into

function lengthOf(sum: ArrayLike<number>): number {
  const before = lengths.get(sum)
  if (before !== undefined) return before
  const length = norm(sum)
  lengths.set(sum, length)
  return length
}

/** The cosine of one with others, by way of what is kept ready of them, to the same number. */
export function likenessTo(own: ArrayLike<number>): (other: ArrayLike<number>) => number {
  if (!(own instanceof Int8Array)) {
    const length = lengthOf(own)
    return (other) => {
      const lengths = length * lengthOf(other)
      return lengths > 0 ? dot(own, other) / lengths : 0
    }
  }
  const close = closenessTo(own)
  return (other) => (other instanceof Int8Array ? close(other) : cosine(own, other))
}
