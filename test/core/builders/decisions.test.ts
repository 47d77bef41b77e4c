/** People's decisions: in force at once and for what comes later, the same in whichever order, and undone one by one without a trace. */
import { describe, expect, it } from 'vitest'
import { type Decided, decide, undo, type Wanted } from '../../../src/core/builders/decide'
import { DECISION_SPACES, decisionsFrom, hasDecisions } from '../../../src/core/builders/decision-list'
import { decisionsBuilder } from '../../../src/core/builders/decisions'
import { knowledgeBuilder } from '../../../src/core/builders/knowledge'
import { links } from '../../../src/core/builders/links'
import { mentionsOf } from '../../../src/core/builders/mention-list'
import { entityData, mentions } from '../../../src/core/builders/mentions'
import { peopleIn } from '../../../src/core/builders/relations'
import { nameId } from '../../../src/core/builders/sense-list'
import { sensesBuilder } from '../../../src/core/builders/senses'
import { namesIn } from '../../../src/core/channels/names'
import { nameKey } from '../../../src/core/text/names'
import { doc, docs, type World, world } from './worlds'

const knowledge = knowledgeBuilder((settings) => settings.ketrag)
const senses = sensesBuilder(['links', 'mentions', 'knowledge'])
const decisions = decisionsBuilder(['links', 'mentions', 'knowledge', 'senses'])
const builders = [mentions, links, knowledge, senses, decisions]
const who = { at: 7, by: 'key_1' }
const id = (name: string): string => nameId(nameKey(name))

function take(at: World, decided: Decided): number {
  if (decided.kind !== 'done') throw new Error(JSON.stringify(decided))
  at.graph.apply(decided.patch)
  while (decisions.hasBacklog?.(at.graph)) at.graph.apply(decisions.processBacklog?.(at.graph, at.settings).patch ?? [])
  return decided.decision.n
}

const say = (at: World, wanted: Wanted): number => take(at, decide(at.graph, wanted, who))
const back = (at: World, n: number): number => take(at, undo(at.graph, n))
/** All but the count of decisions ever made. */
const state = (at: World): string[] => [...at.graph.lines()].filter((line) => !line.includes('decisions/counted')).sort()
const mentioning = (at: World, entity: string): string[] =>
  at.graph
    .edgesTo('mentions', entity)
    .flatMap((edge) => at.graph.placements(edge.source).map((place) => place.document))
    .sort()

const pool = [
  doc('a', 'Harbour', 'Ada Brant built the Glass Harbour. J. Brant slept in Oslo.'),
  doc('b', 'Foundry', 'The Quiet Foundry was sold to Brant Works. Brant Works moved to Oslo.'),
  doc('c', 'Mills', 'Ada Brant came to Porto. Brant Works came to Porto too.'),
]

function built(all = pool): World {
  const at = world(builders)
  at.change({ add: all })
  return at
}

const each: readonly (readonly [string, Wanted])[] = [
  ['merge', { op: 'merge', entity: id('Brant Works'), other: id('Ada Brant') }],
  ['split', { op: 'split', entity: id('Oslo'), documents: ['b'], text: 'Oslo (Minnesota)' }],
  ['rename', { op: 'rename', entity: id('Oslo'), text: 'Christiania' }],
  ['hide', { op: 'hide', entity: id('Oslo') }],
  ['pin', { op: 'pin', entity: id('Porto') }],
  ['add', { op: 'add', entity: id('sold to Brant'), text: 'sold to Brant', type: 'deal', description: 'Of the foundry.' }],
  ['add in a document', { op: 'add', entity: id('moved to'), text: 'moved to', documents: ['b'] }],
  ['relate', { op: 'relate', entity: id('Oslo'), other: id('Porto'), text: 'sends ships to', strength: 5 }],
  ['unrelate', { op: 'unrelate', entity: id('Oslo'), other: id('Brant Works') }],
]

