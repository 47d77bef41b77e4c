/** Entities that people add: recognised wherever texts say the name, from the first text that does, and gone without a trace when undone. */
import { describe, expect, it } from 'vitest'
import { type Decided, decide, undo, type Wanted } from '../../../src/core/builders/decide'
import { DECISION_SPACES } from '../../../src/core/builders/decision-list'
import { decisionsBuilder } from '../../../src/core/builders/decisions'
import { knowledgeBuilder } from '../../../src/core/builders/knowledge'
import { links } from '../../../src/core/builders/links'
import { entityData, mentions } from '../../../src/core/builders/mentions'
import { nameId, sensesOf } from '../../../src/core/builders/sense-list'
import { sensesBuilder } from '../../../src/core/builders/senses'
import { namesIn } from '../../../src/core/channels/names'
import { nameKey } from '../../../src/core/text/names'
import { doc, type World, world } from './worlds'

const knowledge = knowledgeBuilder((settings) => settings.ketrag)
const decisions = decisionsBuilder(['links', 'mentions', 'knowledge', 'senses'])
const builders = [mentions, links, knowledge, sensesBuilder(['links', 'mentions', 'knowledge']), decisions]
const who = { at: 7, by: 'key_1' }
const id = (name: string): string => nameId(nameKey(name))

function finished(at: World): World {
  while (decisions.hasBacklog?.(at.graph)) at.graph.apply(decisions.processBacklog?.(at.graph, at.settings).patch ?? [])
  return at
}

function take(at: World, decided: Decided): number {
  if (decided.kind !== 'done') throw new Error(JSON.stringify(decided))
  at.graph.apply(decided.patch)
  return decided.decision.n
}

const wish = (name: string, more: { readonly type?: string; readonly description?: string; readonly documents?: readonly string[] } = {}) =>
  ({ op: 'add', entity: id(name), text: name, ...more }) satisfies Wanted
const add = (at: World, ...[name, more]: Parameters<typeof wish>): number => take(at, decide(at.graph, wish(name, more), who))
const state = (at: World): string[] => [...at.graph.lines()].filter((line) => !line.includes('decisions/counted')).sort()
const mentioning = (at: World, name: string): string[] =>
  at.graph
    .edgesTo('mentions', id(name))
    .flatMap((edge) => at.graph.placements(edge.source).map((place) => place.document))
    .sort()

const pool = [
  doc('a', 'Harbour', 'Ada Brant heated the glass furnace. She slept in Oslo.'),
  doc('b', 'Foundry', 'The glass furnace went to Porto. A furnace of glass is another thing.'),
  doc('c', 'Mills', 'Ada Brant came to Porto, where a Glass Furnace stood.'),
]

function built(all = pool): World {
  const at = world(builders)
  at.change({ add: all })
  return at
}

