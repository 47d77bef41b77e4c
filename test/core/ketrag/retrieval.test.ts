import { describe, expect, it } from 'vitest'
import { knowledgeOf } from '../../../src/core/builders/knowledge-row'
import { chunkOf, kindOf } from '../../../src/core/ids'
import { ketrag } from '../../../src/core/strategies/ketrag/ketrag'
import { readOptions } from '../../../src/core/strategies/ketrag/options'
import { ketDefaults } from '../../../src/core/strategies/ketrag/settings'
import type { Found, Retrieved } from '../../../src/core/strategy'
import { countTokens } from '../../../src/core/text/tokens'
import { type Asking, docs, evidence, settingsWith, type World, world } from './worlds'

const QUESTION = 'Who built the lantern of Porto, Ada Brant or Bela Corvin, with mark x7?'

function corpus(writer = false, vectors = true): World {
  const at = world(settingsWith({ share: 1 }, writer), vectors)
  at.change({ add: docs('a', 60) })
  at.settle()
  at.consolidate()
  return at
}

const plain = corpus()

function found(retrieved: Retrieved): readonly Found[] {
  return retrieved.kind === 'evidence' ? retrieved.found : []
}

interface Trace {
  readonly theta: number
  readonly keywords: readonly { readonly term: string; readonly score: number }[]
  readonly seeds: readonly { readonly entity: string; readonly score: number }[]
  readonly relations: readonly { readonly within: boolean }[]
}

function traced(at: World, asking: Asking = {}): Trace {
  const retrieved = at.ask(QUESTION, asking)
  return (retrieved.kind === 'evidence' ? retrieved.trace : undefined) as unknown as Trace
}

function tokens(at: World, list: readonly Found[]): number {
  return list.reduce((sum, one) => sum + (one.text === undefined ? (at.graph.text(one.id)?.tokens ?? 0) : countTokens(one.text)), 0)
}

describe.each([
  ['with vectors', plain],
  ['without vectors', corpus(false, false)],
  ['with a model', corpus(true)],
])('any corpus, %s', (_, at) => {
  it('[K24] every piece of evidence is a passage or a sentence at its exact place in a document, or a card with a passage it was drawn from', () => {
    const list = evidence(at, at.ask(QUESTION))
    expect(list.length).toBeGreaterThan(3)
    const passages = new Set(list.map((one) => one.id))
    for (const card of found(at.ask(QUESTION)).filter((one) => one.text !== undefined)) {
      expect(card.support?.some((id) => passages.has(id))).toBe(true)
    }
    for (const one of list.filter(({ kind }) => kind !== 'entity')) {
      expect(['passage', 'unit']).toContain(one.kind)
      expect(one.document).not.toBeNull()
      expect(at.graph.text(one.id)?.text).toBe(one.text)
    }
  })

  it('[K24] the same question to the same graph has the same answer', () => {
    expect(at.ask(QUESTION)).toEqual(at.ask(QUESTION))
  })

  it('[K11] nothing is packed twice: no piece repeats, and no unit of a packed passage stands beside it', () => {
    for (const theta of [0, 0.3, 0.6, 1]) {
      const list = found(at.ask(QUESTION, { own: { theta }, topK: 40, budget: 1500 }))
      const ids = list.map((one) => one.id)
      expect(new Set(ids).size).toBe(ids.length)
      const passages = new Set(ids)
      for (const id of ids) {
        if (kindOf(id) !== 'unit') continue
        const chunk = at.graph.chunk(chunkOf(id))
        const unit = chunk?.units.find((one) => one.id === id)
        expect(passages.has(chunk?.passages[unit?.passage ?? -1]?.id ?? '')).toBe(false)
      }
    }
  })

  it('[K11] seeds are at most ten, and names the question says come first', () => {
    const { seeds } = traced(at)
    expect(seeds.length).toBeLessThanOrEqual(10)
    expect(new Set(seeds.slice(0, 3).map((one) => one.entity))).toEqual(new Set(['Ada Brant', 'Bela Corvin', 'Porto']))
  })

  it('[K11] each channel keeps within its share of tokens and pieces', () => {
    for (const theta of [0, 0.2, 0.5, 0.8, 1]) {
      const [topK, budget] = [20, 600]
      const list = found(at.ask(QUESTION, { own: { theta }, topK, budget }))
      const skeleton = list.filter((one) => !one.via.startsWith('keyword'))
      expect(tokens(at, skeleton)).toBeLessThanOrEqual(theta * budget)
      expect(skeleton.length).toBeLessThanOrEqual(Math.round(theta * topK))
      expect(tokens(at, list)).toBeLessThanOrEqual(budget)
      expect(list.length).toBeLessThanOrEqual(topK)
    }
  })

  it('[K11] θ = 0 walks no skeleton and θ = 1 asks no keyword', () => {
    expect(traced(at, { own: { theta: 0 } })).toMatchObject({ theta: 0, seeds: [], relations: [] })
    expect(traced(at, { own: { theta: 1 } })).toMatchObject({ theta: 1, keywords: [] })
    expect(found(at.ask(QUESTION, { own: { theta: 1 } })).length).toBeGreaterThan(0)
    expect(found(at.ask(QUESTION, { own: { theta: 0 } })).every((one) => one.via === 'keyword')).toBe(true)
  })

  it('[K24] evidence comes from admitted chunks alone', () => {
    const admitted = new Set(at.graph.page('chunk', '', 1e6).filter((_, i) => i % 3 === 0))
    const list = found(at.ask(QUESTION, { admits: (chunk) => admitted.has(chunk), own: { theta: 0.5 } }))
    expect(list.length).toBeGreaterThan(0)
    for (const one of list) for (const id of one.support ?? [one.id]) expect(admitted.has(chunkOf(id))).toBe(true)
  })

  it('[K11] a text of the skeleton mentions a seed or ends a relation, not merely its chunk', () => {
    const own = { theta: 1 }
    const { seeds } = traced(at, { own })
    const list = found(at.ask(QUESTION, { own })).filter((one) => one.via === 'skeleton text')
    expect(list.length).toBeGreaterThan(0)
    for (const one of list.slice(0, 3)) {
      const text = at.graph.text(one.id)
      const title = text ? (at.graph.chunk(text.chunk)?.name ?? '') : ''
      const said = `${title} ${text?.text}`.toLowerCase()
      expect(seeds.some((seed) => said.includes(seed.entity.toLowerCase()))).toBe(true)
    }
  })

  it('[K24] an empty question and an unknown word find what vectors find, or nothing', () => {
    for (const text of ['', '???', 'zzzz']) {
      const list = found(at.ask(text, { vector: false }))
      expect(list).toEqual([])
    }
  })
})

