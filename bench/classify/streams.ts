/** Test texts one after the other while labels arrive: what learning online does to accuracy and calibration. */
import { type GoragSettings, goragDefaults } from '../../src/core/strategies/gorag/settings'
import type { RoundSet } from './data'
import { accuracy, addRound, calibrationError, dealt, emptyCorpus, stream, type Vectors } from './run'

export interface Streams {
  /** Accuracy per round of texts that come one after the other. */
  readonly streams: Readonly<Record<string, readonly number[]>>
  readonly streamCalibration: Readonly<Record<string, number>>
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
export function streams(set: RoundSet, vectors: Vectors, max: number, ablations: boolean): Streams {
  const runs: Readonly<Record<string, Run>> = {
    'learning off': { settings: goragDefaults, learns: false },
    'learning on': { settings: goragDefaults, learns: true },
    ...(ablations ? otherStreams : {}),
  }
  const texts = dealt(set).map((one) => one.slice(0, max))
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
