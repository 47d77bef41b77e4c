/** Words of one root: "pregnancy" and "pregnant", "telephone" and "phone", and German compounds. Pure. */

import type { Word } from './word'
import { type Index, type Match, weights } from './word-index'

export const form = {
  shared: 5, // letters at the beginning, at least
  rest: 5, // letters left over in either, at most
  restOfName: 2,
  head: 4, // letters of a compound's last part, at least
} as const

export function byForm(index: Index, word: Word, rest: number): Match | undefined {
  const { key } = word
  const at = index.byStart.get(key.slice(0, form.shared - 1))?.find((place) => isRelated(key, index.words[place]?.key ?? '', rest))
  if (at !== undefined) return { at, weight: weights.form, isOpposite: false }
  if (rest < form.rest || key.length < form.head) return undefined
  return index.rules.grammar.language === 'de' ? byCompound(index, key) : byEnd(index, key)
}

function isRelated(key: string, other: string, rest: number): boolean {
  const shared = sharedStart(key, other)
  if (shared < form.shared - 1 || shared < Math.min(form.shared, key.length, other.length)) return false
  return key.length - shared <= rest && other.length - shared <= rest && 2 * shared >= Math.max(key.length, other.length)
}

/** A "Talbrücke" is a "Brücke"; the reverse says more, unless both its parts are there. */
function byCompound({ words }: Index, key: string): Match | undefined {
  const others = words.flatMap((other, at) =>
    other.kind === 'content' && other.key.length >= form.head && other.key !== key ? [{ at, key: other.key }] : [],
  )
  const longer = others.find((other) => other.key.endsWith(key))
  if (longer) return { at: longer.at, weight: weights.form, isOpposite: false }
  const parts = others.filter((other) => key.endsWith(other.key) || key.startsWith(other.key))
  const [first] = parts
  return first && { at: first.at, weight: parts.length > 1 ? weights.form : weights.part, isOpposite: false }
}

/** Not "unlawful" and "lawful". */
function byEnd({ words, rules }: Index, key: string): Match | undefined {
  const ends = (long: string, short: string): boolean =>
    short.length >= form.shared && long.endsWith(short) && !rules.grammar.opposing.some((prefix) => long === prefix + short)
  const at = words.findIndex((other) => other.kind === 'content' && other.key !== key && (ends(other.key, key) || ends(key, other.key)))
  return at < 0 ? undefined : { at, weight: weights.form, isOpposite: false }
}

function sharedStart(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}
