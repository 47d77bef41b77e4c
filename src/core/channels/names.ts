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
  const runs = words.map((first, at) =>
    words.slice(at, at + limits.longest).map((last, i) => runOf(question.slice(first.start, last.end), i + 1)),
  )
  preloadNames(graph, runs.flat())
  const found = new Map<string, Named>()
  for (let at = 0; at < runs.length; ) {
    const hit = longest(graph, runs[at] ?? [])
    if (hit) found.set(hit.named.key, hit.named)
    at += hit?.words ?? 1
  }
  return [...found.values()]
}

/** Words in a row that may be a name. */
interface Run {
  readonly words: number
  /** Empty: it cannot be one. */
  readonly key: string
  /** Of the entity that a name with this key is. */
  readonly id: string
  /** Written as names are. */
  readonly isWritten: boolean
}

function runOf(surface: string, words: number): Run {
  const said = words > 1 || mayName(surface) ? nameKey(surface) : ''
  const key = said === '' || isOpener(said) ? '' : said
  return { words, key, id: key === '' ? '' : nameId(key), isWritten: NAMING.test(surface) }
}

/** Names in a question, whether or not the corpus has them: each once, as first written. Dates link nothing. */
export function namesSaid(question: string): readonly string[] {
  const said = entities(question).filter((one) => one.type !== 'date')
  return [...new Map(said.map((one) => [one.key, one.surface] as const).reverse())]
    .reverse()
    .map(([, surface]) => surface)
    .slice(0, limits.said)
}

function longest(graph: GraphReader, runs: readonly Run[]): { readonly named: Named; readonly words: number } | undefined {
  for (const run of [...runs].reverse()) {
    const named = run.key === '' ? undefined : lookup(graph, run)
    if (named) return { named, words: run.words }
  }
  return undefined
}

/** Everything that may be looked up, so that it is read together: more than will be used, since the words of a name are not tried again. */
function preloadNames(graph: GraphReader, all: readonly Run[]): void {
  if (!graph.preload) return
  const runs = [...new Map(all.filter((run) => run.key !== '').map((run) => [run.key, run])).values()]
  const names = runs.map((run) => run.id)
  graph.preload({
    nodes: names,
    values: [{ space: SENSES, keys: names }],
    places: { space: NAMES, ranges: runs.map((run) => rangeOfName(run.key)), limit: limits.namesakes },
  })
  const written = new Map(all.filter((run) => run.key !== '' && run.isWritten).map((run) => [run.key, aliasRange(run.id)]))
  graph.preload({ places: { space: ALIASES, ranges: [...written.values()], limit: limits.namesakes } })
}

/** One word alone is a name only if it is not in lower case and not the question's own. */
function mayName(word: string): boolean {
  return !/^\p{Ll}/u.test(word) && !isOpener(word)
}

/** A name written as names are is looked for among the other names of things, too. */
function lookup(graph: GraphReader, { key, id, isWritten }: Run): Named | undefined {
  const documents = documentsNamed(graph, key, limits.namesakes)
  const others = isWritten ? namedAlso(graph, id, limits.namesakes).filter((one) => isCalled(graph, one, key)) : []
  const entities = [...new Set([...meantBy(graph, id), ...others])]
  if (entities.length + documents.length === 0) return undefined
  const chunks = entities.flatMap((one) => graph.node(one) ?? []).reduce((sum, node) => sum + entityData(node).chunks, 0)
  return { key, entities, chunks, documents }
}

/** By what the asker may read of it. */
function isCalled(graph: GraphReader, id: string, key: string): boolean {
  const node = graph.node(id)
  return (
    node !== undefined && (nameKey(node.text) === key || otherKeys(Object.keys(entityData(node).aliases), entityData(node).key).has(key))
  )
}
