/**
 * Values that take several words and are one: a date ("Monday, 1 March 2025"), a time ("9 am"), and what reaches from one to another ("9 am to 5 pm").
 * Dates are compared by what both of them name, so that one may be written out and the other not. Pure.
 */
import { fold } from '../text/fold'
import { shortMonth } from './calendar'
import { hanNumber } from './han-numbers'
import type { Value, Word } from './statement-word'
import { SPANNING } from './statement-words'

const UNITS = ['year', 'month', 'day', 'weekday'] as const
const DAY = /^(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|re|o|a)?$/
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
const HAN_DATE = /^(?:(.{2,4})年)?(?:(.{1,3})月)?(?:(.{1,3})[日号])?$/u
const HAN_TIME = /^(.{1,3})[点點时時](?:(.{1,3})分|(半))?$/u
const TIME = /^(\d{1,2}(?:\.\d\d)?) ?([ap])m$/
const RANGE = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/
/** Inside of a date. */
const FILLERS = new Set(['of', 'de', 'del', 'di', 'the', 'den', 'd'])
const HOURS = new Set(['h', 'uhr', 'uur'])
const APART = /^[\s,.]*$/
const DASH = /^\s*[–—~〜-]\s*$/

export const yearOf = (number: string): number | undefined => (/^(1[0-9]|20)\d\d$/.test(number) ? Number(number) : undefined)

export function wholeValues(words: readonly Word[], sentence: string): Word[] {
  const single = words.map(asValue)
  const joined = joinedBy(single, sentence, (at) => dateAt(at) ?? timeAt(at))
  return joinedBy(joined, sentence, spanAt)
}

/** Do both name the same, as far as both name anything? */
export function agree(a: Word, b: Word): boolean {
  if (a.form === b.form) return true
  const [one, other] = [a.value?.span, b.value?.span]
  // What is true of a span is true within it.
  if (one || other) return !one || !other || (agree(one[0], other[0]) && agree(one[1], other[1]))
  if (!a.value || !b.value) return false
  const { value: left } = a
  const { value: right } = b
  return UNITS.every((unit) => left[unit] === undefined || right[unit] === undefined || left[unit] === right[unit])
}

function asValue(word: Word): Word {
  if (word.kind === 'negation' || word.kind === 'name') return word
  const folded = fold(word.text)
  const iso = ISO.exec(folded)
  if (iso) return dated(word, { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) })
  const dotted = DOTTED.exec(folded)
  if (dotted) return dated(word, { year: Number(dotted[3]), month: Number(dotted[2]), day: Number(dotted[1]) })
  const time = TIME.exec(folded.replace(':', '.'))
  if (time) return { ...word, form: `${time[1]?.replace(/\.00$/, '')} ${time[2]}m`, kind: 'number' }
  return hanValue(word, folded) ?? rangeIn(word, folded)
}

function hanValue(word: Word, folded: string): Word | undefined {
  if (!/[年月日点點时時]/u.test(folded) || folded.length < 2) return undefined
  const [year, month, day] = (HAN_DATE.exec(folded)?.slice(1) ?? []).map(numeral)
  if (year !== undefined || month !== undefined) return dated(word, { ...set('year', year), ...set('month', month), ...set('day', day) })
  const [hour, minute] = (HAN_TIME.exec(folded)?.slice(1) ?? []).map((part) => (part === '半' ? 30 : numeral(part)))
  if (hour === undefined) return undefined
  const half = folded.endsWith('半') ? 30 : minute
  return { ...word, form: half ? `${hour}.${String(half).padStart(2, '0')}` : String(hour), kind: 'number' }
}

const set = (unit: keyof Value, value: number | undefined): Value => (value === undefined ? {} : { [unit]: value })

function numeral(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  return /^\d+$/.test(text) ? Number(text) : Number(hanNumber(text) ?? Number.NaN)
}

function rangeIn(word: Word, folded: string): Word {
  const range = word.kind === 'number' ? RANGE.exec(folded) : null
  if (!range) return word
  const end = (form = ''): Word => ({ ...word, form, kind: 'number' })
  return { ...word, value: { span: [end(range[1]), end(range[2])] } }
}

function dated(word: Word, value: Value): Word {
  return { ...word, form: `date ${UNITS.map((unit) => value[unit] ?? '').join('-')}`, kind: 'date', value }
}

