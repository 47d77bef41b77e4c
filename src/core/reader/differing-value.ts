/**
 * Do two sentences say the same about the same thing, but with another value: a number, a date or a name, or the contrary? Found by aligning their
 * words: all words with a meaning must be in both, in the same order, except in one place, which comes after what they speak of. What is only
 * worded differently is not compared. Pure.
 */

import { fold } from '../text/fold'
import { isValue, type Statement, statementOf } from './statement'
import type { Word } from './statement-word'
import { ARTICLES, NUMBERED, PLAIN_ARTICLES, ROUGHLY, WHEN, WHICH } from './statement-words'
import { agree } from './whole-values'

export { type Statement, statementOf }

const MAX_VALUE = 5 // words of a value
const MIN_COMMON = 2 // words with a meaning, in both

export type Difference = 'number' | 'date' | 'name' | 'negation'

/** A stretch of each that the other has not. */
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
  return common >= MIN_COMMON || isPlain(only) ? kindOf(only) : undefined
}

/** A short sentence says what something is: an article and a noun, and a number or a date behind a verb or another small word. */
function isPlain({ before, after, left }: Gap): boolean {
  const [first, last] = [before[0], before.at(-1)]
  if (!first || !last || left.some((word) => word.kind === 'name')) return false
  const isNamed = first.kind !== 'stop' || PLAIN_ARTICLES.has(fold(first.text))
  return isNamed && last.kind === 'stop' && contentOf(before).length === 1 && contentOf(after).length === 0
}

const contentOf = (words: readonly Word[]): readonly Word[] => words.filter((word) => word.kind === 'word' || isValue(word))
const meaning = (words: readonly Word[]): readonly Word[] => words.filter((word) => word.kind !== 'stop')

/** Checked first, since most pairs speak of different things. */
export function mayAlign(a: Statement, b: Statement): boolean {
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
  const [one, another] = [left[0], right[0]]
  if (one && another && left.length === 1 && right.length === 1 && agree(one, another)) return undefined
  // Behind when something was so comes what was so: of two times both may hold.
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