describe('entities that people add', () => {
  it('[V2130] a name that no rule finds is an entity wherever a text says it, in whole words, and in what comes later', () => {
    const at = built([pool[0], pool[1], doc('d', '', 'The glass furnaces were sold. Hourglass furnace.')].flatMap((one) => one ?? []))
    expect(at.graph.node(id('glass furnace'))).toBeUndefined()
    const n = add(at, 'glass furnace', { type: 'machine', description: 'Melts sand.' })
    expect(mentioning(at, 'glass furnace')).toEqual(['a', 'b'])
    const node = at.graph.node(id('glass furnace'))
    expect(node).toMatchObject({ text: 'glass furnace', data: { chunks: 2 } })
    expect(node?.data.people).toEqual({ n, source: 'people', type: 'machine', description: 'Melts sand.', by: 'key_1', at: 7 })
    expect(namesIn(at.graph, 'Who heated the glass furnace?').flatMap((one) => one.entities)).toContain(id('glass furnace'))
    at.change({ add: [pool[2] ?? doc('', '', '')] })
    expect(mentioning(at, 'glass furnace')).toEqual(['a', 'b', 'c'])
  })

  it('[V2130] sentences relate it to the names they say, as if a rule had found it', () => {
    const at = built()
    const n = add(at, 'furnace of glass')
    take(at, undo(at.graph, n))
    add(at, 'slept')
    const [source = '', target = ''] = [id('slept'), id('Oslo')].sort()
    expect(at.graph.edge('relates', source, target)?.data).toMatchObject({ description: 'She slept in Oslo.' })
  })

  it('[V2131] written with a capital it is not found where a text begins it in lower case; written without, in both', () => {
    const at = built([pool[1], pool[2]].flatMap((one) => one ?? []))
    expect(decide(at.graph, wish('Another Thing'), who)).toEqual({ kind: 'unsaid' })
    add(at, 'another thing')
    expect(mentioning(at, 'another thing')).toEqual(['b'])
  })

  it('[V2132] only in some documents, if it is added for these, and in more when it is added for them', () => {
    const at = built()
    const first = add(at, 'heated the glass', { documents: ['a'] })
    expect(decide(at.graph, wish('heated the glass', { documents: ['a'] }), who)).toEqual({ kind: 'unchanged', n: first })
    at.change({ add: [doc('e', '', 'Nobody heated the glass here.')] })
    expect(mentioning(at, 'heated the glass')).toEqual(['a'])
    add(at, 'heated the glass', { documents: ['e'] })
    expect(mentioning(at, 'heated the glass')).toEqual(['a', 'e'])
    take(at, undo(at.graph, first))
    expect(mentioning(at, 'heated the glass')).toEqual(['e'])
    expect(decide(at.graph, wish('slept', { documents: ['zz'] }), who)).toEqual({ kind: 'missing', what: 'document' })
    expect(decide(at.graph, wish('slept', { documents: ['b'] }), who)).toEqual({ kind: 'unsaid' })
  })

  it('[V2133] a graph derived again with the decisions is the same, also where it is pinned, merged or hidden', () => {
    const at = built(pool.slice(0, 2))
    add(at, 'glass furnace', { documents: ['b'] })
    add(at, 'slept')
    take(at, decide(at.graph, { op: 'pin', entity: id('glass furnace') }, who))
    take(at, decide(at.graph, { op: 'merge', entity: id('slept'), other: id('Oslo') }, who))
    take(at, decide(at.graph, { op: 'relate', entity: id('glass furnace'), other: id('Oslo'), text: 'smokes over', strength: 5 }, who))
    const late = doc('f', '', 'Another glass furnace slept in Riga.')
    at.change({ add: [...pool.slice(2), late], remove: ['a'] })
    for (const documents of [
      ['b', 'c', 'f'],
      ['f', 'c', 'b'],
    ]) {
      const derived = world(builders)
      for (const space of DECISION_SPACES)
        for (const { key, value } of at.graph.values(space, '', 99)) derived.graph.apply([{ op: 'put-value', space, key, value }])
      const all = [...pool, late]
      for (const one of documents) derived.change({ add: all.filter((other) => other.id === one) })
      expect(state(derived)).toEqual(state(finished(at)))
    }
  })

  it('[V2134] an entity that exists is so already, a hidden name and an undone pin are said, and what no text says is refused', () => {
    const at = built(pool.slice(0, 2))
    expect(decide(at.graph, wish('Oslo'), who)).toEqual({ kind: 'unchanged', n: 0 })
    expect(decide(at.graph, wish('blue heron'), who)).toEqual({ kind: 'unsaid' })
    const hidden = take(at, decide(at.graph, { op: 'hide', entity: id('Oslo') }, who))
    expect(decide(at.graph, wish('Oslo'), who)).toEqual({ kind: 'held', by: hidden, op: 'hide' })
    const n = add(at, 'glass furnace')
    expect(decide(at.graph, wish('the Glass Furnace'), who)).toEqual({ kind: 'unchanged', n })
    const pin = take(at, decide(at.graph, { op: 'pin', entity: id('glass furnace') }, who))
    expect(undo(at.graph, n)).toEqual({ kind: 'held', by: pin, op: 'pin' })
    take(at, undo(at.graph, pin))
    take(at, undo(at.graph, n))
    expect(at.graph.node(id('glass furnace'))).toBeUndefined()
  })

  it('[V2135] in a corpus that one commit cannot look through, the rest follows in commits of its own, and undoing it as well', () => {
    const many = Array.from({ length: 700 }, (_, i) =>
      doc(`m${String(i).padStart(3, '0')}`, '', `Entry x${i}: the glass furnace was cold.`),
    )
    const at = built(many)
    const before = state(at)
    const n = add(at, 'glass furnace')
    const at1 = entityData(at.graph.node(id('glass furnace')) ?? fail()).chunks
    expect([at1 > 0, at1 < 700, decisions.hasBacklog?.(at.graph)]).toEqual([true, true, true])
    expect(mentioning(finished(at), 'glass furnace')).toHaveLength(700)
    take(at, undo(at.graph, n))
    expect(state(finished(at))).toEqual(before)
  })

  it('[V2133] what is added is split, hidden, merged and renamed like any other entity, and undone in any order', () => {
    const wanted: readonly Wanted[] = [
      wish('slept', { type: 'habit' }),
      { op: 'rename', entity: id('slept'), text: 'Sleep' },
      { op: 'split', entity: id('slept'), documents: ['g'], text: 'Slept (the other)' },
      { op: 'merge', entity: id('slept'), other: id('Oslo') },
      { op: 'unrelate', entity: id('Oslo'), other: id('Ada Brant') },
      { op: 'hide', entity: id('Oslo') },
    ]
    const all = [...pool, doc('g', '', 'Bela Corvin slept in Oslo.')]
    for (const order of [
      [0, 1, 2, 3, 5],
      [5, 3, 2, 1, 0],
      [2, 0, 5, 1, 3],
    ]) {
      const at = built(all)
      const before = state(at)
      const numbers = new Map(order.toSorted().map((i) => [i, take(at, decide(at.graph, wanted[i] ?? wish(''), who))]))
      finished(at)
      for (const i of order) take(at, undo(at.graph, numbers.get(i) ?? 0))
      expect(state(finished(at))).toEqual(before)
    }
  })

  it('[V2133] where documents come that have the name and mean several things, it is the same in any order, and undone without a trace', () => {
    const planet = doc(
      'p',
      'Mercury (planet)',
      'Mercury is the planet nearest to the Sun. The orbit of the planet Mercury takes 88 days round the Sun.',
    )
    const god = doc(
      'g',
      'Mercury (mythology)',
      'Mercury is the Roman god of merchants. Romans prayed to the god Mercury in a temple with merchants.',
    )
    const metal = doc('m', '', 'Ulla Holm sold mercury in Oslo. Mercury was sold by Ulla Holm to Romans.')
    const lower = doc('l', '', 'Ulla Holm kept mercury in Oslo.')
    const at = built([lower])
    const n = add(at, 'mercury')
    for (const one of [planet, god, metal]) at.change({ add: [one] })
    expect(sensesOf(at.graph, id('mercury'))).toHaveLength(2)
    const derived = world(builders)
    for (const space of DECISION_SPACES)
      for (const { key, value } of at.graph.values(space, '', 99)) derived.graph.apply([{ op: 'put-value', space, key, value }])
    for (const one of [metal, god, lower, planet]) derived.change({ add: [one] })
    expect(state(derived)).toEqual(state(at))
    take(at, undo(at.graph, n))
    expect(state(finished(at))).toEqual(state(built([lower, planet, god, metal])))
  })

  it('[V2136] with its last text the entity goes, and it comes again with another that says it', () => {
    const at = built()
    const n = add(at, 'slept')
    at.change({ remove: ['a'] })
    expect(at.graph.node(id('slept'))).toBeUndefined()
    expect(decide(at.graph, wish('slept'), who)).toEqual({ kind: 'unchanged', n })
    at.change({ add: [doc('g', '', 'Bela Corvin slept.')] })
    expect(mentioning(at, 'slept')).toEqual(['g'])
  })
})

function fail(): never {
  throw new Error('there is no such entity')
}
