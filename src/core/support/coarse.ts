/**
 * The check for languages without a grammar here: how much of the claim's words (pairs of characters if the script has no spaces) one sentence
 * holds, whether it holds each number, and whether only one side has a word that negates. It knows no names, no synonyms and no word order. Pure;
 * linear in the texts.
 */
import { fold } from '../text/fold'
import { readTerms as terms } from '../text/read-terms'
import type { Reason } from './reason'

const MIN_SHARE = 0.6 // of the claim's terms; one changed word changes half of the pairs of a Chinese sentence
const NUMBER = /\p{Nd}+(?:[.,٫٬]\p{Nd}+)*/gu
const DIGIT = /\p{Nd}/gu
const FIRST_DIGITS = [0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040] // zero of each script
const NEGATION =
  /[不没沒無无未非别別]|ない|ません|なかった|않|없|못하|(?<![\p{L}\p{M}])(?:لا|لم|لن|ليس|ليست|غير|بدون|не|нет|ни|без|non|senza|nessun[oa]?|mai|não|nenhum[a]?|sem|nunca|niet|geen|nooit|zonder|ikke|inte|ei|nie|nicht|no|not|ne|pas|नहीं|न)(?![\p{L}\p{M}])/u

export interface Coarse {
  readonly score: number
  readonly reasons: readonly Reason[]
}

export function coarse(claim: string, sentences: readonly string[]): Coarse {
  const wanted = new Set(terms(claim))
  const numbers = numbersIn(claim)
  let best: Coarse = { score: 0, reasons: [{ fault: 'terms', claim: '' }] }
  for (const sentence of sentences) {
    const own = new Set(terms(sentence))
    let shared = 0
    for (const term of wanted) if (own.has(term)) shared++
    const score = wanted.size === 0 ? 0 : shared / wanted.size
    if (score > best.score) best = { score, reasons: reasonsOf(claim, sentence, numbers, score) }
  }
  return best
}

function reasonsOf(claim: string, sentence: string, numbers: readonly string[], score: number): Reason[] {
  const there = new Set(numbersIn(sentence))
  return [
    ...(score < MIN_SHARE ? [{ fault: 'terms' as const, claim: '' }] : []),
    ...numbers.filter((number) => !there.has(number)).map((number) => ({ fault: 'number' as const, claim: number })),
    ...(isNegated(claim) === isNegated(sentence) ? [] : [{ fault: 'negation' as const, claim: '' }]),
  ]
}

function isNegated(text: string): boolean {
  return NEGATION.test(fold(text))
}

/** Digits of every script, as ASCII digits. */
function numbersIn(text: string): string[] {
  return [...text.normalize('NFKC').matchAll(NUMBER)].map(([number]) => number.replace(DIGIT, ascii).replace(/[.,٫٬]/g, '.'))
}

function ascii(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const zero = FIRST_DIGITS.findLast((first) => first <= code) ?? 0
  return code - zero < 10 ? String(code - zero) : digit
}
