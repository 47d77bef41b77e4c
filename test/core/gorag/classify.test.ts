/** Candidates, tree and decision. */
import { expect, it } from 'vitest'
import { byKeywords, unitWeights } from '../../../bench/variants/gorag'
import { placedCosine, shrunkMetric } from '../../../src/core/algorithms/shrunk-metric'
import { softmax, softmaxFit } from '../../../src/core/algorithms/softmax-fit'
import { standardScores } from '../../../src/core/algorithms/standard-scores'
import { unionFind } from '../../../src/core/algorithms/union-find'
import { nodeId } from '../../../src/core/ids'
import { random } from '../../../src/core/random'
import { applyChoice, decisionBrief, labelBrief, promptLimits, readDecision } from '../../../src/core/strategies/gorag/brief'
import { embeddingEvidence } from '../../../src/core/strategies/gorag/embedding-evidence'
import { fitLimits, fitOf } from '../../../src/core/strategies/gorag/fit'
import { candidatesFor, massFor } from '../../../src/core/strategies/gorag/gate'
import { classify, labels, putLabel } from '../../../src/core/strategies/gorag/gorag'
import { goragIndex } from '../../../src/core/strategies/gorag/index'
import { keywordEvidence } from '../../../src/core/strategies/gorag/keyword-evidence'
import { keywordCounts } from '../../../src/core/strategies/gorag/keywords'
import { partEvidence } from '../../../src/core/strategies/gorag/part-evidence'
import { goragDefaults } from '../../../src/core/strategies/gorag/settings'
import { termEvidence } from '../../../src/core/strategies/gorag/term-evidence'
import { steinerOf } from '../../../src/core/strategies/gorag/tree'
import { viewOf } from '../../../src/core/strategies/gorag/view'
import { ask, drop, empty, filled, forget, lines, put, teach, topics, vectorOf } from './corpus'

/** Made-up labels, each with words of its own and one in common. */
const many = Array.from({ length: 40 }, (_, i) => ({ id: `thing${i}`, texts: [`common alpha${i} beta${i}`, `common gamma${i}`] }))
const questions = ['I lost my card', 'bake bread', 'rate of the top up', 'xyzzy', '', 'common', 'travel card rain rate eggs']

it('[C8] there are at least five candidates, at most a third of many labels, and the decision is among them (B9)', () => {
  const [few, lots] = [filled(), filled(many)]
  for (const text of questions) {
    for (const [graph, max] of [
      [few, 5],
      [lots, 13],
    ] as const) {
      const found = ask(graph, text)
      expect(found.candidates.length).toBeGreaterThanOrEqual(5)
      expect(found.candidates.length).toBeLessThanOrEqual(max)
      expect(new Set(found.candidates.map(({ label }) => label)).size).toBe(found.candidates.length)
      if (found.label !== null) expect(found.candidates[0]?.label).toBe(found.label)
    }
  }
  expect(ask(filled(topics.slice(0, 3)), 'I lost my card').candidates.length).toBe(3)
})

it('[C8] the surer a text, the fewer candidates, and never more than a third of many labels', () => {
  const settings = { min: 5, share: 0.2 }
  const sure = Float64Array.from({ length: 40 }, (_, i) => (i === 7 ? 0.9961 : 0.0001))
  const split = Float64Array.from({ length: 40 }, (_, i) => (i < 8 ? 1 / 8 : 0))
  const lost = new Float64Array(40).fill(1 / 40)
  // 1, 8 and 40 labels hold 98 %; 13 are allowed.
  expect([sure, split, lost].map((one) => candidatesFor(one, settings, 0.98))).toEqual([5, 8, 13])
  expect([sure, split, lost].map((one) => candidatesFor(one, settings, 1))).toEqual([13, 13, 13])
  expect(candidatesFor(new Float64Array(0), settings, 0.98)).toBe(0)
})

