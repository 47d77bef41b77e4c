/** Spans of years: "from 2002 to 2009" says 2005, and answers for no other year. */
const SPAN =
  /(?<![\d.,])(1\d{3}|20\d{2})(?:\s?[–—-]\s?|\s(?:to|until|till|and|bis|à|hasta)\s)(?:(?:\d{1,2}\s)?\p{Lu}\p{Ll}+\s(?:\d{1,2},\s)?)?(1\d{3}|20\d{2}|\d{2})(?![\d%]|[.,]\d)/gu
/** "Who led it in 2011?" */
const IN_YEAR = /(?<!\p{L})(?:in|during) (1\d{3}|20\d{2})(?![\d–-]|s(?!\p{L}))/iu
const YEAR = /(?<![\d.,])(?:1\d{3}|20\d{2})(?![\d%]|[.,]\d)/gu

interface Years {
  readonly from: number
  readonly to: number
}

function spansIn(text: string): Years[] {
  return [...text.matchAll(SPAN)].map(([, from = '', to = '']) => ({ from: Number(from), to: Number(from.slice(0, -to.length) + to) }))
}

/** Does a span in the text include that year? */
export function spansYear(text: string, year: string): boolean {
  const own = Number(year)
  return spansIn(text).some(({ from, to }) => from <= own && own <= to)
}

/** All years of the sentence belong to spans, none of which includes the year that is asked about. `others` say nothing of that year, either. */
export function isOfOtherYears(question: string, sentence: string, others: readonly string[] = []): boolean {
  const [, year] = IN_YEAR.exec(question) ?? []
  if (year === undefined) return false
  const spans = spansIn(sentence)
  const isInside = (one: string): boolean => spans.some(({ from, to }) => Number(one) === from || Number(one) === to)
  if (spans.length === 0 || spansYear(sentence, year) || !(sentence.match(YEAR) ?? []).every(isInside)) return false
  return !others.some((text) => text.includes(year) || spansYear(text, year))
}
