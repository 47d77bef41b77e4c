/**
 * The tree of summaries as it lies in the graph: for each layer an ordered index of keys (layer 0: chunks), an edge `member` from each node to its
 * one summary, and the summary nodes. A key is the place of the node's hyperplane code in Gray order, followed by 64 bits of SHA-256 of its id, so
 * that equal vectors have different keys. Everything is read and written through a draft.
 */
import { grayPlace } from '../../algorithms/gray-code'
import { type Hyperplanes, sides } from '../../algorithms/hyperplanes'
import { sha256Hex } from '../../algorithms/sha256'
import type { Sorted } from '../../algorithms/trie-recut'
import type { Draft } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import type { GraphNode, Json, Place, Vector } from '../../graph/types'
import { kindOf } from '../../ids'
import type { Shape } from './shape'

const TAIL = 2 // words of SHA-256 after the code: they tell apart billions of identical texts under different titles
const PAGE = 1000 // places read at a time when a whole layer is read
const STALE = 'erarag/stale'

/** An update in progress. */
export interface Tree {
  readonly draft: Draft
  readonly shape: Shape
  readonly planes: Hyperplanes
  /** Summaries that this update made, and those it dropped. */
  readonly made: Set<string>
  readonly dropped: Map<string, GraphNode>
  /** Dropped summary → the one that now holds all of its leaves. */
  readonly into: Map<string, string>
}

/** What a summary carries in `data`. */
export interface Segment {
  readonly basis: 'segment'
  /** Members' ids in key order: the node's id is made from them. */
  readonly members: readonly string[]
  /** Chunks below it, each counted once. */
  readonly leaves: number
  /** Its place in its own layer. */
  readonly key: string
  /** What its text was made from (`texts.ts`); absent while it has no text. */
  readonly input?: string
  readonly generator?: string
}

export function segmentOf(node: GraphNode): Segment {
  const { members, leaves, key, input, generator } = node.data
  return {
    basis: 'segment',
    members: isTexts(members) ? members : [],
    leaves: typeof leaves === 'number' ? leaves : 0,
    key: typeof key === 'string' ? key : '',
    ...(typeof input === 'string' ? { input } : {}),
    ...(typeof generator === 'string' ? { generator } : {}),
  }
}

export function keyOf(planes: Hyperplanes, vector: ArrayLike<number>, count: number, id: string): string {
  return grayPlace(sides(planes, vector, count)) + sha256Hex(id, TAIL)
}

/** The nodes with the same hash code form a bucket: the place of that code. */
export function bucketOf(key: string): string {
  return key.slice(0, -8 * TAIL)
}

/** The key of a node that is in the tree. */
export function keyIn({ draft, planes }: Tree, id: string): string {
  const node = draft.node(id)
  return node ? segmentOf(node).key : leafKey(planes, draft.vector(id), id)
}

/** A chunk without a vector stands where all codes are zero, ordered by its id. */
export function leafKey(planes: Hyperplanes, vector: Vector | undefined, id: string): string {
  return keyOf(planes, vector ?? new Int8Array(planes.dimensions), 1, id)
}

export function spaceOf(layer: number): string {
  return `erarag/${layer}`
}

export function sortedLayer(graph: GraphReader, layer: number): Sorted<Place> {
  const space = spaceOf(layer)
  return {
    up: (from, limit) => graph.order(space, { from, limit }),
    down: (to, limit) => graph.order(space, { to, limit, descending: true }),
  }
}

export function allPlaces(graph: GraphReader, space: string): Place[] {
  const out: Place[] = []
  for (let page = graph.order(space, { limit: PAGE }); ; ) {
    for (const place of page) if (place.key !== out[out.length - 1]?.key) out.push(place)
    if (page.length < PAGE) return out
    page = graph.order(space, { from: out[out.length - 1]?.key ?? '', limit: PAGE })
  }
}

/** The summary a chunk or summary is a member of. */
export function parentOf(graph: GraphReader, id: string): string | undefined {
  return graph.edges('member', id).find((edge) => kindOf(edge.target) === 'summary')?.target
}

/** Summaries of one layer whose text does not describe their members yet, at most `limit`. */
export function staleIn(graph: GraphReader, layer: number, limit: number): readonly string[] {
  const from = staleKey(layer, '')
  return graph.order(STALE, { from, to: `${from}~`, limit }).map((place) => place.id)
}

export function allStale(graph: GraphReader, limit: number): readonly string[] {
  return graph.order(STALE, { limit }).map((place) => place.id)
}

/** Summaries are only written here, so that the index of stale ones is right. */
export function putSummary({ draft }: Tree, node: GraphNode): void {
  draft.putNode(node)
  const key = staleKey(node.layer, node.id)
  if (node.stale) draft.putPlace(STALE, key, node.id)
  else draft.dropPlace(STALE, key)
}

/** An extract will be written again, and whatever was written from it if it comes out different. */
export function reopen(tree: Tree, id: string): void {
  const { draft } = tree
  const node = draft.node(id)
  if (node?.kind !== 'summary' || segmentOf(node).generator !== 'extractive') return
  const { input: _, ...segment } = segmentOf(node)
  putSummary(tree, { ...node, stale: true, data: segment })
  for (let up = parentOf(draft, id); up !== undefined; up = parentOf(draft, up)) {
    const higher = draft.node(up)
    if (higher) putSummary(tree, { ...higher, stale: true })
  }
}

/** Its upward edges are left to the layer above. */
export function dropSummary({ draft, made, dropped }: Tree, node: GraphNode): void {
  const { key, members } = segmentOf(node)
  for (const member of members) draft.dropEdge('member', member, node.id)
  draft.dropPlace(spaceOf(node.layer), key)
  draft.dropPlace(STALE, staleKey(node.layer, node.id))
  draft.dropNode(node.id)
  if (!made.delete(node.id)) dropped.set(node.id, node)
}

function staleKey(layer: number, id: string): string {
  return `${String(layer).padStart(2, '0')}/${id}`
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