it('[C340] candidates hold the least share of the probability at which labelled texts keep their labels; all that are allowed where none can be asked', () => {
  const settings = { min: 2, share: 0.2 }
  // 40 labels: the right one is third, behind what holds 98, then 99.2, 99.8 and all of the probability.
  const third = (two: number) => ({
    right: 2,
    probabilities: Float64Array.from({ length: 40 }, (_, i) => (i < 2 ? two / 2 : (1 - two) * 2 ** (1 - i))),
  })
  const masses = [0.9, 0.985, 0.992, 0.998, 0.9999].map((two) =>
    massFor(
      Array.from({ length: 10 }, () => third(two)),
      settings,
    ),
  )
  expect(masses).toEqual([0.98, 0.99, 0.995, 0.999, 1])
  expect(massFor([], settings)).toBe(1)
  const never = { right: 39, probabilities: Float64Array.from({ length: 40 }, (_, i) => (i < 39 ? 1 / 39 : 0)) }
  expect(massFor([never], settings)).toBe(1)
  const alike = many.map(({ id }, i) => ({ id, texts: [`alpha${i} beta${i}`, `beta${i} gamma${i}`, `alpha${i} gamma${i}`] }))
  expect(fitOf(goragIndex(filled(alike), goragDefaults), goragDefaults).mass).toBe(0.98)
})

it('[C8] candidates come from the tree, the keywords and the embedding', () => {
  const { candidates } = ask(filled(), 'my card and the exchange rate')
  const ways = new Set(candidates.flatMap(({ via }) => via.split('+')))
  expect(['steiner', 'keywords', 'embedding'].filter((way) => !ways.has(way))).toEqual([])
})

it('[C8] without labels there is no label; where nothing speaks for any, none is chosen', () => {
  expect(ask(empty(), 'hello')).toEqual({ label: null, confidence: 0, candidates: [], tree: { nodes: [], edges: [] }, keywords: [] })
  const graph = filled()
  const found = classify(graph, { text: 'xyzzy', now: 0 }, goragDefaults)
  expect([found.label, found.confidence, found.candidates.length]).toEqual([null, 0, 5])
})

it('[C8] the tree joins the text’s keywords to labels by edges of the graph', () => {
  for (const steiner of ['mehlhorn', 'mst'] as const) {
    const graph = filled()
    const { tree } = ask(graph, 'I lost my card and the exchange rate is wrong', { ...goragDefaults, steiner })
    const numbers = new Map(tree.nodes.map(({ id }, i) => [id, i]))
    const sets = unionFind(tree.nodes.length)
    for (const { source, target } of tree.edges) expect(sets.union(numbers.get(source) ?? -1, numbers.get(target) ?? -1)).toBe(true)
    expect(tree.edges.length).toBe(tree.nodes.length - 1)
    expect(tree.nodes.filter(({ kind }) => kind === 'keyword').map(({ text }) => text)).toContain('exchang rate')
    expect(tree.nodes.filter(({ kind }) => kind === 'label').map(({ text }) => text)).toContain('exchange_rate')
    for (const { source, target } of tree.edges) {
      if (target !== 'hub') expect(graph.edges('indicates', source).map((edge) => edge.target)).toContain(target)
    }
  }
})

it('[C8] one keyword is joined by its labels, none gives no tree', () => {
  const graph = filled()
  expect(ask(graph, 'yeast').tree.nodes.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['label recipe', 'keyword yeast'])
  expect(ask(graph, 'xyzzy').tree).toEqual({ nodes: [], edges: [] })
})

it('[C18] classifying changes nothing, and costs no memory per text (B11)', () => {
  const graph = filled()
  const before = lines(graph)
  const index = goragIndex(graph, goragDefaults)
  const first = classify(graph, { text: 'lost card', now: 0 }, goragDefaults, index)
  for (const text of questions) classify(graph, { text, vector: vectorOf(text), now: 0 }, goragDefaults, index)
  expect(classify(graph, { text: 'lost card', now: 0 }, goragDefaults, index)).toEqual(first)
  expect(lines(graph)).toEqual(before)
})

