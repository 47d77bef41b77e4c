/** When summaries are written, what stands there until then, and what a deletion leaves. */
import { describe, expect, it } from 'vitest'
import type { GraphNode } from '../../../src/core/graph/types'
import { eraBuilder } from '../../../src/core/strategies/erarag/build'
import { docs, settingsWith, treeIn, world } from './worlds'

const small = { min: 2, max: 4 } as const
const pool = docs('texts', 120)
const stale = (nodes: readonly GraphNode[]): GraphNode[] => nodes.filter((node) => node.stale)

describe('without a writer', () => {
  const settings = settingsWith(small)

  it('[E20] every summary has its extractive text within the update, and lacks only its vector', () => {
    const one = world(settings)
    const update = one.change({ add: pool })
    const { summaries } = treeIn(one.graph)
    expect(summaries.filter((node) => node.text === '' || node.stale || node.vector)).toEqual([])
    expect(new Set(update.tasks.map((task) => task.kind))).toEqual(new Set(['embed']))
    expect(update.tasks.length).toBe(summaries.length)
    one.settle()
    expect(treeIn(one.graph).summaries.filter((node) => !node.vector)).toEqual([])
  })
})

describe('with a writer', () => {
  const settings = settingsWith(small, true)

  it('[E20] texts are made from the bottom up: one round for each layer, each summary asked for once', () => {
    const one = world(settings)
    const first = one.change({ add: pool })
    const { layers, summaries } = treeIn(one.graph)
    expect(first.tasks.map((task) => task.node).sort()).toEqual([...(layers[1] ?? [])].sort())
    one.settle()
    expect(one.asked.length).toBe(summaries.length)
    expect(stale(treeIn(one.graph).summaries)).toEqual([])
  })

  it('[E20] one insertion asks only for the summaries it touched', () => {
    const one = world(settings)
    one.change({ add: pool.slice(1) })
    one.settle()
    const before = new Set(treeIn(one.graph).summaries.map((node) => node.id))
    const known = one.asked.length
    one.change({ add: pool.slice(0, 1) })
    one.settle()
    const fresh = treeIn(one.graph).summaries.filter((node) => !before.has(node.id))
    expect(one.asked.length - known).toBeGreaterThan(0)
    expect(one.asked.length - known).toBeLessThanOrEqual(fresh.length)
    expect(fresh.length).toBeLessThan(before.size / 3)
  })

  it('[E20] a child that comes out as it was stops the cascade', () => {
    const one = world(settings)
    one.change({ add: pool.slice(1) })
    one.settle()
    const touched = one.change({ add: pool.slice(0, 1) }).tasks.map((task) => task.node)
    // The model says of each touched segment what stood there before.
    const replies = [...one.tasks.values()].map((task) => {
      const text = one.graph.node(task.node)?.text ?? ''
      return {
        node: task.node,
        input: task.input,
        kind: 'summarize' as const,
        text: text || 'new',
        vector: new Int8Array(16).fill(3),
        generator: 'model' as const,
      }
    })
    const parents = touched.flatMap((id) => one.graph.edges('member', id).map((edge) => edge.target))
    const carried = parents.every((id) => one.graph.node(id)?.text !== '') && touched.length === 1
    const after = eraBuilder.update(one.graph, { added: [], removed: [], documents: { added: [], removed: [] }, replies }, settings)
    expect(carried).toBe(true) // one segment took the chunk in, so its former text and its parent's could stand
    expect(after.tasks).toEqual([])
  })

  it('[E23] a reply to a question that is no longer asked is not taken', () => {
    const one = world(settings)
    one.change({ add: pool.slice(0, 30) })
    const [task] = [...one.tasks.values()]
    const reply = {
      node: task?.node ?? '',
      input: 'another',
      kind: 'summarize' as const,
      text: 'wrong',
      vector: new Int8Array(16),
      generator: 'model' as const,
    }
    const update = eraBuilder.update(
      one.graph,
      { added: [], removed: [], documents: { added: [], removed: [] }, replies: [reply] },
      settings,
    )
    expect(update.patch).toEqual([])
    expect(
      eraBuilder.brief?.(
        one.graph,
        { ...(task ?? { builder: '', kind: 'summarize', node: '', urgent: true }), input: 'another' },
        settings,
      ),
    ).toBeUndefined()
  })

  it('[E23] an unusable reply leaves the extractive text, which is then embedded', () => {
    const one = world(settings)
    one.change({ add: pool.slice(0, 6) })
    const [task] = [...one.tasks.values()]
    const reply = { node: task?.node ?? '', input: task?.input ?? '', kind: 'unusable' as const, reason: 'invalid' }
    const update = eraBuilder.update(
      one.graph,
      { added: [], removed: [], documents: { added: [], removed: [] }, replies: [reply] },
      settings,
    )
    one.graph.apply(update.patch)
    expect(one.graph.node(reply.node)?.text).toMatch(/^Fact/)
    expect(one.graph.node(reply.node)?.data.generator).toBe('extractive')
    expect(update.tasks.find((next) => next.node === reply.node)?.kind).toBe('embed')
  })
})

describe.each([
  ['eager', false],
  ['eager', true],
  ['lazy', false],
  ['lazy', true],
] as const)('%s writing, writer %s', (writing, writer) => {
  const settings = settingsWith({ ...small, writing }, writer)

  it('[E23] no text of a deleted document is left after the update, whatever has been written before', () => {
    const one = world(settings)
    const telling = (i: number): string[] => [...one.graph.lines()].filter((line) => new RegExp(`Fact texts ${i}\\b`).test(line))
    one.change({ add: pool.slice(0, 60) })
    one.settle()
    expect([3, 17, 40, 55].some((i) => telling(i).length > 1)).toBe(true) // its chunk, and summaries
    one.change({ add: pool.slice(60, 90) }) // in lazy mode some texts now stand in larger segments than they describe
    for (const i of [3, 17, 40, 55]) {
      one.change({ remove: pool.slice(i, i + 1) })
      expect(telling(i)).toEqual([])
    }
  })

  it('[E23] a stale summary says so, and urgent is what a job waits for', () => {
    const one = world(settings)
    const update = one.change({ add: pool.slice(0, 40) })
    expect(new Set(update.tasks.map((task) => task.urgent))).toEqual(new Set([writing === 'eager']))
    for (const node of treeIn(one.graph).summaries) expect(node.stale ?? false).toBe(node.text === '')
    one.settle()
    expect(stale(treeIn(one.graph).summaries)).toEqual([])
  })
})

it('[E23] lazily, a segment that only grew keeps its former text, marked stale', () => {
  const settings = settingsWith({ ...small, writing: 'lazy' }, true)
  const one = world(settings)
  one.change({ add: pool.slice(1) })
  one.settle()
  one.change({ add: pool.slice(0, 1) })
  const touched = stale(treeIn(one.graph).summaries)
  expect(touched.length).toBeGreaterThan(0)
  expect(touched.filter((node) => node.text !== '' && node.vector).length).toBeGreaterThan(0)
})
