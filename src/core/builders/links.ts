/**
 * Links between documents: one whose text says another's name (its title, else its lead phrase). On arrival a document looks for the names it says and for
 * the documents that say its own, so the order of arrival does not matter; on deletion its links are removed. By index both ways, never all pairs
 * (said-names.ts). A name leads nowhere while all its words are too common to look it up, or too many documents have it; when a change starts or ends that,
 * the name's links are removed or added with the change.
 */
import { type Draft, draftOf } from '../graph/draft'
import type { GraphReader } from '../graph/reader'
import type { DocumentRecord } from '../graph/types'
import { chunkOf } from '../ids'
import type { Builder, Delta } from '../strategy'
import { keyWords } from '../text/occurrences'
import { documentKeys, documentsNamed, dropNames, putNames } from './document-names'
import { nameWords, rareWords, updateNameWords } from './name-words'
import { LONGEST, memoize, type NamesInUse, sayersOf, saysIn } from './said-names'

export interface LinkLimits {
  /** The most passages that may contain a word by which a name is looked up. */
  readonly texts: number
  /** The most documents that may have a name. */
  readonly namesakes: number
}

const LIMITS: LinkLimits = { texts: 256, namesakes: 8 }

export const links = linksWithin(LIMITS)

export function linksWithin(limits: LinkLimits): Builder {
  return {
    name: 'links',
    builds: [],
    update(graph, delta) {
      const { added, removed } = delta.documents
      const draft = draftOf(graph)
      const turnedWords = updateNameWords(draft, delta, limits.texts)
      for (const one of removed) {
        dropNames(draft, one)
        for (const { source, target } of [...draft.edges('links', one.id), ...draft.edgesTo('links', one.id)])
          draft.dropEdge('links', source, target)
      }
      for (const one of added) putNames(draft, one)
      const names = namesIn(draft, limits)
      const targets = new Map(
        [...named(graph, delta, turnedWords, limits), ...withTurnedNames(graph, draft, delta, limits)].map((one) => [one.id, one]),
      )
      for (const id of targets.keys()) for (const { source } of draft.edgesTo('links', id)) draft.dropEdge('links', source, id)
      for (const one of added) targets.set(one.id, one)
      const found = new Map<string, { readonly source: string; readonly target: string; readonly chunks: Set<string> }>()
      const link = (source: string, target: string, chunk: string): void => {
        if (source === target) return
        const entry = found.get(`${source}\n${target}`) ?? { source, target, chunks: new Set() }
        found.set(`${source}\n${target}`, entry)
        entry.chunks.add(chunk)
      }
      for (const { document, target, chunk } of saysIn(graph, added, names)) link(document, target, chunk)
      for (const { document, target, chunk } of sayersOf(graph, [...targets.values()], names, limits.texts)) link(document, target, chunk)
      draft.preload({ edges: [...found.values()].map(({ source, target }) => ({ kind: 'links', source, target })) })
      for (const { source, target, chunks } of found.values())
        draft.putEdge({ kind: 'links', source, target, weight: 1, data: [...chunks].sort() })
      return { patch: draft.patch(), tasks: [] }
    },
  }
}

/** What each name leads to, and by which of its words it is looked up: after the change. */
function namesIn(draft: Draft, { texts, namesakes }: LinkLimits): NamesInUse {
  const words = memoize((key) => (keyWords(key).length <= LONGEST ? rareWords(draft, key, texts) : []))
  const bearers = memoize((key) => {
    const ids = documentsNamed(draft, key, namesakes + 1)
    return ids.length > 0 && ids.length <= namesakes && words(key).length > 0 ? ids : []
  })
  return { bearers, words }
}

/** Documents named with words that have become common, or are so no longer. Their own texts hold these words. */
function named(graph: GraphReader, { added }: Delta, words: readonly string[], { texts }: LinkLimits): readonly DocumentRecord[] {
  const brought = added.reduce((sum, chunk) => sum + chunk.passages.length, 0)
  return words.flatMap((word) => {
    const chunks = new Set(graph.match([word], texts + brought).map((hit) => chunkOf(hit.id)))
    const ids = new Set([...chunks].flatMap((id) => graph.placements(id).map((place) => place.document)))
    const documents = [...ids].flatMap((id) => graph.document(id) ?? [])
    return documents.filter((one) => documentKeys(one).some((key) => nameWords(key).includes(word)))
  })
}

/** Documents whose name too many have now, or no longer too many. */
function withTurnedNames(graph: GraphReader, draft: Draft, { documents }: Delta, { namesakes }: LinkLimits): readonly DocumentRecord[] {
  const keys = new Set([...documents.added, ...documents.removed].flatMap(documentKeys))
  return [...keys].flatMap((key) => {
    const [before, after] = [graph, draft].map((one) => documentsNamed(one, key, namesakes + 1)) as [readonly string[], readonly string[]]
    if (before.length > namesakes === after.length > namesakes) return []
    return [...new Set([...before, ...after])].flatMap((id) => graph.document(id) ?? [])
  })
}
