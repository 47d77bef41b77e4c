/** A derived node's id begins with its kind's letter: implementations find kinds and vectors by it. */
import { kindOf } from '../ids'
import type { GraphNode } from './types'

/** Throws if a builder has named a node in another way than `ids.ts` does. */
export function namesItsKind(node: GraphNode): void {
  if (kindOf(node.id) !== node.kind) throw new Error(`graph: ${node.id} does not name a node of kind ${node.kind}`)
}
