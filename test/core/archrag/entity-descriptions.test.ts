/** Descriptions of one entity: merged when they have grown, and never longer-lived than what they were merged from. */
import { expect, it } from 'vitest'
import { KNOWLEDGE, knowledgeOf, packedKnowledge } from '../../../src/core/builders/knowledge-row'
import type { Change } from '../../../src/core/graph/types'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { describeEntity } from '../../../src/core/strategies/archrag/entities'
import { docs, settingsWith, type World, world } from './worlds'

const NOTHING = { added: [], removed: [], documents: { added: [], removed: [] }, replies: [] } as const
const pool = docs('pool', 80)
const long = (chunk: string): string =>
  `In ${chunk} it is said at length, and with many words, that ${'the tower stood by the sea and '.repeat(5)}fell.`

/** As if a model had read these chunks and described the entity. */
function tell({ graph, settings, take }: World, entity: string, chunks: readonly string[], say: (chunk: string) => string): void {
  const changes = chunks.map((chunk): Change => {
    const relations = knowledgeOf(graph, chunk)?.relations ?? []
    const value = packedKnowledge({ by: 'model', entities: [{ entity, type: 'tower', description: say(chunk) }], relations })
    return { op: 'put-value', space: KNOWLEDGE, key: chunk, value }
  })
  graph.apply(changes)
  take(archBuilder.update(graph, { ...NOTHING, changes }, settings))
}

it('[A40] descriptions are merged once they no longer fit, again when they have doubled, and die with what they were merged from', () => {
  const one = world(settingsWith({ max: 6, min: 2 }, true))
  one.change({ add: pool })
  one.settle()
  const ids = one.graph.page('entity', '', 1000)
  const often = ids.map((id) => ({ id, chunks: one.graph.edgesTo('mentions', id).map((edge) => edge.source) }))
  const { id = '', chunks = [] } = often.sort((a, b) => b.chunks.length - a.chunks.length)[0] ?? {}
  expect(chunks.length).toBeGreaterThanOrEqual(5)
  const wanted = (): boolean => [...one.tasks.values()].some((task) => task.kind === 'summarize' && task.node === id)

  tell(one, id, chunks.slice(0, 1), long)
  expect(wanted()).toBe(false) // one description is no list
  tell(one, id, chunks.slice(1, 3), () => 'A tower.')
  expect(wanted()).toBe(false) // they fit
  tell(one, id, chunks.slice(1, 3), long)
  expect(wanted()).toBe(true)
  one.settle()
  expect(describeEntity(one.graph, id)).toMatchObject({ text: expect.stringMatching(/^Merged: /), from: [...chunks.slice(0, 3)].sort() })
  tell(one, id, chunks.slice(3, 4), long)
  expect(wanted()).toBe(false) // a third more
  const last = chunks[0] ?? ''
  const gone = pool.filter((doc) => doc.chunk.id === last)
  const from = one.asked.length
  one.change({ remove: gone })
  expect(wanted()).toBe(false)
  expect(describeEntity(one.graph, id).text).not.toContain(last)
  expect(describeEntity(one.graph, id).text).not.toMatch(/^Merged/)
  one.settle()
  expect(one.asked.slice(from)).not.toContain(id)
  one.change({ remove: pool.filter((doc) => doc.chunk.id !== last) })
  expect(one.graph.values('archrag/told', '', 10)).toEqual([])
})
