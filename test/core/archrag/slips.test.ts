/** Slips of the paper's code that no answer would show at once: texts left out of a report, relations read from one end, layers read one after the other. */
import { expect, it } from 'vitest'
import { KNOWLEDGE, knowledgeOf, packedKnowledge } from '../../../src/core/builders/knowledge-row'
import { mentionsOf } from '../../../src/core/builders/mention-list'
import { draftOf } from '../../../src/core/graph/draft'
import { otherEnd } from '../../../src/core/graph/edge-ends'
import { archrag } from '../../../src/core/strategies/archrag/archrag'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { clusteringOf, grouping, parentOf } from '../../../src/core/strategies/archrag/clustering-state'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { readOptions } from '../../../src/core/strategies/archrag/options'
import { pointsOf } from '../../../src/core/strategies/archrag/points'
import { descriptionOf, extractive, nameOf, reportInputOf } from '../../../src/core/strategies/archrag/report-input'
import { rowsIn } from '../../../src/core/strategies/archrag/rows'
import type { ArchSettings } from '../../../src/core/strategies/archrag/settings'
import { linksOf } from '../../../src/core/strategies/archrag/weighted-links'
import { distinct, terms } from '../../../src/core/text/terms'
import { countTokens } from '../../../src/core/text/tokens'
import { quantize } from '../../../src/core/vectors'
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
  expect(reportInputOf(pair.graph, alone ?? fail(), pair.settings).texts).toContain(
    relation(pair, idOf(pair, 'Zyxland'), idOf(pair, 'Quorland')),
  )

  const many = grown(...docs('pool', 40))
  for (const node of communitiesIn(many.graph)) {
    const { members } = communityOf(node)
    if (node.layer > 1) {
      const below = members.map((id) => many.graph.node(id)?.text ?? '')
      const { texts, reports } = reportInputOf(many.graph, node, many.settings)
      expect([...texts.slice(0, reports)].sort()).toEqual(below.filter((text) => text !== '').sort())
      continue
    }
    const texts = new Set(reportInputOf(many.graph, node, many.settings).texts)
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
  const { texts } = reportInputOf(one.graph, node, one.settings)
  const parent = { ...node, layer: 2, data: { ...node.data, members: ['g_long', 'g_short'] } }
  const held: { readonly [id: string]: string } = { g_long: 'word '.repeat(3000), g_short: 'A short report.' }
  const graph = { ...one.graph, node: (id: string) => ({ ...node, id, text: held[id] ?? '' }) } as unknown as typeof one.graph
  expect(reportInputOf(graph, parent, { ...one.settings, writer: false }).texts).toEqual(['A short report.'])
  expect(texts.length).toBeGreaterThan(3)
  expect(extractive(reportInputOf(one.graph, node, one.settings), 3, one.settings).summary).not.toBe('')
})

it('[A264] a report on communities is written from the best rated first, so that what does not fit is what matters least', () => {
  const ratings: { readonly [id: string]: number } = { g_low: 2, g_high: 9, g_middle: 5 }
  const at = grown(...docs('pool', 20))
  const node = communitiesIn(at.graph)[0] ?? fail()
  const child = (id: string) => ({ ...node, id, text: `Report ${id}.`, data: { ...node.data, rating: ratings[id] ?? 0 } })
  const graph = { node: child } as unknown as World['graph']
  const parent = { ...node, layer: 2, data: { ...node.data, members: Object.keys(ratings) } }
  expect(reportInputOf(graph, parent, { ...at.settings, writer: false }).texts).toEqual([
    'Report g_high.',
    'Report g_middle.',
    'Report g_low.',
  ])
})

