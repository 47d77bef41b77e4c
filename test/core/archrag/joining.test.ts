/** Names of one thing in a corpus too large to hold the words of all: joined in steps, as all at once would join them. */
import { expect, it } from 'vitest'
import { operations, sameAs, undo } from '../../../src/core/builders/resolution'
import { draftOf } from '../../../src/core/graph/draft'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { clusteringOf } from '../../../src/core/strategies/archrag/clustering-state'
import { pairsInSteps, pairsOfAll } from '../../../src/core/strategies/archrag/joining'
import type { Update } from '../../../src/core/strategy'
import { doc, faults, settingsWith, vectorFor, type World, world } from './worlds'

const BASES = [
  'Alvemar Torvik',
  'Brinholm Castel',
  'Dorvale Minster',
  'Elsemoor Haven',
  'Fenwick Torvik',
  'Garnet Castel',
  'Holmby Minster',
]
const named = (name: string, context: string) => doc(`doc ${name}`, [`Here stood ${name} alone.`], [vectorFor(context)])
const both = BASES.map((name) => [named(name, name), named(`${name}s`, name)] as const)

function built(anew: number): World {
  const one = world(settingsWith({ anew }))
  one.change({ add: both.flat() })
  return one
}

function all<T>(steps: Iterator<number, T>, between: (step: number) => void = () => {}): { readonly end: T; readonly steps: number } {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next()
    if (done) return { end: value, steps: count }
    expect(value).toBeGreaterThan(0)
    between(count)
  }
}

/** As the object consolidates a corpus of more than `anew` entities. */
const begun = (one: World): Iterator<number, Update> => archBuilder.consolidating?.(one.graph, one.settings) ?? fail()

const joined = (one: World): string[] =>
  one.graph.page('entity', '', 100).flatMap((id) => sameAs(one.graph, id).map((other) => `${id} ${other}`))

it('[A2463] a step at a time the same pairs are found as at once, however many words are held', () => {
  const { graph, settings } = built(0)
  const at = pairsOfAll(clusteringOf(draftOf(graph), settings.archrag, false))
  expect(at.length).toBe(BASES.length)
  for (const held of [1, 3, 5, 1000]) expect(all(pairsInSteps(graph, held)).end).toEqual(at)
  expect(all(pairsInSteps(graph, 1)).steps).toBeGreaterThan(all(pairsInSteps(graph, 1000)).steps) // each share reads the names again
})

it('[A2463] a corpus of more than `anew` entities is consolidated in steps, to the same state; a smaller one at once', () => {
  const small = built(6000)
  expect(archBuilder.consolidating?.(small.graph, small.settings)).toBe(undefined)
  const [large, once] = [built(1), built(1)]
  large.take(all(begun(large)).end)
  once.take(archBuilder.consolidate?.(once.graph, once.settings) ?? fail())
  expect(joined(large).length).toBe(2 * BASES.length)
  expect([large.hash(), faults(large)]).toEqual([once.hash(), []])
  expect(all(begun(large)).end.patch).toEqual([])
})

it('[A2463] what has gone, or been parted, between two steps is not joined', () => {
  const one = built(1)
  const [gone] = both
  const idOf = (name: string): string => one.graph.page('entity', '', 100).find((id) => one.graph.node(id)?.text === name) ?? fail()
  const [a, b] = [idOf(BASES[1] ?? ''), idOf(`${BASES[1]}s`)]
  const { end } = all(begun(one), (step) => {
    if (step !== 2) return
    one.change({ remove: [gone?.[1] ?? fail()] })
    const draft = draftOf(one.graph)
    draft.putValue('resolution/same', a, [b])
    draft.putValue('resolution/same', b, [a])
    undo(draft, a, b, 'caller')
    one.graph.apply(draft.patch())
  })
  one.take(end)
  expect([sameAs(one.graph, a), sameAs(one.graph, idOf(BASES[0] ?? ''))]).toEqual([[], []])
  expect(joined(one).length).toBe(2 * (BASES.length - 2))
  expect(operations(one.graph, 0, 99).filter(({ op }) => op === 'merge').length).toBe(BASES.length - 2)
  expect(faults(one)).toEqual([])
})

function fail(): never {
  throw new Error('is missing')
}
