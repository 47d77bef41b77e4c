/** Figures of one set, per round: accuracy beside the baselines, candidates beside graph-free ones of the same number, calibration, ablations. */
import { softmax } from '../../src/core/algorithms/softmax-fit'
import { topLabels, type WeighedCandidates, weighCandidates } from '../../src/core/strategies/gorag/candidates'
import { KINDS, type Kind, standardised } from '../../src/core/strategies/gorag/evidence'
import { fitOf } from '../../src/core/strategies/gorag/fit'
import { keywordCounts } from '../../src/core/strategies/gorag/keywords'
import { type GoragSettings, goragDefaults } from '../../src/core/strategies/gorag/settings'
import { steinerOf } from '../../src/core/strategies/gorag/tree'
import { viewOf } from '../../src/core/strategies/gorag/view'
import { unitWeights } from '../variants/gorag'
import { baselines, type Scorer, type Shot } from './baselines'
import { isDevelopment, type Labelled, type Round, type RoundSet } from './data'
import { addRound, type Corpus, calibrationError, emptyCorpus, evenly, nameText, type Vectors } from './run'
import { type Streams, streams } from './streams'

export const GORAG = 'GORAG'
/** Without learning; each over a graph of its own. */
const corpora: Readonly<Record<string, GoragSettings>> = {
  [GORAG]: goragDefaults,
  'GORAG without names': { ...goragDefaults, names: false },
}
/** The paper's ablations of the tree; without a model it decides candidates, not labels. */
const trees: Readonly<Record<string, { readonly settings: GoragSettings; readonly weigh?: typeof unitWeights }>> = {
  steiner: { settings: goragDefaults },
  'steiner, Algorithm 2': { settings: { ...goragDefaults, steiner: 'mst' } },
  'steiner, unit weights': { settings: goragDefaults, weigh: unitWeights },
}

export interface Recall {
  readonly recall: number
  readonly mean: number
  /** Recall of graph-free top-k of the same number: z-sum over examples, and with names. */
  readonly plain: number
  readonly named: number
}

export interface RoundFigures {
  readonly round: string
  readonly labels: number
  /** Settings were chosen on this round's labels. */
  readonly development: boolean
  /** By method; `cumulative` over test texts of all labels so far, `fresh` of the new labels alone (the paper's). */
  readonly accuracy: Readonly<Record<string, { readonly cumulative: number; readonly fresh: number }>>
  readonly recall: Readonly<Record<string, Recall>>
  readonly calibration: number
}

export interface SetFigures extends Streams {
  readonly set: string
  readonly rounds: readonly RoundFigures[]
}

type Test = Labelled & { readonly fresh: boolean }

/** At most `max` test texts a round, evenly drawn. `ablations`: also streams with other ways to learn. */
export function figures(set: RoundSet, vectors: Vectors, max: number, ablations: boolean): SetFigures {
  const filled = Object.entries(corpora).map(([name, settings]) => ({ name, corpus: emptyCorpus(settings) }))
  const rounds = set.rounds.map((round, r): RoundFigures => {
    for (const { corpus } of filled) addRound(corpus, round, vectors)
    const so = set.rounds.slice(0, r + 1)
    const all = so.flatMap((one) => one.tests.map((test) => ({ ...test, fresh: one === round })))
    const labels = so.flatMap((one) => one.labels)
    const answers = answersOf(evenly(all, max), filled, rivals(so, labels, vectors), labels, vectors)
    return {
      round: round.name,
      labels: labels.length,
      development: isDevelopment(set.name, round.name),
      accuracy: Object.fromEntries([...methods(answers)].map((method) => [method, accuracies(answers, method)])),
      recall: filled[0] ? recalls(filled[0].corpus, answers) : {},
      calibration: calibrationError(answers.map(({ lit, right }) => ({ right: right.get(GORAG) ?? false, confidence: sure(lit) }))),
    }
  })
  return { set: set.name, rounds, ...streams(set, vectors, max, ablations) }
}

type Named = readonly { readonly name: string; readonly scorer: Scorer }[]

/** Every baseline on the examples, and on the examples with each label's name as one more text. */
function rivals(so: readonly Round[], labels: readonly string[], vectors: Vectors): Named {
  const withVector = (row: Labelled): Shot => ({ ...row, vector: vectors.get(row.text) ?? new Int8Array() })
  const plain = so.flatMap((one) => one.shots).map(withVector)
  const names = labels.map((label) => ({ label, text: nameText(label) })).filter(({ text }) => text !== '')
  return [
    ...Object.entries(baselines(plain, labels)).map(([name, scorer]) => ({ name, scorer })),
    ...Object.entries(baselines([...plain, ...names.map(withVector)], labels))
      .map(([name, scorer]) => ({ name: `${name}, named`, scorer }))
      .filter(({ name }) => name !== 'majority, named'),
  ]
}

