/**
 * A community as a node of the graph. Its id is made of its members', so a community that comes out as it was is the same node, with its
 * report. `sum` adds the vectors of all entities below it, in integers.
 */
import type { GraphNode, Json } from '../../graph/types'
import { kindOf, nodeId } from '../../ids'
import { accumulate, quantize } from '../../vectors'
import { type Clustering, membersOf } from './clustering-state'

/** What a community carries in `data`. */
export interface Community {
  readonly basis: 'community'
  /** In order of id. */
  readonly members: readonly string[]
  /** Entities below it. */
  readonly leaves: number
  readonly title: string
  /** 0 to 10. */
  readonly rating: number
  /** What its report was made from; none while it has none. */
  readonly input?: string
  /** Id of the community it was made for: another than its own while it is carried over. */
  readonly of?: string
  /** Chunks whose words are in the report's material (layer 1). */
  readonly from: readonly string[]
  /** Relations inside when it was reported. */
  readonly inside: number
  readonly generator?: string
}

export function communityOf({ data }: GraphNode): Community {
  const { members, leaves, title, rating, input, of, from, inside, generator } = data
  return {
    basis: 'community',
    members: texts(members),
    leaves: typeof leaves === 'number' ? leaves : 0,
    title: typeof title === 'string' ? title : '',
    rating: typeof rating === 'number' ? rating : 0,
    ...(typeof input === 'string' ? { input } : {}),
    ...(typeof of === 'string' ? { of } : {}),
    from: texts(from),
    inside: typeof inside === 'number' ? inside : 0,
    ...(typeof generator === 'string' ? { generator } : {}),
  }
}

export function communityId(layer: number, members: readonly string[]): string {
  return nodeId('community', 'archrag', layer, ...members)
}

const STALE = 'archrag/stale'

/** Communities whose report does not describe them yet: of one layer, at most `limit`. */
export function staleIn({ draft }: Pick<Clustering, 'draft'>, layer: number, limit: number): readonly string[] {
  return draft.order(STALE, { from: `${layer}/`, to: `${layer}/~`, limit }).map((one) => one.id)
}

/** Communities are only written through here, so that the index of stale ones is right and the same data is written the same way. */
export function putCommunity({ draft }: Clustering, node: GraphNode): void {
  draft.putNode({ ...node, data: { ...communityOf(node) } })
  if (node.stale) draft.putPlace(STALE, `${node.layer}/${node.id}`, node.id)
  else draft.dropPlace(STALE, `${node.layer}/${node.id}`)
}

/** A new community of these members. A text that still holds may be carried over. */
export function createCommunity(clustering: Clustering, layer: number, members: readonly string[], carried: GraphNode | undefined): string {
  const { draft, rows, known } = clustering
  const id = communityId(layer, members)
  const sum = new Int32Array(draft.dimensions)
  let leaves = 0
  for (const member of members) {
    const node = kindOf(member) === 'community' ? draft.node(member) : undefined
    const vector = node?.sum ?? rows.read(0, member)?.vector
    if (vector) accumulate(sum, vector)
    leaves += node ? communityOf(node).leaves : 1
    draft.putEdge({ kind: 'member', source: member, target: id, weight: 1 })
    known.homes.delete(member)
  }
  const told = carried && stillHolds(clustering, layer, carried) ? communityOf(carried) : undefined
  const text = told ? (carried?.text ?? '') : ''
  const written = told?.generator === 'model' && text !== ''
  putCommunity(clustering, {
    id,
    kind: 'community',
    layer,
    text,
    tokens: text === '' ? 0 : (carried?.tokens ?? 0),
    vector: (written ? carried?.vector : undefined) ?? quantize(sum),
    sum,
    stale: true,
    data: { ...(told && text !== '' ? { ...told } : { title: '', rating: 0, from: [], inside: 0 }), basis: 'community', members, leaves },
  })
  return id
}

/** Does a report say nothing of what has been deleted? Higher ones do not know their chunks; `reports.ts` sees to them. */
function stillHolds({ draft }: Clustering, layer: number, { data }: GraphNode): boolean {
  return layer > 1 || texts(data.from).every((chunk) => draft.chunk(chunk) !== undefined)
}

/** A report that is an extract is to be written again. */
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
