/** Pieces of a sentence that could answer a kind of question: dates, years, numbers with their unit, names. By form alone, in one pass each. */
import { entities } from '../text/entities'
import { readTerms as terms } from '../text/read-terms'
import type { Question } from './question'

export interface Span {
  readonly start: number
  readonly end: number
}

const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre'
const YEAR =
  /(?<![\d.,$€£]|(?<!\p{L})\p{Lu}{2,4} )(?:1[0-9]{3}|20[0-9]{2})(?:[–-](?:\d{2}|\d{4}))?(?![\d%]|[.,]\d| ?(?:percent|people|km|miles|metres|meters|euros|dollars)\b)/gu
const MONTH = `(?:(?:early|mid|late) )?(?:\\d{1,2}(?:st|nd|rd|th|\\.|er)? (?:of |de )?)?\\b(?:${MONTHS})\\b(?: \\d{1,2}(?:st|nd|rd|th)?\\b)?(?:,? (?:of |de )?\\d{4}\\b)?`
/** "09 March", "March 9": the number counts nothing. */
const DAY_OF_MONTH = new RegExp(
  `\\d{1,2}(?:st|nd|rd|th|\\.|er)? (?:of |de )?(?:${MONTHS})(?!\\p{L})|(?<!\\p{L})(?:${MONTHS}) \\d{1,2}(?!\\d)`,
  'gu',
)
const WEEKDAY =
  '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Montags?|Dienstags?|Mittwochs?|Donnerstags?|Freitags?|Samstags?|Sonntags?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|weekdays|weekends'
const ORDINAL = '(?:the )?(?:first|second|third|fourth|last|every|every second) '
const DATE = new RegExp(
  [
    `(?:\\b(?:${WEEKDAY}),? (?:the )?)?${MONTH}(?: (?:to|until|and) ${MONTH})?`,
    `(?:${ORDINAL})?\\b(?:${WEEKDAY})(?![\\p{L}])(?: (?:of the|in) (?:month|${MONTHS})\\b)?`,
    '\\b\\d{4}-\\d{2}-\\d{2}\\b',
    '\\b\\d{1,2}(?::\\d{2}\\b(?: ?[ap]\\.?m\\b)?| ?[ap]\\.?m\\b)',
    '\\b(?:early|mid|late)?[ -]?(?:the )?1?\\d{3}s\\b',
    '\\b(?:\\d{1,2}(?:st|nd|rd|th)|(?:\\p{Ll}+-)?(?:first|second|third|\\p{Ll}+th)) centur(?:y|ies)\\b',
    '\\b\\d[\\d,.]* ?(?:BCE?|CE|AD|BP)\\b',
    '\\b\\d[\\d,.]*(?: (?:thousand|million|billion))? (?:days?|weeks?|months?|years?) ago\\b',
    '(?:(?:early|late|in) )?\\b(?:spring|summer|autumn|winter)\\b(?: (?:of )?\\d{4}\\b)?',
    "\\b(?:Easter|Whitsun|Christmas(?: Eve)?|New Year(?:[’']s (?:Eve|Day))?|midnight|noon)\\b",
    'the (?:end|beginning|start|outbreak|eve) of (?:the )?\\p{Lu}[\\p{L}]*(?: \\p{Lu}[\\p{L}]*)*',
    '\\d{4}年(?:\\d{1,2}月(?:\\d{1,2}日)?)?',
  ].join('|'),
  'gu',
)
const WORDS =
  'zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|dozen|half|third|quarter|twice|once'
const SCALE = 'hundred|thousand|million|billion|trillion|dozen'
const UNIT =
  '%|percent|per cent|percentage points|°[CF]|degrees(?: Celsius| Fahrenheit)?|(?:square |cubic )?(?:kilomet(?:re|er)s?|met(?:re|er)s?|miles?|feet|foot|inch(?:es)?|yards?|km|cm|mm|m|ft|acres?|hectares?|tons?|tonnes?|pounds?|kilograms?|kg|grams?|lit(?:re|er)s?|gallons?|(?:kilo|mega|giga|tera|milli)?(?:bytes?|watts?|seconds?|bits?)|[KMGT]B|bars?|volts?|dollars?|euros?|pounds?|francs?|shillings?|thalers?|guilders?|florins?|ducats?|guineas?|lire|liras?|roubles?|rubles?|cents?|pence|crowns?|kron(?:a|e|or|er)|marks|pesos?|rupees?|yen|yuan|years?|months?|weeks?|days?|hours?|minutes?|seconds?|times|people|inhabitants|points|mph|km/h|knots)(?: (?:per|an?) (?:second|minute|hour|day|week|month|year)\\b)?|\\p{L}+ per (?:second|minute|hour)'
