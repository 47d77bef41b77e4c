/**
 * Does a question fix something that the sentences shown fix otherwise? "The second leader" is not answered where nothing is second, "a month" not by
 * an amount for each year, "how long" not by "38 metres deep", "Quern 2.0" not by what is said of Quern 1.1. What they leave open contradicts nothing.
 * In English only.
 */
import { saysNumber } from './numbers'
import { lacksKin, lacksSuccession } from './standing'
import { isOfOtherYears } from './years'

/** "Who was the second president?" asks for one of a sequence, "the second largest city" for one by size. */
const ORDINAL =
  /^(?:who|which|what)(?!\p{L})[^?]{0,20}? (?:is|was|were|are) (?:the|\p{L}+['’]s?) (first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)(?![-\p{L}]| \p{L}+est(?!\p{L})| most(?!\p{L}))/iu
const SAYING: { readonly [ordinal: string]: RegExp } = {
  first:
    /first|1st|origin|initial|earli|(?<!\p{L})(?:beg[aiu]n|new|open|start|since)|pioneer|found|oldest|never|introduc|invent|discover|debut|premi|inaugur|became|creat|\d{4}/iu,
  second: /second|2nd|(?<!\p{L})(?:II|after|next|runner-up|succeed(?:s|ed)?|successor)(?!\p{L})/iu,
  third: /third|3rd|(?<!\p{L})(?:III|three)(?!\p{L})/iu,
  fourth: /fourth|4th|(?<!\p{L})(?:IV|four)(?!\p{L})/iu,
  fifth: /fifth|5th|(?<!\p{L})(?:V|five)(?!\p{L})/iu,
  sixth: /sixth|6th|(?<!\p{L})(?:VI|six)(?!\p{L})/iu,
  seventh: /seventh|7th|(?<!\p{L})(?:VII|seven)(?!\p{L})/iu,
  eighth: /eighth|8th|(?<!\p{L})(?:VIII|eight)(?!\p{L})/iu,
  ninth: /ninth|9th|(?<!\p{L})(?:IX|nine)(?!\p{L})/iu,
  tenth: /tenth|10th|(?<!\p{L})(?:X|ten)(?!\p{L})/iu,
}

const PERIODS: readonly RegExp[] = [
  /(?:an?|per|each|every|\/) ?(?:hour)(?!\p{L})|hourly/iu,
  /(?:an?|per|each|every|\/) ?(?:day|night)(?!\p{L})|daily|nightly/iu,
  /(?:an?|per|each|every|\/) ?week(?!\p{L})|weekly/iu,
  /(?:an?|per|each|every|\/) ?month(?!\p{L})|monthly/iu,
  /(?:an?|per|each|every|\/) ?(?:year|annum)(?!\p{L})|yearly|annual/iu,
].map((one) => new RegExp(`(?<!\\p{L})(?:${one.source})`, 'iu'))
const AMOUNT = /^(?:how (?:much|many)|what)(?!\p{L})/iu

const DIMENSIONS: readonly (readonly [asked: RegExp, said: RegExp])[] = [
  [/^how long(?!\p{L})/iu, /^long/iu],
  [/^how (?:high|tall)(?!\p{L})/iu, /^(?:high|tall)/iu],
  [/^how deep(?!\p{L})/iu, /^deep/iu],
  [/^how (?:wide|broad)(?!\p{L})/iu, /^(?:wide|broad)/iu],
  [/^how thick(?!\p{L})/iu, /^thick/iu],
]
const MEASURED =
  /\d[\d.,]*[ -]?(?:(?:kilo|centi|milli)?met(?:re|er)s?|miles?|feet|foot|ft|inch(?:es)?|yards?|km|cm|mm|m)[ -](long|high|tall|deep|wide|broad|thick)(?!\p{L})/giu

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
/** "Quern 2.0", "Room 12"; not "In 2015" or "May 3". */
const NUMBERED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?!(?:In|On|At|By|Of|To|Since|From|After|Before|During|Between|Until|About|Around|The|${MONTHS})(?!\\p{L}))(\\p{Lu}\\p{L}+) (\\d+(?:\\.\\d+)*)(?![\\p{L}\\d%]|[.,:]\\d)`,
  'gu',
)

/** `shown`: the sentence that answers, and what is read with it. */
export function isOtherwise(question: string, shown: readonly string[], heads: readonly string[]): boolean {
  return (
    lacksOrdinal(question, [...shown, ...heads]) ||
    isOfOtherPeriod(question, shown) ||
    isOfOtherDimension(question, shown) ||
    isOfOtherNumber(question, [shown[0] ?? '', ...heads]) ||
    isOfOtherYears(question, shown[0] ?? '', [...shown, ...heads]) ||
    lacksKin(question, [...shown, ...heads]) ||
    lacksSuccession(question, shown)
  )
}

/** The sentence is about something of that name with another number. */
export function isOfOtherNumber(question: string, [sentence = '', ...heads]: readonly string[]): boolean {
  return [...question.matchAll(NUMBERED)].some(([, name, number = '']) => {
    const others = [...sentence.matchAll(NUMBERED)].filter(([, other]) => other === name)
    return others.length > 0 && ![sentence, ...heads].some((text) => saysNumber(text, number))
  })
}

function lacksOrdinal(question: string, texts: readonly string[]): boolean {
  const ordinal = ORDINAL.exec(question)?.[1]?.toLowerCase()
  const saying = ordinal === undefined ? undefined : SAYING[ordinal]
  return saying !== undefined && !texts.some((text) => saying.test(text))
}

function isOfOtherPeriod(question: string, texts: readonly string[]): boolean {
  const asked = AMOUNT.test(question) ? PERIODS.find((one) => one.test(question)) : undefined
  if (!asked) return false
  const said = PERIODS.filter((one) => texts.some((text) => /\d/u.test(text) && one.test(text)))
  return said.length > 0 && !said.includes(asked)
}

function isOfOtherDimension(question: string, texts: readonly string[]): boolean {
  const own = DIMENSIONS.find(([asked]) => asked.test(question))?.[1]
  if (!own) return false
  const said = texts.flatMap((text) => [...text.matchAll(MEASURED)].map(([, dimension = '']) => dimension))
  return said.length > 0 && !said.some((dimension) => own.test(dimension))
}