interface Answer {
  readonly test: Test
  /** Of the default. */
  readonly lit: WeighedCandidates
  /** Number of the right label in it. */
  readonly gold: number
  /** By method. */
  readonly right: ReadonlyMap<string, boolean>
  /** Of the right label by the graph-free scores. */
  readonly ranks: { readonly plain: number; readonly named: number }
}

type Filled = readonly { readonly name: string; readonly corpus: Corpus }[]

function answersOf(tests: readonly Test[], filled: Filled, scorers: Named, labels: readonly string[], vectors: Vectors): Answer[] {
  return tests.flatMap((test) => {
    const vector = vectors.get(test.text) ?? new Int8Array()
    const scores = new Map(scorers.map(({ name, scorer }) => [name, scorer(test.text, vector)]))
    const own = filled.map(({ name, corpus }) => ({ name, ...litOf(corpus, test, vectors) }))
    const [main] = own
    if (!main) return []
    const at = labels.indexOf(test.label)
    const standard = standardised(main.lit.weighed, main.fit.usual)
    const without = (left: Kind): number =>
      best([
        ...softmax(
          standard,
          KINDS.map((kind) => (kind === left ? 0 : main.fit.belief[kind])),
          labels.length,
        ),
      ])
    const right = new Map([
      ...[...scores].map(([name, one]) => [name, best(one) === at] as const),
      ...own.map(({ name, lit, gold }) => [name, lit.candidates[0]?.label === gold] as const),
      ...KINDS.map((kind) => [`without ${kind}`, without(kind) === main.gold] as const),
      ['graph alone', best([...main.lit.weighed.keywords]) === main.gold] as const,
    ])
    const ranks = { plain: rankOf(scores.get('z-sum') ?? [], at), named: rankOf(scores.get('z-sum, named') ?? [], at) }
    return [{ test, lit: main.lit, gold: main.gold, right, ranks }]
  })
}

function litOf({ index, settings }: Corpus, { text, label }: Test, vectors: Vectors) {
  const view = viewOf(index, settings, 0)
  return {
    lit: weighCandidates(view, index, { text, vector: vectors.get(text) }, settings),
    gold: view.labelled.labels.findIndex((node) => index.labelled.labels.get(node)?.id === label),
    fit: fitOf(index, settings),
  }
}

function methods(answers: readonly Answer[]): Iterable<string> {
  return answers[0]?.right.keys() ?? []
}

function accuracies(answers: readonly Answer[], method: string): { cumulative: number; fresh: number } {
  const of = (some: readonly Answer[]): number => share(some.map(({ right }) => right.get(method) ?? false))
  return { cumulative: of(answers), fresh: of(answers.filter(({ test }) => test.fresh)) }
}

function sure({ candidates }: WeighedCandidates): number {
  return candidates[0]?.probability ?? 0
}

function recalls(corpus: Corpus, answers: readonly Answer[]): Record<string, Recall> {
  const view = viewOf(corpus.index, corpus.settings, 0)
  const sums: Record<string, { found: number; size: number }> = {}
  // One kind of tree after the other: a view keeps the graph of one.
  const spanned = Object.entries(trees).map(([name, { settings, weigh }]) => ({
    name,
    labels: answers.map(({ test }) => steinerOf(view, keywordCounts(test.text, corpus.index.phrase), settings, weigh).labels),
  }))
  for (const [i, { lit, gold }] of answers.entries()) {
    const { weighed, candidates } = lit
    const sets: Record<string, readonly number[]> = {
      ...Object.fromEntries(spanned.map(({ name, labels }) => [name, labels[i] ?? []])),
      '1-hop': topLabels(weighed.keywords, weighed.keywords.length),
      'label embedding': weighed.embedding ? topLabels(weighed.embedding, candidates.length) : [],
      union: candidates.map(({ label }) => label),
    }
    for (const [name, set] of Object.entries(sets)) {
      const { found: before, size } = sums[name] ?? { found: 0, size: 0 }
      sums[name] = { found: before + (set.includes(gold) ? 1 : 0), size: size + set.length }
    }
  }
  const n = answers.length
  return Object.fromEntries(
    Object.entries(sums).map(([name, { found, size }]) => {
      const mean = size / n
      // Between two whole sizes as far as the mean lies between them.
      const within = (key: 'plain' | 'named'): number => {
        const at = (k: number): number => (100 * answers.filter(({ ranks }) => ranks[key] < k).length) / n
        return at(Math.floor(mean)) + (mean - Math.floor(mean)) * (at(Math.floor(mean) + 1) - at(Math.floor(mean)))
      }
      return [name, { recall: (100 * found) / n, mean, plain: within('plain'), named: within('named') }]
    }),
  )
}

function best(scores: readonly number[]): number {
  return scores.indexOf(Math.max(...scores))
}

function rankOf(scores: readonly number[], at: number): number {
  const own = scores[at] ?? 0
  return scores.filter((score, i) => score > own || (score === own && i < at)).length
}

function share(values: readonly boolean[]): number {
  return (100 * values.filter(Boolean).length) / Math.max(1, values.length)
}
