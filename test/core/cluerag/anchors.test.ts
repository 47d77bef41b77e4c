/** Where Clue-RAG's walk begins by vectors, and the vectors it needs for that. */
import { describe, expect, it } from 'vitest'
import { INDEXED_UNITS, NAME_VECTORS, nameVector } from '../../../src/core/builders/entry-vectors'
import { namesSaid } from '../../../src/core/channels/names'
import { nodeId } from '../../../src/core/ids'
import { cluerag } from '../../../src/core/strategies/cluerag/cluerag'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { entryVectors, knowledge, senses } from '../../../src/core/strategies/shared-builders'
import type { Brief, Query, Reply, Task } from '../../../src/core/strategy'
import { distinct, terms } from '../../../src/core/text/terms'
import { type Doc, doc, docs, settingsWith, vectorFor, type World, world } from '../builders/worlds'

const byVectors = settingsWith({ cluerag: { ...defaultSettings.cluerag, anchors: 'vectors' } })
const builders = [cluerag.builders[0], knowledge, senses, cluerag.builders[1], entryVectors].filter((one) => one !== undefined)
const entity = (key: string): string => nodeId('entity', key)

function replied(task: Task, brief: Brief): Reply {
  if (brief.kind !== 'embed') throw new Error('unexpected brief')
  return { node: task.node, input: task.input, kind: 'embed', vectors: brief.texts.map(vectorFor) }
}

function settled(at: World): World {
  for (let round = 0; at.tasks.size > 0; round++) {
    if (round > 20) throw new Error('its tasks do not end')
    at.settle(replied)
  }
  return at
}

const grown = (changes: readonly (readonly Doc[])[], settings = byVectors): World => {
  const at = world(builders, settings)
  for (const add of changes) at.change({ add })
  return settled(at)
}

function anchors(at: World, text: string, entries: Pick<Query, 'near'> & Partial<Query>): readonly string[] {
  const query: Query = { text, terms: distinct(terms(text)), vector: vectorFor(text), ...entries }
  const asked = cluerag.retrieve(at.graph, query, new Map(), { topK: 10, budget: 4000, trace: true, own: {} }, at.settings)
  return asked.kind === 'evidence' ? (asked.trace as unknown as { anchors: readonly string[] }).anchors : []
}

const HARBOUR = [
  ...Array.from({ length: 12 }, (_, i) => doc(`n${i}`, '', `A quiet story of a harbour, told in part ${i}.`)),
  doc('far', '', 'Ada Brant bought Seven Lanterns from Ulm.'),
]
const sentence = (at: World, document: string): string =>
  at.graph.chunk(at.graph.document(document)?.chunks[0]?.chunk ?? '')?.units[0]?.id ?? ''

describe('Clue-RAG begins by vectors', () => {
  it('[Q260] at the entities of the nearest of all units, though no passage found by words or vectors holds it', () => {
    const at = world(builders, byVectors, (text) => vectorFor(text.includes('Ada') ? 'a quiet story of a harbour?' : text))
    at.change({ add: HARBOUR })
    const near = { unit: [{ id: sentence(at, 'far'), score: 1 }] }
    expect(anchors(at, 'a quiet story of a harbour?', { near })).toContain(entity('ada brant'))
    expect(anchors(at, 'a quiet story of a harbour?', { near: {} })).not.toContain(entity('ada brant'))
  })

  it('[Q260] at the entities whose names are nearest to the question’s, beside those it says word for word', () => {
    const at = grown([HARBOUR])
    const question = 'What did Aida Brandt take from Ulm?'
    const names = [{ text: 'Aida Brandt', near: [{ id: entity('ada brant'), score: 0.9 }] }]
    expect(namesSaid(question)).toEqual(['Aida Brandt', 'Ulm'])
    expect(anchors(at, question, { near: {}, names })).toEqual(expect.arrayContaining([entity('ada brant'), entity('ulm')]))
    expect(anchors(at, question, { near: {} })).toEqual([entity('ulm')])
  })

  it('[Q260] at most K of each name, and by words alone where the question has no vector', () => {
    const at = grown([docs('many', 20)])
    const all = at.graph.page('entity', '', 20).map((id) => ({ id, score: 0.5 }))
    const names = [{ text: 'Nobody', near: all }]
    expect(anchors(at, 'Who is Nobody?', { near: {}, names })).toEqual(all.slice(0, 3).map((hit) => hit.id))
    const wordless: Query = { text: 'Who is Nobody?', terms: ['nobodi'], near: {}, names }
    const asked = cluerag.retrieve(at.graph, wordless, new Map(), { topK: 5, budget: 1000, trace: true, own: {} }, at.settings)
    expect((asked as unknown as { trace: { anchors: string[] } }).trace.anchors).toEqual([])
  })
})

describe('entry vectors', () => {
  const TEXTS = docs('entries', 18)

  it('[Q261] every entity has its name’s vector and every chunk its units, in whatever order the documents come', () => {
    const at = grown([TEXTS])
    const ids = at.graph.page('entity', '', 1000)
    for (const id of ids) expect(nameVector(at.graph, id)).toEqual(vectorFor(String(at.graph.node(id)?.data.key)))
    const chunks = at.graph.page('chunk', '', 1000)
    expect(at.graph.values(INDEXED_UNITS, '', 1000).map((row) => row.key)).toEqual(chunks)
    const oneByOne = grown([...TEXTS].reverse().map((one) => [one]))
    expect(oneByOne.hash()).toBe(at.hash())
    const behind = world(builders, byVectors)
    for (const one of TEXTS) behind.change({ add: [one] })
    expect(settled(behind).hash()).toBe(at.hash())
  })

  it('[Q261] what came and went leaves nothing, also while its names are being embedded', () => {
    const at = grown([TEXTS.slice(0, 6)])
    const before = at.hash()
    at.change({ add: TEXTS.slice(6) })
    settled(at)
    at.change({ remove: TEXTS.slice(6).map((one) => one.id) })
    expect(settled(at).hash()).toBe(before)
    at.change({ add: TEXTS.slice(6) })
    at.change({ remove: TEXTS.slice(3).map((one) => one.id) })
    settled(at)
    for (const id of at.graph.page('entity', '', 1000)) expect(nameVector(at.graph, id)).toBeDefined()
    at.change({ remove: TEXTS.slice(0, 3).map((one) => one.id) })
    expect([at.graph.values(NAME_VECTORS, '', 9), at.graph.values(INDEXED_UNITS, '', 9), at.tasks.size]).toEqual([[], [], 0])
  })

  it('[Q261] where walks begin by names, nothing of it is made', () => {
    const at = world(builders, settingsWith())
    at.change({ add: TEXTS })
    expect([at.tasks.size, at.graph.values(NAME_VECTORS, '', 9), at.graph.values(INDEXED_UNITS, '', 9)]).toEqual([0, [], []])
  })
})
