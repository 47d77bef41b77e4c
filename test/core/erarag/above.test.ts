/** The tree above those of the parts: its leaves are their top summaries, and it follows from these alone. */
import { describe, expect, it } from 'vitest'
import { membersIn } from '../../../src/core/graph/members'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { GraphNode } from '../../../src/core/graph/types'
import { partOf } from '../../../src/core/joint/part-of'
import { summariesAbove, type Top, topsOf, treeAbove } from '../../../src/core/strategies/erarag/above'
import { segmentOf } from '../../../src/core/strategies/erarag/tree'
import { sentences } from '../../../src/core/text/sentences'
import { cosine } from '../../../src/core/vectors'
import { docs, settingsWith, world } from './worlds'

const PARTS = 12
const settings = settingsWith({ min: 3, max: 6 })
const { erarag } = settings
const ALL = docs('above', 600)

const parts = Array.from({ length: PARTS }, (_, part) => {
  const { graph, change, settle } = world(settings)
  change({ add: ALL.filter(({ record }) => partOf(record.id, PARTS) === part) })
  settle()
  return graph
})
const tops = parts.map((graph) => topsOf(graph, settings))
const all = tops.flat()

const nodesOf = (tree: GraphReader): readonly GraphNode[] => tree.page('summary', '', 1000).flatMap((id) => tree.node(id) ?? [])
const ownOf = (tree: GraphReader) => nodesOf(tree).filter((node) => node.layer > erarag.layers)
const shuffled = (list: readonly Top[]): readonly Top[] => list.toSorted((a, b) => (a.text < b.text ? 1 : -1))

describe('the tree above those of the parts', () => {
  it('[P2431] a part’s tops are its highest layer, with what is below each', () => {
    expect(all.length).toBeGreaterThan(3 * erarag.max)
    for (const [part, own] of tops.entries()) {
      const graph = parts[part] as (typeof parts)[number]
      expect(own.reduce((sum, one) => sum + one.leaves, 0)).toBe(graph.count('chunk'))
      for (const { id, sum } of own) expect([graph.edges('member', id), graph.node(id)?.sum]).toEqual([[], sum])
    }
    const small = world(settings)
    small.change({ add: ALL.slice(0, 4) })
    expect(topsOf(small.graph, settings)).toEqual([])
    const cut = world(settingsWith({ min: 3, max: 6, layers: 1 }))
    cut.change({ add: ALL.slice(0, 60) })
    expect(topsOf(cut.graph, cut.settings)).toEqual([])
  })

  it('[P2431] is grown from them within the bounds, in layers of its own, each summary with the sums and the sentences of its members', () => {
    const tree = treeAbove(all, settings)
    const own = ownOf(tree)
    expect(new Set(own.map((node) => node.layer))).toEqual(new Set([erarag.layers + 1, erarag.layers + 2]))
    const leaves = new Set(all.map((one) => one.id))
    const lowest = own.filter((node) => node.layer === erarag.layers + 1)
    expect(lowest.flatMap(membersIn).sort()).toEqual([...leaves].sort())
    const spread = lowest.filter(
      (node) => new Set(membersIn(node).map((id) => tops.findIndex((of) => of.some((one) => one.id === id)))).size > 1,
    )
    expect(spread.length).toBeGreaterThan(lowest.length / 2)
    for (const node of own) {
      const members = membersIn(node).flatMap((id) => tree.node(id) ?? [])
      expect(members.length).toBeGreaterThanOrEqual(erarag.min)
      expect(members.length).toBeLessThanOrEqual(erarag.max)
      expect(segmentOf(node).leaves).toBe(members.reduce((sum, one) => sum + segmentOf(one).leaves, 0))
      expect([...(node.sum ?? [])]).toEqual([...(node.sum ?? [])].map((_, d) => members.reduce((sum, one) => sum + (one.sum?.[d] ?? 0), 0)))
      expect(node.stale).toBeUndefined()
      expect(node.text).not.toBe('')
      const said = members.map((one) => one.text).join(' ')
      for (const one of sentences(node.text)) expect(said).toContain(node.text.slice(one.start, one.end).trim())
    }
  })

  it('[P2431] is the same in whatever order they came, and no part of what has gone is left in it', () => {
    const tree = treeAbove(all, settings)
    expect(nodesOf(treeAbove(shuffled(all), settings))).toEqual(nodesOf(tree))
    const [gone] = all
    const rest = treeAbove(all.slice(1), settings)
    expect(nodesOf(rest).flatMap(membersIn)).not.toContain(gone?.id)
    expect(ownOf(treeAbove(all.slice(0, erarag.max), settings))).toEqual([])
  })

  it('[P2433] names below each summary the leaves nearest to a question, and their parts', () => {
    const tree = treeAbove(all, settings)
    const home = (top: string): number => tops.findIndex((own) => own.some((one) => one.id === top))
    const question = ALL[7]?.vectors.passages[0] as Int8Array
    const above = summariesAbove(tree, settings, home, question)
    expect(above.map(({ node }) => node.id)).toEqual(ownOf(tree).map((node) => node.id))
    for (const { node, leaves } of above) {
      expect([leaves.length, node.sum]).toEqual([2, undefined])
      for (const [leaf, part] of leaves) expect(part).toBe(home(leaf))
      if (node.layer > erarag.layers + 1) continue
      const near = membersIn(node).map((id) => cosine(question, tree.node(id)?.sum as Int32Array))
      expect(cosine(question, tree.node(leaves[0]?.[0] ?? '')?.sum as Int32Array)).toBe(Math.max(...near))
    }
  })
})
