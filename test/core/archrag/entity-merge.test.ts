/** A caller's word on names: in force at once, listed in the audit, and undone without a trace in the communities. */
import { expect, it } from 'vitest'
import { mergeCandidates, mergedNames, operations, sameAs } from '../../../src/core/builders/resolution'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { type MergeDecision, unmergeEntities, withNames } from '../../../src/core/strategies/archrag/entity-merge'
import { mergeEntities } from './merged'
import { communitiesIn, docs, faults, settingsWith, type World, world } from './worlds'

const NOTHING = { added: [], removed: [], documents: { added: [], removed: [] }, replies: [] } as const
const pool = docs('pool', 60)

function built(): World {
  const one = world(settingsWith({ max: 6, min: 2 }))
  one.change({ add: pool })
  return one
}

/** As the object does it. */
function take({ graph, settings, take: keep }: World, decided: MergeDecision): void {
  if (decided.kind !== 'done') throw new Error(decided.kind)
  graph.apply(decided.patch)
  keep(archBuilder.update(graph, { ...NOTHING, changes: decided.patch }, settings))
}

it('[A38] a caller’s merge is in force at once, its communities follow, and the audit says who, when and how alike the two looked', () => {
  const one = built()
  const [a = '', b = ''] = one.graph.page('entity', '', 2)
  take(one, mergeEntities(one.graph, a, b, 7))
  expect([sameAs(one.graph, a), sameAs(one.graph, b)]).toEqual([[b], [a]])
  expect(faults(one)).toEqual([])
  expect(operations(one.graph, 0, 9)).toMatchObject([{ n: 0, op: 'merge', by: 'caller', a, b, at: 7, spelling: expect.any(Number) }])
  expect(mergeEntities(one.graph, b, a, 8)).toEqual({ kind: 'unchanged' })
  expect(mergeEntities(one.graph, a, 'e_nobody', 8)).toEqual({ kind: 'missing' })
  const names = operations(one.graph, 0, 9).map((row) => withNames(one.graph, row).names)
  expect(names).toEqual([[one.graph.node(a)?.text, one.graph.node(b)?.text]])
})

it('[A38] an undo parts what was merged, by whomever, and no rule joins the two again', () => {
  const one = built()
  const before = communitiesIn(one.graph).map((node) => node.id)
  const [a = '', b = '', c = ''] = one.graph.page('entity', '', 3)
  take(one, mergeEntities(one.graph, a, b, 1))
  take(one, mergeEntities(one.graph, a, c, 2))
  expect([b, c].map((id) => [...mergedNames(one.graph, id)].sort())).toEqual([[a, b, c].sort(), [a, b, c].sort()])
  take(one, unmergeEntities(one.graph, a, null, 3))
  expect([a, b, c].map((id) => sameAs(one.graph, id))).toEqual([[], [], []])
  expect(operations(one.graph, 0, 9).map(({ op, by, at }) => [op, by, at])).toEqual([
    ['merge', 'caller', 1],
    ['merge', 'caller', 2],
    ['undo', 'caller', 3],
    ['undo', 'caller', 3],
  ])
  expect(faults(one)).toEqual([])
  expect(unmergeEntities(one.graph, a, b, 4)).toEqual({ kind: 'unchanged' })
  const vector = new Int8Array(24).fill(1)
  expect(mergeCandidates(one.graph, [a, b, c], () => vector).filter((pair) => [pair.a, pair.b].includes(a))).toEqual([])
  expect(communitiesIn(one.graph).length).toBeGreaterThan(0.5 * before.length)
})
