/** What the object's graph keeps of mentions and of nodes for questions, without the rest of their rows. */
import { expect, it } from 'vitest'
import { SqliteGraph } from '../../../durable-objects/graph/sqlite-graph'
import { MENTIONS, mentionsOf } from '../../../src/core/builders/mention-list'
import { mentionCount, mentionCounts, mentions } from '../../../src/core/builders/mentions'
import { integrate } from '../../../src/core/graph/integrate'
import { MemoryGraph } from '../../../src/core/graph/memory'
import { random } from '../../../src/core/random'
import { D, divided, doc, settingsWith, vectorFor } from '../../core/builders/worlds'
import { memorySql } from '../../node-sqlite'

const KEEPERS = ['Ada Quill', 'Bram Holt', 'Cora Lund', 'Dov Marsh']

it('[G2210] what a chunk mentions and a number of a node are answered alike with and without a hint, and follow every change', () => {
  const dice = random('mentioned')
  const settings = settingsWith()
  const graph = new SqliteGraph({ sql: memorySql(), dimensions: D })
  graph.migrate()
  const plain = new MemoryGraph(D)
  const chunks = new Set<string>()
  const entities = new Set(['e_nobody'])
  let seen = 0
  for (let round = 0; round < 60; round++) {
    const id = `island-${dice.below(5)}`
    const text = `${KEEPERS[dice.below(KEEPERS.length)]} keeps the light. ${KEEPERS[dice.below(KEEPERS.length)]} brings oil.`
    const upserts = dice.below(3) > 0 ? [divided(doc(id, `Isle ${id}`, text), settings, vectorFor)] : []
    const { patch, delta } = integrate(graph, { upserts, deletes: upserts.length > 0 ? [] : [id] })
    for (const one of [graph, plain]) one.apply(patch, graph.version + 1)
    const built = mentions.update(graph, { ...delta, replies: [], changes: [] }, settings).patch
    for (const one of [graph, plain]) one.apply(built, graph.version + 1)
    for (const { chunk } of upserts.flatMap((one) => one.chunks)) chunks.add(chunk.id)
    const lists = [...chunks].map((chunk) => mentionsOf(plain, chunk))
    for (const { entity } of lists.flat()) entities.add(entity)
    if (dice.below(2) > 0)
      graph.preload({ ...mentionCounts([...entities]), mentioned: [...chunks], values: [{ space: MENTIONS, keys: [...chunks] }] })
    expect([...chunks].map((chunk) => graph.mentioned(chunk))).toEqual(
      lists.map((list) => list.map(({ entity, units }) => ({ entity, units }))),
    )
    expect([...entities].map((entity) => mentionCount(graph, entity))).toEqual([...entities].map((entity) => mentionCount(plain, entity)))
    seen += lists.flat().length
  }
  expect(seen).toBeGreaterThan(100)
})
