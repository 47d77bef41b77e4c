/**
 * Answers a question from one version of the graph, synchronously: entry points from the vector index, corrected and completed
 * by what the object knows, then the strategy's walk, then texts and places. Writes nothing (stale texts found are only promoted).
 */
import { present } from '../../../src/core/evidence'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Hit, NodeKind, Vector } from '../../../src/core/graph/types'
import { chunkOf, kindOf } from '../../../src/core/ids'
import { isEnabled, strategies } from '../../../src/core/strategies/registry'
import type { Query, Strategy } from '../../../src/core/strategy'
import { distinct, terms } from '../../../src/core/text/terms'
import { cosine } from '../../../src/core/vectors'
import type { RetrieveRequest, RetrieveResult } from '../../../src/ports'
import { admitted } from '../intake/facets'
import type { Ledger } from '../store'

const FEW = 2000 // passages of admitted documents up to which every one is compared with the question

export function retrieve(ledger: Ledger, request: RetrieveRequest): RetrieveResult {
  const strategy = strategies.get(request.strategy)
  if (!strategy || !isEnabled(request.strategy, ledger.config.strategies)) return { kind: 'strategy_not_enabled' }
  const documents = admitted(ledger.sql, request.filters)
  const admits = documents && admission(ledger.graph, documents)
  const graph = admits ? filtered(ledger.graph, admits) : ledger.graph
  const query: Query = {
    text: request.text,
    terms: distinct(terms(request.text)),
    ...(request.vector ? { vector: request.vector } : {}),
    near: request.vector ? entryPoints(ledger, strategy, request, request.vector, documents) : {},
    ...(admits ? { admits } : {}),
  }
  const options = { topK: request.topK, budget: request.budget, trace: request.trace, own: request.options }
  const found = strategy.retrieve(graph, query, new Map(request.scores ?? []), options, ledger.config.settings)
  const { version } = ledger.graph
  if (found.kind === 'wanted') return { kind: 'wanted', pairs: found.pairs, version }
  const evidence = present(graph, found.found, { topK: request.topK, budget: request.budget, ...(documents ? { documents } : {}) })
  return { kind: 'evidence', evidence, version, ...(request.trace && found.trace !== undefined ? { trace: found.trace } : {}) }
}

function admission(graph: GraphReader, documents: ReadonlySet<string>): (chunk: string) => boolean {
  const known = new Map<string, boolean>()
  return (chunk) => {
    const before = known.get(chunk)
    if (before !== undefined) return before
    const verdict = graph.placements(chunk).some((place) => documents.has(place.document))
    known.set(chunk, verdict)
    return verdict
  }
}

/** The same graph, but lexical matches outside the filter are passed over: asked for more until enough are inside. */
function filtered(graph: GraphReader, admits: (chunk: string) => boolean): GraphReader {
  const match: GraphReader['match'] = (words, limit) => {
    for (let asked = limit * 4; ; asked *= 8) {
      const hits = graph.match(words, asked)
      const inside = hits.filter((hit) => admits(chunkOf(hit.id)))
      if (inside.length >= limit || hits.length < asked) return inside.slice(0, limit)
    }
  }
  return new Proxy(graph, {
    get: (target, name) => {
      if (name === 'match') return match
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function entryPoints(
  ledger: Ledger,
  strategy: Strategy,
  request: RetrieveRequest,
  vector: Vector,
  documents: ReadonlySet<string> | undefined,
): Query['near'] {
  const near: { [kind in NodeKind]?: readonly Hit[] } = {}
  const few = documents && passagesOf(ledger.graph, documents)
  for (const { kind, k } of strategy.entries) {
    if (few && kind === 'passage') near[kind] = rank(ledger.graph, few, vector, k)
    else near[kind] = complete(ledger, kind, vector, k, request.near[kind], documents && admission(ledger.graph, documents))
  }
  return near
}

/**
 * The index's hits, rescored on the object's own vectors, without nodes that are gone, with the tail it does not show yet.
 * Without the index (it is down, or answers nothing for this corpus) the object scans its own vectors.
 */
function complete(
  ledger: Ledger,
  kind: NodeKind,
  vector: Vector,
  k: number,
  hits: readonly Hit[] | undefined,
  admits: ((chunk: string) => boolean) | undefined,
): readonly Hit[] {
  const inside = (id: string): boolean => !admits || kind !== 'passage' || admits(chunkOf(id))
  if (!hits) return ledger.graph.nearest(vector, kind, k, inside)
  const tail = ledger.tail.nearest(kind, vector, admits ? k * 10 : k)
  const ids = [...new Set([...hits, ...tail].map((hit) => hit.id))].filter((id) => kindOf(id) === kind && inside(id))
  return rank(ledger.graph, ids, vector, k)
}

function rank(graph: GraphReader, ids: readonly string[], vector: Vector, k: number): Hit[] {
  const hits: Hit[] = []
  for (const id of ids) {
    const own = graph.vector(id)
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
      if (out.length > FEW) return undefined
    }
  }
  return [...new Set(out)]
}
