/**
 * How many tokens a text is for a language model, estimated by `tokenx` (about 4.5 English characters a token, with its own rates for CJK, Cyrillic
 * and Greek) and, for the scripts for which it has no rate, by our rates. The same text always counts the same; no vocabulary is loaded. Counts are
 * not additive: the pieces of a text may add up to a little more or less than the whole.
 */
import { estimateTokenCount } from 'tokenx'
import { BEYOND_WORDS, tokensByWords } from './word-tokens'

/**
 * Code points per token, averaged over the vocabularies of recent multilingual models; words of these scripts would otherwise be counted as
 * English.
 */
const RATES = [
  { pattern: /[\u0530-\u08ff\u10a0-\u10ff\ufb1d-\ufdff\ufe70-\ufefc]/, averageCharsPerToken: 3 }, // Armenian, Hebrew, Arabic, Syriac, Georgian
  { pattern: /[\u0900-\u109f\u1780-\u17ff]/, averageCharsPerToken: 2.5 }, // the Indic scripts, Thai, Lao, Tibetan, Burmese, Khmer
  { pattern: /[\u{20000}-\u{3ffff}]/u, averageCharsPerToken: 1 }, // rare Han
]
const RATED = /[\u0530-\u109f\u10a0-\u10ff\u1780-\u17ff\ufb1d-\ufdff\ufe70-\ufefc\ud840-\ud8bf]/

/** 0 for the empty text, at least 1 for any text that holds more than white space. */
export function countTokens(text: string): number {
  return BEYOND_WORDS.test(text) ? estimated(text) : tokensByWords(text, estimated)
}

function estimated(text: string): number {
  return RATED.test(text) ? estimateTokenCount(text, { languageConfigs: RATES }) : estimateTokenCount(text)
}
