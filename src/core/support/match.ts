/**
 * Where a sentence says a word of the claim: the word itself, another with the same meaning, or its opposite. Each look-up is a few map reads.
 * Pure.
 */
import { fold } from '../text/fold'
import { byForm, form } from './forms'
import type { Rules, Sense } from './grammar/languages'
import type { Word } from './word'
import { type Index, type Match, weights } from './word-index'

export function indexOf(words: readonly Word[], rules: Rules): Index {
  const byKey = new Map<string, number[]>()
  const bySense = new Map<number, [number, number][]>()
  const byStart = new Map<string, number[]>()
  for (const [at, word] of words.entries()) {
    if (word.kind !== 'content') continue
    const keys = keysOf(words, at, rules)
    for (const key of keys) {
      push(byKey, key, at)
      if (keys[0]?.includes('-') && key !== keys[0]) continue
      for (const { row, group } of rules.senses.get(key) ?? []) push(bySense, row, [group, at])
    }
    push(byStart, word.key.slice(0, form.shared - 1), at)
  }
  return { words, rules, byKey, bySense, byStart }
}

/** The stem, and for a German verb in two parts also the stem with its particle. */
export function keysOf(words: readonly Word[], at: number, rules: Rules): readonly string[] {
  const word = words[at]
  if (!word) return []
  const { particles, language } = rules.grammar
  const phrasal = `${word.key}-${words[at + 1]?.low}`
  if (language === 'en' && rules.senses.has(phrasal)) return [phrasal, word.key]
  if (particles.length === 0 || word.capital) return [word.key]
  const out = [word.key]
  for (let i = at + 1; i < Math.min(words.length, at + 25); i++) {
    const next = words[i]
    if (!next || !particles.includes(next.low)) continue
    const end = words[i + 1]
    if (end === undefined || end.kind === 'sign' || end.role === 'conjunction') return [fold(next.low) + word.key, ...out]
  }
  for (const particle of particles) {
    // "abgelehnt" is "lehnte ab"
    if (word.low.startsWith(`${particle}ge`)) return [fold(particle) + rules.stem(word.low.slice(particle.length + 2)), ...out]
  }
  return word.low.startsWith('ge') && word.low.length > 5 ? [...out, rules.stem(word.low.slice(2))] : out
}

export interface Wanted {
  readonly words: readonly Word[]
  readonly at: number
  readonly rules: Rules
  /** A name is only said by itself; words that exclude each other, such as nations, can also be said in other words. */
  readonly isName: boolean
  /** Which of several places is preferred. */
  readonly prefer?: (at: number) => number
  /** Places at which another word of the claim is said letter for letter: they stand for that one. */
  readonly taken?: ReadonlySet<number>
}

export function matchIn(index: Index, { words, at, rules, isName, prefer = () => 0, taken = new Set() }: Wanted): Match | undefined {
  const word = words[at]
  if (!word) return undefined
  const keys = keysOf(words, at, rules)
  const best = (places: readonly number[]): number => places.reduce((a, b) => (prefer(b) > prefer(a) ? b : a))
  // "turned down" has nothing of the meaning of "turned".
  const meaning = keys[0]?.includes('-') ? keys.slice(0, 1) : keys
  const senses = meaning.flatMap((key) => rules.senses.get(key) ?? []).filter(({ row }) => !isName || rules.nations.has(row))
  const sensed = bySense(index, senses, taken, best)
  const same = keys.flatMap((key) => index.byKey.get(key) ?? [])
  if (same.length > 0) {
    const at = best(same)
    // Another word with the meaning, in the clause that says the rest.
    return sensed && !sensed.isOpposite && prefer(sensed.at) > prefer(at) ? sensed : { at, weight: weights.same, isOpposite: false }
  }
  if (sensed && !sensed.isOpposite) return sensed
  const near = byForm(index, word, isName ? form.restOfName : form.rest)
  if (near && near.weight >= weights.form) return near
  return sensed ?? byPrefix(index, keys, rules) ?? near
}

function bySense(
  { bySense }: Index,
  senses: readonly Sense[],
  taken: ReadonlySet<number>,
  best: (places: readonly number[]) => number,
): Match | undefined {
  const found = senses.map(({ row, group }) => ({ group, said: (bySense.get(row) ?? []).filter(([, at]) => !taken.has(at)) }))
  const same = found.flatMap(({ group, said }) => said.filter(([other]) => other === group).map(([, at]) => at))
  if (same.length > 0) return { at: best(same), weight: weights.meaning, isOpposite: false }
  const other = found.flatMap(({ said }) => said.map(([, at]) => at))
  return other.length > 0 ? { at: best(other), weight: weights.opposite, isOpposite: true, places: other } : undefined
}

/** "unable" and "able". */
function byPrefix({ byKey }: Index, keys: readonly string[], { grammar }: Rules): Match | undefined {
  for (const key of keys) {
    for (const prefix of grammar.opposing) {
      const other =
        byKey.get(prefix + key) ??
        (key.startsWith(prefix) && key.length > prefix.length + 3 ? byKey.get(key.slice(prefix.length)) : undefined)
      if (other?.[0] !== undefined) return { at: other[0], weight: weights.opposite, isOpposite: true }
    }
  }
  return undefined
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
