/** Segments of all layers as one tree: what no other segment has as a member stands below the root. */
import type { Node } from '../../../src/client/client'
import { dataOf } from './node-data'

export interface Branch {
  readonly id: string
  readonly layer: number
  readonly text: string
  readonly children: readonly Branch[]
  /** Members that are no segments: chunks. */
  readonly leaves: number
}

/** Null without segments. */
export function treeOf(segments: readonly Node[]): Branch | null {
  if (segments.length === 0) return null
  const byId = new Map(segments.map((node) => [node.id, node]))
  const inside = new Set(segments.flatMap(membersOf))
  const grow = (node: Node): Branch => {
    const members = membersOf(node)
    const children = members.flatMap((id) => {
      const member = byId.get(id)
      return member && member.layer < node.layer ? [grow(member)] : []
    })
    const leaves = members.length - children.length + children.reduce((sum, child) => sum + child.leaves, 0)
    return { id: node.id, layer: node.layer, text: node.text, children, leaves }
  }
  const children = segments.filter(({ id }) => !inside.has(id)).map(grow)
  const layer = 1 + Math.max(...segments.map((node) => node.layer))
  return { id: '', layer, text: 'the corpus', children, leaves: children.reduce((sum, child) => sum + child.leaves, 0) }
}

function membersOf(node: Node): readonly string[] {
  const { members } = dataOf(node)
  if (!Array.isArray(members)) return []
  return members.flatMap((one: unknown) => (typeof one === 'string' ? [one] : []))
}
