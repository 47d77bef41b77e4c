/** Extracts above the lowest layer, which stand while they are true. */
import { expect, it } from 'vitest'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { docs, settingsWith, type World, world } from './worlds'

const higher = ({ graph }: World) =>
  graph.page('community', '', 1000).flatMap((id) => {
    const node = graph.node(id)
    return node && node.layer > 1 ? [node] : []
  })

/** Matters spoken of above the lowest layer that no report below speaks of: each sentence of these worlds has one of its own. */
function unsaid(one: World): string[] {
  return higher(one).flatMap((node) => {
    const below = communityOf(node).members.map((id) => one.graph.node(id)?.text ?? '')
    const said = node.text.match(/In matter \w+ \d+ \d+ there stood \w+ beside \w+/g) ?? []
    return said.filter((sentence) => !below.some((text) => text.includes(sentence)))
  })
}

it('[A1653] without a text model an extract above the lowest layer stands while all it says is said below, until its community has grown by half', () => {
  const one = world(settingsWith({ min: 2 }))
  const all = docs('standing', 80)
  one.change({ add: all.slice(0, 40) })
  let stood = 0
  for (const [i, item] of all.slice(40).entries()) {
    const before = new Map(higher(one).map((node) => [node.id, { text: node.text, below: belowOf(one, node.id) }]))
    one.change(i % 5 === 4 ? { add: [item], remove: [all[i] as (typeof all)[number]] } : { add: [item] })
    expect(unsaid(one)).toEqual([])
    for (const node of higher(one)) {
      const { members, size = 0 } = communityOf(node)
      expect(node.stale).toBeUndefined()
      expect(members.length).toBeLessThanOrEqual(1.5 * size)
      const known = before.get(node.id)
      if (known && known.text === node.text && known.below !== belowOf(one, node.id)) stood++
    }
  }
  expect(stood).toBeGreaterThan(0)
})

it('[A1653] where text is taken away what stands above is written anew', () => {
  const one = world(settingsWith({ min: 2 }))
  const all = docs('taken', 60)
  for (const item of all) one.change({ add: [item] })
  const gone = all[7]
  if (gone) one.change({ remove: [gone] })
  const lost = gone?.chunk.text.split('. ').map((sentence) => sentence.replace(/\.$/, '')) ?? []
  for (const node of higher(one)) for (const sentence of lost) expect(node.text).not.toContain(sentence)
  expect(unsaid(one)).toEqual([])
})

function belowOf({ graph }: World, id: string): string {
  const node = graph.node(id)
  return node
    ? communityOf(node)
        .members.map((member) => graph.node(member)?.text ?? '')
        .join('\n')
    : ''
}
