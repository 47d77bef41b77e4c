/**
 * Where a walk begins: the hits of the vector index, rescored with the object's own vectors, without nodes that are gone, plus whatever the
 * index does not show yet. Without the index the object searches its own vectors, if they are few enough to be compared; if not, it
 * compares those of the passages that share words with the question. What a question may read is bounded, whatever the corpus.
 */

import type { Sight } from '../../../src/core/access/sight'
import { entityOfName, isNameId, NAME_VECTORS, nameVector } from '../../../src/core/builders/entry-vectors'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Hit, NodeKind, Vector } from '../../../src/core/graph/types'
import { chunkOf, kindOf } from '../../../src/core/ids'
import type { EntryKind, Query, Strategy } from '../../../src/core/strategy'
import { cosine } from '../../../src/core/vectors'
import type { QuestionedName, RetrieveRequest } from '../../../src/ports/retrieval'
import { nearestUnindexed, type ReadAllowance } from '../outbox/nearest-unindexed'
import type { CorpusContext } from '../store'

const PAGE = 500 // names read at a time
const MAX_COMPARED_PASSAGES = 2000 // passages of admitted documents up to which every one is compared with the question
const MAX_COMPARED_DOCUMENTS = 200 // documents of an asker up to which their passages are compared if the index finds little for them
const SCARCE_SHARE = 0.25 // of the hits wanted, below which the index finds little for an asker
const MAX_BY_WORDS = 500 // passages sharing words with the question that are compared with it if there are too many to compare all

export interface EntryPointRequest {
  readonly vector: Vector
  readonly terms: readonly string[]
  /** What the index has found. A kind that could not be queried is missing. */
  readonly shown: RetrieveRequest['near']
  /** Those that a filter admits. */
  readonly documents: ReadonlySet<string> | undefined
  readonly admits?: (chunk: string) => boolean
  readonly allowed: ReadAllowance
  /** As the asker may see it. */
  readonly graph: GraphReader
  /** Absent: all of it is visible. */
  readonly sight: Sight | undefined
  /** The visible documents, if they are few enough. */
  readonly few?: (max: number) => readonly string[] | undefined
}

export function entryPoints(context: CorpusContext, strategy: Strategy, asked: EntryPointRequest): Query['near'] {
  const near: { [kind in NodeKind]?: readonly Hit[] } = {}
  const few = asked.documents && passagesOf(asked.graph, asked.documents)
  for (const { kind, k, of } of entriesFor(strategy, context)) {
    if (of === 'names') continue
    if (few && kind === 'passage') near[kind] = rank(asked.graph, few, asked.vector, k)
    else near[kind] = hitsOf(context, kind, k, asked)
  }
  return near
}

/** Entities nearest to each name; undefined if the strategy does not begin by names. */
export function namedEntryPoints(
  context: CorpusContext,
  strategy: Strategy,
  names: readonly QuestionedName[] | undefined,
  asked: EntryPointRequest,
): Query['names'] {
  const entry = entriesFor(strategy, context).find((one) => one.of === 'names')
  if (!entry) return undefined
  return names?.map(({ text, vector, near }) => ({ text, near: namesNear(context, { ...asked, vector }, near, entry.k) }))
}

/** Entities whose names are nearest, among those the asker may see. */
function namesNear(context: CorpusContext, asked: EntryPointRequest, shown: QuestionedName['near'], k: number): readonly Hit[] {
  const { graph, vector, allowed } = asked
  const sees = (id: string): boolean => nameVector(graph, id) !== undefined
  const fresh = nearestUnindexed(context, { kind: 'name', vector, k, admits: (id) => sees(entityOfName(id)) }, allowed)
  const ids = [...new Set([...(shown ?? []), ...fresh].filter((hit) => isNameId(hit.id)).map((hit) => entityOfName(hit.id)))]
  if (shown) return rankNames(graph, ids, vector, k)
  const count = context.graph.count('entity')
  if (count > allowed.left) {
    allowed.isExceeded = true
    return rankNames(graph, ids, vector, k)
  }
  allowed.left -= count
  return allNames(context, asked, k)
}

