/**
 * Do two sentences say the same about the same thing, but with another value: a number, a date or a name, or the contrary? Found by aligning their
 * words: all words with a meaning must be in both, in the same order, except in one place, which comes after what they speak of. What is only
 * worded differently is not compared. Pure.
 */

import { readTerms as terms } from '../text/read-terms'
import { STOP_WORDS } from '../text/stop-words'
import { fold } from '../text/terms'

const MAX_WORDS = 60 // in a sentence: alignment costs the product of both
const MAX_VALUE = 5 // words of a value
const MIN_COMMON = 2 // words with a meaning, in both

type Kind = 'word' | 'stop' | 'number' | 'date' | 'name' | 'negation'
export type Difference = 'number' | 'date' | 'name' | 'negation'

interface Word {
  readonly text: string
  /** The form that is compared. */
  readonly form: string
  readonly kind: Kind
}

export interface Statement {
  readonly words: readonly Word[]
  /** Forms of the words that have a meaning and are not values. */
  readonly about: ReadonlySet<string>
  readonly hasValue: boolean
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*(?:[.,:/-](?=\p{N})[\p{N}]+)*/gu
const NUMBERS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, i): [string, string] => [word, String(i <= 20 ? i : (i - 18) * 10)]),
)
const among = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const DAYS = among(
  'january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays',
)
const NEGATIONS = among('not no never nor none neither cannot')
const SOFT = among('now currently today still already new newly longer meanwhile')
const ROUGHLY = among('about around roughly nearly almost approximately some circa')
/** Stop words that distinguish two things. */
const CONTRASTS = among('over under before after above below with without')
/** Before a name, these say which of several things is meant. */
const WHICH = among('to of in at for from')
/** After these, a number is what a thing is called. */
const NUMBERED = among(
  'room article section chapter page line gate platform part step version level floor class model number figure table paragraph clause unit bus route flight track team volume rule item question door building house hall station',
)
const ARTICLES = among('the a an our his her their its my your this that')
/** After these, at the end of a statement, a month or a year only says when. */
const WHEN = among('in on at during since by')

/** The statement as it is compared with others. Undefined: too long. */
export function statementOf(sentence: string): Statement | undefined {
  const found = [...sentence.matchAll(WORD)]
  if (found.length > MAX_WORDS) return undefined
  const words = found.map(([text], i) => wordOf(text, i === 0, NUMBERED.has(fold(found[i - 1]?.[0] ?? ''))))
  const about = new Set(words.filter((word) => word.kind === 'word').map((word) => word.form))
  return { words, about, hasValue: words.some((word) => isValue(word) || word.kind === 'negation') }
}

function wordOf(text: string, isFirst: boolean, isCalled: boolean): Word {
  const folded = fold(text)
  if (NEGATIONS.has(folded) || folded.endsWith("n't") || folded.endsWith('n’t')) return { text, form: 'not', kind: 'negation' }
  if (SOFT.has(folded)) return { text, form: folded, kind: 'stop' }
  const isMonth = DAYS.has(folded) && /^\p{Lu}/u.test(text)
  if (isMonth) return { text, form: folded.replace(/s$/, ''), kind: 'date' }
  const number = NUMBERS.get(folded) ?? (/^\p{N}/u.test(text) ? numberForm(folded) : undefined)
  if (number !== undefined && (!isFirst || /^\p{N}/u.test(text)))
    return { text, form: number, kind: !isCalled && isYear(number) ? 'date' : 'number' }
  if (CONTRASTS.has(folded)) return { text, form: folded, kind: 'word' }
  if (STOP_WORDS.has(folded)) return { text, form: folded, kind: 'stop' }
  if (!isFirst && /^\p{Lu}/u.test(text)) return { text, form: folded, kind: 'name' }
  return { text, form: terms(text)[0] ?? folded, kind: 'word' }
}

