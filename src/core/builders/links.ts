/**
 * Links between documents: one whose text says another's name (its title, else its lead phrase). On arrival a document looks for the
 * names it says and for the documents that say its own, so the order of arrival does not matter; leaving, it takes its links along.
 * By index both ways, never all pairs: names by range reads, texts by the name's rarest word.
 */
import type { GraphReader } from '../graph/reader'
import type { Change, Chunk, DocumentRecord } from '../graph/types'
import { chunkOf } from '../ids'
import type { Builder } from '../strategy'
import { folded, keyWords, occursAt, saysOne, type Word, wordsOf } from '../text/occurrences'
import { distinct, terms } from '../text/terms'
import { documentKeys, documentsNamed, dropNames, namesFrom, preloadNames, putNames } from './document-names'

export const linkLimits = {
  texts: 256, // passages read in search of a new document's name; a name whose rarest word is in more is too common to lead anywhere, and is then sought in the best of them
  head: 64, // names with the same first word, then with the same two, read at once; beyond, each length is asked for by itself
  namesakes: 8, // documents of one name that a text is linked to
  words: 12, // longest name
  folded: 512, // texts kept ready to be searched while one change is folded in (about 5 MB)
} as const

export const links: Builder = {
  name: 'links',
  builds: [],
  update(graph, { documents }) {
    const gone = new Set(documents.removed.map((document) => document.id))
    const named = new Map<string, string[]>()
    for (const document of documents.added) {
      for (const key of documentKeys(document)) named.set(key, [...(named.get(key) ?? []), document.id])
    }
    const fresh = beginning([...named.keys()])
    const known: Names = {
      exact: memoize((key) => [
        ...documentsNamed(graph, key, linkLimits.namesakes).filter((id) => !gone.has(id)),
        ...(named.get(key) ?? []),
      ]),
      preload: (heads) => preloadNames(graph, heads, linkLimits.head),
      from: memoize((head) => {
        const places = namesFrom(graph, head, linkLimits.head)
        return places.length < linkLimits.head ? [...new Set([...places.map((one) => one.key), ...fresh(head)])] : undefined
      }),
    }
    const looks = { text: chunkReader(graph), frequency: memoize((word) => graph.frequency([word])[0] ?? 0) }
    const found = new Map<string, { source: string; target: string; chunks: Set<string> }>()
    const link = (source: string, target: string, chunk: string): void => {
      if (source === target) return
      const entry = found.get(`${source}\n${target}`) ?? { source, target, chunks: new Set() }
      found.set(`${source}\n${target}`, entry)
      entry.chunks.add(chunk)
    }
    for (const document of documents.added) {
      for (const chunk of chunksOf(graph, document)) for (const target of namesSaidBy(chunk, known)) link(document.id, target, chunk.id)
      for (const { source, chunk } of chunksNaming(graph, document, looks)) link(source, document.id, chunk)
    }
    return {
      patch: [
        ...documents.removed.flatMap((one) => dropLinks(graph, one)),
        ...documents.added.flatMap(putNames),
        ...[...found.values()].map(edge),
      ],
      tasks: [],
    }
  },
}

interface Names {
  /** Of these it will be asked. */
  preload(heads: readonly string[]): void
  exact(key: string): readonly string[]
  /** Undefined where there are too many. */
  from(head: string): readonly string[] | undefined
}

function edge({ source, target, chunks }: { source: string; target: string; chunks: ReadonlySet<string> }): Change {
  return { op: 'put-edge', edge: { kind: 'links', source, target, weight: 1, data: [...chunks].sort() } }
}

function dropLinks(graph: GraphReader, document: DocumentRecord): Change[] {
  const edges = [...graph.edges('links', document.id), ...graph.edgesTo('links', document.id)]
  return [...dropNames(document), ...edges.map(({ source, target }): Change => ({ op: 'drop-edge', kind: 'links', source, target }))]
}

function chunksOf(graph: GraphReader, document: DocumentRecord): Chunk[] {
  return [...new Set(document.chunks.map((placed) => placed.chunk))].flatMap((id) => graph.chunk(id) ?? [])
}

/** Documents whose name the chunk says. Few names begin with a given word; only where many do, the next word is looked at as well. */
function namesSaidBy(chunk: Chunk, names: Names): Set<string> {
  const words = wordsOf(chunk.text)
  const said = new Set<string>()
  names.preload(distinct(words.flatMap((word) => (word.opens ? [word.folded] : []))))
  words.forEach((word, at) => {
    if (!word.opens) return
    const begun = names.from(word.folded)
    if (!begun) said.add(word.folded)
    const next = words[at + 1]
    const longer = begun ?? (next ? (names.from(joined([word, next])) ?? lengths(words, at)) : [])
    for (const key of longer) if (occursAt(words, at, keyWords(key))) said.add(key)
  })
  return new Set([...said].flatMap((key) => names.exact(key)))
}

/** Every run of words from here that could be a name. */
function lengths(words: readonly Word[], at: number): string[] {
  return Array.from({ length: linkLimits.words - 1 }, (_, i) => joined(words.slice(at, at + i + 2)))
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

/** Chunks that say one of the document's names, with each document that holds them. */
function chunksNaming(graph: GraphReader, document: DocumentRecord, looks: Looks): { source: string; chunk: string }[] {
  const names = documentKeys(document).map(keyWords)
  const says = saysOne(names)
  const chunks = new Set(names.flatMap((name) => mayHold(graph, name, looks)))
  return [...chunks].flatMap((id) => {
    const text = looks.text(id)
    if (!text || !says(text.said, text.folded)) return []
    return graph.placements(id).map((place) => ({ source: place.document, chunk: id }))
  })
}

/** What the documents of one change look up again and again. */
interface Looks {
  readonly text: Reader
  readonly frequency: (word: string) => number
}

type Reader = (chunk: string) => { readonly said: string; readonly folded: string } | undefined

/** The documents of one change look into many of the same chunks: the latest stay at hand. */
function chunkReader(graph: GraphReader): Reader {
  const held = new Map<string, { said: string; folded: string }>()
  return (id) => {
    const known = held.get(id)
    if (known) return known
    const said = graph.chunk(id)?.text
    if (said === undefined) return undefined
    const text = { said, folded: folded(said) }
    held.set(id, text)
    for (const oldest of held.keys()) {
      if (held.size <= linkLimits.folded) break
      held.delete(oldest)
    }
    return text
  }
}

/** Which of the names begin so. */
function beginning(names: string[]): (head: string) => readonly string[] {
  const sorted = names.sort()
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

/** Nothing changes while a change is folded in: what was asked once is not asked again. */
function memoize<T>(ask: (key: string) => T): (key: string) => T {
  const held = new Map<string, T>()
  return (key) => {
    const known = held.get(key)
    if (known !== undefined || held.has(key)) return known as T
    const answer = ask(key)
    held.set(key, answer)
    return answer
  }
}

/** Chunks with the name's rarest word; of a name of common words only, the chunks that match it best. */
function mayHold(graph: GraphReader, name: readonly string[], looks: Looks): string[] {
  const words = distinct(terms(name.join(' ')))
  if (words.length === 0 || name.length > linkLimits.words) return []
  const order = words.map((word) => ({ word, frequency: looks.frequency(word) }))
  order.sort((a, b) => a.frequency - b.frequency || (a.word < b.word ? -1 : 1))
  const rarest = order[0]
  const asked = rarest && rarest.frequency <= linkLimits.texts ? [rarest.word] : words
  return graph.match(asked, linkLimits.texts).map((hit) => chunkOf(hit.id))
}