it('[C21] an answer counts only if it names a candidate', () => {
  const candidates = [{ label: 'lost_card' }, { label: 'Lost Card' }, { label: 'top_up' }]
  expect(
    ['top_up', ' "Top up". ', '{"label": "lost_card"}', 'lost card', 'weather', 'lost_card or top_up', ''].map((reply) =>
      readDecision(reply, candidates),
    ),
  ).toEqual([
    'top_up',
    'top_up',
    'lost_card',
    null, // two candidates read the same
    null,
    null,
    null,
  ])
})

it('[C21] the model is given the text with its keywords, and each candidate with description and keywords (B6)', () => {
  const graph = filled([...topics, { id: 'refund', description: 'Money back', texts: ['give me my money back'] }])
  const text = 'I want my money back for the lost card'
  const found = ask(graph, text)
  const brief = decisionBrief(text, found)
  expect(brief.text).toBe(text)
  expect(brief.keywords).toContain('monei')
  expect(brief.candidates.find(({ label }) => label === 'refund')?.description).toBe('refund. Money back')
  expect(brief.candidates.find(({ label }) => label === 'lost_card')?.keywords).toContain('lost')
})

it('[C21] the model’s choice is the label, more or less certain as the score agrees', () => {
  const found = ask(filled(), 'I lost my card')
  const [first = '', last = ''] = [found.label ?? '', found.candidates.at(-1)?.label]
  expect(applyChoice(found, first)).toMatchObject({ label: first })
  expect(applyChoice(found, first).confidence).toBeGreaterThan(found.confidence)
  expect(applyChoice(found, last).label).toBe(last)
  expect(applyChoice(found, last).confidence).toBeLessThan(applyChoice(found, first).confidence)
})

it('[C21] a label is described from its examples alone, whatever they are about and whatever their order (B12)', () => {
  const examples = topics[3]?.texts ?? []
  const brief = labelBrief({ id: 'weather', description: '', examples })
  expect(brief).toMatchObject({ kind: 'summarize', role: 'label', subject: 'weather', tokens: promptLimits.description })
  expect(brief?.texts).toEqual([...examples].sort())
  expect(labelBrief({ id: 'weather', description: '', examples: [...examples].reverse() })).toEqual(brief)
  expect(labelBrief({ id: 'weather', description: 'Rain and sun', examples })).toBeUndefined()
  expect(labelBrief({ id: 'weather', description: '', examples: [] })).toBeUndefined()
  const long = labelBrief({ id: 'long', description: '', examples: Array.from({ length: 40 }, (_, i) => `${i} ${'word '.repeat(300)}`) })
  expect(long?.texts.join('').length).toBe(promptLimits.material)
})

it('[C18] an index moved on by patches answers as one read from the graph', () => {
  const graph = empty()
  let index = goragIndex(graph, goragDefaults)
  for (const { id, texts } of topics) {
    const examples = texts.map((text, i) => ({ id: String(i), text, vector: vectorOf(text) }))
    const patch = putLabel(graph, { id, description: '', examples }, goragDefaults, index)
    graph.apply(patch)
    index = index.with(patch)
    const input = { text: 'my card rate', vector: vectorOf('my card rate'), now: 0 }
    expect(classify(graph, input, goragDefaults, index)).toEqual(classify(graph, input, goragDefaults))
  }
  expect(labels(graph, goragDefaults, index)).toEqual(labels(graph, goragDefaults))
})

it('[C18] scores are probabilities of all labels together', () => {
  const graph = filled(topics.slice(0, 5))
  for (const text of questions) {
    const { candidates, confidence } = ask(graph, text)
    expect(candidates.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1, 10)
    expect(confidence === 0 || confidence === candidates[0]?.score).toBe(true)
  }
})

