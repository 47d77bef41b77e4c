/** Weights of the signs, ln-odds: printed by `npm run bench answers -- --fit`. */
import type { Signs } from './signs'

export type Fitted = { readonly bias: number } & { readonly [sign in keyof Signs]?: number }

/** With the encoder that comes with Loam. */
export const byMeaning: Fitted = {
  bias: -7.09,
  clear: 0.44,
  bound: -0.03,
  noPerson: -2.7,
  noAmount: -3.41,
  noDate: -1.31,
  noCount: -1.93,
  noPlace: -0.07,
  uncounted: -0.51,
  uncaused: -2.91,
  covered: 3.22,
  relation: 1.04,
  relationAround: -0.09,
  missing: -0.17,
  names: 0.32,
  focus: 0.49,
  passage: 2.71,
  fifth: -2.62,
  unknown: -1.25,
  relationLength: 1.62,
  meantPassage: 4.95,
  meantFifth: 0.71,
  meantHere: 0.54,
  small: 2.16,
}

/** By letters alone. */
export const byLetters: Fitted = {
  bias: -5.38,
  clear: 0.45,
  bound: -0.19,
  noPerson: -2.69,
  noAmount: -3.7,
  noDate: -1.76,
  noCount: -2.3,
  noPlace: -0.58,
  uncounted: -0.26,
  uncaused: -2.65,
  covered: 3.83,
  relation: 0.7,
  relationAround: -0.26,
  missing: -0.08,
  names: 0.55,
  focus: 0.25,
  passage: 3.39,
  fifth: -0.23,
  unknown: -1.62,
  relationLength: 1.82,
  small: 2.48,
}
