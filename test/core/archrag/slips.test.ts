/** Slips of the paper's code that no answer would show at once: texts left out of a report, relations read from one end, layers read one after the other. */
import { expect, it } from 'vitest'
import { mentionsOf } from '../../../src/core/builders/mention-list'
import { draftOf } from '../../../src/core/graph/draft'
import { otherEnd } from '../../../src/core/graph/edge-ends'
import { archrag } from '../../../src/core/strategies/archrag/archrag'
import { clusteringOf, linksOf } from '../../../src/core/strategies/archrag/clustering-state'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { readOptions } from '../../../src/core/strategies/archrag/options'
import { pointsOf } from '../../../src/core/strategies/archrag/points'
import { descriptionOf, extractive, nameOf, reportInputOf } from '../../../src/core/strategies/archrag/report-input'
import { distinct, terms } from '../../../src/core/text/terms'
import { query } from '../../../src/flows/ask'
import type { Message } from '../../../src/ports/models'
import { clock, config, evidence, fakeCorpus, fakeIndex, fakeModels } from '../flows/fakes'
import { communitiesIn, type Doc, doc, docs, settingsWith, vectorFor, type World, world } from './worlds'

const small = { max: 8, min: 2 } as const
const vector = (text: string): Int8Array => vectorFor(text)
const said = (id: string, ...sentences: readonly string[]): Doc => doc(id, sentences, sentences.map(vector))

function grown(...all: readonly Doc[]): World {
  const one = world(settingsWith(small, true))
  one.change({ add: all })
  one.settle()
  return one
}

const idOf = ({ graph }: World, name: string): string => graph.page('entity', '', 1000).find((id) => graph.node(id)?.text === name) ?? name
const relation = ({ graph }: World, source: string, target: string): string =>
  graph
    .edges('relates', source)
    .flatMap((edge) =>
      otherEnd(edge, source) === target ? [`${nameOf(graph, edge.source)} – ${nameOf(graph, edge.target)}: ${descriptionOf(edge)}`] : [],
    )[0] ?? ''

it('[A13] every relation inside a community is in what its report is written from: the last one, and one that is alone', () => {
  const pair = grown(said('a', 'There stood Zyxland beside Quorland.'))
  const [alone] = communitiesIn(pair.graph)
  expect(reportInputOf(pair.graph, alone ?? fail()).texts).toContain(relation(pair, idOf(pair, 'Zyxland'), idOf(pair, 'Quorland')))

  const many = grown(...docs('pool', 40))
  for (const node of communitiesIn(many.graph)) {
    const { members } = communityOf(node)
    if (node.layer > 1) {
      const below = members.map((id) => many.graph.node(id)?.text ?? '')
      expect([...reportInputOf(many.graph, node).texts].sort()).toEqual(below.filter((text) => text !== '').sort())
      continue
    }
    const texts = new Set(reportInputOf(many.graph, node).texts)
    for (const member of members) {
      expect([...texts].some((text) => text.startsWith(`${nameOf(many.graph, member)}: `))).toBe(true)
      for (const edge of many.graph.edges('relates', member)) {
        const other = otherEnd(edge, member)
        if (members.includes(other)) expect(texts).toContain(relation(many, member, other))
      }
    }
  }
})

it('[A13] a text too long for a report is left out alone: shorter ones behind it are there, and no text is cut', () => {
  const long = `There stood Zyxland beside Quorland ${'and the sea and the hill '.repeat(400)}.`
  const one = grown(said('a', 'There stood Zyxland beside Vexland.', 'There stood Vexland beside Quorland.'), said('b', long))
  const node = communitiesIn(one.graph)[0] ?? fail()
  const { texts } = reportInputOf(one.graph, node)
  const parent = { ...node, layer: 2, data: { ...node.data, members: ['g_long', 'g_short'] } }
  const held: { readonly [id: string]: string } = { g_long: 'word '.repeat(3000), g_short: 'A short report.' }
  const graph = { ...one.graph, node: (id: string) => ({ ...node, id, text: held[id] ?? '' }) } as unknown as typeof one.graph
  expect(reportInputOf(graph, parent).texts).toEqual(['A short report.'])
  expect(texts.length).toBeGreaterThan(3)
  expect(extractive(reportInputOf(one.graph, node), 3, one.settings).summary).not.toBe('')
})

