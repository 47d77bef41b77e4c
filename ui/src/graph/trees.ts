/** EraRAG's segments and ArchRAG's communities, each as one tree. */
import { collected } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'
import type { Leaves } from './outline'
import { type Branch, treeOf } from './segment-tree'

const MAX_NODES = 1000 // of a layer

/** Null where there is none. */
export async function treeFrom(corpus: string, of: 'segments' | 'communities', signal: AbortSignal): Promise<Branch | null> {
  const there = corpusAt(corpus, signal)
  const { layers } = await there.layers(of)
  const found = await Promise.all(layers.map(({ layer }) => collected((paging) => there.layer(of, layer, paging), MAX_NODES)))
  return treeOf(found.flatMap(({ data }) => data))
}

export const CHUNKS: Leaves = { one: 'chunk', many: 'chunks', kind: 'chunk' }
export const NAMES: Leaves = { one: 'name', many: 'names', kind: 'entity' }
