/** Questions that two passages answer together, made from the corpus itself. */
import { expect, it } from 'vitest'
import { auto } from '../../../src/core/strategies/auto/auto'
import { type PairProbe, pairProbesOf } from '../../../src/core/strategies/auto/pair-probes'
import { doc, type World, world } from '../builders/worlds'

const CITIES = ['Ulm', 'Vigo', 'Brno', 'Lund', 'Bari', 'Gent', 'Cork', 'Graz']
const books = CITIES.map((city, n) =>
  doc(
    `book${n}`,
    `The Quiet Foundry of ${city}`,
    `It sold well in spite of its length. This novel about molten iron was written by Cyra Dunn${n} during one winter.`,
  ),
)
const writers = CITIES.map((city, n) =>
  doc(
    `writer${n}`,
    `Cyra Dunn${n}`,
    `She lives beside the harbour. As a student of geology she walked across the whole of ${city} with a small hammer.`,
  ),
)
const notes = ['north', 'south'].map((side) =>
  doc(
    `note-${side}`,
    '',
    `The bell tower stands in the ${side} of the town. Its keeper wrote a long letter to Ondine Vasarhely about the storm that broke the ${side} window.`,
  ),
)

const places = (at: World, { chunk, first }: PairProbe) => [first.chunk, chunk].map((id) => at.graph.placements(id)[0]?.document ?? '')

it('[Q520] a pair is linked by a name, which its question does not say', () => {
  const at = world(auto.builders)
  at.change({ add: [...books, ...writers] })
  const probes = pairProbesOf(at.graph)
  expect(probes.length).toBeGreaterThan(4)
  for (const probe of probes) {
    const [from = '', to = ''] = places(at, probe)
    expect([from, to]).toEqual([from, from.replace('book', 'writer')])
    expect(probe.text).not.toMatch(/cyra|dunn/i)
    const chunk = at.graph.chunk(probe.chunk)
    expect([probe.unit, chunk?.passages[probe.passage] !== undefined]).toEqual([-1, true])
    expect(probe.text.split(' ').filter((word) => chunk?.text.includes(word)).length).toBeGreaterThanOrEqual(2)
  }
  expect(pairProbesOf(at.graph)).toEqual(probes)
})

it('[Q520] documents without names are paired by a rare name that both say', () => {
  const at = world(auto.builders)
  at.change({ add: notes })
  const probes = pairProbesOf(at.graph)
  expect(probes.map((one) => places(at, one)).sort()).toEqual([
    ['note-north', 'note-south'],
    ['note-south', 'note-north'],
  ])
  for (const { text } of probes) expect(text).not.toMatch(/ondine|vasarhely/i)
})