it('[A264] a report on communities is written from the best rated first, so that what does not fit is what matters least', () => {
  const ratings: { readonly [id: string]: number } = { g_low: 2, g_high: 9, g_middle: 5 }
  const [one] = communitiesIn(grown(...docs('pool', 20)).graph)
  const node = one ?? fail()
  const child = (id: string) => ({ ...node, id, text: `Report ${id}.`, data: { ...node.data, rating: ratings[id] ?? 0 } })
  const graph = { node: child } as unknown as World['graph']
  const parent = { ...node, layer: 2, data: { ...node.data, members: Object.keys(ratings) } }
  expect(reportInputOf(graph, parent).texts).toEqual(['Report g_high.', 'Report g_middle.', 'Report g_low.'])
})

it('[A14] a relation counts from both its ends: for a report, for the links of a community and for a question', () => {
  const one = grown(...docs('pool', 40))
  const field = clusteringOf(draftOf(one.graph), one.settings.archrag, false)
  const some = communitiesIn(one.graph)[0] ?? fail()
  for (const id of one.graph.page('entity', '', 1000)) {
    const edges = one.graph.edges('relates', id)
    for (const edge of edges) expect(linksOf(field, 0, id).has(otherEnd(edge, id))).toBe(true)
    const { texts } = reportInputOf(one.graph, { ...some, layer: 1, data: { members: [id] } })
    expect(texts.some((text) => text.includes(' – '))).toBe(edges.length > 0)
    const query = { text: '', terms: distinct(terms(nameOf(one.graph, id))), near: {}, vector: vector(id) }
    const layered = { layers: [[{ id, score: 1 }]], named: [], distances: [], by: 'all' } as const
    const own = { ...readOptions({ own: {} }), relations: 100 }
    expect(pointsOf(one.graph, query, layered, own).relations).toBe(Math.min(24, edges.length))
  }
})

it('[A15] a deletion asks for no report but of what is new or of what it touched', () => {
  const pool = docs('pool', 80)
  const one = grown(...pool)
  const before = new Map(communitiesIn(one.graph).map((node) => [node.id, JSON.stringify(node.data)]))
  for (const gone of pool.slice(0, 5)) {
    const near = new Set(mentionsOf(one.graph, gone.chunk.id).map((mention) => mention.entity))
    const touched = (id: string): boolean => {
      const node = one.graph.node(id)
      if (!node) return false
      return node.kind === 'community' ? communityOf(node).members.some(touched) : near.has(id) || besides.has(id)
    }
    // A relation that is stated less often now is another relation for both its ends' neighbours, too.
    const besides = new Set([...near].flatMap((id) => one.graph.edges('relates', id).map((edge) => otherEnd(edge, id))))
    const from = one.asked.length
    one.change({ remove: [gone] })
    const wanted = [...one.tasks.keys()]
    for (const id of wanted) expect(!before.has(id) || touched(id)).toBe(true)
    one.settle()
    for (const id of one.asked.slice(from)) expect(!before.has(id) || touched(id)).toBe(true)
    for (const node of communitiesIn(one.graph)) before.set(node.id, JSON.stringify(node.data))
  }
})

