/**
 * Names of one thing, found by rule (builders/resolution.ts) and joined. In a corpus too large to hold the words of all names at once, the words are
 * taken a share at a time, so that memory does not grow with the corpus; each share reads every name again, in steps.
 */
import { merge, mergeCandidates, type Pair, proposePairs, resolutionLimits, wordsOf } from '../../builders/resolution'
import type { GraphReader } from '../../graph/reader'
import type { Clustering } from './clustering-state'
import { forgetNames } from './relation-weights'
import { rowsIn } from './rows'

const HELD = 20_000 // names whose words are held at once: some 10 MB
const PAGE = 500 // names read together
const WORK = 0.05 // of a sentence analysed: a name read, or one compared with the others that share a word

/** All pairs of the corpus, of which the words of all names are held meanwhile. */
export function pairsOfAll({ draft, rows }: Clustering): readonly Pair[] {
  return mergeCandidates(draft, rows.ids(0), (id) => rows.peek(0, id)?.vector)
}

/** The same a step at a time; each says how much work it was (`Builder.consolidating`). O(entities) for each share of the words. */
export function* pairsInSteps(graph: GraphReader, held = HELD): Generator<number, readonly Pair[]> {
  const shares = Math.ceil(graph.count('entity') / held)
  const found = new Map<string, Pair>()
  for (let share = 0; share < shares; share++) {
    const holders = yield* holdersOf(graph, (word) => shareOf(word, shares) === share)
    for (const ids of holders.values()) {
      if (ids.length < 2 || ids.length > resolutionLimits.compared) continue
      for (const pair of pairsAmong(graph, ids)) found.set(`${pair.a} ${pair.b}`, pair)
      yield WORK * ids.length
    }
  }
  return [...found].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, pair]) => pair)
}

/** Those of the pairs that a rule would join in the graph as it is now, with their measures of now. */
export function standing({ draft, rows }: Clustering, pairs: readonly Pair[]): readonly Pair[] {
  const known = new Set(pairs.map(({ a, b }) => `${a} ${b}`))
  const ids = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))].sort()
  return mergeCandidates(draft, ids, (id) => rows.peek(0, id)?.vector).filter(({ a, b }) => known.has(`${a} ${b}`))
}

/** Returns the entities that are now known to be the same as another. */
export function join(clustering: Clustering, pairs: readonly Pair[]): ReadonlySet<string> {
  for (const pair of pairs) merge(clustering.draft, pair)
  forgetNames(clustering)
  return new Set(pairs.flatMap(({ a, b }) => [a, b]))
}

/** Words, each with the names it is in; of a word in more names than are compared, one name more. */
function* holdersOf(graph: GraphReader, takes: (word: string) => boolean): Generator<number, ReadonlyMap<string, readonly string[]>> {
  const holders = new Map<string, string[]>()
  for (let page = graph.page('entity', '', PAGE); page.length > 0; page = graph.page('entity', page[page.length - 1] ?? '', PAGE)) {
    graph.preload?.({ nodes: page })
    for (const id of page) {
      for (const word of new Set(wordsOf(graph, id))) {
        if (!takes(word)) continue
        const ids = holders.get(word) ?? []
        holders.set(word, ids)
        if (ids.length <= resolutionLimits.compared) ids.push(id)
      }
    }
    yield WORK * page.length
  }
  return holders
}

function pairsAmong(graph: GraphReader, ids: readonly string[]): readonly Pair[] {
  const rows = rowsIn(graph)
  graph.preload?.({ nodes: ids })
  rows.fetch(0, ids)
  return ids.flatMap((id, at) => proposePairs(graph, id, ids.slice(at + 1), (one) => rows.read(0, one)?.vector))
}

/** Which share a word belongs to (FNV-1a). */
function shareOf(word: string, shares: number): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return (hash >>> 0) % shares
}
