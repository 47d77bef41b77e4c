/** A re-ranker is trusted as far as it proves itself on the corpus's own probes. */
import { expect, it } from 'vitest'
import { blendScores } from '../../../src/core/channels/blend'
import { reachedBy } from '../../../src/core/channels/reached-by'
import { readingText } from '../../../src/core/channels/reading-text'
import { passageId } from '../../../src/core/ids'
import { random } from '../../../src/core/random'
import { auto } from '../../../src/core/strategies/auto/auto'
import { type ProbePool, rerankWeightFrom } from '../../../src/core/strategies/auto/rerank-measure'
import { rerankCalibrationOf, rerankingOf, rerankWeightFor } from '../../../src/core/strategies/auto/rerank-weight'
import { calibrationOf } from '../../../src/core/strategies/auto/weights'
import type { Brief, Reply, RerankPool, Task } from '../../../src/core/strategy'
import { countTokens } from '../../../src/core/text/tokens'
import { doc, docs, settingsWith, vectorFor, type World, world } from '../builders/worlds'

/** `wanted`: which of the texts were to be found; of a pair, both. */
type Reranker = (pool: RerankPool, wanted: readonly number[]) => readonly number[]

const numbers = random('reranker')
const byChance: Reranker = ({ texts }) => texts.map(() => numbers.next())

/** Knows which texts were to be found, four times of five. */
const knowing: Reranker = ({ texts }, wanted) => {
  const right = numbers.next() < 0.8
  return texts.map((_, i) => (right && wanted.includes(i) ? 0.99 : 0.2 + numbers.next() / 10))
}

interface Measured {
  readonly at: World
  readonly calls: number
}

function measuredWith(reranker: Reranker | undefined): Measured {
  const at = world(auto.builders, settingsWith(reranker ? { reranker: 'fake' } : {}))
  at.change({ add: docs('crowd', 90) })
  let calls = 0
  const reply = (task: Task, brief: Brief): Reply => {
    const { node, input } = task
    if (brief.kind === 'embed') return { node, input, kind: 'embed', vectors: brief.texts.map(vectorFor) }
    if (brief.kind !== 'rerank') throw new Error('unexpected brief')
    calls += brief.pools.length
    const { pools } = at.graph.value('auto', 'reranking probes') as unknown as { readonly pools: readonly ProbePool[] }
    const wanted = pools.map(({ ids, target, probe: { first } }) =>
      [target, ...(first ? [passageId(first.chunk, first.passage)] : [])].map((id) => ids.indexOf(id)),
    )
    return { node, input, kind: 'rerank', scores: brief.pools.map((pool, i) => reranker?.(pool, wanted[i] ?? []) ?? []) }
  }
  for (let begun = 0; begun < 2; begun++) {
    at.consolidate()
    for (let few = 0; at.tasks.size > 0 && few < 400; few++) at.settle(reply)
  }
  return { at, calls }
}

const weightIn = ({ at }: Measured, options: Parameters<typeof rerankWeightFor>[1]['options'] = {}, strategy = 'auto'): number =>
  rerankWeightFor(at.graph, { strategy, options }, at.settings)

it('[Q420] a re-ranker that is right four times of five is used; one that scores at random is not asked', () => {
  const good = measuredWith(knowing)
  const chance = measuredWith(byChance)
  expect(rerankCalibrationOf(good.at.graph)).toMatchObject({ reranker: 'fake', weight: expect.any(Number) })
  expect([weightIn(good) > 0, weightIn(chance), weightIn(chance, { select: 'rerank' })]).toEqual([true, 0, 0.5])
  const { without = 1, with: gained = 0 } = rerankCalibrationOf(good.at.graph) ?? {}
  expect(gained).toBeGreaterThan(without + 0.05)
})

it('[Q421] it is measured once by at most 180 calls, each probe once, and not where there is none', () => {
  const { at, calls } = measuredWith(knowing)
  expect([calls > 20, calls <= 180]).toEqual([true, true])
  at.consolidate()
  expect(at.tasks.size).toBe(0)
  const none = measuredWith(undefined)
  expect([none.calls, calibrationOf(none.at.graph) !== undefined, rerankCalibrationOf(none.at.graph)]).toEqual([0, true, undefined])
})

it('[Q421] another re-ranker than the one that was measured is not trusted, and other strategies keep their order', () => {
  const good = measuredWith(knowing)
  const another = { ...good.at.settings, reranker: 'another' }
  expect(rerankWeightFor(good.at.graph, { strategy: 'auto', options: {} }, another)).toBe(0)
  expect([weightIn(good, {}, 'hybrid'), weightIn(good, { rerank: 0.3 }, 'hybrid'), weightIn(good, { rerank: false })]).toEqual([0, 0.3, 0])
  expect(weightIn(good, { select: 'score' })).toBe(0)
})

