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
    bias: -4.88,
    noPerson: -3.83,
    noAmount: -2.97,
    noDate: -1.39,
    noCount: -2.13,
    noPlace: -0.55,
    uncounted: -0.72,
    uncaused: -2.66,
    nameless: -1.32,
    brokenName: -0.79,
    together: -0.39,
    covered: 4.21,
    focus: -0.07,
    passage: 2.72,
    fifth: -2.52,
    unknown: -0.43,
    relationLength: 0.67,
    uncompared: -1.4,
    length: 0.87,
    rank: -2.31,
    middling: -2.55,
    meantPassage: 2.66,
    meantFifth: -0.82,
    meantHere: 1.02,
    meantTitle: 0.89,
    meantRelation: 1.99,
  },
  few: {
    bias: -4.32,
    noPerson: -2.83,
    noAmount: -3.14,
    noDate: -1.55,
    noCount: -2.76,
    noPlace: -0.78,
    uncounted: -0.24,
    uncaused: -4.13,
    nameless: -1.11,
    brokenName: -0.6,
    together: -0.17,
    covered: 5.22,
    focus: 0.26,
    passage: 3.58,
    fifth: -2.98,
    unknown: -0.41,
    relationLength: 0.92,
    uncompared: -1.77,
    length: 2.53,
    rank: -2.23,
    middling: -2.15,
    meantPassage: 3.96,
    meantFifth: -0.59,
    meantHere: 2.72,
    meantTitle: -0.9,
    meantRelation: 3.09,
  },
}

/** By letters alone. */
export const byLetters: Fitted = {
  many: {
    bias: -3.84,
    noPerson: -2.91,
    noAmount: -3.09,
    noDate: -1.74,
    noCount: -1.99,
    noPlace: -1.03,
    uncounted: -0.79,
    uncaused: -2.87,
    nameless: -1.32,
    brokenName: -0.9,
    together: -0.6,
    covered: 5.15,
    focus: -0.2,
    passage: 3.49,
    fifth: -1.3,
    unknown: -0.57,
    relationLength: 1.41,
    uncompared: -1.17,
    length: 0.16,
    middling: -2.33,
  },
  few: {
    bias: -2.93,
    noPerson: -2.37,
    noAmount: -3.32,
    noDate: -1.99,
    noCount: -2.48,
    noPlace: -1.37,
    uncounted: -0,
    uncaused: -4.3,
    nameless: -1,
    brokenName: -0.66,
    together: -0.23,
    covered: 6.74,
    focus: 0.25,
    passage: 5.03,
    fifth: -1.88,
    unknown: -0.73,
    relationLength: 1.82,
    uncompared: -1.74,
    length: 2.28,
    middling: -1.76,
  },
}