const NUMBER = new RegExp(
  `(?:[$€£¥] ?)?(?:\\b\\d[\\d.,  ]*\\d\\b|\\b\\d\\b|\\b(?:${WORDS})\\b|\\ban?(?= (?:${SCALE})\\b))(?:[ -](?:${SCALE}|(?:${WORDS})))*(?: ?(?:${UNIT}))?(?![\\p{L}\\d])`,
  'giu',
)

/** In order of place; they may overlap. Empty for kinds that have no form of their own. */
export function spansOf({ kind, text, focus }: Pick<Question, 'kind' | 'text' | 'focus'>, sentence: string): readonly Span[] {
  switch (kind) {
    case 'year':
      return matches(sentence, YEAR)
    case 'date':
      return withoutInner([...matches(sentence, DATE), ...(DAY.test(text) ? [] : matches(sentence, YEAR))]).filter(
        ({ start, end }) => !(ONCE.test(text) && REGULAR.test(sentence) && !DATED_ONCE.test(sentence.slice(start, end))),
      )
    case 'count':
      return [...measuresOf(sentence, /^/u, focus), ...(/\bhow many times\b/iu.test(text) ? matches(sentence, FREQUENCY) : [])]
    case 'amount':
      if (/\bhow often\b/iu.test(text)) return matches(sentence, FREQUENCY)
      if (/\bhow long\b/iu.test(text)) return withoutInner([...measuresOf(sentence, NO_MULTIPLE), ...matches(sentence, DURATION)])
      return measuresOf(sentence, MEASURES.find(([asked]) => asked.test(text))?.[1] ?? NO_MULTIPLE)
    case 'person':
      return focus.length > 0 ? namedPeopleIn(sentence) : peopleIn(sentence)
    case 'place':
      return namesIn(sentence).filter(({ start }) => BEFORE_PLACE.test(sentence.slice(0, start)))
    case 'name':
      return namesIn(sentence)
    default:
      return []
  }
}

const MONEY =
  /[$€£¥]|(?<!\p{L}|per )(?:dollars?|euros?|pounds?|francs?|shillings?|thalers?|guilders?|florins?|ducats?|guineas?|lire|liras?|roubles?|rubles?|cents?|pence|crowns?|kron\p{L}+|marks?|pesos?|rupees?|yen|yuan|million|billion)(?!\p{L})/iu
const DURATION =
  /(?<!\p{L})(?:from|between) \d{3,4} (?:to|until|and) \d{3,4}|(?<!\p{L})(?:several|many|some|a few|a couple of) (?:seconds|minutes|hours|days|weeks|months|years|decades|centuries|generations)|(?<!\p{L})(?:until|till|into) (?:the )?(?:\p{L}+th century|\d{3,4}|\p{Lu}\p{L}+)/gu
const FREQUENCY =
  /(?<!\p{L})(?:(?:every|each)(?: (?:other|second|third|\d+|\p{L}+))? \p{L}+|(?:once|twice|(?:\d+|\p{L}+) times)(?: (?:a|an|per|each|every) \p{L}+)?|(?:half-?)?(?:hourly|daily|weekly|monthly|quarterly|yearly|annually))(?!\p{L})/giu
/** After these comes a year, not an amount. */
const DATED = /(?<!\p{L})(?:in|since|from|until|till|to|by|of|before|after|between|and|during|early|mid|late|[A-Z]\p{L}+) $/u
/** "Debian 2.1", "version 3.0": what a thing is called. */
const VERSION = /^\d+(?:\.\d+)+$/u
const VERSIONED = /(?:\p{Lu}[\p{L}-]*|(?<!\p{L})(?:version|release)) $/u
/** Something that happened asks for no hours of the present, "open from Tuesday to Sunday, 10 am to 5 pm". */
const ONCE = /^when did(?!\p{L})/iu
const REGULAR =
  /^(?!.*(?<!\p{L})(?:was|were|had|did)(?!\p{L})).*(?<!\p{L})(?:is|are|opens?|closes?|can|may|must|every|each|daily)(?!\p{L})/iu
