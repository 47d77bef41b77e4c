/** One spelling that means several things: told apart by the documents that bear it, put together again when they go. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { knowledgeOf } from '../../../src/core/builders/knowledge-row'
import { links } from '../../../src/core/builders/links'
import { mentionsOf } from '../../../src/core/builders/mention-list'
import { mentions } from '../../../src/core/builders/mentions'
import { mergeCandidates } from '../../../src/core/builders/resolution'
import { nameId, sensesOf } from '../../../src/core/builders/sense-list'
import { namesIn } from '../../../src/core/channels/names'
import type { Vector } from '../../../src/core/graph/types'
import { random } from '../../../src/core/random'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { describeEntity } from '../../../src/core/strategies/archrag/entities'
import { core } from '../../../src/core/strategies/cluerag/core'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { knowledge, senses } from '../../../src/core/strategies/shared-builders'
import type { Brief, Builder, Reply, Task } from '../../../src/core/strategy'
import { terms } from '../../../src/core/text/terms'
import { quantize } from '../../../src/core/vectors'
import { mergeEntities } from '../archrag/merged'
import { type Doc, doc, settingsWith, type World, world } from './worlds'

const WIDE = 64 // dimensions: contexts that share no word are nearly at right angles
const BUILDERS: readonly Builder[] = [mentions, links, core, knowledge, senses]
const PLANET = doc(
  'p',
  'Mercury (planet)',
  'Mercury is the planet nearest to the Sun. The orbit of the planet Mercury takes 88 days round the Sun.',
)
const GOD = doc(
  'g',
  'Mercury (mythology)',
  'Mercury is the Roman god of merchants. Romans prayed to the god Mercury in a temple with merchants.',
)
const PROBE = doc('m', 'Mariner 10', 'Mariner 10 flew past the planet Mercury on an orbit round the Sun.')
const TEMPLE = doc('t', 'Circus Maximus', 'Merchants prayed to the god Mercury in the temple beside the Circus Maximus.')
const ALL = [PLANET, GOD, PROBE, TEMPLE]

/** Alike as far as words are shared, the name itself apart. */
function bag(text: string): Vector {
  const words = terms(text)
    .filter((term) => !term.startsWith('mercur'))
    .map((term) => random(term))
  return quantize(Array.from({ length: WIDE }, () => words.reduce((sum, word) => sum + word.normal(), 0)))
}

const plain = settingsWith({ dimensions: WIDE })

const worldOf = (docs: readonly Doc[], settings = plain): World => {
  const at = world(BUILDERS, settings, bag)
  at.change({ add: docs })
  return at
}

/** What each document's chunks mean by a name. */
function meant(at: World, key: string): { readonly [document: string]: string } {
  return Object.fromEntries(
    at.graph.page('document', '', 100).flatMap((id) => {
      const chunks = at.graph.document(id)?.chunks ?? []
      const found = chunks.flatMap(({ chunk }) => mentionsOf(at.graph, chunk).filter((one) => one.key === key))
      return found.map((one) => [id, one.entity] as const)
    }),
  )
}

