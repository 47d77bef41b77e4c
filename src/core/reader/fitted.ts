/** Weights of the signs, ln-odds: printed by `npm run bench answers -- --fit`. */
import type { Signs } from './signs'

export type Weights = { readonly bias: number } & { readonly [sign in Exclude<keyof Signs, 'small'>]?: number }

export interface Fitted {
  /** For corpora of two dozen passages and more. */
  readonly many: Weights
  /** For those of three and fewer; between them both count, by `small`. */
  readonly few: Weights
}

/** With the encoder that comes with Loam. */
export const byMeaning: Fitted = {
  many: {
    bias: -5.64,
    noPerson: -3.72,
    noAmount: -3.29,
    noDate: -1.49,
    noCount: -1.87,
    noPlace: -0.73,
    uncounted: -0.67,
    uncaused: -2.8,
    nameless: -1.32,
    brokenName: -0.89,
    together: -0.57,
    ownNames: -0.36,
    covered: 4.84,
    focus: -0.04,
    passage: 2.98,
    fifth: -2.4,
    unknown: -0.29,
    relationLength: 1.32,
    uncompared: -1.41,
    length: 0.96,
    middling: -1.73,
    meantPassage: 3.22,
    meantFifth: -0.9,
    meantHere: 1.92,
    meantTitle: 0.48,
  },
  few: {
    bias: -2.88,
    noPerson: -3.72,
    noAmount: -3.29,
    noDate: -1.49,
    noCount: -1.87,
    noPlace: -0.73,
    uncounted: -0.67,
    uncaused: -2.8,
    nameless: -1.32,
    brokenName: -0.89,
    together: -0.57,
    ownNames: -0.36,
    covered: 4.84,
    focus: -0.04,
    passage: 2.98,
    fifth: -2.4,
    unknown: -0.29,
    relationLength: 1.32,
    uncompared: -1.41,
    length: 0.96,
    middling: -1.73,
    meantPassage: 3.22,
    meantFifth: -0.9,
    meantHere: 1.92,
    meantTitle: 0.48,
  },
}

/** By letters alone. */
export const byLetters: Fitted = {
  many: {
    bias: -4.09,
    noPerson: -2.89,
    noAmount: -3.28,
    noDate: -1.89,
    noCount: -1.94,
    noPlace: -1.08,
    uncounted: -0.74,
    uncaused: -2.97,
    nameless: -1.34,
    brokenName: -0.89,
    together: -0.63,
    ownNames: 0.1,
    covered: 5.04,
    focus: -0.17,
    passage: 3.61,
    fifth: -1.17,
    unknown: -0.5,
    relationLength: 1.43,
    uncompared: -1.21,
    length: 0.57,
    middling: -1.88,
  },
  few: {
    bias: -0.73,
    noPerson: -2.89,
    noAmount: -3.28,
    noDate: -1.89,
    noCount: -1.94,
    noPlace: -1.08,
    uncounted: -0.74,
    uncaused: -2.97,
    nameless: -1.34,
    brokenName: -0.89,
    together: -0.63,
    ownNames: 0.1,
    covered: 5.04,
    focus: -0.17,
    passage: 3.61,
    fifth: -1.17,
    unknown: -0.5,
    relationLength: 1.43,
    uncompared: -1.21,
    length: 0.57,
    middling: -1.88,
  },
}
