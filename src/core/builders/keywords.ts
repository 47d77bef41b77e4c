/**
 * KET-RAG's keyword–passage graph. Its edges are the keyword index's postings and its statistics a view (`keyword-mean.ts`), so an insert writes
 * nothing here and a delete leaves nothing. What is written are entry points: `consolidate` publishes a node for each keyword in 8 to 64
 * passages, its vector the mean of all sentences that say it, and again only when that mean has turned by more than `DRIFT` since. What
 * a question reads is measured anew, so a stale entry point costs reach, never truth. A published keyword goes with its texts.
 */
import type { GraphReader } from '../graph/reader'
import type { Change } from '../graph/types'
import { nodeId, unitId } from '../ids'
import type { Builder } from '../strategy'
import { spelled } from '../text/terms'
import { countTokens } from '../text/tokens'
import { accumulate, cosine, quantize } from '../vectors'
import { band, type KeywordMean } from './keyword-mean'
import { chunkTerms } from './keyword-terms'
import { allChunks } from './skeleton'

const DRIFT = 0.97 // cosine with the published mean below which it is published again: a turn of 14 degrees
const PAGE = 500 // nodes read at a time
const SLICE = 8000 // keywords summed in one pass over the corpus: 16 MB at 512 dimensions

export const keywords: Builder = {
  name: 'keywords',
  builds: [],
  unitVectors: true,
  update(graph, { removed }) {
    const terms = [...new Set(removed.flatMap(({ chunk }) => [...chunkTerms(chunk).passages.keys()]))].sort()
    const known = terms.filter((term) => graph.node(keywordId(term)))
    const frequencies = graph.frequency(known)
    const gone = known.filter((_, i) => (frequencies[i] ?? 0) < band.least)
    return { patch: gone.map((term): Change => ({ op: 'drop-node', id: keywordId(term) })), tasks: [] }
  },
  consolidate(graph) {
    const chunks = allChunks(graph)
    const inBand = publishable(graph, chunks)
    const patch: Change[] = []
    for (let at = 0; at < inBand.length; at += SLICE) {
      for (const [term, row] of summed(graph, chunks, inBand.slice(at, at + SLICE))) patch.push(...entry(graph, term, row))
    }
    return { patch: [...patch, ...withdrawn(graph, new Set(inBand))], tasks: [] }
  },
}

/** The node of a published keyword. Another strategy's node of the same word has another id. */
export function keywordId(term: string): string {
  return nodeId('keyword', 'ketrag', term)
}

/** The term of a keyword node of ours. */
export function publishedTerm(graph: GraphReader, id: string): string | undefined {
  const data = graph.node(id)?.data
  return data?.published === true && typeof data.term === 'string' ? data.term : undefined
}

/** Keywords of the band, sorted. */
function publishable(graph: GraphReader, chunks: readonly string[]): readonly string[] {
  const passages = new Map<string, number>()
  for (const id of chunks) {
    const chunk = graph.chunk(id)
    if (!chunk) continue
    for (const [term, count] of chunkTerms(chunk).passages) passages.set(term, (passages.get(term) ?? 0) + count)
  }
  return [...passages].flatMap(([term, count]) => (count >= band.least && count <= band.most ? [term] : [])).sort()
}

function summed(graph: GraphReader, chunks: readonly string[], terms: readonly string[]): ReadonlyMap<string, KeywordMean> {
  const rows = new Map(terms.map((term) => [term, { frequency: 0, count: 0, sum: new Int32Array(graph.dimensions) }]))
  for (const id of chunks) {
    const chunk = graph.chunk(id)
    if (!chunk) continue
    const { passages, units } = chunkTerms(chunk)
    for (const [term, count] of passages) {
      const row = rows.get(term)
      if (!row) continue
      row.frequency += count
      for (const ordinal of units.get(term) ?? []) {
        const vector = graph.vector(unitId(id, ordinal))
        if (!vector) continue
        accumulate(row.sum, vector)
        row.count++
      }
    }
  }
  return rows
}

function entry(graph: GraphReader, term: string, { frequency, count, sum }: KeywordMean): Change[] {
  if (count === 0) return []
  const id = keywordId(term)
  const known = graph.node(id)?.vector
  if (known && cosine(known, sum) >= DRIFT) return []
  const text = spelled(term)
  const data = { published: true, term, passages: frequency, sentences: count }
  return [{ op: 'put-node', node: { id, kind: 'keyword', layer: 0, text, tokens: countTokens(text), vector: quantize(sum), data } }]
}

/** Nodes whose keyword has left the band. Another strategy's keywords are none of ours. */
function withdrawn(graph: GraphReader, inBand: ReadonlySet<string>): Change[] {
  const patch: Change[] = []
  for (let ids = graph.page('keyword', '', PAGE); ids.length > 0; ids = graph.page('keyword', ids[ids.length - 1] ?? '', PAGE)) {
    for (const id of ids) {
      const term = publishedTerm(graph, id)
      if (term !== undefined && !inBand.has(term)) patch.push({ op: 'drop-node', id })
    }
  }
  return patch
}
