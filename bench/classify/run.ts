/** One set, round by round: labels are added as a user would add them, and every test text is classified. Returns figures, prints nothing. */
import { MemoryGraph } from '../../src/core/graph/memory'
import { random } from '../../src/core/random'
import type { Classification } from '../../src/core/strategies/gorag/classify'
import { classify, learn, putLabel } from '../../src/core/strategies/gorag/gorag'
import { type GoragIndex, goragIndex } from '../../src/core/strategies/gorag/index'
import { descriptionText } from '../../src/core/strategies/gorag/label-name'
import type { GoragSettings } from '../../src/core/strategies/gorag/settings'
import { embedStatic, STATIC_DIMENSIONS } from '../lib/encoders'
import type { byKeywords } from '../variants/gorag'
import type { Labelled, Round, RoundSet } from './data'

export type Vectors = ReadonlyMap<string, Int8Array>

export interface Corpus {
  readonly graph: MemoryGraph
  readonly settings: GoragSettings
  index: GoragIndex
}

export interface Guess {
  readonly right: boolean
  readonly confidence: number
}

const START = Date.UTC(2026, 0, 1)
const STEP = 60_000 // milliseconds between texts of a stream

/** Every text of a set, and every label's name, embedded by Loam's encoder. */
export async function vectorsOf(set: RoundSet): Promise<Vectors> {
  const texts = set.rounds.flatMap((round) => [...round.labels.map(nameText), ...[...round.shots, ...round.tests].map((one) => one.text)])
  const wanted = [...new Set(texts)].filter((text) => text.trim() !== '')
  const vectors = await embedStatic(wanted)
  return new Map(wanted.map((text, i) => [text, vectors[i] ?? new Int8Array(STATIC_DIMENSIONS)]))
}

export function nameText(label: string): string {
  return descriptionText({ id: label, description: '' }, true)
}

export function emptyCorpus(settings: GoragSettings): Corpus {
  const graph = new MemoryGraph(STATIC_DIMENSIONS)
  return { graph, settings, index: goragIndex(graph, settings) }
}

export function addRound(corpus: Corpus, round: Round, vectors: Vectors): void {
  for (const id of round.labels) {
    const examples = round.shots
      .filter((one) => one.label === id)
      .map(({ text }, i) => ({ id: String(i), text, vector: vectors.get(text) }))
    const label = { id, description: '', vector: vectors.get(nameText(id)), examples }
    const patch = putLabel(corpus.graph, label, corpus.settings, corpus.index)
    corpus.graph.apply(patch)
    corpus.index = corpus.index.with(patch)
  }
}

export function ask(corpus: Corpus, text: string, vectors: Vectors, now = START): Classification {
  return classify(corpus.graph, { text, vector: vectors.get(text), now }, corpus.settings, corpus.index)
}

/** Texts one after the other, each learned from where it is certain enough. `truth` learns the right label instead: an upper bound, not a method. */
export function stream(
  corpus: Corpus,
  texts: readonly Labelled[],
  vectors: Vectors,
  { learns, from, decide }: { readonly learns: boolean; readonly from: number; readonly decide?: typeof byKeywords },
): Guess[] {
  return texts.map(({ label, text }, i) => {
    const at = START + (from + i) * STEP
    const found = decide
      ? decide(corpus.index, { text, vector: vectors.get(text), now: at }, corpus.settings)
      : ask(corpus, text, vectors, at)
    if (learns && found.label !== null) {
      const decision = { text, label: found.label, confidence: found.confidence, source: 'score', at }
      const { patch, index } = learn(corpus.graph, decision, corpus.settings, corpus.index)
      corpus.graph.apply(patch)
      corpus.index = index
    }
    return { right: found.label === label, confidence: found.confidence }
  })
}

/** Test texts dealt to the rounds from their label's on, so that no stream meets a text twice, and mixed: old and new labels come as they may. */
export function dealt(set: RoundSet): Labelled[][] {
  const streams: Labelled[][] = set.rounds.map(() => [])
  for (const [r, round] of set.rounds.entries()) {
    for (const [i, test] of round.tests.entries()) streams[r + (i % (set.rounds.length - r))]?.push(test)
  }
  return streams.map((texts, r) => random(`stream ${r}`).shuffle(texts))
}

/** Share of right guesses, in per cent. */
export function accuracy(guesses: readonly { readonly right: boolean }[]): number {
  return (100 * guesses.filter((one) => one.right).length) / Math.max(1, guesses.length)
}

/** Expected calibration error over ten equal bins of confidence, in per cent points (Guo et al. 2017). */
export function calibrationError(guesses: readonly Guess[]): number {
  let error = 0
  for (let bin = 0; bin < 10; bin++) {
    const inside = guesses.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === bin)
    const believed = inside.reduce((sum, { confidence }) => sum + confidence, 0)
    error += Math.abs(believed - inside.filter(({ right }) => right).length)
  }
  return (100 * error) / Math.max(1, guesses.length)
}

/** At most so many, at equal distances. */
export function evenly<T>(items: readonly T[], max: number): T[] {
  const step = Math.max(1, items.length / max)
  return Array.from({ length: Math.min(items.length, max) }, (_, i) => items[Math.floor(i * step)] as T)
}