/** Where one of several words begins: what they are together, and how many. */
interface At {
  readonly words: readonly Word[]
  readonly i: number
  readonly sentence: string
}
interface Joined {
  readonly word: Word
  readonly count: number
}

function joinedBy(words: readonly Word[], sentence: string, join: (at: At) => Joined | undefined): Word[] {
  const out: Word[] = []
  for (let i = 0; i < words.length; ) {
    const joined = join({ words, i, sentence })
    const one = joined?.word ?? words[i]
    if (one) out.push(one)
    i += joined?.count ?? 1
  }
  return out
}

type Part = readonly [unit: keyof Value, value: number]

/** Parts of a date side by side, each once, of which one at least is a month; a number alone may be its day. */
function dateAt({ words, i, sentence }: At): Joined | undefined {
  let value: Value = {}
  let [last, next] = [i, i]
  for (; next < words.length && next - last <= 2; next++) {
    const word = words[next]
    if (!word || (next > i && !APART.test(sentence.slice(words[next - 1]?.end, word.start)))) break
    if (next > i && FILLERS.has(fold(word.text))) continue
    const part = partOf(word, value, words[next + 1])
    if (!part) break
    value = { ...value, [part[0]]: part[1] }
    last = next
  }
  const first = words[i]
  const end = words[last]
  if (!first || !end || last === i || value.month === undefined || (value.day === undefined && value.year === undefined)) return undefined
  return { word: dated(spanning(first, end, sentence), value), count: last - i + 1 }
}

function partOf(word: Word, value: Value, next: Word | undefined): Part | undefined {
  if (word.value?.span) return undefined
  const { weekday, month, year } = word.value ?? {}
  if (weekday !== undefined)
    return value.weekday === undefined && value.month === undefined && value.day === undefined ? ['weekday', weekday] : undefined
  if (month !== undefined && word.value?.day === undefined) return value.month === undefined ? ['month', month] : undefined
  if (year !== undefined) return value.year === undefined && value.month !== undefined ? ['year', year] : undefined
  const day = DAY.exec(fold(word.text))?.[1]
  if (day !== undefined) return value.day === undefined && value.year === undefined ? ['day', Number(day)] : undefined
  const short =
    /^\p{Lu}/u.test(word.text) && (value.day !== undefined || DAY.test(fold(next?.text ?? ''))) ? shortMonth(fold(word.text)) : undefined
  return short !== undefined && value.month === undefined ? ['month', short] : undefined
}

/** "9 am", "9 a.m.", "9 Uhr", "9 h" */
function timeAt({ words, i, sentence }: At): Joined | undefined {
  const [hour, first, second] = words.slice(i, i + 3)
  if (!hour || !first || hour.kind !== 'number' || !/^\d{1,2}(?:\.\d\d)?$/.test(hour.form)) return undefined
  const mark = fold(first.text)
  if (HOURS.has(mark)) return { word: { ...spanning(hour, first, sentence), form: hour.form, kind: 'number' }, count: 2 }
  const isWhole = mark === 'am' || mark === 'pm'
  const isApart = (mark === 'a' || mark === 'p') && second && fold(second.text) === 'm' && sentence.slice(first.end, second.start) === '.'
  if (!isWhole && !isApart) return undefined
  const end = isWhole || !second ? first : second
  return { word: { ...spanning(hour, end, sentence), form: `${hour.form} ${mark.charAt(0)}m`, kind: 'number' }, count: isWhole ? 2 : 3 }
}

function spanAt({ words, i, sentence }: At): Joined | undefined {
  const [from, between, behind] = words.slice(i, i + 3)
  if (!from || !between || (from.kind !== 'number' && from.kind !== 'date')) return undefined
  const isDashed = DASH.test(sentence.slice(from.end, between.start))
  const to = isDashed ? between : SPANNING.has(fold(between.text)) ? behind : undefined
  if (!to || to.kind !== from.kind || from.value?.span || to.value?.span) return undefined
  const word: Word = { ...spanning(from, to, sentence), form: `${from.form} – ${to.form}`, kind: from.kind, value: { span: [from, to] } }
  return { word, count: isDashed ? 2 : 3 }
}

const spanning = (first: Word, last: Word, sentence: string): Word => ({
  ...first,
  end: last.end,
  text: sentence.slice(first.start, last.end),
})