it('[C18] evidence weighs what it is worth on the labelled texts, and equally where there are none', () => {
  expect(fitOf(goragIndex(filled([{ id: 'x', description: 'd', texts: [] }]), goragDefaults), goragDefaults).belief).toEqual(
    fitLimits.start.short,
  )
  // Vectors that say nothing: every text has the same.
  const graph = empty()
  for (const { id, texts } of topics) {
    const examples = texts.map((text, i) => ({ id: String(i), text, vector: vectorOf('same') }))
    graph.apply(putLabel(graph, { id, description: '', examples }, goragDefaults))
  }
  const { belief } = fitOf(goragIndex(graph, goragDefaults), goragDefaults)
  expect(belief.embedding).toBeCloseTo(fitLimits.start.short.embedding, 5)
})

it('[C463] a label’s examples, each left out, count little where the label then loses half', () => {
  const moved = (count: number): number => {
    const labelled = Array.from({ length: 20 }, (_, i) => ({
      id: `label ${i}`,
      texts: Array.from({ length: count }, (_, n) => `alpha${i} beta${i} gamma${i} other${i}x${n}`),
    }))
    const { belief } = fitOf(goragIndex(filled(labelled), goragDefaults), goragDefaults)
    return Math.abs(belief.terms - fitLimits.start.short.terms)
  }
  expect(moved(2)).toBeLessThan(0.05)
  expect(moved(8)).toBeGreaterThan(4 * moved(2))
})

it('[C461] evidence is standardised by its deviation over the labels and by that of texts of other labels', () => {
  const scores = Float64Array.from([1, 0, 0, 0])
  const own = standardScores(scores)
  expect([...own]).toEqual([0.75, -0.25, -0.25, -0.25].map((x) => expect.closeTo(x / Math.sqrt(0.1875), 10)))
  expect([...standardScores(scores, 1)]).toEqual([0.75, -0.25, -0.25, -0.25].map((x) => expect.closeTo(x / Math.sqrt(0.59375), 10)))
  // A label with one example is measured as well: its text is compared with the others' labels.
  const { usual } = fitOf(
    goragIndex(filled(topics.map((topic) => ({ ...topic, texts: topic.texts.slice(0, 1) }))), goragDefaults),
    goragDefaults,
  )
  expect(usual.embedding).toBeGreaterThan(0)
  expect(usual.parts).toBeGreaterThan(0)
})

it('[C18] words that share their parts speak for a label, though no keyword does', () => {
  const graph = filled()
  const found = classify(graph, { text: 'exchanging currencies', now: 0 }, goragDefaults)
  expect(found.label).toBe('exchange_rate')
  const misspelt = classify(graph, { text: 'xchange curency', now: 0 }, goragDefaults)
  expect([misspelt.label, misspelt.keywords]).toEqual(['exchange_rate', []])
})

