/**
 * Which texts say which names. For a text: the names it says, by range reads in the index of names. For a name: the texts that say it, by one of its words
 * that few passages contain. Both read a chunk without its repeated part, as the keyword index does, and find the same.
 */
import type { GraphReader } from '../graph/reader'
import type { Chunk, DocumentRecord } from '../graph/types'
import { chunkOf } from '../ids'
import { folded, keyWords, occursAt, saysOne, type Word, wordsOf } from '../text/occurrences'
import { documentKeys, namesFrom, preloadNames } from './document-names'

const HEAD = 64 // names with the same first word, then with the same two, read at once; beyond, each length is asked for by itself
export const LONGEST = 12 // words of a name
const FOLDED = 512 // texts kept ready to be searched while one change is folded in (about 5 MB)

export interface NamesInUse {
  /** Documents that a name leads to; none where it leads nowhere. */
  readonly bearers: (key: string) => readonly string[]
  /** Its words that few passages hold. */
  readonly words: (key: string) => readonly string[]
}

export interface Saying {
  readonly document: string
  readonly chunk: string
  /** The document whose name it says. */
  readonly target: string
}

/** Names that these documents say, theirs among them: the index of names need not have those yet. */
export function* saysIn(graph: GraphReader, documents: readonly DocumentRecord[], { bearers }: NamesInUse): Generator<Saying> {
  const fresh = beginning(documents.flatMap(documentKeys))
  const from = memoize((head) => {
    const places = namesFrom(graph, head, HEAD)
    return places.length < HEAD ? [...new Set([...places.map((one) => one.key), ...fresh(head)])] : undefined
  })
  for (const { id: document, chunks } of documents) {
    for (const id of new Set(chunks.map((placed) => placed.chunk))) {
      const chunk = graph.chunk(id)
      const words = chunk ? wordsOf(ownText(chunk)) : []
      preloadNames(graph, [...new Set(words.flatMap((word) => (word.opens ? [word.folded] : [])))], HEAD)
      const said = new Set(namesSaidBy(words, from).flatMap(bearers))
      for (const target of said) yield { document, chunk: id, target }
    }
  }
}

/** Texts that say these documents' names. `passages`: that may hold a word by which a name is looked up. */
export function* sayersOf(
  graph: GraphReader,
  documents: readonly DocumentRecord[],
  { bearers, words }: NamesInUse,
  passages: number,
): Generator<Saying> {
  const text = chunkReader(graph)
  const holding = memoize((key) => {
    const word = rarest(graph, words(key), passages)
    return word === undefined ? [] : graph.match([word], passages).map((hit) => chunkOf(hit.id))
  })
  for (const target of documents) {
    const keys = documentKeys(target).filter((key) => bearers(key).length > 0)
    const says = saysOne(keys.map(keyWords))
    for (const id of new Set(keys.flatMap(holding))) {
      const held = text(id)
      if (!held || !says(held.said, held.folded)) continue
      for (const { document } of graph.placements(id)) yield { document, chunk: id, target: target.id }
    }
  }
}

function rarest(graph: GraphReader, words: readonly string[], passages: number): string | undefined {
  if (words.length < 2) return words[0]
  const counts = graph.frequency(words, passages)
  return words.reduce<{ word?: string; count: number }>(
    (best, word, i) => ((counts[i] ?? 0) < best.count ? { word, count: counts[i] ?? 0 } : best),
    { count: Number.POSITIVE_INFINITY },
  ).word
}

/** Names that the words say. Few names begin with a given word; only where many do, the next word is looked at as well. */
function namesSaidBy(words: readonly Word[], from: (head: string) => readonly string[] | undefined): string[] {
  const said = new Set<string>()
  words.forEach((word, at) => {
    if (!word.opens) return
    const begun = from(word.folded)
    if (!begun) said.add(word.folded)
    const next = words[at + 1]
    const longer = begun ?? (next ? (from(joined([word, next])) ?? lengths(words, at)) : [])
    for (const key of longer) if (occursAt(words, at, keyWords(key))) said.add(key)
  })
  return [...said]
}

/** Every run of words from here that could be a name. */
function lengths(words: readonly Word[], at: number): string[] {
  return Array.from({ length: LONGEST - 1 }, (_, i) => joined(words.slice(at, at + i + 2)))
}

/** As `nameKey` writes them: a space between words, none between characters of Han or Kana. */
function joined(words: readonly Word[]): string {
  return words.reduce(
    (text, word) => (text === '' || (isGlued(text) && isGlued(word.folded)) ? text + word.folded : `${text} ${word.folded}`),
    '',
  )
}

function isGlued(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u.test(text)
}

/** Without what is repeated of the chunk before. */
function ownText({ text, own }: Chunk): string {
  return text.slice(own)
}

type Reader = (chunk: string) => { readonly said: string; readonly folded: string } | undefined

/** The documents of one change look into many of the same chunks: the latest stay at hand. */
function chunkReader(graph: GraphReader): Reader {
  const held = new Map<string, { said: string; folded: string }>()
  return (id) => {
    const known = held.get(id)
    if (known) return known
    const chunk = graph.chunk(id)
    if (!chunk) return undefined
    const said = ownText(chunk)
    const text = { said, folded: folded(said) }
    held.set(id, text)
    for (const oldest of held.keys()) {
      if (held.size <= FOLDED) break
      held.delete(oldest)
    }
    return text
  }
}

/** Which of the names begin so. */
function beginning(names: readonly string[]): (head: string) => readonly string[] {
  const sorted = [...new Set(names)].sort()
  return (head) => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle] ?? '') < head) low = middle + 1
      else high = middle
    }
    let end = low
    while (sorted[end]?.startsWith(head)) end++
    return sorted.slice(low, end)
  }
}

/** Nothing changes while a change is applied or a question answered, so what was read once is not read again. */
export function memoize<K = string, V = unknown>(ask: (key: K) => V): (key: K) => V {
  const held = new Map<K, V>()
  return (key) => {
    const known = held.get(key)
    if (known !== undefined || held.has(key)) return known as V
    const answer = ask(key)
    held.set(key, answer)
    return answer
  }
}
