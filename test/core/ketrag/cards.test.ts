import { describe, expect, it } from 'vitest'
import type { Sight } from '../../../src/core/access/sight'
import { VisibleGraph } from '../../../src/core/access/visible-graph'
import { knowledgeOf } from '../../../src/core/builders/knowledge-row'
import { mentionsOf } from '../../../src/core/builders/mention-list'
import { merged } from '../../../src/core/channels/entity-descriptions'
import { nodeId } from '../../../src/core/ids'
import { ketrag } from '../../../src/core/strategies/ketrag/ketrag'
import { enabledBuilders, isVisibleValue } from '../../../src/core/strategies/registry'
import type { Found } from '../../../src/core/strategy'
import { accumulate, quantize } from '../../../src/core/vectors'
import { D, docs, evidence, settingsWith, vectorFor, type World, world } from './worlds'

const ADA = nodeId('entity', 'ada brant')
const QUESTION = 'What has Ada Brant built in Porto?'

/** Texts a model has read and described; each says something of Ada Brant that no other says. */
function corpus(count = 6): World {
  const at = world(settingsWith({ share: 1 }, true))
  at.change({ add: texts(count) })
  at.settle()
  return at
}

function texts(count: number) {
  return Array.from({ length: count }, (_, i) => {
    const text = `Ada Brant built the bridge of Porto in the year number${i}. The lantern stood near it, said Bela Corvin.`
    return { id: `d${i}`, title: '', text }
  })
}

function cardsOf(at: World, asking: Parameters<World['ask']>[1] = {}, question = QUESTION): readonly Found[] {
  const retrieved = at.ask(question, { own: { theta: 1 }, budget: 2000, topK: 30, ...asking })
  return retrieved.kind === 'evidence' ? retrieved.found.filter((one) => one.text !== undefined) : []
}

/** Of every entity, from the chunks alone. */
function summed({ graph }: World): Map<string, number[]> {
  const sums = new Map<string, Int32Array>()
  for (const chunk of graph.page('chunk', '', 1e6)) {
    const keys = new Map(mentionsOf(graph, chunk).map((one) => [one.entity, one.key]))
    for (const { entity, description } of knowledgeOf(graph, chunk)?.entities ?? []) {
      if (description === '') continue
      const sum = sums.get(entity) ?? new Int32Array(D)
      accumulate(sum, vectorFor(`${keys.get(entity)}: ${description}`))
      sums.set(entity, sum)
    }
  }
  return new Map([...sums].map(([entity, sum]) => [entity, [...quantize(sum)]]))
}

function vectorsIn({ graph }: World): Map<string, number[]> {
  return new Map(graph.page('entity', '', 1e6).flatMap((id) => (graph.vector(id) ? [[id, [...(graph.vector(id) ?? [])]] as const] : [])))
}

const ordered = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))

describe('vectors of entities', () => {
  it('[K261] an entity has the mean of the vectors of its descriptions, whatever came and went', () => {
    const at = world(settingsWith({ share: 1 }, true))
    at.change({ add: docs('a', 30) })
    at.settle()
    at.change({ add: docs('b', 12), remove: docs('a', 30).slice(4, 19) })
    at.settle()
    const vectors = vectorsIn(at)
    expect(vectors.size).toBeGreaterThan(5)
    expect(ordered(vectors)).toEqual(ordered(summed(at)))
    at.change({ remove: [...docs('a', 30), ...docs('b', 12)] })
    expect([vectorsIn(at).size, at.hash()]).toEqual([0, world().hash()])
  })

  it('[K261] what has its vector is not embedded again, and without a model nothing is', () => {
    const at = corpus()
    const once = at.embedded.length
    at.change({ add: docs('b', 3) })
    at.settle()
    expect(new Set(at.embedded).size).toBe(new Set([...at.embedded.slice(0, once), ...at.embedded.slice(once)]).size)
    const builder = ketrag.builders.find((one) => one.name === 'descriptions')
    const again = builder?.update(at.graph, { added: [], removed: [], documents: { added: [], removed: [] }, replies: [] }, at.settings)
    expect(again).toMatchObject({ patch: [], tasks: [] })
  })

  it('[K261] builders run behind those they follow, whichever strategies are on', () => {
    for (const names of [['ketrag', 'archrag'], ['archrag', 'ketrag'], ['ketrag'], ['erarag', 'cluerag', 'ketrag', 'archrag', 'gorag']]) {
      const order = enabledBuilders(names).map((one) => one.name)
      for (const { name, follows = [] } of enabledBuilders(names)) {
        for (const other of follows) expect(order.indexOf(other)).toBeLessThan(order.indexOf(name))
      }
      expect(new Set(order).size).toBe(order.length)
    }
  })

  it('[K263] `nearest` begins at the entities whose descriptions are nearest; names of the question are among them otherwise', () => {
    const at = world(settingsWith({ share: 1 }, true))
    at.change({ add: docs('a', 40) })
    at.settle()
    const seeds = (question: string, own: { readonly [key: string]: string }): readonly { readonly entity: string }[] => {
      const retrieved = at.ask(question, { own })
      return (retrieved.kind === 'evidence' ? (retrieved.trace as unknown as { seeds: { entity: string }[] }).seeds : []) as {
        entity: string
      }[]
    }
    // The scripted embedding of a text is near to that of the same text alone.
    const question = 'quarry: about quarry'
    const names = (list: readonly { readonly entity: string }[]) => list.map((one) => one.entity)
    expect(names(seeds(question, { seeds: 'nearest' }))[0]).toBe('quarry')
    expect(seeds(question, { seeds: 'nearest' }).length).toBe(10)
    expect(names(seeds('Ada Brant or Porto?', { seeds: 'nearest' }))).not.toEqual(names(seeds('Ada Brant or Porto?', {})))
    expect(names(seeds('Ada Brant or Porto?', {}))).toEqual(expect.arrayContaining(['Ada Brant', 'Porto']))
  })
})