it('[C18] a text left out is as if it had never been given', () => {
  const settings = { ...goragDefaults, names: false }
  const [one, other] = [
    filled(topics, settings),
    filled(
      topics.map((topic, i) => (i === 0 ? { ...topic, texts: topic.texts.slice(0, 1) } : topic)),
      settings,
    ),
  ]
  const text = topics[0]?.texts[1] ?? ''
  const left = goragIndex(one, settings)
  const view = viewOf(left, settings, 0)
  const out = view.labelled.texts.find(({ key }) => left.labelled.texts.get(key)?.text === text)
  const never = goragIndex(other, settings)
  const want = viewOf(never, settings, 0)
  const label = out?.label ?? -1
  // The metric of embeddings still counts the text: with it, the cosine to the others is what it would have been.
  const vectorsOf = (index: typeof left, own: (key: string) => boolean): Int8Array[] =>
    [...index.labelled.texts.values()].filter(({ key }) => own(key)).flatMap(({ key }) => index.vectors.get(key) ?? [])
  const metric = shrunkMetric(vectorsOf(left, () => true))
  const others = vectorsOf(never, (key) => never.labelled.texts.get(key)?.label === nodeId('label', topics[0]?.id ?? ''))
  const sum = Float64Array.from({ length: others[0]?.length ?? 0 }, (_, i) => others.reduce((total, one) => total + (one[i] ?? 0), 0))
  const near = embeddingEvidence(view, left, vectorOf(text), out)?.[label]
  expect(near).toBeCloseTo(placedCosine(metric.place(vectorOf(text), 1), metric.place(sum, others.length)), 9)
  // Frequencies still count the text: with them, edges are what they would have been.
  const counts = keywordCounts(text, 2)
  const as = { ...want, rarity: view.rarity, salience: view.salience }
  expect(keywordEvidence(view, counts, out)[label]).toBeCloseTo(keywordEvidence(as, counts)[label] ?? -1, 10)
  const texts = [...want.labelled.texts, { key: '', label: 0, kept: new Map<string, number>(), length: 1 }] // no text, but counted
  const counted = { ...as, labelled: { ...want.labelled, frequencies: view.labelled.frequencies, texts } }
  expect(termEvidence(view, left, counts, out).centroid[label]).toBeCloseTo(termEvidence(counted, never, counts).centroid[label] ?? -1, 10)
  // Of letter sequences they move the weights a little.
  expect(
    Math.abs((partEvidence(left, view.labelled, text, out)[label] ?? 0) - (partEvidence(never, want.labelled, text)[label] ?? 0)),
  ).toBeLessThan(0.03)
})

it('[C260] the centroid is the plain one: TF-IDF of words, a name at half the weight of an example', () => {
  const index = goragIndex(filled(), goragDefaults)
  const view = viewOf(index, goragDefaults, 0)
  const texts = [...index.labelled.texts.values()].map(({ kind, label, text }) => ({ kind, label, counts: keywordCounts(text, 1) }))
  const idf = (word: string): number => Math.log((texts.length + 1) / (texts.filter(({ counts }) => counts.has(word)).length + 1)) + 1
  const unit = (vector: [string, number][]): [string, number][] => {
    const length = Math.hypot(...vector.map(([, x]) => x))
    return vector.map(([word, x]) => [word, x / length])
  }
  const weigh = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([word, n]): [string, number] => [word, (1 + Math.log(n)) * idf(word)])
  const asked = weigh(keywordCounts('the card rate rate', 1))
  const want = view.labelled.labels.map((node) => {
    const sum = new Map<string, number>()
    for (const { kind, counts } of texts.filter(({ label }) => label === node)) {
      for (const [word, x] of unit(weigh(counts))) sum.set(word, (sum.get(word) ?? 0) + (kind === 'example' ? x : x / 2))
    }
    return asked.reduce((product, [word, x]) => product + x * ((sum.get(word) ?? 0) / Math.hypot(...sum.values())), 0)
  })
  const got = termEvidence(view, index, keywordCounts('the card rate rate', 2)).centroid
  for (const [y, one] of want.entries()) expect(got[y]).toBeCloseTo(one, 10)
})

it('[C261] names that mean what their texts say gain weight, names of other labels lose it', () => {
  const things = Array.from({ length: 12 }, (_, i) => `thing${'abcdefghijkl'[i]}x`)
  const labelled = (shift: number) =>
    things.map((_, i) => ({
      id: things[(i + shift) % things.length] ?? '',
      texts: [0, 1, 2, 3].map((n) => `${things[i]} seen ${n} in place${n}${i} by someone${i * 4 + n}`),
    }))
  const [right, wrong] = [0, 5].map((shift) => fitOf(goragIndex(filled(labelled(shift)), goragDefaults), goragDefaults).belief)
  expect(right?.names).toBeGreaterThan(fitLimits.start.short.names)
  expect(wrong?.names).toBeLessThan(fitLimits.start.short.names)
  expect(wrong?.names).toBeGreaterThan(0)
})

