/** What a node holds besides its text. */
import type { Node } from '../../../src/client/client'

export function dataOf({ data }: Pick<Node, 'data'>): { readonly [key: string]: unknown } {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as { readonly [key: string]: unknown }) : {}
}
