/** EraRAG's segments and ArchRAG's communities, each as one tree. */
import { collected } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'
import type { Leaves } from './outline'
import { type Branch, treeOf } from './segment-tree'

export const READ = 1000 // nodes of a layer that are read at first, and more at a time

/** How much of a layer was read. */
export interface PartRead {
  readonly layer: number
  readonly read: number
  readonly count: number
}

export interface Tree {
  readonly root: Branch
  /** Layers of which only the beginning was read. */
  readonly cut: readonly PartRead[]
}

interface Reading {
  readonly corpus: string
  /** Nodes of a layer. */
  readonly most: number
  readonly signal: AbortSignal
}

/** Null where there is none. */
export async function treeFrom({ corpus, most, signal }: Reading, of: 'segments' | 'communities'): Promise<Tree | null> {
  const there = corpusAt(corpus, signal)
  const { layers } = await there.layers(of)
  const found = await Promise.all(
    layers.map(async ({ layer, count }) => {
      const { data, more } = await collected((paging) => there.layer(of, layer, paging), most)
      return { data, part: { layer, read: data.length, count: Math.max(count, data.length) }, more }
    }),
  )
  const cut = found.flatMap(({ part, more }) => (more ? [part] : []))
  const root = treeOf(
    found.flatMap(({ data }) => data),
    new Set(cut.map(({ layer }) => layer)),
  )
  return root && { root, cut }
}

export const CHUNKS: Leaves = { one: 'chunk', many: 'chunks', kind: 'chunk' }
export const NAMES: Leaves = { one: 'name', many: 'names', kind: 'entity' }
