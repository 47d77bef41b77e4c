/**
 * Does the question ask for something with a form of its own that nothing shown would have? A telephone number has digits, an e-mail address its
 * sign, a colour is one of few words, a weight has its unit, and what is counted is counted by a number that measures nothing else ("How many
 * members" is not answered by "9 euros"). Closed classes, in English only.
 */
import { readTerms as terms } from '../text/read-terms'
import type { Question } from './question'
import { spansOf } from './spans'

const COLOUR =
  /(?<!\p{L})(?:black|white|gr[ea]y|red|green|blue|yellow|orange|purple|violet|pink|brown|beige|gold(?:en)?|silver|turquoise|cyan|magenta|maroon|crimson|scarlet|ochre|amber|ivory|cream|navy|teal|indigo|lilac|mauve|tan|khaki|olive|bronze|copper|rose|ruby|emerald|azure|buff|dark|light|pale|bright|transparent|colou?rless|multicolou?red|striped)(?:ish)?(?!\p{L})/iu
/** What asks for it, and what an answer has. */
const FORMS: readonly (readonly [asked: RegExp, form: RegExp])[] = [
  [/^(?:what|which)(?!\p{L})[^?]*(?<!\p{L})(?:telephone|phone|fax|mobile) number(?!\p{L})/iu, /\d(?:[\d\s()/.-]*\d){3}/u],
  [/^(?:what|which)(?!\p{L})[^?]*(?<!\p{L})e-?mail address(?!\p{L})/iu, /@/u],
  [/^(?:what|which)(?!\p{L})[^?]*(?<!\p{L})(?:postcode|post code|postal code|zip code)(?!\p{L})/iu, /\d/u],
  [/^(?:in |of )?(?:what|which) colou?rs?(?!\p{L})|(?<!\p{L})what (?:is|was|are|were) the colou?rs? of(?!\p{L})/iu, COLOUR],
  [
    /(?<!\p{L})(?:how heavy|how much (?:does|did|do) [^?]* weigh|what is the weight of)(?!\p{L})/iu,
    /kilo|(?<!\p{L})(?:kg|g|mg|tons?|tonnes?|pounds?|lbs?|ounces?|stones?|grams?|hundredweights?)(?!\p{L})/iu,
  ],
]
const MEASURED =
  /(?:%|percent|per cent|°[CF]|degrees|(?:kilo|centi|milli)?met(?:re|er)s?|miles?|feet|foot|inch(?:es)?|yards?|km|cm|mm|acres?|hectares?|tons?|tonnes?|pounds?|kilograms?|kg|grams?|lit(?:re|er)s?|[KMGT]B|\p{L}*bytes?|\p{L}*watts?|volts?|dollars?|euros?|francs?|shillings?|cents?|pence|crowns?|marks|pesos?|rupees?|yen|yuan|years?|months?|weeks?|days?|hours?|minutes?|seconds?|o'clock|mph|knots)$/iu
const MONEY = /^[$€£¥]/u
const NEXT = 30 // characters within which the next word stands
const YEAR = /^(?:1[0-9]{3}|20[0-9]{2})$/u

export function isFormless(question: Question, texts: readonly string[]): boolean {
  const asked = FORMS.find(([pattern]) => pattern.test(question.text))
  if (asked) return !texts.some((text) => asked[1].test(text))
  const { kind, counted } = question
  if (kind !== 'count' || counted.length === 0 || counted.some((term) => isUnit(term))) return false
  const numbers = texts.flatMap((text) =>
    spansOf(question, text).map(({ start, end }) => ({
      number: text.slice(start, end),
      next: terms(text.slice(end, end + NEXT))[0] ?? '',
    })),
  )
  return numbers.length > 0 && numbers.every(({ number, next }) => isOther(number, counted.includes(next)))
}

/** Measures, sums, and years other than in "2000 guests". */
function isOther(number: string, isCounted: boolean): boolean {
  return MONEY.test(number) || MEASURED.test(number) || (YEAR.test(number) && !isCounted)
}

const UNITS = new Set(
  'percent degree metre meter kilometre kilometer centimetre mile foot feet inch yard acre hectare ton tonne pound kilogram gram litre liter byte megabyte gigabyte watt volt dollar euro franc shilling cent pence crown mark peso rupee yen yuan year month week day hour minute second knot point time people inhabitant million billion'
    .split(' ')
    .flatMap((word) => terms(word)),
)

function isUnit(term: string): boolean {
  return UNITS.has(term)
}
