import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ABOUT, mentionsOf } from '../../../src/core/builders/mention-list'
import { entityData, mentions } from '../../../src/core/builders/mentions'
import { namesIn } from '../../../src/core/channels/names'
import { nodeId } from '../../../src/core/ids'
import { doc, docs, world } from './worlds'

const oslo = nodeId('entity', 'oslo')

describe('mentions', () => {
  it('[Q5] an entity knows its surfaces and how many chunks mention it, and is walked to with the ordinals of the units', () => {
    const at = world([mentions])
    at.change({
      add: [doc('a', 'Ada Brant', 'She lived there. Ada Brant left Oslo. OSLO was cold.'), doc('b', '', 'Trains reach Oslo daily.')],
    })
    const node = at.graph.node(oslo)
    expect(node && { text: node.text, ...entityData(node) }).toEqual({
      text: 'Oslo',
      key: 'oslo',
      chunks: 2,
      aliases: { OSLO: 1, Oslo: 2 },
    })
    const about = at.graph.edgesTo('mentions', nodeId('entity', 'ada brant'))
    expect(about.map((edge) => edge.data)).toEqual([[ABOUT, 1]])
  })

  it('[Q5] deleting gives back the graph, whatever was inserted', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 6 }), (seed, count) => {
        const at = world([mentions])
        at.change({ add: docs('base', 5) })
        const before = at.hash()
        const added = docs(`s${seed}`, count)
        at.change({ add: added })
        at.change({ remove: added.map((one) => one.id) })
        expect(at.hash()).toBe(before)
      }),
      { seed: 4, numRuns: 25 },
    )
  })

  it('[Q5] the order of arrival does not matter, and an emptied corpus has no entity', () => {
    const all = docs('order', 8)
    const [one, other] = [world([mentions]), world([mentions])]
    one.change({ add: all })
    for (const each of [...all].reverse()) other.change({ add: [each] })
    expect(other.hash()).toBe(one.hash())
    one.change({ remove: all.map((each) => each.id) })
    expect([one.graph.count('entity'), one.hash()]).toEqual([0, world([mentions]).hash()])
  })

  it('[Q701] initials are the one person whose full name the chunk says, and either name finds them; casing makes no other name', () => {
    const at = world([mentions])
    at.change({
      add: [doc('a', '', 'John Smith came. J. R. Smith left LOAM; Loam stayed.'), doc('b', '', 'Bob Reed met Ben Reed. B. Reed left.')],
    })
    const john = nodeId('entity', 'john smith')
    expect(at.graph.node(john)?.data.aliases).toEqual({ 'J. R. Smith': 1, 'John Smith': 2 }) // said once, and the document's name
    expect(at.graph.node(nodeId('entity', 'loam'))?.data.aliases).toEqual({ LOAM: 1, Loam: 1 })
    expect(namesIn(at.graph, 'Who is J. R. Smith?').flatMap((one) => one.entities)).toEqual([john])
    expect(at.graph.node(nodeId('entity', 'b reed'))).toBeDefined()
    at.change({ remove: ['a', 'b'] })
    expect(at.hash()).toBe(world([mentions]).hash())
  })

  it('[Q5] a chunk mentions at most 32 names beside its own', () => {
    const at = world([mentions])
    const names = Array.from(
      { length: 60 },
      (_, i) => `Nam${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + Math.floor(i / 26))}`,
    )
    at.change({ add: [doc('a', 'Own Name', names.join(', '))] })
    for (const id of at.graph.page('chunk', '', 9)) expect(mentionsOf(at.graph, id).length).toBeLessThanOrEqual(33)
  })
})
