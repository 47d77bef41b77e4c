/**
 * The paper's Tables 3 and 4, and what learning costs old labels: how the graph grows as questions are learned (relations, first round, one example
 * each), tokens of a question to a model, and accuracy on earlier rounds' labels while new ones arrive and every question of the
 * stream is learned from, beside the same without learning. Held-out texts are never in the stream.
 * `npm run bench classify/growth -- --data <folder> [--sets banking_3shot,…] [--max 200]`
 */
import { parseArgs } from 'node:util'
import { type GoragSettings, goragDefaults } from '../../src/core/strategies/gorag/settings'
import { countTokens } from '../../src/core/text/tokens'
import { decisionMessages } from '../../src/flows/decide'
import { dataFolder } from '../quality/corpora'
import { type Labelled, type RoundSet, roundSet, type SetName } from './data'
import { accuracy, addRound, ask, type Corpus, emptyCorpus, evenly, stream, type Vectors, vectorsOf } from './run'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string', default: 'ifs_1shot,ifs_5shot,banking_1shot,banking_3shot,clinc_1shot,clinc_3shot' },
    max: { type: 'string', default: '200' },
  },
})
const folder = dataFolder(values.data)
/** As the paper learns: every decision, whatever its confidence. */
const everything: GoragSettings = { ...goragDefaults, learning: { ...goragDefaults.learning, confidence: 0, max: 1000 } }

function tokensOf(corpus: Corpus, text: string, vectors: Vectors): number {
  return decisionMessages(text, ask(corpus, text, vectors)).reduce((sum, { content }) => sum + countTokens(content), 0)
}

function grow(set: RoundSet, vectors: Vectors, settings: GoragSettings): string[] {
  const [round] = set.rounds
  if (!round) return []
  const corpus = emptyCorpus(settings)
  addRound(corpus, round, vectors)
  const texts = evenly(round.tests, 4 * Math.floor(round.tests.length / 4))
  const size = (): string => {
    const lines = [...corpus.graph.lines()].filter((line) => !line.includes('gorag/vector'))
    const edges = lines.filter((line) => line.includes('indicates')).length
    const kilobytes = lines.reduce((sum, line) => sum + line.length, 0) / 1000
    return `${corpus.graph.count('keyword') + corpus.graph.count('label')} nodes, ${edges} edges, ${kilobytes.toFixed(0)} kB`
  }
  const quarter = texts.length / 4
  return [
    `0 %: ${size()}`,
    ...[1, 2, 3, 4].map((q) => {
      stream(corpus, texts.slice((q - 1) * quarter, q * quarter), vectors, { learns: true, from: (q - 1) * quarter })
      return `${25 * q} %: ${size()}`
    }),
  ]
}

/** Of each round after the first: right answers on held-out texts of earlier rounds' labels. */
function oldLabels(set: RoundSet, vectors: Vectors, settings: GoragSettings, learns: boolean): number[] {
  const corpus = emptyCorpus(settings)
  const max = Number(values.max)
  let from = 0
  return set.rounds.flatMap((round, r) => {
    addRound(corpus, round, vectors)
    const texts = set.rounds.slice(0, r + 1).flatMap((one) => halfOf(one.tests, 0))
    const now = evenly(texts, max)
    stream(corpus, now, vectors, { learns, from })
    from += now.length
    if (r === 0) return []
    const old = evenly(
      set.rounds.slice(0, r).flatMap((one) => halfOf(one.tests, 1)),
      max,
    )
    return [accuracy(old.map(({ label, text }) => ({ right: ask(corpus, text, vectors, START + from * MINUTE).label === label })))]
  })
}

const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

function halfOf(texts: readonly Labelled[], half: number): Labelled[] {
  return texts.filter((_, i) => i % 2 === half)
}

for (const name of values.sets.split(',') as SetName[]) {
  const set = roundSet(folder, name)
  const vectors = await vectorsOf(set)
  if (name === 'ifs_1shot') {
    const corpus = emptyCorpus(goragDefaults)
    const [round] = set.rounds
    if (round) addRound(corpus, round, vectors)
    const tokens = evenly(round?.tests ?? [], Number(values.max)).map(({ text }) => tokensOf(corpus, text, vectors))
    console.log(`tokens a question: ${(tokens.reduce((a, b) => a + b, 0) / tokens.length).toFixed(1)} (paper: 557.5)`)
    console.log(`graph, learning as by default: ${grow(set, vectors, goragDefaults).join('; ')}`)
    console.log(`graph, every decision learned: ${grow(set, vectors, everything).join('; ')}`)
    console.log('paper: 25 %: 1644 nodes, 1771 edges, 13.3 kB; 50 %: 3238, 3265, 27.6; 75 %: 4482, 4597, 37.0; 100 %: 5299, 5503, 46.4')
  }
  const off = oldLabels(set, vectors, goragDefaults, false)
  for (const [kind, settings] of [
    ['default', goragDefaults],
    ['every decision', everything],
  ] as const) {
    const on = oldLabels(set, vectors, settings, true)
    const change = on.map((x, i) => x - (off[i] ?? 0))
    console.log(
      `${name}, old labels, learning ${kind}: off ${off.map((x) => x.toFixed(1)).join(' ')}, change ${change.map((x) => x.toFixed(1)).join(' ')}, worst ${Math.min(...change).toFixed(1)}`,
    )
  }
}
