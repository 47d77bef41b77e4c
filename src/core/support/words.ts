/** A text as the words, numbers, dates and signs that a check compares. Linear in the text; invisible characters (bidi marks, joiners) are dropped. Pure. */
import { fold } from '../text/fold'
import { DATE, dateOf, monthAlone } from './dates'
import type { Rules } from './grammar/languages'
import { quantified } from './quantities'
import type { Unit } from './units'
import type { Kind, Word } from './word'

const HIDDEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/g
const SPACES = /[\s\u00a0\u202f]+/g
const NUMBER = /\d+(?:[.,'’]\d+)*/y
const SPACED_NUMBER = /\d{1,3}(?: \d{3})+(?!\d)(?:,\d+)?/y
const CLOCK = /([01]?\d|2[0-4]):([0-5]\d)(?!\d)/y
const WORD = /(?:\p{Lu}\.){2,}|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:['’][\p{L}\p{M}]+)*/uy
const UNIT_SIGN = /km²|m²|°C|°|[%€$£¥]/y
/** What stands after an apostrophe and is not a word. */
const CONTRACTED = /^(?:s|t|d|ll|ve|re|m)$/
const CAPITAL = /^\p{Lu}/u
/** "August Delmot", "June Carter" */
const NAMED_MONTH = /^(?:August|April|June|May|Mai|Juni|Julius|Juli) \p{Lu}\p{Ll}/u
const SENTENCE_END = /^[.!?:]$/

export function cleaned(text: string): string {
  return text.replace(HIDDEN, '').normalize('NFC').replace(SPACES, ' ').trim()
}

/** `text`: already cleaned. */
export function wordsOf(text: string, rules: Rules): Word[] {
  const affirmed = spansOf(text, rules.grammar.affirmed)
  const denying = spansOf(text, rules.grammar.denying)
  const raw: Word[] = []
  let at = 0
  while (at < text.length) {
    const began = at
    if (text[at] === ' ') {
      at++
      continue
    }
    const first = raw.length === 0 || (raw.at(-1)?.kind === 'sign' && SENTENCE_END.test(raw.at(-1)?.text ?? ''))
    const [made, end] = next(text, at, rules, first)
    at = Math.max(end, began + 1)
    for (const word of made) {
      const within = (spans: readonly [number, number][]): boolean => spans.some(([from, to]) => from <= began && began < to)
      if (word.role === 'negation' && within(affirmed)) raw.push({ ...word, affirmed: true })
      else if ((word.kind === 'content' || word.role === 'preposition') && within(denying))
        raw.push({ ...word, kind: 'function', role: 'negation', denies: true })
      else raw.push(word)
    }
  }
  return quantified(raw, rules)
}

function spansOf(text: string, pattern: RegExp): [number, number][] {
  return [...text.toLowerCase().matchAll(pattern)].map((match) => [match.index, match.index + match[0].length])
}

function next(text: string, at: number, rules: Rules, first: boolean): [Word[], number] {
  const date = sticky(DATE, text, at)
  const said = date?.groups && startsWord(text, at) ? dateOf(date.groups) : undefined
  if (date && said) return [[plain('date', date[0], first, { date: said })], at + date[0].length]
  const clock = sticky(CLOCK, text, at)
  if (clock)
    return [[numeral(clock[0], [Number(clock[1]) + Number(clock[2]) / 60], first, { of: 'clock', factor: 1 })], at + clock[0].length]
  const number = (rules.grammar.language === 'en' ? null : sticky(SPACED_NUMBER, text, at)) ?? sticky(NUMBER, text, at)
  if (number) return [[numeral(number[0], readings(number[0], rules.grammar.decimalComma), first)], at + number[0].length]
  const word = sticky(WORD, text, at)
  if (word && NAMED_MONTH.test(text.slice(at, at + 24)) && CAPITAL.test(word[0]))
    return [[content(word[0], rules, first)], at + word[0].length]
  if (word) return [spelled(word[0], rules, first), at + word[0].length]
  const unit = sticky(UNIT_SIGN, text, at)
  if (unit) return [[plain('content', unit[0], first)], at + unit[0].length]
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return [[plain('sign', sign, first)], at + sign.length]
}

/** "l'ingénieur" is two words, "Palmer's" one and "isn't" two. */
function spelled(text: string, rules: Rules, first: boolean): Word[] {
  const parts = text.split(/['’]/)
  const { language } = rules.grammar
  return parts.flatMap((part, i): Word[] => {
    const before = parts[i - 1] ?? ''
    const low = part.toLowerCase()
    if (i > 0 && CONTRACTED.test(low)) {
      return language === 'en' && low === 't' && /n$/i.test(before)
        ? [{ ...word("n't", rules, false), kind: 'function', role: 'negation' }]
        : []
    }
    const after = parts[i + 1]?.toLowerCase()
    // "isn" is "is"; "can" stays
    const head = language === 'en' && after === 't' && low.endsWith('n') && low !== 'can' ? part.slice(0, -1) : part
    const made = word(head, rules, first && i === 0)
    return head === '' ? [] : [after === 's' && i === parts.length - 2 ? { ...made, possesses: true } : made]
  })
}

function word(text: string, rules: Rules, first: boolean): Word {
  const low = text.toLowerCase()
  const role = rules.roles.get(low)
  const capital = CAPITAL.test(text)
  const month = role === undefined ? monthAlone(low) : undefined
  if (month !== undefined) return plain('date', text, first, { date: { month } })
  // "IT", "US": spelled like function words, but no such words here.
  const acronym = capital && text.length > 1 && text === text.toUpperCase() && text !== low && !first
  if (role !== undefined && !acronym) return { kind: 'function', text, low, key: low, role, capital, first }
  return content(text, rules, first)
}

function content(text: string, rules: Rules, first: boolean): Word {
  const low = text.toLowerCase()
  return { kind: 'content', text, low, key: rules.stem(low), capital: CAPITAL.test(text), first }
}

function numeral(text: string, values: readonly number[], first: boolean, unit?: Unit): Word {
  return plain('number', text, first, { quantity: { values, ...(unit ? { unit } : {}) } })
}

function plain(kind: Kind, text: string, first: boolean, more: Partial<Word> = {}): Word {
  const low = text.toLowerCase()
  return { kind, text, low, key: fold(low), capital: false, first, ...more }
}

/** What digits may mean: "3.400" is 3,400 to a German reader and 3.4 to an English one; the reading of the text's language comes first. */
function readings(text: string, decimalComma: boolean): number[] {
  const digits = text.replace(/['’ ]/g, '')
  const [decimal, thousands] = decimalComma ? [',', '.'] : ['.', ',']
  const own = Number(digits.replaceAll(thousands, '').replace(decimal, '.'))
  const isGrouped = new RegExp(`^\\d{1,3}(?:\\${thousands}\\d{3})+(?:\\${decimal}\\d+)?$`).test(digits)
  if (!digits.includes(thousands) || isGrouped) return [own].filter(Number.isFinite)
  return [Number(digits.replaceAll(decimal, '').replace(thousands, '.'))].filter(Number.isFinite)
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')
}

function sticky(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