it('[Q521] what is said of it is what was measured with this re-ranker and these vectors, and nothing where there is none', () => {
  const { at } = measuredWith(knowing)
  const { weight, probes, without, with: gained } = rerankCalibrationOf(at.graph) ?? {}
  expect(rerankingOf(at.graph, at.settings)).toEqual({ reranker: 'fake', weight, measured: { probes, without, with: gained } })
  expect(rerankingOf(at.graph, { ...at.settings, reranker: 'another' })).toEqual({ reranker: 'another', weight: 0, measured: null })
  expect(rerankingOf(at.graph, { ...at.settings, models: 'others' })).toMatchObject({ weight: 0, measured: null })
  expect(rerankingOf(measuredWith(undefined).at.graph, { models: at.settings.models })).toBeUndefined()
})

it('[Q421] of a text that is deleted meanwhile no word is left in what is measured with', () => {
  const at = world(auto.builders, settingsWith({ reranker: 'fake' }))
  const secret = doc(
    'secret',
    'A report',
    'The zyxwvut was counted twice in the northern harbour. Nobody wrote down why it was counted there again.',
  )
  const others = Array.from({ length: 30 }, (_, n) => ({
    ...secret,
    id: `secret${n}`,
    text: `${secret.text} Mark ${n} stands beside pier ${n * 7}.`,
  }))
  at.change({ add: [...docs('crowd', 60), ...others] })
  const embeds = (task: Task, brief: Brief): Reply => ({
    node: task.node,
    input: task.input,
    kind: 'embed',
    vectors: brief.kind === 'embed' ? brief.texts.map(vectorFor) : [],
  })
  const held = () => JSON.stringify(at.graph.values('auto', 'reranking', 5))
  at.consolidate()
  while (at.tasks.size > 0) at.settle(embeds)
  at.consolidate()
  expect(held()).toContain('zyxwvut')
  at.change({ remove: others.map((one) => one.id) })
  expect(held()).not.toContain('zyxwvut')
})

it('[Q422] the text read has the title, the sentence that led to the passage, and the passage, within the window', () => {
  const at = world(auto.builders)
  at.change({
    add: [
      doc('book', 'The Quiet Foundry', 'It sold well. A novel by Cyra Dunn, printed in Ulm.'),
      doc('woman', 'Cyra Dunn', 'She studied in Vigo.'),
    ],
  })
  const [book, woman] = ['book', 'woman'].map((id) => at.graph.chunk(at.graph.document(id)?.chunks[0]?.chunk ?? '')?.passages[0]?.id ?? '')
  const paths = reachedBy(at.graph, [book ?? '', woman ?? ''])
  expect(paths).toEqual([undefined, 'The Quiet Foundry: A novel by Cyra Dunn, printed in Ulm.'])
  const question = 'Where did the author of The Quiet Foundry study?'
  expect(readingText({ title: 'Cyra Dunn', path: paths[1], text: 'She studied in Vigo.', question })).toBe(
    'Cyra Dunn\n(The Quiet Foundry: A novel by Cyra Dunn, printed in Ulm.)\nShe studied in Vigo.',
  )
  const long = readingText({ title: 'T', path: undefined, text: 'counted again '.repeat(2000), question })
  expect(countTokens(long) + countTokens(question)).toBeLessThanOrEqual(512)
})

it('[Q423] blended scores keep the order at weight 0, follow the re-ranker at 1, and see differences that crowd near 0', () => {
  const order = (scores: readonly number[]) => scores.map((_, i) => i).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
  expect(order(blendScores([3, 2, 1], [0.1, 0.2, 0.9], 0))).toEqual([0, 1, 2])
  expect(order(blendScores([3, 2, 1], [0.001, 0.0001, 0.9], 1))).toEqual([2, 0, 1])
  expect(blendScores([0, 0], [0.5, 0.5], 0.5)).toEqual([0, 0])
})

it('[Q420] the surest gain over both kinds of probes decides, and a loss on one kind forbids', () => {
  // Of six weights (0, .15, .3, .5, .7, .85) the rank of the passage, of a pair of both.
  const single = (ranks: string, count: number) => Array.from({ length: count }, () => ranks)
  expect(rerankWeightFrom([...single('222222', 30), ...single('333111/222111', 30), ...single('333333/222222', 10)])).toMatchObject({
    weight: 0.5,
  })
  expect(rerankWeightFrom([...single('111999', 30), ...single('333111/222111', 60)]).weight).toBe(0)
  expect(rerankWeightFrom([...single('222222', 30), ...single('333111/222111', 2), ...single('333333/222222', 28)]).weight).toBe(0)
})