it('[A14] a relation counts from both its ends: for a report, for the links of a community and for a question', () => {
  const one = grown(...docs('pool', 40))
  const field = clusteringOf(draftOf(one.graph), one.settings.archrag, false)
  const some = communitiesIn(one.graph)[0] ?? fail()
  for (const id of one.graph.page('entity', '', 1000)) {
    const edges = one.graph.edges('relates', id)
    for (const edge of edges) expect(linksOf(field, 0, id).has(otherEnd(edge, id))).toBe(true)
    const { texts } = reportInputOf(one.graph, { ...some, layer: 1, data: { members: [id] } }, one.settings)
    expect(texts.some((text) => text.includes(' – '))).toBe(edges.length > 0)
    const query = { text: '', terms: distinct(terms(nameOf(one.graph, id))), near: {}, vector: vector(id) }
    const layered = { layers: [[{ id, score: 1 }]], named: [], distances: [], by: 'all' } as const
    const own = { ...readOptions({ own: {} }), relations: 100 }
    expect(pointsOf(one.graph, query, layered, own).relations.length).toBe(Math.min(24, edges.length))
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

it('[A330] above the lowest layer a community is linked to its nearest, so that each layer groups the one below', () => {
  // One name beside one of each of many circles: what texts relate makes a star, whose rays no community has room for.
  const letters = 'abcdefghijklmno'
  const stars = Array.from({ length: 60 }, (_, ray) => {
    const name = (at: number): string => `Ray${letters[ray % 15]}${letters[Math.floor(ray / 15)]}${letters[at]}`
    const pairs = [0, 1, 2].map((at) => `There stood ${name(at)} beside ${name(at + 1)}.`)
    const sentences = [...pairs, `There stood Hubling beside ${name(0)}.`]
    // All somewhat alike, so that there are nearest ones.
    return doc(
      `${ray}`,
      sentences,
      sentences.map((one) => quantize(Array.from(vector(one), (x) => x + 60))),
    )
  })
  for (const all of [docs('pool', 120), stars]) {
    const [once, grownUp] = [world(settingsWith({ max: 6, min: 2 })), world(settingsWith({ max: 6, min: 2 }))]
    once.change({ add: all })
    for (const one of all) grownUp.change({ add: [one] })
    if (all === stars) {
      const rows = rowsIn(once.graph)
      const links = rows.ids(1).map((id) => rows.read(1, id)?.near.length ?? 0)
      expect(links.reduce((sum, one) => sum + one, 0) / links.length).toBeGreaterThanOrEqual(4)
    }
    for (const { graph } of [once, grownUp]) {
      const layers = [1, 2, 3, 4].map((layer) => graph.count('community', layer))
      layers.forEach((count, at) => {
        if (at > 0) expect(count).toBeLessThanOrEqual((layers[at - 1] ?? 0) / 2)
      })
    }
  }
})

it('[A331] a report on communities sees facts of the lowest ones below where their reports leave room, and no longer than these are there', () => {
  const at = grown(...docs('pool', 60))
  const above = communitiesIn(at.graph).filter((node) => node.layer > 1)
  const facts = above.map((node) => {
    const { texts, reports, from } = reportInputOf(at.graph, node, at.settings)
    expect(texts.reduce((sum, text) => sum + countTokens(text), 0)).toBeLessThanOrEqual(1500)
    expect([...communityOf(node).from]).toEqual([...from])
    expect(reportInputOf(at.graph, node, { ...at.settings, writer: false }).texts).toEqual(texts.slice(0, reports))
    return texts.slice(reports)
  })
  expect(facts.flat().some((text) => text.includes(' – '))).toBe(true)
  // What a caller may not read is in no report: each is shown only with every chunk of its facts.
  const [node] = above.filter((one) => communityOf(one).from.length > 0)
  const chunk = communityOf(node ?? fail()).from[0] ?? ''
  const query = { text: 'matter', terms: ['matter'], near: {}, vector: vector('matter'), admits: (id: string) => id !== chunk }
  const out = archrag.retrieve(at.graph, query, new Map(), { topK: 50, budget: 9000, trace: false, own: { k: 100 } }, at.settings)
  expect(out.kind === 'evidence' && out.found.map((one) => one.id)).not.toContain(node?.id)
  const document = docs('pool', 60).find((one) => one.chunk.id === chunk)
  at.change({ remove: document ? [document] : [] })
  for (const one of communitiesIn(at.graph)) expect(communityOf(one).from).not.toContain(chunk)
})

it('[A331] facts that come and go beside the reports are no reason to write a report on communities again', () => {
  const at = grown(...docs('pool', 60))
  const node = communitiesIn(at.graph).find((one) => one.layer === 2) ?? fail()
  const [chunk = ''] = communityOf(node).from
  const knowledge = knowledgeOf(at.graph, chunk) ?? fail()
  const described = knowledge.entities.map((one) => ({ ...one, description: 'Said otherwise now.' }))
  const value = packedKnowledge({ ...knowledge, by: 'model', entities: described })
  const changes = [{ op: 'put-value', space: KNOWLEDGE, key: chunk, value }] as const
  at.graph.apply(changes)
  at.take(
    archBuilder.update(at.graph, { added: [], removed: [], documents: { added: [], removed: [] }, replies: [], changes }, at.settings),
  )
  expect([...at.tasks.values()].map((task) => task.node)).not.toContain(node.id)
})

/** As if a model had read all and described what it names. */
function described(at: World): void {
  const changes = at.graph.page('chunk', '', 1000).map((chunk) => {
    const entities = mentionsOf(at.graph, chunk).map(({ entity }) => ({ entity, type: 'tower', description: `told in ${chunk}` }))
    const known = knowledgeOf(at.graph, chunk)?.relations ?? []
    const relations = known.map((one) => ({ ...one, description: `bound in ${chunk}` }))
    return { op: 'put-value', space: KNOWLEDGE, key: chunk, value: packedKnowledge({ by: 'model', entities, relations }) } as const
  })
  at.graph.apply(changes)
}

it('[A332] what models said of entities and relations found stands beside passages, within places and tokens, of texts the caller may read alone', () => {
  const at = grown(...docs('pool', 40))
  const name = at.graph.node(at.graph.page('entity', '', 1)[0] ?? '')?.text ?? ''
  const ask = (own: { readonly [key: string]: boolean | string }, admits?: (chunk: string) => boolean, topK = 12) => {
    const asked = { text: name, terms: distinct(terms(name)), near: {}, vector: vector(name), ...(admits ? { admits } : {}) }
    const out = archrag.retrieve(at.graph, asked, new Map(), { topK, budget: 4000, trace: false, own }, at.settings)
    return out.kind === 'evidence' ? out.found : []
  }
  expect(ask({}).filter((one) => one.text !== undefined)).toEqual([])
  described(at)
  const cards = ask({}).filter((one) => one.text !== undefined)
  expect(cards.length).toBeGreaterThan(0)
  expect(cards.length).toBeLessThanOrEqual(3)
  expect(cards[0]?.text).toMatch(/^\S+ \(tower\): told in c_/)
  const told = cards.flatMap((one) => one.text?.split('\n').slice(1) ?? [])
  expect(told.some((line) => line.includes(': bound in '))).toBe(true)
  expect(new Set(told).size).toBe(told.length)
  for (const card of cards) expect(card.support?.length).toBeGreaterThan(0)
  expect(ask({ descriptions: false }).some((one) => one.text !== undefined)).toBe(false)
  const [only = ''] = at.graph.edgesTo('mentions', idOf(at, name)).map((edge) => edge.source)
  const seen = JSON.stringify(ask({}, (chunk) => chunk === only).map((one) => one.text)).match(/in c_[\w-]+/g) ?? []
  expect([...new Set(seen.map((one) => one.slice(3)))]).toEqual([only])
})

it('[A333] layers are linked by what is chosen: the sums of entities, or the vectors of reports once they are written', () => {
  const at = (layerVectors: ArchSettings['layerVectors']) => {
    const one = world(settingsWith({ ...small, layerVectors }, true))
    one.change({ add: docs('pool', 80) })
    const homes = () => communitiesIn(one.graph).map((node) => `${node.id} ${parentOf(one.graph, node.id)}`)
    const before = homes()
    one.settle()
    const field = clusteringOf(draftOf(one.graph), one.settings.archrag, false)
    const nodes = communitiesIn(one.graph)
    for (const node of nodes) {
      expect(Array.from(grouping(field, node.layer, node.id))).toEqual([...((layerVectors === 'reports' ? node.vector : node.sum) ?? [])])
    }
    return { one, moved: before.join() !== homes().join() }
  }
  expect(at('sums').moved).toBe(false)
  const { one, moved } = at('reports')
  expect(moved).toBe(true)
  // One more document: only what is about it is asked for and linked anew.
  const rows = rowsIn(one.graph)
  const near = new Map(rows.ids(1).map((id) => [id, rows.read(1, id)?.near.join()]))
  one.change({ add: docs('late', 1) })
  const asked = one.asked.length
  one.settle()
  const written = new Set(one.asked.slice(asked))
  const after = rowsIn(one.graph)
  const changed = after.ids(1).filter((id) => near.has(id) && near.get(id) !== after.read(1, id)?.near.join())
  const about = (id: string): boolean =>
    written.has(id) ||
    (after.read(1, id)?.near ?? []).some((other) => written.has(other)) ||
    (near.get(id) ?? '').split(',').some((other) => written.has(other) || !after.read(1, other))
  expect(changed.filter((id) => !about(id))).toEqual([])
  expect(written.size).toBeLessThan(communitiesIn(one.graph).length / 2)
})
