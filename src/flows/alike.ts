/** Groups questions in nearly the same words, by their stemmed content words. Pure. */
import { distinct, terms } from '../core/text/terms'

const ALIKE = 0.75 // share of all words of two questions that both have
const MAX_GROUPS = 500 // compared with each other

export interface Alike<T> {
  readonly members: readonly T[]
}

/** In order of first occurrence; the first of a group represents it. O(n · groups that share a word). */
export function groupAlike<T>(all: readonly T[], wordingOf: (one: T) => string): readonly Alike<T>[] {
  const groups: { readonly words: ReadonlySet<string>; readonly members: T[] }[] = []
  const exact = new Map<string, (typeof groups)[number]>()
  const byWord = new Map<string, number[]>()
  for (const one of all) {
    const words = wordsIn(wordingOf(one))
    const key = [...words].sort().join(' ')
    const same = exact.get(key) ?? nearest(groups, byWord, words)
    if (same) {
      same.members.push(one)
      exact.set(key, same)
      continue
    }
    const group = { words, members: [one] }
    exact.set(key, group)
    if (groups.length < MAX_GROUPS) for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), groups.length])
    groups.push(group)
  }
  return groups
}

function wordsIn(text: string): ReadonlySet<string> {
  const found = distinct(terms(text))
  return new Set(found.length > 0 ? found : [text.trim().toLowerCase()])
}

function nearest<G extends { readonly words: ReadonlySet<string> }>(
  groups: readonly G[],
  byWord: ReadonlyMap<string, readonly number[]>,
  words: ReadonlySet<string>,
): G | undefined {
  const shared = new Map<number, number>()
  for (const word of words) for (const at of byWord.get(word) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1)
  let best: { readonly group: G; readonly likeness: number } | undefined
  for (const [at, both] of shared) {
    const group = groups[at]
    if (!group) continue
    const likeness = both / (group.words.size + words.size - both)
    if (likeness >= ALIKE && likeness > (best?.likeness ?? 0)) best = { group, likeness }
  }
  return best?.group
}
