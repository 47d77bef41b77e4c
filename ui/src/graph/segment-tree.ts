/**
 * Segments of EraRAG, or communities of ArchRAG, from all layers as one tree: nodes that are no other node's members are below the root.
 */
import type { Node } from '../../../src/client/client'
import { dataOf } from './node-data'

export interface Branch {
  readonly id: string
  readonly layer: number
  readonly text: string
  /** Its name, in a few words. */
  readonly name: string
  readonly children: readonly Branch[]
  /** Members below it that are not branches: chunks, or names. */
  readonly leaves: number
  /** Parts of it that were not read. */
  readonly unread: number
}

const WHOLE = -1 // partition of what is above those of several

/** Null without segments. `cut`: layers of which only the beginning was read; what belongs to the rest is left out. */
export function treeOf(segments: readonly Node[], cut: ReadonlySet<number> = new Set()): Branch | null {
  if (segments.length === 0) return null
  const byId = new Map(segments.map((node) => [node.id, node]))
  const inside = new Set(segments.flatMap(membersOf))
  const grow = (node: Node): Branch => {
    const members = membersOf(node)
    const children = members.flatMap((id) => {
      const member = byId.get(id)
      return member && member.layer < node.layer ? [grow(member)] : []
    })
    // What is above the trees of several partitions has members of different layers.
    const isBelowCut = node.partition === WHOLE ? cut.size > 0 : cut.has(node.layer - 1)
    const unread = isBelowCut ? members.filter((id) => !byId.has(id) && isBranch(id)).length : 0
    const counted = members.length - children.length - unread + children.reduce((sum, child) => sum + child.leaves, 0)
    const leaves = unread > 0 ? leavesOf(node, counted) : counted
    return { id: node.id, layer: node.layer, text: node.text, name: headingOf(node), children, leaves, unread }
  }
  const hasReadParents = ({ layer }: Node): boolean => ![...cut].some((one) => one > layer)
  const top = segments.filter((node) => !inside.has(node.id) && hasReadParents(node))
  const children = top.toSorted((a, b) => b.layer - a.layer).map(grow)
  const layer = 1 + Math.max(...segments.map((node) => node.layer))
  const leaves = children.reduce((sum, child) => sum + child.leaves, 0)
  return { id: '', layer, text: 'the corpus', name: 'the corpus', children, leaves, unread: 0 }
}

/** Prefixes of the ids of summaries and communities. */
const isBranch = (id: string): boolean => /^[sm]_/.test(id)

/** As the service has counted them, if some of its parts were not read. */
function leavesOf(node: Node, counted: number): number {
  const { leaves } = dataOf(node)
  return typeof leaves === 'number' ? leaves : counted
}

const HEADING = 72 // letters

/** A community has a title; a summary is named by the beginning of its first sentence, cut at a word. */
export function headingOf(node: Pick<Node, 'text' | 'data'>): string {
  const { title } = dataOf(node)
  const [line = ''] = (typeof title === 'string' && title !== '' ? title : node.text).split('\n')
  const [sentence = ''] = line.trim().split(/(?<=[.!?])\s/)
  if (sentence.length <= HEADING) return sentence
  const cut = sentence.slice(0, HEADING)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), HEADING / 2)).replace(/[\s,;:]+$/, '')}…`
}

/** Everything below a branch, without the branch itself. */
export const countBranches = ({ children }: Branch): number => children.reduce((sum, child) => sum + 1 + countBranches(child), 0)

/** In a corpus in partitions, the numbers of those above them may follow after a gap. */
export function countLayers(root: Branch): number {
  const layers = new Set<number>()
  const look = ({ layer, children }: Branch): void => {
    layers.add(layer)
    for (const child of children) look(child)
  }
  for (const child of root.children) look(child)
  return layers.size
}

function membersOf(node: Node): readonly string[] {
  const { members } = dataOf(node)
  if (!Array.isArray(members)) return []
  return members.flatMap((one: unknown) => (typeof one === 'string' ? [one] : []))
}