it('[K263] vectors of entities stay in the object: the vector index is asked for none', () => {
  expect(ketrag.entries.map((one) => one.kind)).toEqual(['passage', 'keyword'])
})

describe('cards', () => {
  it('[K262] a card has the name, the type, the description and what relates the entity to others, within the budget', () => {
    const at = corpus()
    const [card] = cardsOf(at).filter((one) => one.id === ADA)
    expect(card?.text).toMatch(/^Ada Brant \(person\): about Ada Brant/)
    const shown = evidence(at, at.ask(QUESTION, { own: { theta: 1 }, topK: 30 }), 30)
    const at2 = shown.find((one) => one.id === ADA)
    expect([at2?.kind, at2?.document, at2?.text]).toEqual(['entity', null, card?.text])
    expect(shown.some((one) => card?.support?.includes(one.id))).toBe(true)
  })

  it('[K262] relations are told in the words of the model, each on one card', () => {
    const at = world(settingsWith({ share: 1 }, true))
    at.change({ add: docs('a', 60) })
    at.settle()
    const told = cardsOf(at, { own: { theta: 0.6 }, topK: 12 }, 'Who built the lantern of Porto, Ada Brant or Bela Corvin?').flatMap(
      (one) => one.text?.split('\n').slice(1) ?? [],
    )
    expect(told.length).toBeGreaterThan(0)
    for (const line of told) expect(line).toMatch(/ made the /)
    expect(new Set(told).size).toBe(told.length)
  })

  it('[K262] without a model there are no cards', () => {
    const at = world()
    at.change({ add: docs('a', 30) })
    expect(cardsOf(at)).toEqual([])
  })

  it('[K262] descriptions are merged the same in whatever order documents came: each once, none that another contains', () => {
    const said = ['Ada built it.', 'ada built it', 'Ada', 'Bela slept.'].map((text) => ({ text, passage: 'p' }))
    expect(merged(said).map((one) => one.text)).toEqual(['Ada built it.', 'Bela slept.'])
    expect(merged([{ text: 'a '.repeat(200), passage: 'p' }, ...said]).length).toBe(1)
    const order = (ids: readonly number[]): readonly (string | undefined)[] => {
      const at = world(settingsWith({ share: 1 }, true))
      for (const i of ids) at.change({ add: texts(6).slice(i, i + 1) })
      at.settle()
      return cardsOf(at).map((one) => one.text)
    }
    expect(order([5, 3, 1, 0, 2, 4])).toEqual(order([0, 1, 2, 3, 4, 5]))
  })

  it('[K262] a card speaks for admitted chunks alone, and of a deleted document nothing is left on it', () => {
    const at = world(settingsWith({ share: 1 }, true))
    at.change({ add: texts(4) })
    // The model's words for each chunk are its own.
    for (const task of at.tasks.values()) {
      const text = at.graph.chunk(task.node)?.text ?? ''
      const year = /number\d/.exec(text)?.[0] ?? ''
      const extraction = { units: [], entities: [{ name: 'Ada Brant', type: 'person', description: `built in ${year}` }], relations: [] }
      const reply = { node: task.node, input: task.input, kind: 'extract' as const, extraction }
      at.reply(new Map([['knowledge', [reply]]]))
    }
    at.tasks.clear()
    const years = (asking: Parameters<World['ask']>[1] = {}) =>
      [...new Set(cardsOf(at, asking).flatMap((one) => one.text?.match(/number\d/g) ?? []))].sort()
    expect(years()).toEqual(['number0', 'number1', 'number2', 'number3'])
    const of = (id: string) => at.graph.document(id)?.chunks[0]?.chunk
    expect(years({ admits: (chunk) => chunk === of('d2') })).toEqual(['number2'])
    const readable = new Set(['d0', 'd3'].map(of))
    const sight: Sight = { document: (id) => ['d0', 'd3'].includes(id), chunk: (id) => readable.has(id), derived: () => false }
    const visible = new VisibleGraph(at.graph, sight, isVisibleValue)
    expect([visible.node(ADA)?.vector, visible.node(ADA)?.sum]).toEqual([undefined, undefined])
    const query = { text: QUESTION, terms: ['ada', 'brant', 'built'], near: {}, vector: vectorFor(QUESTION) }
    const seen = ketrag.retrieve(visible, query, new Map(), { topK: 30, budget: 2000, trace: true, own: { theta: 1 } }, at.settings)
    expect([...new Set(JSON.stringify(seen).match(/number\d/g))].sort()).toEqual(['number0', 'number3'])
    at.change({ remove: texts(4).slice(0, 1) })
    expect(years()).toEqual(['number1', 'number2', 'number3'])
  })
})
