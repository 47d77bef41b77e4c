/** How many chunks mention an entity. */
import type { Node } from '../../../src/client/client'
import { dataOf } from './node-data'

export function mentionedIn(node: Node): number {
  const { chunks } = dataOf(node)
  return typeof chunks === 'number' ? chunks : 0
}
