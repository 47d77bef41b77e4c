/**
 * Which chunks a model reads for the skeleton (KET-RAG, Algorithm 1): the most central of a graph in which every chunk is tied to the chunks nearest to it
 * by words and by vectors. Lexical neighbours come from an inverted index, semantic ones from all pairs while there are few and from neighbours in random
 * orders when there are many: never n × n. Reads the whole graph: only for `consolidate`.
 */
import { centrality } from '../algorithms/centrality'
import type { GraphReader } from '../graph/reader'
import type { Vector } from '../graph/types'
import { random } from '../random'
import { terms } from '../text/terms'
import { cosine } from '../vectors'

const limits = {
  postings: 256, // chunks of a word; words in more tie nothing together
  words: 64, // rarest words of a chunk that are looked up
  exact: 1500, // chunks up to which every pair of vectors is compared: about a second
  orders: 4, // random orders beyond that
  bits: 16, // hyperplanes per order
  window: 12, // neighbours compared in each order, each way
} as const
const PAGE = 1000 // ids read at a time

export function allChunks(graph: GraphReader): string[] {
  const ids: string[] = []
  for (let page = graph.page('chunk', '', PAGE); page.length > 0; page = graph.page('chunk', page[page.length - 1] ?? '', PAGE))
    ids.push(...page)
  return ids
}

/** Chunk ids, most central first. */
export function byCentrality(graph: GraphReader, ids: readonly string[], knn: number): readonly string[] {
  const scores = centrality(neighboursOf(graph, ids, knn))
  return ids
    .map((id, i) => ({ id, score: scores[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .map((one) => one.id)
}

/** The KNN graph: of each chunk the places of those it is tied to. `knn` neighbours each: half by words, half by vectors, the latter never the former. */
export function neighboursOf(graph: GraphReader, ids: readonly string[], knn: number): readonly (readonly number[])[] {
  const words = ids.map((id) => new Set(ownTerms(graph, id)))
  const vectors = ids.map((id) => graph.vector(id))
  const each = Math.max(1, Math.round(knn / 2))
  const lexical = lexicalNeighbours(words, each)
  const semantic = semanticNeighbours(vectors, lexical, each)
  const ties = ids.map(() => new Set<number>())
  for (const lists of [lexical, semantic]) {
    lists.forEach((list, i) => {
      for (const j of list) {
        ties[i]?.add(j)
        ties[j]?.add(i)
      }
    })
  }
  return ties.map((set) => [...set].sort((a, b) => a - b))
}

/** Chunk ids in an order that has nothing to do with them. */
export function shuffled(ids: readonly string[]): readonly string[] {
  return [...ids].sort((a, b) => randomRank(a) - randomRank(b) || (a < b ? -1 : 1))
}

/** A number in [0, 1) that is a chunk's own. */
export function randomRank(id: string): number {
  return random(`skeleton ${id}`).next()
}

/** Without the overlap: what a chunk repeats of the one before would make the two each other's neighbours. */
function ownTerms(graph: GraphReader, id: string): readonly string[] {
  const chunk = graph.chunk(id)
  return chunk ? terms(chunk.text.slice(chunk.own)) : []
}

function lexicalNeighbours(words: readonly ReadonlySet<string>[], each: number): number[][] {
  const postings = new Map<string, number[]>()
  words.forEach((set, i) => {
    for (const word of set) {
      const known = postings.get(word)
      if (known) known.push(i)
      else postings.set(word, [i])
    }
  })
  const lists = (set: ReadonlySet<string>): (readonly number[])[] =>
    [...set]
      .map((word) => ({ word, holders: postings.get(word) ?? [] }))
      .filter(({ holders }) => holders.length > 1 && holders.length <= limits.postings)
      .sort((a, b) => a.holders.length - b.holders.length || (a.word < b.word ? -1 : 1))
      .slice(0, limits.words)
      .map((one) => one.holders)
  return words.map((set, i) => {
    const shared = new Map<number, number>()
    for (const holders of lists(set)) {
      const worth = Math.log(1 + words.length / holders.length)
      for (const j of holders) if (j !== i) shared.set(j, (shared.get(j) ?? 0) + worth)
    }
    return topIndexes(shared, each)
  })
}

function semanticNeighbours(vectors: readonly (Vector | undefined)[], taken: readonly (readonly number[])[], each: number): number[][] {
  const near = vectors.length <= limits.exact ? () => vectors.keys() : hyperplaneWindows(vectors)
  return vectors.map((own, i) => {
    if (!own) return []
    const scores = new Map<number, number>()
    for (const j of near(i)) {
      const other = vectors[j]
      if (other && j !== i && !scores.has(j) && !taken[i]?.includes(j)) scores.set(j, cosine(own, other))
    }
    return topIndexes(scores, each)
  })
}

/** Neighbours in a few orders by random hyperplanes: near vectors agree on most signs, so they are close in some order. */
function hyperplaneWindows(vectors: readonly (Vector | undefined)[]): (i: number) => Iterable<number> {
  const dimensions = vectors.find((one) => one)?.length ?? 0
  const orders = Array.from({ length: limits.orders }, (_, order) => {
    const numbers = random(`skeleton order ${order}`)
    const planes = Array.from({ length: limits.bits }, () => Array.from({ length: dimensions }, () => (numbers.below(2) === 0 ? -1 : 1)))
    const codes = vectors.map((vector) => (vector ? code(vector, planes) : -1))
    const line = [...vectors.keys()].sort((a, b) => (codes[a] ?? 0) - (codes[b] ?? 0) || a - b)
    const place = new Int32Array(vectors.length)
    line.forEach((i, at) => {
      place[i] = at
    })
    return { line, place }
  })
  return (i) =>
    orders.flatMap(({ line, place }) => line.slice(Math.max(0, (place[i] ?? 0) - limits.window), (place[i] ?? 0) + limits.window + 1))
}

function code(vector: Vector, planes: readonly (readonly number[])[]): number {
  return planes.reduce((bits, plane) => {
    let sum = 0
    for (let d = 0; d < vector.length; d++) sum += (vector[d] ?? 0) * (plane[d] ?? 0)
    return bits * 2 + (sum >= 0 ? 1 : 0)
  }, 0)
}

function topIndexes(scores: ReadonlyMap<number, number>, count: number): number[] {
  const best: { at: number; score: number }[] = []
  for (const [at, score] of scores) {
    const last = best[count - 1]
    if (last && (score < last.score || (score === last.score && at > last.at))) continue
    best.push({ at, score })
    best.sort((a, b) => b.score - a.score || a.at - b.at)
    best.length = Math.min(best.length, count)
  }
  return best.map((one) => one.at)
}