/** All names are compared, a page at a time. */
function allNames({ graph: whole }: CorpusContext, { graph, vector }: EntryPointRequest, k: number): readonly Hit[] {
  let best: readonly Hit[] = []
  for (let after = ''; ; ) {
    const page = whole.values(NAME_VECTORS, after, PAGE)
    const last = page.at(-1)
    if (!last) return best
    best = rankNames(graph, [...best.map((one) => one.id), ...page.map((one) => one.key)], vector, k)
    after = `${last.key}\0`
  }
}

function rankNames(graph: GraphReader, ids: readonly string[], vector: Vector, k: number): readonly Hit[] {
  return rankBy((id) => nameVector(graph, id), ids, vector, k)
}

/** The kinds for which this corpus has vectors. */
function entriesFor(strategy: Strategy, { config }: Pick<CorpusContext, 'config'>): readonly EntryKind[] {
  return strategy.entries.filter(({ where }) => where?.(config.settings) ?? true)
}

function hitsOf(context: CorpusContext, kind: NodeKind, k: number, asked: EntryPointRequest): readonly Hit[] {
  const { vector, shown, admits, allowed, graph, sight } = asked
  const isText = kind === 'passage' || kind === 'unit'
  const admitted = (id: string): boolean => !admits || !isText || admits(chunkOf(id))
  const sees = (id: string): boolean => !sight || (isText ? sight.chunk(chunkOf(id)) : graph.vector(id) !== undefined)
  const inside = (id: string): boolean => admitted(id) && sees(id)
  const hits = shown[kind] ?? withoutIndex(context, kind, asked)
  if (hits === 'all') return context.graph.nearest(vector, kind, k, inside)
  const fresh = nearestUnindexed(context, { kind, vector, k, ...(admits || sight ? { admits: inside } : {}) }, allowed)
  const ids = [...new Set([...hits, ...fresh].map((hit) => hit.id))].filter((id) => kindOf(id) === kind && inside(id))
  const scarce = sight && kind === 'passage' && ids.length < SCARCE_SHARE * k
  // All of them may be seen: their vectors are read without the view.
  return rank(context.graph, scarce ? [...new Set([...ids, ...comparedInstead(asked)])].filter(admitted) : ids, vector, k)
}

/**
 * If the index's nearest hits are from documents that the asker may not read: all passages of the asker's documents if they are few,
 * otherwise those that share words with the question.
 */
function comparedInstead(asked: EntryPointRequest): readonly string[] {
  const documents = asked.few?.(MAX_COMPARED_DOCUMENTS)
  const all = documents && passagesOf(asked.graph, new Set(documents))
  return all ?? asked.graph.match(asked.terms, MAX_BY_WORDS).map((hit) => hit.id)
}

/** `all`: there are so few that every one is compared. */
function withoutIndex(context: CorpusContext, kind: NodeKind, { terms, allowed, graph }: EntryPointRequest): 'all' | readonly Hit[] {
  const count = context.graph.count(kind)
  if (count <= allowed.left) {
    allowed.left -= count
    return 'all'
  }
  allowed.isExceeded = true
  return kind === 'passage' ? graph.match(terms, MAX_BY_WORDS) : []
}

function rank(graph: GraphReader, ids: readonly string[], vector: Vector, k: number): Hit[] {
  return rankBy((id) => graph.vector(id), ids, vector, k)
}

function rankBy(vectorOf: (id: string) => Vector | undefined, ids: readonly string[], vector: Vector, k: number): Hit[] {
  const hits: Hit[] = []
  for (const id of ids) {
    const own = vectorOf(id)
    if (own) hits.push({ id, score: cosine(vector, own) })
  }
  return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k)
}

/** All passages of the admitted documents, or undefined when they are too many to compare one by one. */
function passagesOf(graph: GraphReader, documents: ReadonlySet<string>): string[] | undefined {
  const out: string[] = []
  for (const id of documents) {
    for (const { chunk } of graph.document(id)?.chunks ?? []) {
      out.push(...(graph.chunk(chunk)?.passages ?? []).map((passage) => passage.id))
      if (out.length > MAX_COMPARED_PASSAGES) return undefined
    }
  }
  return [...new Set(out)]
}
