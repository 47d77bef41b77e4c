/**
 * Names a question says word for word: entities and documents of the corpus, the longest first, so that "New York City" is not also
 * "York". No model: every run of words is looked up, at most 64 · 8 of the longest question read, all together.
 */
import { ALIASES, aliasRange, namedAlso, otherKeys } from '../builders/aliases'
import { documentsNamed, NAMES, rangeOfName } from '../builders/document-names'
import { entityData } from '../builders/mentions'
import { meantBy, nameId, SENSES } from '../builders/sense-list'
import type { GraphReader } from '../graph/reader'
import { entities, isOpener } from '../text/entities'
import { nameKey } from '../text/names'

const limits = {
  words: 64, // of the question that are read; longer ones are pasted texts
  longest: 8, // words of a name
  namesakes: 4, // documents taken for one name
  said: 4, // names of a question searched for by vector, the first ones: with the question's own two queries, as many as run at once
} as const
const NAMING = /[\p{Lu}\p{Lo}\p{N}]/u
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’.\-–&/][\p{L}\p{M}\p{N}]+)*/gu

interface Span {
  readonly start: number
  readonly end: number
}

export interface Named {
  readonly key: string
  /** If texts mention it: the entity, or each of the things it may stand for. */
  readonly entities: readonly string[]
  /** Chunks that mention it; 0 where only documents have it. */
  readonly chunks: number
  /** Documents that have the name. */
  readonly documents: readonly string[]
}

export function namesIn(graph: GraphReader, question: string): readonly Named[] {
  const words = [...question.matchAll(WORD)]
    .slice(0, limits.words)
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
  preloadNames(graph, question, words)
  const found = new Map<string, Named>()
  for (let at = 0; at < words.length; ) {
    const hit = longest(graph, question, words.slice(at, at + limits.longest))
    if (hit) found.set(hit.named.key, hit.named)
    at += hit?.words ?? 1
  }
  return [...found.values()]
}

/** Names in a question, whether or not the corpus has them: each once, as first written. Dates link nothing. */
export function namesSaid(question: string): readonly string[] {
  const said = entities(question).filter((one) => one.type !== 'date')
  return [...new Map(said.map((one) => [one.key, one.surface] as const).reverse())]
    .reverse()
    .map(([, surface]) => surface)
    .slice(0, limits.said)
}

function longest(
  graph: GraphReader,
  question: string,
  words: readonly Span[],
): { readonly named: Named; readonly words: number } | undefined {
  for (let count = words.length; count > 0; count--) {
    const surface = question.slice(words[0]?.start, words[count - 1]?.end)
    const named = count > 1 || mayName(surface) ? lookup(graph, nameKey(surface), NAMING.test(surface)) : undefined
    if (named) return { named, words: count }
  }
  return undefined
}

/** Everything that may be looked up, so that it is read together: more than will be used, since the words of a name are not tried again. */
function preloadNames(graph: GraphReader, question: string, words: readonly Span[]): void {
  if (!graph.preload) return
  const surfaces = words.flatMap((first, at) =>
    words.slice(at, at + limits.longest).map((last, i) => ({ surface: question.slice(first.start, last.end), words: i + 1 })),
  )
  const said = surfaces.filter((one) => one.words > 1 || mayName(one.surface)).map(({ surface }) => ({ surface, key: nameKey(surface) }))
  const keys = [...new Set(said.map((one) => one.key))].filter((key) => key !== '' && !isOpener(key))
  const names = keys.map(nameId)
  graph.preload({
    nodes: names,
    values: [{ space: SENSES, keys: names }],
    places: { space: NAMES, ranges: keys.map(rangeOfName), limit: limits.namesakes },
  })
  const written = new Set(said.filter(({ surface }) => NAMING.test(surface)).map((one) => one.key))
  graph.preload({ places: { space: ALIASES, ranges: keys.filter((key) => written.has(key)).map(aliasRange), limit: limits.namesakes } })
}

/** One word alone is a name only if it is not in lower case and not the question's own. */
function mayName(word: string): boolean {
  return !/^\p{Ll}/u.test(word) && !isOpener(word)
}

/** `mayBeAlias`: a name written as names are is looked for among the other names of things, too. */
function lookup(graph: GraphReader, key: string, mayBeAlias: boolean): Named | undefined {
  if (key === '' || isOpener(key)) return undefined
  const documents = documentsNamed(graph, key, limits.namesakes)
  const others = mayBeAlias ? namedAlso(graph, key, limits.namesakes).filter((id) => isCalled(graph, id, key)) : []
  const entities = [...new Set([...meantBy(graph, key), ...others])]
  if (entities.length + documents.length === 0) return undefined
  const chunks = entities.flatMap((id) => graph.node(id) ?? []).reduce((sum, node) => sum + entityData(node).chunks, 0)
  return { key, entities, chunks, documents }
}

/** By what the asker may read of it. */
function isCalled(graph: GraphReader, id: string, key: string): boolean {
  const node = graph.node(id)
  return (
    node !== undefined && (nameKey(node.text) === key || otherKeys(Object.keys(entityData(node).aliases), entityData(node).key).has(key))
  )
}