/** `1,200` is 1200, and 9.30 may be a time. */
const numberForm = (text: string): string =>
  text
    .replaceAll(/[,'’](?=\d{3}(?!\d))/g, '')
    .replace(/(\d)[:.](\d\d)$/, '$1.$2')
    .replace(/\.0+$/, '')
const isYear = (number: string): boolean => /^(1[0-9]|20)\d\d$/.test(number)
const isValue = ({ kind }: Word): boolean => kind === 'number' || kind === 'date' || kind === 'name'

/** A stretch of each sentence that the other does not have. */
interface Gap {
  readonly left: readonly Word[]
  readonly right: readonly Word[]
  /** Words of the first sentence before and after it. */
  readonly before: readonly Word[]
  readonly after: readonly Word[]
}

/** What they say differently; undefined if nothing certain. */
export function differingValue(a: Statement, b: Statement): Difference | undefined {
  if (!mayAlign(a, b)) return undefined
  const gaps = gapsBetween(a.words, b.words)
  const said = gaps.filter(({ left, right }) => [...left, ...right].some((word) => word.kind !== 'stop'))
  const [only, ...others] = said
  if (!only || others.length > 0) return undefined
  const common = contentOf(a.words).length - contentOf(only.left).length
  if (common < MIN_COMMON) return undefined
  return kindOf(only)
}

const contentOf = (words: readonly Word[]): readonly Word[] => words.filter((word) => word.kind === 'word' || isValue(word))
const meaning = (words: readonly Word[]): readonly Word[] => words.filter((word) => word.kind !== 'stop')

/** Checked first, since most pairs speak of different things. */
function mayAlign(a: Statement, b: Statement): boolean {
  if (!a.hasValue && !b.hasValue) return false
  let both = 0
  for (const form of a.about) if (b.about.has(form)) both++
  return both > 0 && both === a.about.size && both === b.about.size
}

function kindOf(gap: Gap): Difference | undefined {
  const left = meaning(gap.left)
  const right = meaning(gap.right)
  if (left.length + right.length === 1) return left[0]?.kind === 'negation' || right[0]?.kind === 'negation' ? 'negation' : undefined
  if (left.length === 0 || right.length === 0 || Math.max(left.length, right.length) > MAX_VALUE) return undefined
  const kind = valueKind(left)
  if (kind === undefined || kind !== valueKind(right) || !hasSubject(gap)) return undefined
  const before = fold(gap.before.at(-1)?.text ?? '')
  if (kind === 'name' && (isPartOf(left, right) || (WHICH.has(before) && meaning(gap.after).length > 0))) return undefined
  if (ROUGHLY.has(before) || [...gap.left, ...gap.right].some((word) => ROUGHLY.has(fold(word.text)))) return undefined
  // If what was so follows the time when it was so, both times may hold.
  if (kind === 'date' && gap.after.some(isValue)) return undefined
  return kind
}

/** The values must be of one kind throughout; a number beside a month is a date. */
function valueKind(words: readonly Word[]): Difference | undefined {
  const kinds = new Set(words.map((word) => word.kind))
  if (kinds.has('word') || kinds.has('negation')) return undefined
  if (kinds.has('name')) return kinds.size === 1 ? 'name' : undefined
  return kinds.has('date') ? 'date' : 'number'
}

const isPartOf = (a: readonly Word[], b: readonly Word[]): boolean =>
  a.every((word) => b.some((other) => other.form === word.form)) || b.every((word) => a.some((other) => other.form === word.form))

/** What they speak of must stand before what differs; otherwise they may speak of two things. */
function hasSubject({ before, left }: Gap): boolean {
  const said = before.filter((word) => !ARTICLES.has(fold(word.text)))
  const content = contentOf(said)
  const isCalled = NUMBERED.has(fold(before.at(-1)?.text ?? ''))
  const isWhen = before.length <= 2 && WHEN.has(fold(before[0]?.text ?? ''))
  return content.length >= (isCalled ? 2 : 1) && !isWhen && (left[0]?.kind !== 'name' || said.length >= 2)
}

/** By the longest common subsequence of their words. */
function gapsBetween(a: readonly Word[], b: readonly Word[]): Gap[] {
  const width = b.length + 1
  const longest = new Uint8Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i]?.form === b[j]?.form
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0)
  const gaps: Gap[] = []
  let [i, j, fromA, fromB] = [0, 0, 0, 0]
  const close = (): void => {
    if (i > fromA || j > fromB)
      gaps.push({ left: a.slice(fromA, i), right: b.slice(fromB, j), before: a.slice(0, fromA), after: a.slice(i) })
  }
  while (i < a.length && j < b.length) {
    if (a[i]?.form === b[j]?.form) {
      close()
      fromA = ++i
      fromB = ++j
    } else if ((longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0)) i++
    else j++
  }
  i = a.length
  j = b.length
  close()
  return gaps
}