it('[K13] a keyword is compared by the direction of its mean: how often it occurs is no advantage', () => {
  const { keywords } = traced(plain, { own: { theta: 0 } })
  expect(keywords.length).toBeGreaterThan(0)
  for (const one of keywords) expect(Math.abs(one.score)).toBeLessThanOrEqual(1 + 1e-9)
})

it('[K11] relations between seeds come before those that lead out', () => {
  const { relations } = traced(plain, { own: { theta: 1 } })
  const within = relations.map((one) => one.within)
  expect(within).toContain(true)
  expect(within.lastIndexOf(true)).toBeLessThan(within.includes(false) ? within.indexOf(false) : within.length)
})

it('[K19] the model is asked for entities and relations of single chunks, never for reports; each chunk by itself', () => {
  const at = world(settingsWith({ share: 1 }, true))
  at.change({ add: docs('a', 8) })
  expect(at.tasks.size).toBe(at.graph.count('chunk'))
  const builder = ketrag.builders.find((one) => one.name === 'knowledge')
  for (const task of at.tasks.values()) {
    const brief = builder?.brief?.(at.graph, task, at.settings)
    expect(brief).toEqual({
      kind: 'extract',
      name: at.graph.chunk(task.node)?.name,
      text: at.graph.chunk(task.node)?.text,
      want: { units: false, graph: true },
    })
  }
})

it('[V402] types of entities that a corpus asks for reach the model, and another list is another question', () => {
  const open = world(settingsWith({ share: 1 }, true))
  const closed = world({ ...open.settings, extraction: { gleanings: 0, types: ['person', 'place'] } })
  for (const at of [open, closed]) at.change({ add: docs('a', 2) })
  const builder = ketrag.builders.find((one) => one.name === 'knowledge')
  const types = [...closed.tasks.values()].map((task) => builder?.brief?.(closed.graph, task, closed.settings))
  expect(types.every((brief) => brief?.kind === 'extract' && brief.types?.join() === 'person,place')).toBe(true)
  const inputs = new Set([open, closed].flatMap((at) => [...at.tasks.values()].map((task) => task.input)))
  expect(inputs.size).toBe(open.tasks.size + closed.tasks.size)
})

it("[K13] nothing is embedded a second time: keywords live on the sentences' vectors, and of a model's descriptions each has one", () => {
  for (const writer of [false, true]) {
    const at = world(settingsWith({ share: 1 }, writer))
    at.change({ add: docs('a', 8) })
    at.settle()
    at.consolidate()
    at.settle()
    const chunks = at.graph.page('chunk', '', 1e6)
    const described = chunks.flatMap((id) => (knowledgeOf(at.graph, id)?.entities ?? []).filter((one) => one.description !== ''))
    expect([at.embedded.length, at.embedded.length > 0]).toEqual([described.length, writer])
  }
})

it('[K24] options that are no choice are passed over', () => {
  const odd = { theta: 7, seeds: 'all', rank: 'best', unknown: 1 }
  expect(readOptions(odd, ketDefaults)).toEqual({ theta: ketDefaults.theta, seeds: 'fused', rank: ketDefaults.rank })
  expect(readOptions({ theta: 0, seeds: 'nearest', rank: 'cosine' }, ketDefaults)).toEqual({ theta: 0, seeds: 'nearest', rank: 'cosine' })
})

it('[K24] an empty corpus answers with nothing', () => {
  expect(found(world().ask(QUESTION))).toEqual([])
})