it('[C262] what is believed follows from the labelled texts that are there: neither order nor what came and went shows', () => {
  const believed = (graph: ReturnType<typeof filled>) => fitOf(goragIndex(graph, goragDefaults), goragDefaults)
  const graph = filled()
  const before = believed(graph)
  expect(believed(filled([...topics].reverse()))).toEqual(before)
  put(graph, { id: 'passing', texts: ['my card and the rate of rain', 'bread on the train'] })
  expect(believed(graph)).not.toEqual(before)
  drop(graph, 'passing')
  expect(believed(graph)).toEqual(before)
  teach(graph, 'I lost my umbrella card', 'lost_card')
  expect(believed(graph)).toEqual(before)
})

it('[C263] what is learned moves no evidence of words that labelled texts have, for any other label', () => {
  const settings = { ...goragDefaults, learning: { ...goragDefaults.learning, confirmations: 1 } }
  const graph = filled()
  const evidence = () => {
    const index = goragIndex(graph, settings)
    const view = viewOf(index, settings, 0)
    return { view, centroid: termEvidence(view, index, keywordCounts('currency rate on the train', 2)).centroid }
  }
  const before = evidence()
  teach(graph, 'the umbrella currency was stolen on tuesday', 'lost_card')
  const after = evidence()
  const taught = before.view.labelled.labels.indexOf(nodeId('label', 'lost_card'))
  for (const [y, x] of before.centroid.entries()) if (y !== taught) expect(after.centroid[y]).toBe(x)
  expect(after.centroid[taught]).toBeLessThan(before.centroid[taught] ?? 0)
})

it('[C18] the fit finds the weights that made the data, pulled towards where it starts', () => {
  const source = random('fit')
  const told = Array.from({ length: 600 }, () => {
    const features = [0, 1].map(() => Float64Array.from({ length: 3 }, () => source.next()))
    const chances = softmax(features, [12, 3], 3)
    const draw = source.next()
    const right = [0, 1, 2].find((i) => draw < chances.subarray(0, i + 1).reduce((a, b) => a + b, 0)) ?? 2
    return { features, right }
  })
  const [first = 0, second = 0] = softmaxFit(told, { weights: [6, 6], spread: [6, 6], strength: 1 })
  expect(Math.abs(first - 12)).toBeLessThan(1.5)
  expect(Math.abs(second - 3)).toBeLessThan(1)
  const halved = told.map((one) => ({ ...one, weight: 0.5 }))
  const given = { weights: [6, 6], spread: [6, 6] }
  expect(softmaxFit(halved, { ...given, strength: 1 })).toEqual(
    softmaxFit(told, { ...given, strength: 2 }).map((x) => expect.closeTo(x, 6)),
  )
  const [held = 0] = softmaxFit(told, { weights: [6, 6], spread: [6, 6], strength: 1e9 })
  expect(held).toBeCloseTo(6, 3)
})

it('[C20] offline, nothing is learned; unit weights and the evidence of words alone are put together from the steps', () => {
  const graph = filled()
  const text = 'exchange rate of my card'
  const full = ask(graph, text)
  const index = goragIndex(graph, goragDefaults)
  const view = viewOf(index, goragDefaults, 0)
  const { tree } = steinerOf(view, keywordCounts(text, index.phrase), goragDefaults, unitWeights)
  expect(new Set(tree.edges.map(({ weight }) => weight))).toEqual(new Set([0.25, 1]))
  const words = byKeywords(index, { text, now: 0 }, goragDefaults)
  expect(words.label).toBe(full.label)
  expect(words.confidence).not.toBe(full.confidence)
  const offline = { ...goragDefaults, learning: { ...goragDefaults.learning, online: false } }
  expect(teach(graph, text, 'top_up', { settings: offline })).toBeNull()
  forget(graph, { since: 0 })
  expect(ask(graph, text)).toEqual(full)
})
