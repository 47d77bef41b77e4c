/** What is near newcomers, looked for by way of the communities above them. */
import { expect, it } from 'vitest'
import { draftOf } from '../../../src/core/graph/draft'
import { random } from '../../../src/core/random'
import { clusteringOf } from '../../../src/core/strategies/archrag/clustering-state'
import { descend } from '../../../src/core/strategies/archrag/descent'
import { cosine } from '../../../src/core/vectors'
import { docs, settingsWith, type World, world } from './worlds'

const settings = settingsWith({ max: 8, min: 2 })

function opened({ graph }: World): ReturnType<typeof clusteringOf> {
  return clusteringOf(draftOf(graph), settings.archrag, false)
}

it('[A2280] newcomers with the same vector are looked for once, and each finds the others and all that comparing it with every node finds', () => {
  const one = world(settings)
  one.change({ add: docs('pool', 60) })
  const clustering = opened(one)
  const { rows } = clustering
  const ids = rows.load(0)
  expect(ids.length).toBeLessThan(256) // few enough to be compared whole
  const [first] = ids.map((id) => rows.read(0, id)?.vector)
  const alike = ids.slice(0, 30).filter((_, i) => i % 3 === 0)
  for (const id of alike) rows.write(0, id, { vector: first ?? fail(), links: [], ups: [] })
  rows.write(0, ids[40] ?? fail(), { vector: new Int8Array(first?.length ?? 0), links: [], ups: [] })
  const asked = random('asked').shuffle([...ids])
  for (const count of [1, 5, 12]) {
    const found = descend(clustering, 0, asked, count)
    for (const id of ids) {
      const own = rows.read(0, id)?.vector ?? fail()
      const all = ids.map((other) => ({ id: other, score: cosine(own, rows.read(0, other)?.vector ?? []) }))
      const best = all.filter((other) => other.score > 0 && other.id !== id).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      expect(found.get(id)).toEqual(best.slice(0, count))
    }
  }
})

function fail(): never {
  throw new Error('not there')
}
