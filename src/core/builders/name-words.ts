/**
 * The words of documents' names, and which of them are in too many passages to look a name up by. A row for each word: how many documents have it in their
 * name, and whether it is common. A change counts only the words that it adds or removes, no further than the bound, so that the rows always depend only on
 * the documents.
 */
import type { Draft } from '../graph/draft'
import { passageTerms } from '../graph/passage-terms'
import type { GraphReader } from '../graph/reader'
import type { Chunk, DocumentRecord, Value } from '../graph/types'
import type { Delta } from '../strategy'
import { distinct, terms } from '../text/terms'
import { documentKeys } from './document-names'

const NAME_WORDS = 'names/words' // space; key = word

interface Row {
  readonly documents: number
  readonly common: boolean
}

/** The words a name is looked up by. */
export function nameWords(key: string): readonly string[] {
  return distinct(terms(key))
}

/** Those of a name's words that at most `passages` passages hold. */
export function rareWords(graph: GraphReader, key: string, passages: number): readonly string[] {
  const words = nameWords(key)
  const rows = graph.valuesOf(NAME_WORDS, words).map(rowOf)
  const unknown = commonAmong(
    graph,
    words.filter((_, i) => !rows[i]),
    passages,
  )
  return words.filter((word, i) => !(rows[i]?.common ?? unknown.get(word)))
}

/** Brings the rows up to date with a change. Returns words that have become common, or are so no longer, though documents were named with them before. */
export function updateNameWords(draft: Draft, { added, removed, documents }: Delta, passages: number): readonly string[] {
  const named = new Map<string, number>()
  const count = (document: DocumentRecord, sign: 1 | -1): void => {
    for (const word of new Set(documentKeys(document).flatMap(nameWords))) named.set(word, (named.get(word) ?? 0) + sign)
  }
  for (const document of documents.removed) count(document, -1)
  for (const document of documents.added) count(document, 1)
  const fresh = wordsIn(added)
  const gone = wordsIn(removed.map(({ chunk }) => chunk))
  const words = [...new Set([...named.keys(), ...fresh, ...gone])]
  const rows = draft.valuesOf(NAME_WORDS, words).map(rowOf)
  const left = words.map((word, i) => (rows[i]?.documents ?? 0) + (named.get(word) ?? 0))
  words.forEach((word, i) => {
    if (rows[i] && (left[i] ?? 0) <= 0) draft.dropValue(NAME_WORDS, word)
  })
  const inNames = words.flatMap((word, i) => ((left[i] ?? 0) > 0 ? [{ word, documents: left[i] ?? 0, row: rows[i] }] : []))
  const mayTurn = inNames.filter(({ word, row }) => !row || (row.common ? gone : fresh).has(word)).map(({ word }) => word)
  const common = commonAmong(draft, mayTurn, passages)
  return inNames.flatMap(({ word, documents, row }) => {
    const now = common.get(word) ?? row?.common ?? false
    draft.putValue(NAME_WORDS, word, [documents, now ? 1 : 0])
    return row && row.common !== now ? [word] : []
  })
}

function commonAmong(graph: GraphReader, words: readonly string[], passages: number): ReadonlyMap<string, boolean> {
  const counts = words.length > 0 ? graph.frequency(words, passages + 1) : []
  return new Map(words.map((word, i) => [word, (counts[i] ?? 0) > passages]))
}

/** As the keyword index is fed them. */
function wordsIn(chunks: readonly Chunk[]): ReadonlySet<string> {
  const words = new Set<string>()
  for (const chunk of chunks)
    for (const own of [terms(chunk.title, chunk.language), ...passageTerms(chunk)]) for (const word of own) words.add(word)
  return words
}

/** Believed to be what `updateNameWords` wrote. */
function rowOf(value: Value | undefined): Row | undefined {
  const row = value as readonly [number, number] | undefined
  return row && { documents: row[0], common: row[1] === 1 }
}
