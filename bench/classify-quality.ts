/** Figures of one set, per round: accuracy beside the baselines, candidates beside graph-free ones of the same number, calibration, ablations. */
import { light, top } from '../src/core/strategies/gorag/candidates'
import { keywordCounts } from '../src/core/strategies/gorag/keywords'
import { type GoragSettings, goragDefaults } from '../src/core/strategies/gorag/settings'
import { steinerOf } from '../src/core/strategies/gorag/tree'
import { viewOf } from '../src/core/strategies/gorag/view'
import { baselines, type Shot } from './classify-baselines'
import { isDevelopment, type Labelled, type RoundSet } from './classify-data'
import {
  accuracy,
  addRound,
  ask,
  type Corpus,
  calibrationError,
  dealt,
  emptyCorpus,
  type Guess,
  nameText,
  stream,
  type Vectors,
} from './classify-run'

export const GORAG = 'GORAG'
/** Variants of the score without learning: without label names, and with one kind of evidence removed. */
export const variants: Readonly<Record<string, GoragSettings>> = {
  [GORAG]: goragDefaults,
  'GORAG without names': { ...goragDefaults, names: false },
  'graph terms removed (embedding alone)': { ...goragDefaults, evidence: { keywords: false, embedding: true } },
  'keyword-only': { ...goragDefaults, evidence: { keywords: true, embedding: false } },
}
/** The paper's ablations of the tree; without a model it decides candidates, not labels. */
const trees: Readonly<Record<string, GoragSettings>> = {
  steiner: goragDefaults,
  'steiner, Algorithm 2': { ...goragDefaults, steiner: 'mst' },
  'steiner, unit weights': { ...goragDefaults, weights: 'unit' },
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

export interface SetFigures {
  readonly set: string
  readonly rounds: readonly RoundFigures[]
  /** Accuracy per round of texts that come one after the other. */
  readonly streams: Readonly<Record<string, readonly number[]>>
  readonly streamCalibration: Readonly<Record<string, number>>
}

type Test = Labelled & { readonly fresh: boolean }

/** At most `most` test texts a round, evenly drawn. `ablations`: also streams with other ways to learn. */
export function figures(set: RoundSet, vectors: Vectors, most: number, ablations: boolean): SetFigures {
  const corpora = Object.entries(variants).map(([name, settings]) => ({ name, corpus: emptyCorpus(settings) }))
  const rounds = set.rounds.map((round, r): RoundFigures => {
    for (const { corpus } of corpora) addRound(corpus, round, vectors)
    const so = set.rounds.slice(0, r + 1)
    const tests: Test[] = evenly(
      so.flatMap((one) => one.tests.map((test) => ({ ...test, fresh: one === round }))),
      most,
    )
    const labels = so.flatMap((one) => one.labels)
    const plain = shotsOf(
      so.flatMap((one) => one.shots),
      vectors,
    )
    const named = [
      ...plain,
      ...shotsOf(
        labels.map((label) => ({ label, text: nameText(label) })).filter(({ text }) => text !== ''),
        vectors,
      ),
    ]
    const scorers = [
      ...Object.entries(baselines(plain, labels)).map(([name, scorer]) => ({ name, scorer })),
      ...Object.entries(baselines(named, labels)).map(([name, scorer]) => ({ name: `${name}, named`, scorer })),
    ].filter(({ name }) => name !== 'majority, named')
    const believed: Guess[] = []
    const rights = new Map<string, boolean[]>()
    const ranks: { plain: number; named: number }[] = []
    const right = (name: string, value: boolean): void => void (rights.get(name) ?? rights.set(name, []).get(name))?.push(value)
    for (const test of tests) {
      const vector = vectors.get(test.text) ?? new Int8Array()
      const scores = new Map(scorers.map(({ name, scorer }) => [name, scorer(test.text, vector)]))
      for (const [name, one] of scores) right(name, labels[best(one)] === test.label)
      const gold = labels.indexOf(test.label)
      ranks.push({ plain: rankOf(scores.get('z-sum') ?? [], gold), named: rankOf(scores.get('z-sum, named') ?? [], gold) })
      for (const { name, corpus } of corpora) {
        const found = ask(corpus, test.text, vectors)
        right(name, found.label === test.label)
        if (name === GORAG) believed.push({ right: found.label === test.label, confidence: found.confidence })
      }
    }
    const main = corpora[0]?.corpus
    return {
      round: round.name,
      labels: labels.length,
      development: isDevelopment(set.name, round.name),
      accuracy: Object.fromEntries(
        [...rights].map(([name, values]) => [name, { cumulative: share(values), fresh: share(values.filter((_, i) => tests[i]?.fresh)) }]),
      ),
      recall: main ? recalls(main, tests, vectors, ranks) : {},
      calibration: calibrationError(believed),
    }
  })
  return { set: set.name, rounds, ...streams(set, vectors, most, ablations) }
}

/** `ranks`: of each test text's label by the graph-free scores. */
function recalls(
  corpus: Corpus,
  tests: readonly Test[],
  vectors: Vectors,
  ranks: readonly { readonly plain: number; readonly named: number }[],
): Record<string, Recall> {
  const view = viewOf(corpus.index, corpus.settings, 0)
  const ids = view.labelled.labels.map((node) => corpus.index.labelled.labels.get(node)?.id ?? '')
  const sums: Record<string, { found: number; size: number }> = {}
  // One kind of tree after the other: a view keeps the graph of one.
  const spanned = Object.entries(trees).map(([name, settings]) => ({
    name,
    labels: tests.map((test) => steinerOf(view, keywordCounts(test.text, corpus.index.phrase), settings).labels),
  }))
  for (const [i, test] of tests.entries()) {
    const vector = vectors.get(test.text)
    const { weighed, candidates } = light(view, corpus.index, { text: test.text, vector }, corpus.settings)
    const gold = ids.indexOf(test.label)
    const sets: Record<string, readonly number[]> = {
      ...Object.fromEntries(spanned.map(({ name, labels }) => [name, labels[i] ?? []])),
      '1-hop': top(weighed.keywords, ids.length),
      'label embedding': weighed.embedding ? top(weighed.embedding, candidates.length) : [],
      union: candidates.map(({ label }) => label),
    }
    for (const [name, set] of Object.entries(sets)) {
      const { found: before, size } = sums[name] ?? { found: 0, size: 0 }
      sums[name] = { found: before + (set.includes(gold) ? 1 : 0), size: size + set.length }
    }
  }
  const n = tests.length
  return Object.fromEntries(
    Object.entries(sums).map(([name, { found, size }]) => {
      const mean = size / n
      // Between two whole sizes as far as the mean lies between them.
      const within = (key: 'plain' | 'named'): number => {
        const at = (k: number): number => (100 * ranks.filter((rank) => rank[key] < k).length) / n
        return at(Math.floor(mean)) + (mean - Math.floor(mean)) * (at(Math.floor(mean) + 1) - at(Math.floor(mean)))
      }
      return [name, { recall: (100 * found) / n, mean, plain: within('plain'), named: within('named') }]
    }),
  )
}

interface Run {
  readonly settings: GoragSettings
  readonly learns: boolean
}

const otherStreams: Readonly<Record<string, Run>> = {
  'on, reinforcing what is known': {
    settings: { ...goragDefaults, learning: { ...goragDefaults.learning, reinforce: true } },
    learns: true,
  },
  'on, keyword-only': { settings: { ...goragDefaults, evidence: { keywords: true, embedding: false } }, learns: true },
}

/** Off (the paper's ablation “offline”) and on, on the same texts in the same order. */
function streams(set: RoundSet, vectors: Vectors, most: number, ablations: boolean): Pick<SetFigures, 'streams' | 'streamCalibration'> {
  const runs: Readonly<Record<string, Run>> = {
    'learning off': { settings: goragDefaults, learns: false },
    'learning on': { settings: goragDefaults, learns: true },
    ...(ablations ? otherStreams : {}),
  }
  const texts = dealt(set).map((one) => one.slice(0, most))
  const all: Record<string, readonly number[]> = {}
  const errors: Record<string, number> = {}
  for (const [name, { settings, learns }] of Object.entries(runs)) {
    const corpus = emptyCorpus(settings)
    let from = 0
    const guesses = set.rounds.map((round, r) => {
      addRound(corpus, round, vectors)
      const found = stream(corpus, texts[r] ?? [], vectors, learns, from)
      from += found.length
      return found
    })
    all[name] = guesses.map(accuracy)
    errors[name] = calibrationError(guesses.flat())
  }
  return { streams: all, streamCalibration: errors }
}

function shotsOf(rows: readonly Labelled[], vectors: Vectors): Shot[] {
  return rows.map((row) => ({ ...row, vector: vectors.get(row.text) ?? new Int8Array() }))
}

function evenly<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, items.length / most)
  return Array.from({ length: Math.min(items.length, most) }, (_, i) => items[Math.floor(i * step)] as T)
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
