/** Entities by the forms they are written in. */
import type { Node } from '../../../src/client/client'
import { type Finder, finderOf } from './mentions'
import { dataOf } from './node-data'

export function named(nodes: readonly Node[]): { readonly find: Finder } {
  return { find: finderOf(nodes.map((node) => ({ id: node.id, forms: formsOf(node) }))) }
}

export function formsOf(node: Node): readonly string[] {
  const [text = ''] = node.text.split('\n')
  const { aliases } = dataOf(node)
  const others = typeof aliases === 'object' && aliases !== null ? Object.keys(aliases) : []
  return [...new Set([text, ...others])]
}
