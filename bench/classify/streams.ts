/** Test texts one after the other while labels arrive: what learning online does to accuracy and calibration. */
import { goragDefaults } from '../../src/core/strategies/gorag/settings'
import { byKeywords } from '../variants/gorag'
import type { RoundSet } from './data'
import { accuracy, addRound, calibrationError, dealt, emptyCorpus, stream, type Vectors } from './run'

export interface Streams {
  /** Accuracy per round of texts that come one after the other. */
  readonly streams: Readonly<Record<string, readonly number[]>>
  readonly streamCalibration: Readonly<Record<string, number>>
}

interface Run {
  readonly decide?: typeof byKeywords
  readonly learns: boolean
}

const otherStreams: Readonly<Record<string, Run>> = {
  'on, keyword-only': { decide: byKeywords, learns: true },
}

/** Off (the paper's ablation “offline”) and on, on the same texts in the same order. */
export function streams(set: RoundSet, vectors: Vectors, max: number, ablations: boolean): Streams {
  const runs: Readonly<Record<string, Run>> = {
    'learning off': { learns: false },
    'learning on': { learns: true },
    ...(ablations ? otherStreams : {}),
  }
  const texts = dealt(set).map((one) => one.slice(0, max))
  const all: Record<string, readonly number[]> = {}
  const errors: Record<string, number> = {}
  for (const [name, { decide, learns }] of Object.entries(runs)) {
    const corpus = emptyCorpus(goragDefaults)
    let from = 0
    const guesses = set.rounds.map((round, r) => {
      addRound(corpus, round, vectors)
      const found = stream(corpus, texts[r] ?? [], vectors, { learns, from, ...(decide ? { decide } : {}) })
      from += found.length
      return found
    })
    all[name] = guesses.map(accuracy)
    errors[name] = calibrationError(guesses.flat())
  }
  return { streams: all, streamCalibration: errors }
}
