/**
 * KET-RAG's keyword–passage graph: one row per keyword of the band (`keyword-row.ts`), written once per commit; the edges are the keyword index's own
 * postings. Exact under insert and delete. `consolidate` publishes keyword nodes for the vector index, and again only those
 * whose mean has turned by more than `drift` since: what search returns is measured on the exact sum, so a stale entry
 * point costs reach, never truth. About 50 rows per 1,200-token chunk, fewer as commits get larger, since a row is written once in each.
 */
import type { GraphReader } from '../graph/reader'
import type { Change, Vector } from '../graph/types'
import { nodeId, unitId } from '../ids'
import type { Builder, Delta } from '../strategy'
import { spelled } from '../text/terms'
import { countTokens } from '../text/tokens'
import { accumulate, cosine, quantize } from '../vectors'
import {
  band,
  COMMON,
  commonTerms,
  KEYWORDS,
  type KeywordRow,
  packedRow,
  readRow,
  rowKey,
  summed,
  termOf,
  unpackedRow,
} from './keyword-row'
import { type ChunkTerms, chunkTerms } from './keyword-terms'

const DRIFT = 0.97 // cosine with the published mean below which it is published again: a turn of 14 degrees
const PAGE = 500 // rows read at a time where all are read

export const keywords: Builder = {
  name: 'keywords',
  builds: [],
  unitVectors: true,
  update(graph, delta) {
    return { patch: delta.added.length + delta.removed.length > 0 ? recount(graph, delta) : [], tasks: [] }
  },
  consolidate(graph) {
    return { patch: [...published(graph), ...withdrawn(graph)], tasks: [] }
  },
}

/** The node of a published keyword. */
export function keywordId(term: string): string {
  return nodeId('keyword', 'ketrag', term)
}

interface Moved {
  readonly sign: 1 | -1
  readonly terms: ChunkTerms
  readonly vector: (ordinal: number) => Vector | undefined
}

function recount(graph: GraphReader, delta: Delta): Change[] {
  const moves: Moved[] = [
    ...delta.added.map(
      (chunk): Moved => ({ sign: 1, terms: chunkTerms(chunk), vector: (ordinal) => graph.vector(unitId(chunk.id, ordinal)) }),
    ),
    ...delta.removed.map(
      ({ chunk, vectors }): Moved => ({ sign: -1, terms: chunkTerms(chunk), vector: (ordinal) => vectors.units[ordinal] }),
    ),
  ]
  const touching = new Map<string, Moved[]>()
  for (const move of moves) {
    for (const term of move.terms.passages.keys()) {
      const known = touching.get(term)
      if (known) known.push(move)
      else touching.set(term, [move])
    }
  }
  const before = commonTerms(graph)
  const common = new Set(before)
  // A common keyword stays common when texts come; the index need not count it again.
  const asked = [...touching].filter(([term, own]) => !common.has(term) || own.some((move) => move.sign < 0)).sort(byTerm)
  const frequencies = graph.frequency(asked.map(([term]) => term))
  const patch = asked.flatMap(([term, own], i) => {
    const frequency = frequencies[i] ?? 0
    if (frequency > band.most) common.add(term)
    else common.delete(term)
    return changed(graph, term, frequency, own)
  })
  return [...patch, ...listed(before, [...common].sort())]
}

function byTerm([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function changed(graph: GraphReader, term: string, frequency: number, moves: readonly Moved[]): Change[] {
  const turn = moves.reduce((sum, move) => sum + move.sign * (move.terms.passages.get(term) ?? 0), 0)
  const now = frequency >= band.least && frequency <= band.most
  const stood = frequency - turn >= band.least && frequency - turn <= band.most
  if (!now && !stood) return []
  const key = rowKey(term)
  const row = readRow(graph, term)
  // Too few passages say it for it to be anybody's keyword: the published node goes at once, the word may have been a deleted text's own.
  const gone = frequency < band.least && graph.node(keywordId(term)) ? [{ op: 'drop-node', id: keywordId(term) } as const] : []
  if (!now) return [...(row ? [{ op: 'drop-value', space: KEYWORDS, key } as const] : []), ...gone]
  // A row that does not stand where these changes began (a rebuild, a chunk fed twice) is summed anew.
  const next = row && row.frequency + turn === frequency ? moved(row, term, frequency, moves) : summed(graph, term, frequency)
  return next.count > 0 ? [{ op: 'put-value', space: KEYWORDS, key, value: packedRow(next) }] : []
}

function moved(row: KeywordRow, term: string, frequency: number, moves: readonly Moved[]): KeywordRow {
  let { count } = row
  const { sum } = row
  for (const { sign, terms, vector } of moves) {
    for (const ordinal of terms.units.get(term) ?? []) {
      const own = vector(ordinal)
      if (!own) continue
      accumulate(sum, own, sign)
      count += sign
    }
  }
  return { frequency, count, sum }
}

function listed(before: readonly string[], now: readonly string[]): Change[] {
  if (now.length === before.length && now.every((term, i) => term === before[i])) return []
  if (now.length === 0) return [{ op: 'drop-value', space: KEYWORDS, key: COMMON }]
  return [{ op: 'put-value', space: KEYWORDS, key: COMMON, value: now }]
}

function published(graph: GraphReader): Change[] {
  const patch: Change[] = []
  for (let from = `${COMMON}!`; ; ) {
    const page = graph.values(KEYWORDS, from, PAGE)
    for (const { key, value } of page) {
      const row = unpackedRow(value)
      if (row) patch.push(...entry(graph, termOf(key), row))
    }
    const last = page[page.length - 1]
    if (page.length < PAGE || !last) return patch
    from = `${last.key} `
  }
}

function entry(graph: GraphReader, term: string, row: KeywordRow): Change[] {
  const id = keywordId(term)
  const known = graph.node(id)?.vector
  if (known && cosine(known, row.sum) >= DRIFT) return []
  const text = spelled(term)
  const data = { published: true, term }
  return [{ op: 'put-node', node: { id, kind: 'keyword', layer: 0, text, tokens: countTokens(text), vector: quantize(row.sum), data } }]
}

/** Nodes whose keyword has left the band. Another strategy's keywords are none of ours. */
function withdrawn(graph: GraphReader): Change[] {
  const patch: Change[] = []
  for (let ids = graph.page('keyword', '', PAGE); ids.length > 0; ids = graph.page('keyword', ids[ids.length - 1] ?? '', PAGE)) {
    for (const id of ids) {
      const term = publishedTerm(graph, id)
      if (term !== undefined && !readRow(graph, term)) patch.push({ op: 'drop-node', id })
    }
  }
  return patch
}

/** The term of a keyword node of ours. */
export function publishedTerm(graph: GraphReader, id: string): string | undefined {
  const data = graph.node(id)?.data
  return data?.published === true && typeof data.term === 'string' ? data.term : undefined
}