describe('senses', () => {
  it('[A42] documents of one name about different things are two entities, and every other mention goes with the nearer', () => {
    const at = worldOf(ALL)
    const by = meant(at, 'mercury')
    expect(by.m).toBe(by.p)
    expect(by.t).toBe(by.g)
    expect(by.p).not.toBe(by.g)
    for (const id of new Set(Object.values(by))) expect(at.graph.degreeTo('mentions', id)).toBe(2)
    const found = namesIn(at.graph, 'Which temple did Mercury have?').find((one) => one.key === 'mercury')
    expect([[...(found?.entities ?? [])].sort(), found?.chunks]).toEqual([[...new Set(Object.values(by))].sort(), 4])
  })

  it('[A42] relations are those of the thing meant', () => {
    const at = worldOf(ALL)
    const by = meant(at, 'mercury')
    const others = (id: string): string[] =>
      at.graph.edges('relates', id).flatMap((edge) => at.graph.node(edge.source === id ? edge.target : edge.source)?.text ?? [])
    expect(others(by.p ?? '')).toContain('Mariner 10')
    expect(others(by.g ?? '')).toContain('Circus Maximus')
    expect(others(by.g ?? '')).not.toContain('Mariner 10')
    expect(others(by.p ?? '')).not.toContain('Circus Maximus')
  })

  it('[A42] neither the order of arrival nor what has been deleted matters', () => {
    const whole = worldOf(ALL).hash()
    fc.assert(
      fc.property(fc.shuffledSubarray(ALL, { minLength: 4 }), fc.array(fc.nat(3), { maxLength: 4 }), (order, back) => {
        const at = worldOf([])
        for (const one of order) at.change({ add: [one] })
        for (const i of back) {
          const gone = order[i] as Doc
          at.change({ remove: [gone.id] })
          at.change({ add: [gone] })
        }
        expect(at.hash()).toBe(whole)
        at.change({ remove: [order[0]?.id ?? ''] })
        expect(at.hash()).toBe(worldOf(order.slice(1)).hash())
      }),
      { seed: 7, numRuns: 20 },
    )
  })

  it('[A42] what is left of a name by its last namesake stands undivided, and nothing is left of the rest', () => {
    const at = worldOf(ALL)
    at.change({ remove: ['g'] })
    expect(new Set(Object.values(meant(at, 'mercury')))).toEqual(new Set([nameId('mercury')]))
    expect(sensesOf(at.graph, nameId('mercury'))).toEqual([])
    at.change({ remove: ['p', 'm', 't'] })
    expect(at.hash()).toBe(worldOf([]).hash())
  })

  it('[A42] a document that changes its subject takes the name along', () => {
    const at = worldOf(ALL)
    const moved = doc('m', 'Mariner 10', TEMPLE.text.replaceAll('Circus Maximus', 'Mariner 10'))
    at.change({ add: [moved] })
    const by = meant(at, 'mercury')
    expect(by.m).toBe(by.g)
    expect(at.hash()).toBe(worldOf([PLANET, GOD, moved, TEMPLE]).hash())
  })

  it('[A42] a name stands for one thing unless its documents clearly differ', () => {
    const one = (docs: readonly Doc[]): number => new Set(Object.values(meant(worldOf(docs), 'mercury'))).size
    expect(one([PLANET, doc('q', 'Mercury (orbit)', PLANET.text)])).toBe(1) // another title, the same context
    expect(one([PLANET, { ...GOD, title: 'Mercury (planet)' }])).toBe(2) // the same title, nothing in common
    const both = 'Jane Doe wrote of it.'
    expect(
      one([
        { ...PLANET, text: `${PLANET.text} ${both}` },
        { ...GOD, title: PLANET.title, text: `${GOD.text} ${both}` },
      ]),
    ).toBe(1)
    expect(one([doc('p', '', PLANET.text), doc('g', '', GOD.text)])).toBe(2) // named by their first words
    const series = Array.from({ length: 17 }, (_, i) => doc(`s${i}`, `Mercury (${i})`, `Mercury word${i} thing${i} mark${i}.`))
    expect(one(series)).toBe(1) // a series
    expect(one(series.slice(0, 16))).toBeGreaterThan(1)
    const silent = world(BUILDERS, plain, () => new Int8Array(WIDE))
    silent.change({ add: ALL })
    expect(new Set(Object.values(meant(silent, 'mercury'))).size).toBe(1) // nothing known of their contexts
  })

  it('[A42] a name in very many chunks stands undivided, and is divided again when they have gone', () => {
    const many = Array.from({ length: 500 }, (_, i) => doc(`n${i}`, `Note ${i}`, `Note ${i} says that Mercury shone on day ${i}.`))
    const at = worldOf([PLANET, GOD])
    at.change({ add: many })
    expect(new Set(Object.values(meant(at, 'mercury'))).size).toBe(1)
    at.change({ remove: ['n0', 'n1', 'n2'] })
    expect(at.graph.degreeTo('mentions', nameId('mercury'))).toBeLessThan(499)
    expect(at.hash()).toBe(worldOf([PLANET, GOD, ...many.slice(3)]).hash())
  })

  it('[A40] no rule joins namesakes, and nothing of one is said of the other', () => {
    const at = world([...BUILDERS, archBuilder], plain, bag)
    at.change({ add: ALL })
    const by = meant(at, 'mercury')
    const [planet = '', god = ''] = [by.p, by.g]
    expect(mergeCandidates(at.graph, [planet, god], () => bag('the very same context'))).toEqual([])
    expect(describeEntity(at.graph, planet).text).toMatch(/planet/)
    expect(describeEntity(at.graph, planet).text).not.toMatch(/temple/)
    expect(describeEntity(at.graph, god).text).not.toMatch(/planet/)
    expect(mergeEntities(at.graph, planet, god, 0).kind).toBe('done')
  })

  it("[A42] a model's units, entities and relations go with the thing meant, in whatever order its replies come", () => {
    const settings = settingsWith({
      dimensions: WIDE,
      writer: true,
      models: 'scripted',
      cluerag: { ...defaultSettings.cluerag, alpha: 1 },
      ketrag: { ...defaultSettings.ketrag, share: 1 },
    })
    const hashes = [0, 1, 2, 3, 4, 5].map((seed) => {
      const at = worldOf(ALL, settings)
      const numbers = random(`replies ${seed}`)
      for (const task of [...at.tasks.values()].sort(() => numbers.next() - 0.5)) {
        at.tasks.clear()
        at.tasks.set(task.node, task)
        at.settle(reply)
      }
      const by = meant(at, 'mercury')
      const [chunk] = at.graph.document('t')?.chunks ?? []
      const row = knowledgeOf(at.graph, chunk?.chunk ?? '')
      expect(row?.entities.map((one) => one.entity)).toContain(by.g)
      expect(row?.relations.flatMap((one) => [one.source, one.target])).toContain(by.g)
      expect(at.graph.edges('relates', by.g ?? '').length).toBeGreaterThan(0)
      expect(by.p).not.toBe(by.g)
      return at.hash()
    })
    expect(new Set(hashes).size).toBe(1)
  })
})

/** Says the last sentence again as a unit, and relates Mercury to the document's name. */
function reply(task: Task, brief: Brief): Reply {
  if (brief.kind !== 'extract') throw new Error(brief.kind)
  const sentences = brief.text.split(/(?<=\.) /)
  const name = brief.name.replace(/ \(.*/, '')
  const other = name === 'Mercury' ? 'Romans' : name
  return {
    kind: 'extract',
    node: task.node,
    input: task.input,
    extraction: {
      units: brief.want.units ? sentences.slice(-1).map((text) => ({ text, vector: bag(text) })) : [],
      entities: [
        { name: 'Mercury', type: 'thing', description: `what ${name} is about` },
        { name: other, type: 'thing', description: 'another' },
      ],
      relations: [{ source: 'Mercury', target: other, description: 'have to do with each other', strength: 5 }],
    },
  }
}
