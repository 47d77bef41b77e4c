/**
 * BM25 with the frequencies of all parts of a corpus, over one part's keyword index, which orders by its own. What it finds is scored again; how far it
 * must be read follows from how much higher a passage can score by the one than by the other, so that nothing better is left unread. Pure.
 */
import { Bm25Score, rarity } from '../graph/bm25'
import { compareText } from '../graph/ordered-map'
import type { Admits, GraphReader, Search } from '../graph/reader'
import type { Hit } from '../graph/types'

const matchLimits = {
  first: 16, // hits read beyond those wanted
  wider: 3, // times as many where these may not be all
  most: 4096, // read at most: what is left then is not proved to be worth less
} as const

/** The keyword index of one part, for one question: what was found by some words is not searched for again where no more are wanted by the same. */
export function searchIn(graph: GraphReader, admits?: Admits): Search {
  const known = new Map<string, { readonly wide: number; readonly hits: readonly Hit[] }>()
  return (terms, limit) => {
    const key = terms.join(' ')
    const before = known.get(key)
    if (before && (before.wide >= limit || before.hits.length < before.wide)) return before.hits.slice(0, limit)
    const hits = graph.match(terms, limit, admits)
    known.set(key, { wide: limit, hits })
    return hits
  }
}

/** Of all parts together. */
export interface Statistics {
  readonly passages: number
  /** Of a passage, in terms. */
  readonly mean: number
  /** In how many passages each term is. */
  readonly frequencies: readonly (readonly [term: string, passages: number])[]
}

/** Best first, then by id; the first `exact` of them as one index of all parts gives them, those behind in the part's own order. */
export function matchJointly(
  graph: GraphReader,
  terms: readonly string[],
  { limit, exact: wanted, statistics }: { readonly limit: number; readonly exact: number; readonly statistics: Statistics },
  search: Search = searchIn(graph),
): readonly Hit[] {
  const { lexicon } = graph
  if (!lexicon || limit <= 0) return []
  const { passages, mean } = statistics
  const score = new Bm25Score({ texts: passages, mean, frequencies: statistics.frequencies.map(([, occurs]) => occurs) })
  const asked = statistics.frequencies.map(([term]) => term)
  const gain = mostGained(graph, terms, statistics)
  const known = new Map<string, number>()
  const scored = (hits: readonly Hit[]): Hit[] => {
    const ids = hits.flatMap(({ id }) => (known.has(id) ? [] : id))
    for (const [i, counts] of lexicon.counts(ids, asked).entries()) known.set(ids[i] ?? '', counts ? score.of(counts) : 0)
    return hits.map(({ id }) => ({ id, score: known.get(id) ?? 0 }))
  }
  const exact = Math.min(limit, wanted)
  for (let wide = limit + matchLimits.first; ; wide = Math.min(wide * matchLimits.wider, matchLimits.most)) {
    const found = search(terms, wide)
    const isAll = found.length < wide || wide >= matchLimits.most
    let read = Math.min(found.length, exact + matchLimits.first)
    for (;;) {
      const best = scored(found.slice(0, read)).sort(byScore)
      const rest = read < found.length ? found[read]?.score : isAll ? 0 : found.at(-1)?.score
      // Nothing that was not scored is worth as much as the last that is wanted.
      const isProved = rest === 0 || (best[exact - 1]?.score ?? 0) > gain * (rest ?? 0)
      if (isProved || (read >= found.length && isAll)) return ordered(best, found.slice(read), limit)
      if (read >= found.length) break
      read = Math.min(found.length, read * 2)
    }
  }
}

/** Those behind, in the part's own order, are worth no more than the last before them. */
function ordered(best: readonly Hit[], behind: readonly Hit[], limit: number): readonly Hit[] {
  const floor = best.at(-1)?.score ?? 0
  return [...best, ...behind.map(({ id, score }) => ({ id, score: Math.min(score, floor) }))].slice(0, limit)
}

/** The largest factor by which a passage's score with the frequencies of all parts can exceed that with the part's own. */
function mostGained(graph: GraphReader, terms: readonly string[], { passages, mean, frequencies }: Statistics): number {
  const own = graph.frequency(terms)
  const all = new Map(frequencies)
  const count = graph.count('passage')
  const byRarity = terms.map((term, i) => ((own[i] ?? 0) === 0 ? 0 : rarity(passages, all.get(term) ?? 0) / rarity(count, own[i] ?? 0)))
  const byLength = Math.max(1, mean / (graph.lexicon?.meanLength() || mean || 1))
  return Math.max(0, ...byRarity) * byLength
}

const byScore = (a: Hit, b: Hit): number => b.score - a.score || compareText(a.id, b.id)