it('[A31] all layers are asked before the first answers', async () => {
  const report = (id: string, layer: number, text: string) =>
    evidence(id, '', text, 0, { kind: 'community', layer, document: null, chunk: null, start: null, end: null })
  const found = [evidence('p_mill', 'mill', 'The mill was built in 1874.'), report('g_1', 1, 'The mill.'), report('g_2', 2, 'The village.')]
  const models = fakeModels({ write: ['never'] })
  const open: (() => void)[] = []
  const write = async (messages: readonly Message[]) => {
    models.written.push(messages)
    if (models.written.length <= 3) await new Promise<void>((go) => open.push(go))
    return { text: JSON.stringify({ points: [] }), spent: { in: 1, out: 1, embedded: 0 } }
  }
  const corpus = fakeCorpus({ documents: { mill: 'The mill was built in 1874.' }, evidence: found })
  const answer = query(
    { corpus, models: { ...models, write }, index: fakeIndex(), config, now: clock(), later: () => undefined },
    { query: 'When?', strategy: 'archrag' },
  )
  for (let turns = 0; open.length < 3 && turns < 1000; turns++) await Promise.resolve()
  expect(open.length).toBe(3)
  for (const go of open) go()
  expect(await answer).toMatchObject({ kind: 'answered' })
})

it('[A13] reports are urgent where they are written at once, and wait where writing is lazy', () => {
  for (const writing of ['eager', 'lazy'] as const) {
    const one = world(settingsWith({ ...small, writing }, true))
    const { tasks } = one.change({ add: docs('pool', 30) })
    expect(tasks.length).toBeGreaterThan(3)
    expect(new Set(tasks.map((task) => task.urgent))).toEqual(new Set([writing === 'eager']))
    for (const { node } of tasks) expect(communityOf(one.graph.node(node) ?? fail()).members.length).toBeGreaterThan(1)
  }
})

it('[A14] a report that still stands is written again when the relations inside have doubled, not before', () => {
  const one = grown(said('a', 'There stood Zyxland beside Quorland.'))
  const node = communitiesIn(one.graph)[0] ?? fail()
  const stale = (): boolean => one.graph.node(node.id)?.stale ?? false
  const times = (id: string, count: number): Doc =>
    said(id, ...Array.from({ length: count }, (_, i) => `In ${id} ${i} there stood Zyxland beside Quorland.`))
  expect([communityOf(node).inside, stale()]).toEqual([1, false])
  one.change({ add: [times('four', 1)] })
  expect(stale()).toBe(true) // twice as often
  one.settle()
  one.change({ add: [times('six', 1)] })
  expect([communityOf(one.graph.node(node.id) ?? fail()).inside, stale()]).toEqual([2, false])
})

it('[A21] a corpus of one name, of names that stand alone, or of names without vectors is grouped and answers', () => {
  const zero = new Int8Array(24)
  const names = Array.from({ length: 40 }, (_, i) => `Abc${'bcdfghjk'[i % 8]}${'aeiou'[Math.floor(i / 8)]}ren`)
  for (const all of [
    [said('a', 'Here stood Zyxland.')],
    names.map((name) => said(name, `Here stood ${name}.`)),
    names.map((name) => doc(name, [`Here stood ${name}.`], [zero])),
    names.flatMap((a, i) => names.slice(i + 1).map((b) => said(`${a} ${b}`, `Here stood ${a} beside ${b}.`))),
  ]) {
    const one = grown(...all)
    expect(communitiesIn(one.graph).reduce((sum, node) => sum + (node.layer === 1 ? communityOf(node).leaves : 0), 0)).toBe(
      one.graph.count('entity'),
    )
    expect(Math.max(...communitiesIn(one.graph).map((node) => communityOf(node).members.length))).toBeLessThanOrEqual(small.max)
    const question = { text: 'What stood here?', terms: ['stood'], near: {}, vector: vector('stood') }
    const found = archrag.retrieve(one.graph, question, new Map(), { topK: 3, budget: 100, trace: false, own: {} }, one.settings)
    expect(found.kind === 'evidence' && found.found.length > 0).toBe(true)
  }
})

function fail(): never {
  throw new Error('nothing there')
}
