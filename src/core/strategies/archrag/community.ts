/** A community as a node of the graph. `sum` adds the vectors of all entities below it, in integers. */
import type { GraphNode, Json } from '../../graph/types'
import { nodeId } from '../../ids'
import { accumulate, quantize } from '../../vectors'
import { type Clustering, membersOf } from './clustering-state'

/** What a community carries in `data`. */
export interface Community {
  readonly basis: 'community'
  /** In the order of their ids. */
  readonly members: readonly string[]
  /** Entities below it. */
  readonly leaves: number
  readonly title: string
  /** 0 to 10. */
  readonly rating: number
  /** What its report was made from; absent while it has none. */
  readonly input?: string
  /** Id of the members it was made for (`communityId`). */
  readonly of?: string
  /** For a community of communities: the reports it was written from, without the facts beside them. */
  readonly reports?: string
  /** Chunks whose words are in the report's material: for a community of entities all of it, for a higher one the facts beside the reports. */
  readonly from: readonly string[]
  /** Relations inside it when its report was written. */
  readonly inside: number
  readonly generator?: string
  /** How many members it had then. */
  readonly size?: number
}

export function communityOf({ data }: GraphNode): Community {
  const { members, leaves, title, rating, input, of, reports, from, inside, generator, size } = data
  return {
    basis: 'community',
    members: texts(members),
    leaves: typeof leaves === 'number' ? leaves : 0,
    title: typeof title === 'string' ? title : '',
    rating: typeof rating === 'number' ? rating : 0,
    ...(typeof input === 'string' ? { input } : {}),
    ...(typeof of === 'string' ? { of } : {}),
    ...(typeof reports === 'string' ? { reports } : {}),
    from: texts(from),
    inside: typeof inside === 'number' ? inside : 0,
    ...(typeof generator === 'string' ? { generator } : {}),
    ...(typeof size === 'number' ? { size } : {}),
  }
}

/** Made from the members that a community had when it was founded. */
export function communityId(layer: number, members: readonly string[]): string {
  return nodeId('community', 'archrag', layer, ...members)
}

const STALE = 'archrag/stale'

/** Communities of one layer whose report does not describe them yet, at most `limit`. */
export function staleIn({ draft }: Pick<Clustering, 'draft'>, layer: number, limit: number): readonly string[] {
  return draft.order(STALE, { from: `${layer}/`, to: `${layer}/~`, limit }).map((one) => one.id)
}

/** Communities are only written here, so that the index of stale ones is right and the same data is always written the same way. */
export function putCommunity({ draft }: Clustering, node: GraphNode): void {
  draft.putNode({ ...node, data: { ...communityOf(node) } })
  if (node.stale) draft.putPlace(STALE, `${node.layer}/${node.id}`, node.id)
  else draft.dropPlace(STALE, `${node.layer}/${node.id}`)
}

export interface Membership {
  readonly id: string
  readonly layer: number
  readonly members: readonly string[]
  /** The members whose edge is missing. */
  readonly joined: readonly string[]
  readonly left: readonly string[]
}

/** Gives a community these members. A text that still holds may be carried over. */
export function putMembers(clustering: Clustering, membership: Membership, carried: GraphNode | undefined): void {
  const { id, layer, members } = membership
  moveEdges(clustering, membership)
  const { sum, leaves } = entitiesBelow(clustering, layer, members)
  const told = carried && carried.text !== '' && stillHolds(clustering, layer, carried) ? carried : undefined
  const data = told ? communityOf(told) : { title: '', rating: 0, from: [], inside: 0 }
  putCommunity(clustering, {
    id,
    kind: 'community',
    layer,
    text: told?.text ?? '',
    tokens: told?.tokens ?? 0,
    vector: (told && communityOf(told).generator === 'model' ? told.vector : undefined) ?? quantize(sum),
    sum,
    stale: true,
    data: { ...data, basis: 'community', members, leaves },
  })
}

/** Reads together what `putMembers` of these will write. */
export function fetchEdges({ draft }: Clustering, memberships: readonly Membership[]): void {
  draft.preload({
    edges: memberships.flatMap(({ id, joined, left }) =>
      [...left, ...joined].map((member) => ({ kind: 'member', source: member, target: id })),
    ),
  })
}

function moveEdges({ draft, known }: Clustering, { id, joined, left }: Membership): void {
  for (const member of left) {
    draft.dropEdge('member', member, id)
    if (known.homes.get(member) === id) known.homes.delete(member)
  }
  for (const member of joined) {
    draft.putEdge({ kind: 'member', source: member, target: id, weight: 1 })
    known.homes.set(member, id)
  }
}

function entitiesBelow({ draft, rows }: Clustering, layer: number, members: readonly string[]): { sum: Int32Array; leaves: number } {
  const sum = new Int32Array(draft.dimensions)
  let leaves = 0
  if (layer > 1) draft.preload({ nodes: members })
  for (const member of members) {
    const node = layer > 1 ? draft.node(member) : undefined
    const vector = node?.sum ?? rows.read(0, member)?.vector
    if (vector) accumulate(sum, vector)
    leaves += node ? communityOf(node).leaves : 1
  }
  return { sum, leaves }
}

/** Is a report free of anything deleted? Higher ones do not know their chunks; `reports.ts` checks those. */
function stillHolds({ draft }: Clustering, layer: number, { data }: GraphNode): boolean {
  return layer > 1 || texts(data.from).every((chunk) => draft.chunk(chunk) !== undefined)
}

/** A report that is an extract will be written again. */
export function reopen(clustering: Clustering, id: string): void {
  const node = clustering.draft.node(id)
  if (node?.kind !== 'community' || communityOf(node).generator !== 'extractive') return
  putCommunity(clustering, { ...node, stale: true, data: { ...communityOf(node), input: '' } })
}

export function dissolve({ draft, known }: Clustering, id: string): void {
  const node = draft.node(id)
  if (!node) return
  for (const member of membersOf(draft, id)) {
    draft.dropEdge('member', member, id)
    known.homes.delete(member)
  }
  draft.dropPlace(STALE, `${node.layer}/${id}`)
  draft.dropNode(id)
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