const DATED_ONCE = new RegExp(`\\d{3}|\\d ?BC|century|ago|${MONTHS}`, 'u')
const BARE_YEAR = /^(?:1[0-9]{3}|20[0-9]{2})$/u
/** A year does not answer these. */
const DAY = /\b(?:which|what) (?:day|date|month)\b/iu
/** "Ten times" as much of what? */
const NO_MULTIPLE = /^(?!.* times$)/iu
const OWN = /^ (?:their|its|his|her) own(?!\p{L})/iu
/** The unit in which a question of amount wants its number. */
const MEASURES: readonly (readonly [RegExp, RegExp])[] = [
  [/percent|proportion|share|fraction/iu, /%|percent|per cent|half|third|quarter/iu],
  [/how (?:high|large|big)(?!\p{L}).*(?:cost|price|(?<!\p{L})rent|fee|salary|wage|income|budget|fine|deposit)/iu, MONEY],
  [/how (?:far|tall|high|long|wide|deep|thick|large|big)|height|length|width|depth|distance/iu, /\p{L}{1,}/iu],
  [/cost|price|salary|budget|revenue|(?<!\p{L})(?:fee|fine|rent|wages?|income|turnover|profit|earn|pay|paid)(?!\p{L})/iu, MONEY],
  [/temperature|how (?:hot|cold|warm)/iu, /°|degree/iu],
  [/how heavy|(?<!\p{L})weigh(?:s|ed|t)?(?!\p{L})/iu, /kilo|(?<!\p{L})(?:kg|g|tons?|tonnes?|pounds?|grams?)$/iu],
  [/how fast|speed/iu, /mph|km\/h|knots|(?:per|an?) (?:hour|second|minute)/iu],
  [/how old|\bage\b/iu, /^(?:\d{1,3}|[\p{L} -]+|[\d.,]+ (?:thousand|million|billion) years?)(?: (?:years?|months?|weeks?|days?))?$/iu],
]
const PERSON =
  /^(?!.*\d)(?!.*['’]s$)\p{Lu}[\p{L}.'’-]*(?: (?:(?:de|da|di|van|von|der|bin|ibn|al|del|la|le) )*(?:[ae]l-)?\p{Lu}[\p{L}.'’-]*){0,4}$/u
/** After these comes where something is, not who. */
const PLACED =
  /\b(?:(?:came|come|comes|went|moved|returned|travel+ed|emigrated) to|in|at|near|from|on|across|through|outside|inside|into|around) (?:the )?$/iu
const BEFORE_PLACE = /\b(?:in|at|near|from|of|to|on|across|through|outside|inside|into|around) (?:the )?$/iu

/** `counted`: before these words a number is neither a year nor a day. */
function measuresOf(sentence: string, unit: RegExp, counted: readonly string[] = []): Span[] {
  const days = matches(sentence, DAY_OF_MONTH)
  return matches(sentence, NUMBER).filter(({ start, end }) => {
    const number = sentence.slice(start, end)
    if (!unit.test(number) && !OWN.test(sentence.slice(end))) return false
    if (VERSION.test(number) && VERSIONED.test(sentence.slice(0, start))) return false
    if (counted.includes(terms(sentence.slice(end, end + 30))[0] ?? '')) return true
    return !(BARE_YEAR.test(number) && DATED.test(sentence.slice(0, start))) && !days.some((day) => day.start <= start && day.end >= end)
  })
}

/** Whatever can be "who": people, but also companies, peoples and parties. */
function peopleIn(sentence: string): Span[] {
  return namesIn(sentence).filter((one) => isPerson(sentence, one))
}

/** Only people, who have no article; also if something is theirs ("Ada Byron's notes"). */
function namedPeopleIn(sentence: string): Span[] {
  return namesIn(sentence)
    .map(({ start, end }) => ({ start, end: end - (/['’]s$/u.exec(sentence.slice(start, end))?.[0].length ?? 0) }))
    .filter((one) => isPerson(sentence, one) && !/\bthe $/iu.test(sentence.slice(0, one.start)))
}

function isPerson(sentence: string, { start, end }: Span): boolean {
  return PERSON.test(sentence.slice(start, end)) && !PLACED.test(sentence.slice(0, start))
}

function namesIn(sentence: string): Span[] {
  return withoutInner(entities(sentence).filter((one) => one.type !== 'date'))
}

function matches(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const lead = match[0].length - match[0].trimStart().length
    const trimmed = match[0].trim().replace(/[.,]$/u, '')
    return trimmed === '' ? [] : [{ start: match.index + lead, end: match.index + lead + trimmed.length }]
  })
}

/** "12 May 1840" and not "1840" as well. */
function withoutInner(spans: readonly Span[]): Span[] {
  return spans.filter((a) => !spans.some((b) => b !== a && b.start <= a.start && b.end >= a.end && b.end - b.start > a.end - a.start))
}