describe('decisions of people', () => {
  it.each(each)('[Q702] %s: undone, nothing is left of it but its number', (_, wanted) => {
    const at = built()
    const before = state(at)
    const n = say(at, wanted)
    expect(state(at)).not.toEqual(before)
    expect(decisionsFrom(at.graph, 0, 9)).toMatchObject([{ n, op: wanted.op, at: 7, by: 'key_1' }])
    back(at, n)
    expect(state(at)).toEqual(before)
    expect(hasDecisions(at.graph)).toBe(false)
    expect(undo(at.graph, n)).toMatchObject({ kind: 'missing' })
  })

  it.each(each)('[Q703] %s: what comes later comes as it was decided, as if it had been there before', (_, wanted) => {
    const at = built()
    say(at, wanted)
    const more = docs('late', 4)
    at.change({ add: [...more, doc('b2', 'Later', 'Brant Works left Oslo for Porto. Ada Brant stayed.')] })
    const other = world(builders)
    other.change({ add: [...pool, ...more, doc('b2', 'Later', 'Brant Works left Oslo for Porto. Ada Brant stayed.')] })
    say(other, wanted)
    expect(state(at)).toEqual(state(other))
    at.change({ remove: more.map((one) => one.id) })
    at.change({ remove: ['b2', 'c'] })
    at.change({ add: pool })
    const first = built()
    say(first, wanted)
    expect(state(at)).toEqual(state(first))
  })

  it('[Q703] several decisions about the same names, made and undone in any order, leave what stands', () => {
    const all: readonly Wanted[] = [
      { op: 'rename', entity: id('Ada Brant'), text: 'A. Brant' },
      { op: 'merge', entity: id('Brant Works'), other: id('Ada Brant') },
      { op: 'merge', entity: id('Ada Brant'), other: id('Porto') },
      { op: 'hide', entity: id('Porto') },
    ]
    const at = built()
    const numbers = all.map((one) => say(at, one))
    expect(at.graph.node(id('Porto'))).toBeUndefined()
    expect(decide(at.graph, { op: 'hide', entity: id('Porto') }, who)).toEqual({ kind: 'unchanged', n: numbers[3] })
    back(at, numbers[1] ?? 0)
    expect(mentioning(at, id('Brant Works'))).toEqual(['b', 'c'])
    back(at, numbers[3] ?? 0)
    expect(mentioning(at, id('Porto'))).toEqual(['a', 'c'])
    back(at, numbers[0] ?? 0)
    back(at, numbers[2] ?? 0)
    expect(state(at)).toEqual(state(built()))
  })

  it('[Q704] a merged name leads to what it was merged into, for walks and for questions, with all its surfaces', () => {
    const at = built()
    say(at, { op: 'merge', entity: id('Brant Works'), other: id('Ada Brant') })
    expect(at.graph.node(id('Brant Works'))).toBeUndefined()
    expect(mentioning(at, id('Ada Brant'))).toEqual(['a', 'b', 'c'])
    const node = at.graph.node(id('Ada Brant'))
    expect(node && Object.keys(entityData(node).aliases)).toContain('Brant Works')
    expect(namesIn(at.graph, 'Who sold Brant Works?').flatMap((one) => one.entities)).toEqual([id('Ada Brant')])
    at.change({ remove: ['a', 'c'] }) // no text says the name itself any more
    expect(at.graph.node(id('Ada Brant'))).toMatchObject({ text: 'Brant Works', data: { key: 'brant works' } })
    expect([...at.graph.lines()].join('\n').toLowerCase()).not.toContain('ada brant')
    at.change({ remove: ['b'] })
    expect(at.graph.node(id('Ada Brant'))).toBeUndefined()
    expect(decisionsFrom(at.graph, 0, 9)).toHaveLength(1)
  })

  const often = [...pool, doc('d', '', 'Brant Works grew. Brant Works paid. Brant Works moved.')]
  const merge: Wanted = { op: 'merge', entity: id('Brant Works'), other: id('Ada Brant') }
  const rename = (name: string, text: string): Wanted => ({ op: 'rename', entity: id(name), text })
  const shown = (at: World, name = 'Ada Brant'): string | undefined => at.graph.node(id(name))?.text

  it('[H2051] a merged entity keeps the name of what it was merged into, however often texts say the other', () => {
    const at = built(often)
    const n = say(at, merge)
    expect(shown(at)).toBe('Ada Brant')
    at.change({ add: [doc('e', '', 'Brant Works, Brant Works.')] })
    expect(shown(at)).toBe('Ada Brant')
    back(at, n)
    expect([shown(at), shown(at, 'Brant Works')]).toEqual(['Ada Brant', 'Brant Works'])
  })

  it('[H2051] a name that a person gave goes with the entity through merges; the own one wins; undone and derived again alike', () => {
    const onward: Wanted = { op: 'merge', entity: id('Ada Brant'), other: id('Porto') }
    const at = built(often)
    const called = say(at, rename('Brant Works', 'The Works'))
    const merged = say(at, merge)
    expect(shown(at)).toBe('The Works')
    expect(namesIn(at.graph, 'Who sold The Works?').flatMap((one) => one.entities)).toEqual([id('Ada Brant')])
    const moved = say(at, onward)
    expect(shown(at, 'Porto')).toBe('The Works')
    const derived = world(builders)
    for (const space of DECISION_SPACES)
      for (const { key, value } of at.graph.values(space, '', 99)) derived.graph.apply([{ op: 'put-value', space, key, value }])
    derived.change({ add: often })
    expect(state(at)).toEqual(state(derived))
    const own = say(at, rename('Porto', 'Oporto'))
    expect(shown(at, 'Porto')).toBe('Oporto')
    back(at, own)
    expect(shown(at, 'Porto')).toBe('The Works')
    back(at, called)
    expect(shown(at, 'Porto')).toBe('Porto')
    back(at, merged)
    back(at, moved)
    expect(state(at)).toEqual(state(built(often)))
  })

  it('[H2051] of two names that people gave to what was merged, the later is shown, and the other when that one is undone', () => {
    const at = built(often)
    const first = say(at, rename('Oslo', 'Christiania'))
    const second = say(at, rename('Brant Works', 'The Works'))
    say(at, merge)
    say(at, { op: 'merge', entity: id('Oslo'), other: id('Ada Brant') })
    expect(shown(at)).toBe('The Works')
    back(at, second)
    expect(shown(at)).toBe('Christiania')
    back(at, first)
    expect(shown(at)).toBe('Ada Brant')
  })

  it('[Q704] what is hidden links no passage and is related to nothing; what is split goes by its documents', () => {
    const at = built()
    say(at, { op: 'hide', entity: id('Oslo') })
    expect([at.graph.node(id('Oslo')), at.graph.edges('relates', id('Oslo')), mentioning(at, id('Oslo'))]).toEqual([undefined, [], []])
    const other = built()
    const { part = '' } =
      decisionsFrom(other.graph, say(other, { op: 'split', entity: id('Oslo'), documents: ['b'], text: 'Oslo (Minnesota)' }), 1)[0] ?? {}
    expect([mentioning(other, id('Oslo')), mentioning(other, part), other.graph.node(part)?.text]).toEqual([
      ['a'],
      ['b'],
      'Oslo (Minnesota)',
    ])
    expect(namesIn(other.graph, 'Where is Oslo (Minnesota)?').flatMap((one) => one.entities)).toContain(part)
    expect(decide(other.graph, { op: 'split', entity: id('Oslo'), documents: ['zz'], text: 'X' }, who)).toEqual({
      kind: 'missing',
      what: 'document',
    })
  })

  it('[Q704] a name that a person gave is shown, found in questions, and kept when texts come and go', () => {
    const at = built()
    say(at, { op: 'rename', entity: id('Oslo'), text: 'Christiania' })
    at.change({ add: [doc('d', '', 'Oslo, Oslo, Oslo.')] })
    expect(at.graph.node(id('Oslo'))?.text).toBe('Christiania')
    expect(namesIn(at.graph, 'What of Christiania and Oslo?').flatMap((one) => one.entities)).toEqual([id('Oslo'), id('Oslo')])
  })

  it('[Q705] a relation that a person added says who, when and that it is of people, follows its ends, and goes and comes with them', () => {
    const at = built()
    const n = say(at, { op: 'relate', entity: id('Glass Harbour'), other: id('Porto'), text: 'sends ships to', strength: 5 })
    const [source = '', target = ''] = [id('Glass Harbour'), id('Porto')].sort()
    const edge = at.graph.edge('relates', source, target)
    expect(edge && peopleIn(edge)).toEqual([{ n, description: 'sends ships to', strength: 5, source: 'people', by: 'key_1', at: 7 }])
    const merged = say(at, { op: 'merge', entity: id('Porto'), other: id('Oslo') })
    const [from = '', to = ''] = [id('Glass Harbour'), id('Oslo')].sort()
    const moved = at.graph.edge('relates', from, to)
    expect([at.graph.edge('relates', source, target), moved && peopleIn(moved).length]).toEqual([undefined, 1])
    back(at, merged)
    at.change({ remove: ['c'] })
    expect(at.graph.edges('relates', id('Porto'))).toEqual([])
    at.change({ add: pool })
    const again = at.graph.edge('relates', source, target)
    expect(again && peopleIn(again).length).toBe(1)
    expect(decide(at.graph, { op: 'unrelate', entity: id('Glass Harbour'), other: id('Porto') }, who)).toEqual({
      kind: 'missing',
      what: 'relation',
    })
  })

  it('[Q706] a pinned name stays listed in a chunk that says too many others', () => {
    const names = Array.from({ length: 60 }, (_, i) => `Naming ${String.fromCharCode(65 + (i % 26))}${'x'.repeat(1 + Math.floor(i / 26))}`)
    const at = built([
      ...pool,
      doc('long', 'List', `${names.join(', ')}, Zog. Zog.`.replace('Zog. Zog.', 'Zog.')),
      doc('z', 'Zog', 'Zog was first.'),
    ])
    const lists = (): boolean =>
      at.graph
        .page('chunk', '', 99)
        .some(
          (chunk) =>
            at.graph.placements(chunk)[0]?.document === 'long' && mentionsOf(at.graph, chunk).some((one) => one.entity === id('Zog')),
        )
    const before = lists()
    const n = say(at, { op: 'pin', entity: id('Zog') })
    expect([before, lists(), at.graph.node(id('Zog'))?.data.pinned]).toEqual([false, true, true])
    back(at, n)
    expect(lists()).toBe(false)
  })

  it('[Q708] what is not there, is so already, or is too much is said', () => {
    const at = built()
    expect(decide(at.graph, { op: 'merge', entity: 'e_nobody', other: id('Oslo') }, who)).toEqual({ kind: 'missing', what: 'entity' })
    expect(decide(at.graph, { op: 'merge', entity: id('Oslo'), other: id('Oslo') }, who)).toEqual({ kind: 'unchanged', n: 0 })
    const n = say(at, { op: 'merge', entity: id('Brant Works'), other: id('Ada Brant') })
    expect(decide(at.graph, { op: 'merge', entity: id('Ada Brant'), other: id('Brant Works') }, who)).toEqual({ kind: 'unchanged', n: 0 })
    expect(decide(at.graph, { op: 'merge', entity: id('Brant Works'), other: id('Ada Brant') }, who)).toEqual({ kind: 'unchanged', n })
  })
})
